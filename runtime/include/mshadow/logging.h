// SPDX-License-Identifier: Apache-2.0
/// \file logging.h
/// CHECK, CHECK_EQ … and LOG(INFO|WARNING|ERROR|FATAL), to which text is streamed:
///
///     CHECK_EQ(a.size(0), b.size(0)) << "one label for each row";
///
/// A check that fails throws mshadow::Error at the end of the statement. The message has the file
/// and line, the condition and, for CHECK_EQ and its like, both values. LOG(FATAL) throws an Error,
/// too. Nothing aborts. The other levels of LOG print one line to standard error. DCHECK… check
/// nothing if NDEBUG is defined.
///
/// If the macros exist already (glog, dmlc-core, Catch2), they stay as they are. If a library
/// defines them after this header, define MSHADOW_NO_LOGGING as 1: then this header defines none.
#ifndef MSHADOW_LOGGING_H_
#define MSHADOW_LOGGING_H_

#include <string>

#include "mshadow/detail/exception.h"
#include "mshadow/detail/log_stream.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

enum class Severity { kInfo, kWarning, kError, kFatal };

/// One message. The destructor prints it or, for kFatal, throws it as an Error.
class LogMessage {
 public:
  LogMessage(const char *file, int line, Severity severity);
  ~LogMessage() noexcept(false);
  LogMessage(const LogMessage &) = delete;
  LogMessage &operator=(const LogMessage &) = delete;
  const LogStream &stream();

 private:
  struct Text;
  Text *text_;
};

/// Turns a stream into void, so that it can be the second branch of `condition ? void() : …`.
struct LogVoidify {
  void operator&(const LogStream &) const {}
  void operator&(std::ostream &) const {}  // what an operator<< of the caller returns
};

/// The text that \p write prints for the two values.
std::string DescribeValues(void (*write)(const LogStream &, const void *, const void *),
                           const void *a, const void *b);
template <typename A, typename B>
void WriteValues(const LogStream &out, const void *a, const void *b) {
  out << " (" << *static_cast<const A *>(a) << " vs. " << *static_cast<const B *>(b) << ") ";
}

/// Whether `a == b` compiles for types A and B.
template <typename A, typename B, typename = void>
struct IsCompared : std::false_type {};
template <typename A, typename B>
struct IsCompared<A, B,
                  std::void_t<decltype(std::declval<const A &>() == std::declval<const B &>())>>
    : std::true_type {};

/// \p value as it is compared with an operand of type Other. A template takes NULL and 0 for
/// integers. If the other operand is a pointer, this makes null pointers of them again.
template <typename Other, typename T>
constexpr decltype(auto) Beside(const T &value) {
  constexpr bool kIsNull = std::is_integral<T>::value && !IsCompared<Other, T>::value &&
                           IsCompared<Other, std::nullptr_t>::value;
  if constexpr (kIsNull) {
    return nullptr;
  } else {
    return (value);
  }
}

// Signed and unsigned numbers are compared as C++ compares them, without a warning, since code for
// mshadow compares counts of both kinds.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wsign-compare"
/// Empty if the comparison holds, else " (a vs. b) ".
#define MSHADOW_COMPARISON(Name, symbol)                        \
  template <typename A, typename B>                             \
  std::string Check##Name(const A &a, const B &b) {             \
    if (Beside<B>(a) symbol Beside<A>(b)) return std::string(); \
    return DescribeValues(WriteValues<A, B>, &a, &b);           \
  }
MSHADOW_COMPARISON(EQ, ==)
MSHADOW_COMPARISON(NE, !=)
MSHADOW_COMPARISON(LT, <)
MSHADOW_COMPARISON(LE, <=)
MSHADOW_COMPARISON(GT, >)
MSHADOW_COMPARISON(GE, >=)
#undef MSHADOW_COMPARISON
#pragma GCC diagnostic pop

/// \p pointer itself. \throws Error if it is null
template <typename T>
T &&CheckNotNull(const char *file, int line, const char *text, T &&pointer) {
  if (pointer == nullptr) {
    LogMessage(file, line, Severity::kFatal).stream() << "check not null: " << text;
  }
  return static_cast<T &&>(pointer);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#define MSHADOW_LOG(severity) \
  ::mshadow::detail::LogMessage(__FILE__, __LINE__, ::mshadow::detail::Severity::severity).stream()
// A loop that runs at most once. An `if` would take an `else` that follows the statement.
#define MSHADOW_CHECK_COMPARISON(Name, symbol, x, y)                                               \
  for (::std::string mshadow_why = ::mshadow::detail::Check##Name((x), (y)); !mshadow_why.empty(); \
       mshadow_why.clear())                                                                        \
  MSHADOW_LOG(kFatal) << "check failed: " #x " " #symbol " " #y << mshadow_why

#if !defined(MSHADOW_NO_LOGGING)
#define MSHADOW_NO_LOGGING 0
#endif
#if !defined(LOG) && !MSHADOW_NO_LOGGING
#define LOG(severity) MSHADOW_LOG_##severity
#define MSHADOW_LOG_INFO MSHADOW_LOG(kInfo)
#define MSHADOW_LOG_WARNING MSHADOW_LOG(kWarning)
#define MSHADOW_LOG_ERROR MSHADOW_LOG(kError)
#define MSHADOW_LOG_FATAL MSHADOW_LOG(kFatal)
#define LOG_IF(severity, condition) \
  !(condition) ? static_cast<void>(0) : ::mshadow::detail::LogVoidify() & LOG(severity)
#endif

#if !defined(CHECK) && !MSHADOW_NO_LOGGING
#define CHECK(x)             \
  (x) ? static_cast<void>(0) \
      : ::mshadow::detail::LogVoidify() & MSHADOW_LOG(kFatal) << "check failed: " #x ": "
#define CHECK_EQ(x, y) MSHADOW_CHECK_COMPARISON(EQ, ==, x, y)
#define CHECK_NE(x, y) MSHADOW_CHECK_COMPARISON(NE, !=, x, y)
#define CHECK_LT(x, y) MSHADOW_CHECK_COMPARISON(LT, <, x, y)
#define CHECK_LE(x, y) MSHADOW_CHECK_COMPARISON(LE, <=, x, y)
#define CHECK_GT(x, y) MSHADOW_CHECK_COMPARISON(GT, >, x, y)
#define CHECK_GE(x, y) MSHADOW_CHECK_COMPARISON(GE, >=, x, y)
#define CHECK_NOTNULL(x) ::mshadow::detail::CheckNotNull(__FILE__, __LINE__, #x, (x))
#endif

#if !defined(DCHECK) && !MSHADOW_NO_LOGGING
#ifdef NDEBUG
#define MSHADOW_DEBUG_ONLY while (false)
#else
#define MSHADOW_DEBUG_ONLY
#endif
#define DCHECK(x) MSHADOW_DEBUG_ONLY CHECK(x)
#define DCHECK_EQ(x, y) MSHADOW_DEBUG_ONLY CHECK_EQ(x, y)
#define DCHECK_NE(x, y) MSHADOW_DEBUG_ONLY CHECK_NE(x, y)
#define DCHECK_LT(x, y) MSHADOW_DEBUG_ONLY CHECK_LT(x, y)
#define DCHECK_LE(x, y) MSHADOW_DEBUG_ONLY CHECK_LE(x, y)
#define DCHECK_GT(x, y) MSHADOW_DEBUG_ONLY CHECK_GT(x, y)
#define DCHECK_GE(x, y) MSHADOW_DEBUG_ONLY CHECK_GE(x, y)
#endif

/// Runs a statement of a destructor, which must not throw. An mshadow::Error is printed instead.
#define MSHADOW_CATCH_ERROR(statement)                            \
  do {                                                            \
    try {                                                         \
      (statement);                                                \
    } catch (const ::mshadow::Error &mshadow_error) {             \
      MSHADOW_LOG(kError) << "ignored: " << mshadow_error.what(); \
    }                                                             \
  } while (false)

/// Makes a call of the CUDA runtime, in files that include its header. \throws Error if it fails
#define MSHADOW_CUDA_CALL(call)                                                \
  do {                                                                         \
    const cudaError_t mshadow_status = (call);                                 \
    if (mshadow_status != cudaSuccess) {                                       \
      MSHADOW_LOG(kFatal) << #call ": " << cudaGetErrorString(mshadow_status); \
    }                                                                          \
  } while (false)

/// Put it after the launch of a kernel of your own. \throws Error if the launch failed
#define MSHADOW_CUDA_POST_KERNEL_CHECK(kernel) MSHADOW_CUDA_CALL(cudaPeekAtLastError())

#endif  // MSHADOW_LOGGING_H_
