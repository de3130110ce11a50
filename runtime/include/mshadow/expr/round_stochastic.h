// SPDX-License-Identifier: Apache-2.0
/// \file round_stochastic.h
/// round_stochastic<DType>(e, u): e as DType, rounded up or down at random.
#ifndef MSHADOW_ROUND_STOCHASTIC_H_
#define MSHADOW_ROUND_STOCHASTIC_H_

#include "mshadow/expr/operators.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/packet/scalar.h"
#endif

namespace mshadow {
namespace expr {
namespace builtin {

/// A float that DType has, next to `a`.
template <typename DType>
struct round_stochastic {
  static constexpr int kWork = 16;
  MSHADOW_XINLINE static float Map(float a, float u) {
#ifdef __MSHADOW_GEN__
    return a + u;  // the generator knows the function by its name
#else
    using One = packet::scalar::Vec<float, 1>;
    const auto rounded = packet::scalar::RoundStochastic<DType>(One(a), One(u));
    return static_cast<float>(packet::scalar::Lane(rounded, 0));
#endif
  }
};

}  // namespace builtin

MSHADOW_VERSION_BEGIN

/// Each element of \p e rounded to one of the two numbers of type DType next to it. Let f be the
/// fraction of the way from the number towards 0 to the number away from 0 at which the element
/// lies. The number away from 0 is taken if the element of \p u is below f. So the mean of the
/// results is the element, if u is uniform in [0, 1), as random_uniform<float> is.
///
/// Numbers that DType has stay as they are. DType is bf16_t, half_t or an integer type; float and
/// double have every element. Beyond the largest number of a 16-bit type the next number is that of
/// one more exponent, which becomes infinity. Integers saturate, and NaN becomes 0 there.
template <typename DType, typename A, typename B, typename From, typename Uniform, int a_kind,
          int b_kind>
MSHADOW_XINLINE auto round_stochastic(const Exp<A, From, a_kind> &e,
                                      const Exp<B, Uniform, b_kind> &u) {
  constexpr bool kTakesFloats = ::mshadow::detail::IsSame<From, float>::value &&
                                ::mshadow::detail::IsSame<Uniform, float>::value;
  static_assert(kTakesFloats,
                "round_stochastic<DType>(e, u) takes two expressions of float: write "
                "tcast<float>(e), random_uniform<float>(...)");
  if constexpr (kTakesFloats) {
    return tcast<DType>(MakeExp<builtin::round_stochastic<DType>>(e, u));
  } else {
    return tcast<DType>(e);  // it has been refused, with a sentence
  }
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_ROUND_STOCHASTIC_H_
