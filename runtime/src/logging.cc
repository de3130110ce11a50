// SPDX-License-Identifier: Apache-2.0
#include "mshadow/logging.h"

#include <iostream>
#include <sstream>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

#define MSHADOW_PRINT(T)                                   \
  const LogStream &LogNumbers::operator<<(T value) const { \
    out_ << value;                                         \
    return static_cast<const LogStream &>(*this);          \
  }
MSHADOW_PRINT(bool)
MSHADOW_PRINT(char)
MSHADOW_PRINT(signed char)
MSHADOW_PRINT(unsigned char)
MSHADOW_PRINT(short)           // NOLINT: as std::ostream has them
MSHADOW_PRINT(unsigned short)  // NOLINT
MSHADOW_PRINT(int)
MSHADOW_PRINT(unsigned int)
MSHADOW_PRINT(long)                // NOLINT
MSHADOW_PRINT(unsigned long)       // NOLINT
MSHADOW_PRINT(long long)           // NOLINT
MSHADOW_PRINT(unsigned long long)  // NOLINT
MSHADOW_PRINT(float)
MSHADOW_PRINT(double)
MSHADOW_PRINT(long double)
MSHADOW_PRINT(const char *)
MSHADOW_PRINT(const void *)
MSHADOW_PRINT(std::nullptr_t)
MSHADOW_PRINT(const std::string &)
#undef MSHADOW_PRINT

const LogStream &LogNumbers::operator<<(std::ostream &(*manipulator)(std::ostream &)) const {
  out_ << manipulator;
  return static_cast<const LogStream &>(*this);
}
const LogStream &LogNumbers::operator<<(std::ios_base &(*manipulator)(std::ios_base &)) const {
  out_ << manipulator;
  return static_cast<const LogStream &>(*this);
}

struct LogMessage::Text {
  explicit Text(Severity how_severe) : severity(how_severe), stream(out) {}
  Severity severity;
  std::ostringstream out;
  LogStream stream;
};

LogMessage::LogMessage(const char *file, int line, Severity severity) : text_(new Text(severity)) {
  static const char *const kNames[] = {"info: ", "warning: ", "error: ", ""};
  const char *name = file;
  for (const char *c = file; *c != '\0'; ++c) {
    if (*c == '/') name = c + 1;
  }
  text_->out << name << ':' << line << ": " << kNames[static_cast<int>(severity)];
}

LogMessage::~LogMessage() noexcept(false) {
  const Severity severity = text_->severity;
  const std::string text = text_->out.str();
  delete text_;
  if (severity == Severity::kFatal) throw Error(text);
  std::cerr << text + '\n';  // in one piece: other threads print too
}

const LogStream &LogMessage::stream() { return text_->stream; }

std::string DescribeValues(void (*write)(const LogStream &, const void *, const void *),
                           const void *a, const void *b) {
  std::ostringstream out;
  write(LogStream(out), a, b);
  return out.str();
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
