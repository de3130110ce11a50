// SPDX-License-Identifier: Apache-2.0
/// \file red.h
/// Reducers: how two values become one, and with which value to start. Your own reducer is a struct
/// with
///  * `Reduce(dst, src)`: combines src into dst;
///  * `SetInitValue(dst)`: sets dst to its value before the first src;
///  * optionally `Merge(dst, src)`: combines a partial result into dst. Without Merge, Reduce does
///    so, and reductions over one axis take values in the order of their index;
///  * for unpool, `PartialGrad(src, result)`: the derivative of the result with respect to src.
/// mshadow's forms with a residual, and for volatile values, are here for code that calls them.
#ifndef MSHADOW_RED_H_
#define MSHADOW_RED_H_

#include "mshadow/expr/op.h"

#include "mshadow/detail/strict_push.h"

// C++20 deprecates parameters that are volatile; mshadow's form of a reducer has them.
#if defined(__clang__)
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunknown-warning-option"
#pragma clang diagnostic ignored "-Wdeprecated-volatile"
#elif defined(__GNUC__) && __GNUC__ >= 10
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wvolatile"
#endif

namespace mshadow {
namespace red {

namespace limits {
/// The least, and the greatest, value of a type; an infinity if the type has one.
template <typename DType>
MSHADOW_XINLINE DType MinValue() {
  if constexpr (detail::ClassOf<DType>() == detail::ScalarClass::kBool) return false;
  return ScalarCast<DType>(-__builtin_huge_val());  // to integers it saturates
}
template <typename DType>
MSHADOW_XINLINE DType MaxValue() {
  return ScalarCast<DType>(__builtin_huge_val());
}
template <typename DType>
MSHADOW_XINLINE DType NegInfValue() {
  return MinValue<DType>();
}
template <typename DType>
MSHADOW_XINLINE DType PosInfValue() {
  return MaxValue<DType>();
}
}  // namespace limits

/// What mshadow's reducers have besides Reduce(dst, src), SetInitValue(dst) and PartialGrad:
#define MSHADOW_REDUCER_FORMS                                                   \
  template <typename DType>                                                     \
  MSHADOW_XINLINE static void Reduce(volatile DType &dst, volatile DType src) { \
    DType value = dst;                                                          \
    const DType other = src;                                                    \
    Reduce(value, other);                                                       \
    dst = value;                                                                \
  }                                                                             \
  template <typename DType>                                                     \
  MSHADOW_XINLINE static void Merge(DType &dst, DType src) {                    \
    Reduce(dst, src);                                                           \
  }                                                                             \
  template <typename DType>                                                     \
  MSHADOW_XINLINE static void Merge(volatile DType &dst, volatile DType src) {  \
    Reduce(dst, src);                                                           \
  }                                                                             \
  template <typename DType>                                                     \
  MSHADOW_XINLINE static void Finalize(volatile DType &) {}                     \
  template <typename DType>                                                     \
  MSHADOW_XINLINE static void Finalize(volatile DType &, volatile DType &) {}   \
  template <typename DType>                                                     \
  MSHADOW_XINLINE static void SetInitValue(DType &initv, DType &residual) {     \
    SetInitValue(initv);                                                        \
    residual = DType(0);                                                        \
  }

/// The forms with a residual, for reducers that do not use the residual.
#define MSHADOW_REDUCER_WITHOUT_RESIDUAL                                                          \
  template <typename DType>                                                                       \
  MSHADOW_XINLINE static void Reduce(volatile DType &dst, volatile DType src, volatile DType &) { \
    Reduce(dst, src);                                                                             \
  }                                                                                               \
  template <typename DType>                                                                       \
  MSHADOW_XINLINE static void Merge(volatile DType &dst, volatile DType &, volatile DType &src,   \
                                    volatile DType &) {                                           \
    Reduce(dst, src);                                                                             \
  }

/// The sum.
struct sum {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = op::plus::Map(dst, src);
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = DType(0);
  }
  template <typename DType>
  MSHADOW_XINLINE static DType PartialGrad(DType, DType) {
    return DType(1);
  }
  MSHADOW_REDUCER_FORMS

  /// The residual is what was lost to rounding so far (Kahan 1965).
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(volatile DType &dst, volatile DType src,
                                     volatile DType &residual) {
    const DType y = src - residual;
    const DType t = dst + y;
    residual = (t - dst) - y;
    dst = t;
  }
  template <typename DType>
  MSHADOW_XINLINE static void Merge(volatile DType &dst, volatile DType &residual,
                                    volatile DType &src, volatile DType &src_residual) {
    Reduce(dst, src, residual);
    const DType lost = -src_residual;
    Reduce(dst, lost, residual);
  }
};

/// The product; integers wrap.
struct product {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = op::mul::Map(dst, src);
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = DType(1);
  }
  template <typename DType>
  MSHADOW_XINLINE static DType PartialGrad(DType src, DType result) {
    return op::div::Map(result, src);
  }
  MSHADOW_REDUCER_FORMS
  MSHADOW_REDUCER_WITHOUT_RESIDUAL
};

/// The largest value; a NaN on either side makes it a NaN.
struct maximum {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = detail::IsLess(dst, src) ? src : dst;
    dst = detail::IsEqual(src, src) ? dst : src;
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = limits::MinValue<DType>();
  }
  template <typename DType>
  MSHADOW_XINLINE static DType PartialGrad(DType src, DType result) {
    return detail::IsEqual(result, src) ? DType(1) : DType(0);
  }
  MSHADOW_REDUCER_FORMS
  MSHADOW_REDUCER_WITHOUT_RESIDUAL
};

/// The smallest value; a NaN on either side makes it a NaN.
struct minimum {
  template <typename DType>
  MSHADOW_XINLINE static void Reduce(DType &dst, DType src) {
    dst = detail::IsLess(src, dst) ? src : dst;
    dst = detail::IsEqual(src, src) ? dst : src;
  }
  template <typename DType>
  MSHADOW_XINLINE static void SetInitValue(DType &initv) {
    initv = limits::MaxValue<DType>();
  }
  template <typename DType>
  MSHADOW_XINLINE static DType PartialGrad(DType src, DType result) {
    return detail::IsEqual(result, src) ? DType(1) : DType(0);
  }
  MSHADOW_REDUCER_FORMS
  MSHADOW_REDUCER_WITHOUT_RESIDUAL
};

/// The index of the value that \p Chooser, maximum or minimum, chooses among the values that are
/// reduced together, counted from 0 in row-major order. It is the first of equal values, the first
/// NaN if there is a NaN, and 0 if there are no values. For reduce_except_dim and reduce_all, whose
/// results are then indices, as elements of the same type. For one axis,
/// reduce_with_axis<Chooser, true> returns indices.
template <typename Chooser>
struct arg {};
using argmax = arg<maximum>;
using argmin = arg<minimum>;

#undef MSHADOW_REDUCER_FORMS
#undef MSHADOW_REDUCER_WITHOUT_RESIDUAL

}  // namespace red

#ifdef __MSHADOW_GEN__
namespace detail {

template <typename T>
T &Lvalue();
template <typename Reducer, typename T, typename = void>
constexpr bool kHasInitial = false;
template <typename Reducer, typename T>
constexpr bool kHasInitial<Reducer, T, decltype(void(Reducer::SetInitValue(Lvalue<T>())))> = true;
template <typename Reducer, typename T, typename = void>
constexpr bool kHasReduce = false;
template <typename Reducer, typename T>
constexpr bool kHasReduce<Reducer, T, decltype(void(Reducer::Reduce(Lvalue<T>(), Lvalue<T>())))> =
    true;
template <typename Reducer, typename T, typename = void>
constexpr bool kHasMergeOf = false;
template <typename Reducer, typename T>
constexpr bool kHasMergeOf<Reducer, T, decltype(void(Reducer::Merge(Lvalue<T>(), Lvalue<T>())))> =
    true;

template <typename T, bool kIsNarrow>
struct AccumulatorOf {
  using type = T;
};
template <typename T>
struct AccumulatorOf<T, true> {
  using type = float;
};

/// Calls a reducer's functions, so that the generator finds their instances for these elements.
template <typename Reducer, typename DType>
void UseReducer() {
  typename AccumulatorOf<DType, ClassOf<DType>() == ScalarClass::kNarrow>::type to, from;
  if constexpr (kHasInitial<Reducer, decltype(to)>) Reducer::SetInitValue(to);
  if constexpr (kHasReduce<Reducer, decltype(to)>) Reducer::Reduce(to, from);
  if constexpr (kHasMergeOf<Reducer, decltype(to)>) Reducer::Merge(to, from);
}

}  // namespace detail
#endif

}  // namespace mshadow

#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__) && __GNUC__ >= 10
#pragma GCC diagnostic pop
#endif

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_RED_H_
