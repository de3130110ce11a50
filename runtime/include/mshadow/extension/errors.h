// SPDX-License-Identifier: Apache-2.0
/// \file errors.h
/// What extensions throw, out of line.
#ifndef MSHADOW_EXTENSION_ERRORS_H_
#define MSHADOW_EXTENSION_ERRORS_H_

#include "mshadow/detail/exception.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// "<what>: axis 3 is not within [0,2]".
void CheckAxis(const char *what, int64_t axis, int64_t first, int64_t last);
/// "<what>: the <name> 0 is not positive".
void CheckPositive(const char *what, const char *name, int64_t value);
/// "<what>: the <name> -1 is negative".
void CheckNotNegative(const char *what, const char *name, int64_t value);
/// \throws Error unless sizes, strides and dilations of windows are positive
void CheckWindow(const char *what, index_t size_y, index_t size_x, index_t stride_y,
                 index_t stride_x, index_t dilation_y, index_t dilation_x);
/// \throws Error unless \p grad has the shape of \p pooled, and \p pooled the extents of \p source
///     outside of dimensions [begin, end), along which windows lie
void CheckPooled(const char *what, int dim, const index_t *source, const index_t *pooled,
                 const index_t *grad, int begin, int end);
/// "<what>: [2,7) is not within dimension 1, of 5".
void CheckRange(const char *what, int dim, int64_t begin, int64_t end, int64_t size);
/// "<what>: <why>, shapes (2,3) and (2,4)".
[[noreturn]] void ThrowMisfit(const char *what, const char *why, const index_t *a, int a_dim,
                              const index_t *b, int b_dim);
/// "<what>: index 7 at place 2 is not within [0,5)".
[[noreturn]] void ThrowIndex(const char *what, double index, index_t place, index_t size);
/// "<what>: the indices at positions 2 and 5 are both row 7".
[[noreturn]] void ThrowRepeat(const char *what, int64_t first, int64_t second, int64_t row);
/// \throws Error unless \p uncountable, of FindUncountable, is 0: an element type is to hold the
///     numbers of what is reduced
void CheckNumbers(int64_t uncountable);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_ERRORS_H_
