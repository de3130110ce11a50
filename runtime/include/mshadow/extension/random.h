// SPDX-License-Identifier: Apache-2.0
/// \file random.h
/// Random numbers as expressions: random_bits, random_uniform, random_normal, random_bernoulli.
///
/// An element is a function of the seed, the sequence and the row-major index of the element in the
/// shape. So an expression has the same elements whenever it is evaluated, in any number of
/// threads, with any instruction set, and on any device. The generator is Philox4x32-10: block b of
/// a sequence is that of counter (b, sequence), 64 bits each, and key seed. An element takes one
/// word of 32 bits, or two if it is a uniform or normal double: element i takes the words from word
/// i (or 2 i) of the sequence on, and word w is word w % 4 of block w / 4.
///
/// Use another sequence for each set of draws, such as the number of the training step. Equal seeds
/// and sequences give equal draws, also for different distributions, which are then not
/// independent.
#ifndef MSHADOW_EXTENSION_RANDOM_H_
#define MSHADOW_EXTENSION_RANDOM_H_

#include "mshadow/detail/draws.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/run.h"
#ifdef __CUDACC__
#include "mshadow/detail/normal_draw.h"
#endif

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Random elements of a shape.
template <DrawKind kDraw, int dim, typename DType>
struct DrawExp : MakeTensorExp<DrawExp<kDraw, dim, DType>, ScalarExp<DType>, dim, DType> {
  static constexpr int kWork = kDraw == DrawKind::kNormal ? 40 : 8;
  DrawKey key_;

  DrawExp(const Shape<dim> &shape, const DrawKey &key) : key_(key) { this->shape_ = shape; }
  template <typename Function>
  void ForEachOperand(Function &&) const {}
};

template <DrawKind kDraw, int dim, typename DType>
class Plan<DrawExp<kDraw, dim, DType>, DType> {
 public:
  explicit Plan(const DrawExp<kDraw, dim, DType> &exp)
      : key_(exp.key_), cols_(static_cast<uint64_t>(exp.shape_[dim - 1])) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const uint64_t i = Index(y, x);
#ifdef __CUDACC__
    return ::mshadow::detail::DrawCursor<kDraw, DType>(key_).Element(i);
#else
    if constexpr (kDraw == DrawKind::kNormal) {
      DType element;
      ::mshadow::detail::FillDraws<kDraw>(key_, i, 1, &element);
      return element;
    } else {
      return ::mshadow::detail::ElementOfBlock<kDraw, DType>(
          key_, ::mshadow::detail::BlockOfDraw<kDraw, DType>(key_, i), i);
    }
#endif
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    ::mshadow::detail::FillDraws<kDraw>(key_, Index(y, x), n, out);
  }

 private:
  MSHADOW_XINLINE uint64_t Index(index_t y, index_t x) const {
    return static_cast<uint64_t>(y) * cols_ + static_cast<uint64_t>(x);
  }

  DrawKey key_;
  uint64_t cols_;
};

namespace detail {

template <typename DType>
constexpr bool kIsDrawnFloat =
    TypeList<float, double, half::half_t, bfloat::bf16_t>::template Has<DType>();

/// \tparam Integers the types of the seed and of the sequence
template <typename... Integers>
constexpr void CheckIntegers() {
  static_assert((std::is_integral_v<Integers> && ...),
                "the seed and the sequence of random numbers must be integers");
}

}  // namespace detail

/// 32 random bits for each element of \p shape.
template <int dim, typename Seed, typename Sequence>
DrawExp<DrawKind::kBits, dim, int32_t> random_bits(const Shape<dim> &shape, Seed seed,
                                                   Sequence sequence) {
  detail::CheckIntegers<Seed, Sequence>();
  return {shape, {static_cast<uint64_t>(seed), static_cast<uint64_t>(sequence), 0}};
}

/// Uniform numbers in [0, 1) for each element of \p shape: multiples of 2^-24 for float, 2^-53 for
/// double, 2^-11 for half_t and 2^-8 for bf16_t, each with the same probability.
template <typename DType, int dim, typename Seed, typename Sequence>
DrawExp<DrawKind::kUniform, dim, DType> random_uniform(const Shape<dim> &shape, Seed seed,
                                                       Sequence sequence) {
  static_assert(detail::kIsDrawnFloat<DType>, "random_uniform draws float, double, half_t, bf16_t");
  detail::CheckIntegers<Seed, Sequence>();
  return {shape, {static_cast<uint64_t>(seed), static_cast<uint64_t>(sequence), 0}};
}

/// Normal numbers of mean 0 and standard deviation 1 for each element of \p shape, by the method of
/// Box and Muller (1958): elements 2 k and 2 k + 1 are made of two uniform numbers. For half_t and
/// bf16_t they are computed in float and rounded once. Those of float are between -6.7 and 6.7,
/// those of double between -8.7 and 8.7.
template <typename DType, int dim, typename Seed, typename Sequence>
DrawExp<DrawKind::kNormal, dim, DType> random_normal(const Shape<dim> &shape, Seed seed,
                                                     Sequence sequence) {
  static_assert(detail::kIsDrawnFloat<DType>, "random_normal draws float, double, half_t, bf16_t");
  detail::CheckIntegers<Seed, Sequence>();
  return {shape, {static_cast<uint64_t>(seed), static_cast<uint64_t>(sequence), 0}};
}

/// 1 with the given probability, and otherwise 0, for each element of \p shape. DType is any
/// element type but bool.
/// \param probability is rounded to a multiple of 2^-32; below 0, and NaN, counts as 0, above 1 as
///     1
template <typename DType, int dim, typename Seed, typename Sequence>
DrawExp<DrawKind::kBernoulli, dim, DType> random_bernoulli(const Shape<dim> &shape,
                                                           double probability, Seed seed,
                                                           Sequence sequence) {
  detail::CheckIntegers<Seed, Sequence>();
  return {shape,
          {static_cast<uint64_t>(seed), static_cast<uint64_t>(sequence),
           ::mshadow::detail::WordsBelow(probability)}};
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_RANDOM_H_
