// SPDX-License-Identifier: Apache-2.0
#include "mshadow/logging.h"

#include <iostream>
#include <sstream>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

struct LogMessage::Text {
  Severity severity;
  std::ostringstream out;
};

LogMessage::LogMessage(const char *file, int line, Severity severity)
    : text_(new Text{severity, std::ostringstream()}) {
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

std::ostream &LogMessage::stream() { return text_->out; }

std::string DescribeValues(void (*write)(std::ostream &, const void *, const void *), const void *a,
                           const void *b) {
  std::ostringstream out;
  write(out, a, b);
  return out.str();
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
