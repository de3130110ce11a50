// SPDX-License-Identifier: Apache-2.0
/// \file cast.h
/// ScalarCast<U>(value): the conversion between element types, total and the same on every machine.
/// tcast, scalars beside expressions and the results of operators all use it.
///  * float to integer truncates and saturates; NaN gives 0;
///  * integer to a narrower integer wraps;
///  * to bool is `!= 0`;
///  * to a float type rounds once, to nearest even.
#ifndef MSHADOW_CAST_H_
#define MSHADOW_CAST_H_

#include "mshadow/base.h"
#if defined(__CUDACC__)
#include "mshadow/cuda/float_op.cuh"
#endif
#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

enum class ScalarClass { kBool, kInteger, kFloat, kNarrow };

/// bool, an integer, float or double, or a 16-bit float.
template <typename T>
MSHADOW_XINLINE constexpr ScalarClass ClassOf() {
  if (!narrow_float::IsArithmetic<T>::value) return ScalarClass::kNarrow;
  if (IsSame<T, bool>::value) return ScalarClass::kBool;
  if (IsSame<T, float>::value || IsSame<T, double>::value) return ScalarClass::kFloat;
  return ScalarClass::kInteger;
}

/// static_cast<U>(value) and comparisons of floats. On a GPU what nvcc's flags do not change.
#if defined(__CUDA_ARCH__)
template <typename U, typename T>
MSHADOW_XINLINE constexpr U NativeCast(T value) {
  if constexpr (ClassOf<T>() == ScalarClass::kFloat && ClassOf<U>() != ScalarClass::kNarrow) {
    if (!__builtin_is_constant_evaluated()) return ::mshadow::cuda::lane::Convert<U>(value);
  }
  return static_cast<U>(value);
}
template <typename T>
MSHADOW_XINLINE constexpr bool IsLess(T a, T b) {
  if constexpr (ClassOf<T>() == ScalarClass::kFloat) {
    if (!__builtin_is_constant_evaluated()) return ::mshadow::cuda::lane::Less(a, b);
  } else if constexpr (ClassOf<T>() == ScalarClass::kNarrow) {
    return IsLess(static_cast<float>(a), static_cast<float>(b));
  }
  return a < b;
}
template <typename T>
MSHADOW_XINLINE constexpr bool IsEqual(T a, T b) {
  if constexpr (ClassOf<T>() == ScalarClass::kFloat) {
    if (!__builtin_is_constant_evaluated()) return ::mshadow::cuda::lane::Equal(a, b);
  } else if constexpr (ClassOf<T>() == ScalarClass::kNarrow) {
    return IsEqual(static_cast<float>(a), static_cast<float>(b));
  }
  return a == b;
}
#else
template <typename U, typename T>
MSHADOW_XINLINE constexpr U NativeCast(T value) {
  return static_cast<U>(value);
}
template <typename T>
MSHADOW_XINLINE constexpr bool IsLess(T a, T b) {
  return a < b;
}
template <typename T>
MSHADOW_XINLINE constexpr bool IsEqual(T a, T b) {
  return a == b;
}
#endif

/// Truncates towards zero; outside the range of U gives its nearest value, NaN gives 0.
template <typename U, typename F>
MSHADOW_XINLINE constexpr U SaturatingCast(F value) {
  constexpr bool kSigned = static_cast<U>(-1) < static_cast<U>(1);
  constexpr int kBits = 8 * static_cast<int>(sizeof(U)) - (kSigned ? 1 : 0);
  constexpr U kMax = static_cast<U>(~uint64_t{0} >> (64 - kBits));
  constexpr U kMin = kSigned ? static_cast<U>(-kMax - 1) : U{0};
  constexpr F kEnd = static_cast<F>(uint64_t{1} << (kBits - 1)) * F{2};  // kMax + 1, exactly
  constexpr F kBegin = kSigned ? -kEnd : F{0};
  if (!IsEqual(value, value)) return U{0};
  if (!IsLess(value, kEnd)) return kMax;
  if (IsLess(value, kBegin)) return kMin;
  return NativeCast<U>(value);
}

}  // namespace detail

/// \p value as a U. Total: no value of any type is undefined behaviour.
template <typename U, typename T>
MSHADOW_XINLINE constexpr U ScalarCast(T value) {
  using detail::ScalarClass;
  constexpr ScalarClass kTo = detail::ClassOf<U>();
  constexpr ScalarClass kFrom = detail::ClassOf<T>();
  static_assert(!detail::IsText<T>::value, "a string is not a number: write a number, or a tensor");
  if constexpr (detail::IsSame<U, T>::value) {
    return value;
  } else if constexpr (detail::IsText<T>::value) {
    return U();  // refused above
  } else if constexpr (kFrom == ScalarClass::kNarrow) {
    return ScalarCast<U>(static_cast<float>(value));
  } else if constexpr (kTo == ScalarClass::kBool) {
    return !detail::IsEqual(value, T{0});
  } else if constexpr (kTo == ScalarClass::kInteger && kFrom == ScalarClass::kFloat) {
    return detail::SaturatingCast<U>(value);
  } else {
    return detail::NativeCast<U>(value);
  }
}

namespace detail {
/// A number that \p DType does not hold among those of \p count elements, counted from 0; 0 if
/// there is none. Bool, 8-bit integers and 16-bit floats are soon at their end.
template <typename DType>
MSHADOW_XINLINE constexpr int64_t FindUncountable(int64_t count) {
  // Of a float type every other number may be held beyond those that all are.
  for (int64_t number = count - 1; number > 0 && number >= count - 2; --number) {
    if (ScalarCast<int64_t>(ScalarCast<DType>(number)) != number) return number;
  }
  return 0;
}
}  // namespace detail

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_CAST_H_
