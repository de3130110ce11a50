// SPDX-License-Identifier: Apache-2.0
/// \file log_stream.h
/// LogStream: what messages are streamed to. It prints as the std::ostream behind it does, yet does
/// without <ostream>, which costs a sixth of what all of tensor.h does to parse.
#ifndef MSHADOW_LOG_STREAM_H_
#define MSHADOW_LOG_STREAM_H_

#include <cstddef>
#include <iosfwd>
#include <string>
#include <type_traits>
#include <utility>

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

class LogStream;

/// The overloads that std::ostream has for numbers and text; out of line. No templates, so that
/// what converts to a number prints as one, and by value, so that constants need no definition.
class LogNumbers {
 public:
  const LogStream &operator<<(bool value) const;
  const LogStream &operator<<(char value) const;
  const LogStream &operator<<(signed char value) const;
  const LogStream &operator<<(unsigned char value) const;
  const LogStream &operator<<(short value) const;           // NOLINT: as std::ostream has them
  const LogStream &operator<<(unsigned short value) const;  // NOLINT
  const LogStream &operator<<(int value) const;
  const LogStream &operator<<(unsigned int value) const;
  const LogStream &operator<<(long value) const;                // NOLINT
  const LogStream &operator<<(unsigned long value) const;       // NOLINT
  const LogStream &operator<<(long long value) const;           // NOLINT
  const LogStream &operator<<(unsigned long long value) const;  // NOLINT
  const LogStream &operator<<(float value) const;
  const LogStream &operator<<(double value) const;
  const LogStream &operator<<(long double value) const;
  const LogStream &operator<<(const char *value) const;
  const LogStream &operator<<(const void *value) const;
  const LogStream &operator<<(std::nullptr_t value) const;
  const LogStream &operator<<(const std::string &value) const;
  const LogStream &operator<<(std::ostream &(*manipulator)(std::ostream &)) const;
  const LogStream &operator<<(std::ios_base &(*manipulator)(std::ios_base &)) const;

 protected:
  explicit LogNumbers(std::ostream &out) : out_(out) {}
  std::ostream &out_;
};

/// Whether there is a `left << right`.
template <typename Left, typename Right, typename = void>
struct IsPrinted : std::false_type {};
template <typename Left, typename Right>
struct IsPrinted<Left, Right,
                 std::void_t<decltype(std::declval<Left &>() << std::declval<const Right &>())>>
    : std::true_type {};

/// Converts to the std::ostream behind it: an operator<< that only the caller sees is found too.
class LogStream : public LogNumbers {
 public:
  explicit LogStream(std::ostream &out) : LogNumbers(out) {}
  operator std::ostream &() const { return out_; }

  using LogNumbers::operator<<;
  /// Anything else: by its own operator<<, or as the number or text that it converts to.
  template <typename T, std::enable_if_t<IsPrinted<std::ostream, T>::value ||
                                             IsPrinted<const LogNumbers, T>::value,
                                         int> = 0>
  const LogStream &operator<<(const T &value) const {
    if constexpr (IsPrinted<std::ostream, T>::value) {
      out_ << value;
      return *this;
    } else {
      return static_cast<const LogNumbers &>(*this) << value;
    }
  }
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_LOG_STREAM_H_
