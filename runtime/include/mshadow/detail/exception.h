// SPDX-License-Identifier: Apache-2.0
/// \file exception.h
/// The one exception that the runtime and emitted kernels throw.
#ifndef MSHADOW_EXCEPTION_H_
#define MSHADOW_EXCEPTION_H_

#include <stdexcept>
#include <string>

#include "mshadow/base.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A misuse found at run time: shapes, devices, overlap, memory. The message names the operand.
class Error : public std::runtime_error {
 public:
  explicit Error(const std::string &message) : std::runtime_error(message) {}
};

namespace detail {
template <>
struct IsText<std::string> : IsText<const char *> {};

/// "(2,3)", and "(3,)" for one dimension. For int32_t, uint32_t and int64_t.
template <typename Index>
std::string ShapeText(const Index *shape, int dim);

/// Throw Error; out of line, so that checks cost a compare.
[[noreturn]] void ThrowError(const std::string &message);
/// "<what>: shapes (2,3) and (2,4) differ".
[[noreturn]] void ThrowShapes(const char *what, const index_t *a, int a_dim, const index_t *b,
                              int b_dim);
[[noreturn]] void ThrowSlice(index_t begin, index_t end, index_t size);
[[noreturn]] void ThrowNotContiguous(const index_t *shape, int dim, index_t stride);
}  // namespace detail

MSHADOW_VERSION_END
}  // namespace mshadow

// User code of mshadow catches dmlc::Error. A program that has dmlc-core's own keeps it; if that
// comes later its header finds itself included, and logging.h has what it would have declared.
#ifndef DMLC_LOGGING_H_
#define DMLC_LOGGING_H_
namespace dmlc {
using Error = ::mshadow::Error;
inline void InitLogging(const char *) {}
}  // namespace dmlc
#endif

#endif  // MSHADOW_EXCEPTION_H_
