// SPDX-License-Identifier: Apache-2.0
/// \file isnan.h
/// Whether a number of any element type is a NaN, or an infinity; under the names that mxnet's
/// operators and reducers use.
#ifndef MSHADOW_ISNAN_H_
#define MSHADOW_ISNAN_H_

#include "mshadow/base.h"

namespace mshadow {

namespace isnan_typed {
template <typename DType>
MSHADOW_XINLINE bool IsNan(DType value) {
  return __builtin_isnan(static_cast<double>(value));
}
}  // namespace isnan_typed

namespace isinf_typed {
template <typename DType>
MSHADOW_XINLINE bool IsInf(DType value) {
  return __builtin_isinf(static_cast<double>(value));
}
}  // namespace isinf_typed

}  // namespace mshadow

#endif  // MSHADOW_ISNAN_H_
