// SPDX-License-Identifier: Apache-2.0
/// \file kept.h
/// The source of a broadcast, each element of which is read many times. On the CPU one that is
/// computed is evaluated once, when the Plan is made, into memory that the Plan's copies share: so
/// `x / broadcast_with_axis(reduce_with_axis<red::sum, false>(y, 1), 0, n)` sums each column once.
#ifndef MSHADOW_EXTENSION_KEPT_H_
#define MSHADOW_EXTENSION_KEPT_H_

#include "mshadow/expr_engine.h"
#include "mshadow/shared_block.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Whether E is computed, by a CPU and nothing else.
template <typename E>
constexpr bool kIsComputed =
    ExpTraits<E>::type::kType != type::kRValue && ExpInfo<E>::kDevMask == cpu::kDevMask;

/// The elements of an expression.
template <typename E, typename DType>
class Kept {
 public:
  using View = Tensor<cpu, ExpInfo<E>::kDim, DType>;
  explicit Kept(const E &exp) : Kept(exp, ShapeCheck<ExpInfo<E>::kDim, E>::Check(exp)) {}

 protected:
  View view() const { return View(block_.tensor().dptr_, shape_); }

 private:
  Kept(const E &exp, const Shape<ExpInfo<E>::kDim> &shape)
      : block_(shape.Size(), nullptr), shape_(shape) {
    view() = exp;
  }

  ::mshadow::detail::SharedBlock<cpu, DType> block_;
  Shape<ExpInfo<E>::kDim> shape_;
};

template <typename E, typename DType>
class KeptPlan : private Kept<E, DType>, public Plan<typename Kept<E, DType>::View, DType> {
 public:
  explicit KeptPlan(const E &exp)
      : Kept<E, DType>(exp), Plan<typename Kept<E, DType>::View, DType>(this->view()) {}
};

/// The Plan of a source, which is kept if kKeep.
template <bool kKeep, typename E, typename DType, int etype>
MSHADOW_CINLINE auto MakeSourcePlan(const Exp<E, DType, etype> &exp) {
  if constexpr (kKeep) {
    return KeptPlan<E, DType>(exp.self());
  } else {
    return MakePlan(exp.self());
  }
}
template <bool kKeep, typename E, typename DType>
using SourcePlan = std::conditional_t<kKeep, KeptPlan<E, DType>, Plan<E, DType>>;

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_KEPT_H_
