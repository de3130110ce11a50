// SPDX-License-Identifier: Apache-2.0
/// \file broadcast_scalar.h
/// broadcast_scalar(vector, shape): the one element of a vector, everywhere.
#ifndef MSHADOW_EXTENSION_BROADCAST_SCALAR_H_
#define MSHADOW_EXTENSION_BROADCAST_SCALAR_H_

#ifdef __MSHADOW_GEN__
#include "mshadow/expr/info.h"
#else
#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"
#endif

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// The one element of a vector, everywhere.
#ifdef __MSHADOW_GEN__
template <typename SrcExp, typename DType, int dimdst>
struct BroadcastScalarExp
    : MakeTensorExp<BroadcastScalarExp<SrcExp, DType, dimdst>, SrcExp, dimdst, DType> {
  BroadcastScalarExp(const SrcExp &src, const Shape<dimdst> &shape);
};
#else
template <typename SrcExp, typename DType, int dimdst>
struct BroadcastScalarExp
    : detail::AxisMapExp<BroadcastScalarExp<SrcExp, DType, dimdst>, SrcExp, dimdst, DType> {
  static constexpr bool kRepeats = true;
  BroadcastScalarExp(const SrcExp &src, const Shape<dimdst> &shape)
      : detail::AxisMapExp<BroadcastScalarExp, SrcExp, dimdst, DType>(src) {
    const Shape<1> one = ShapeCheck<1, SrcExp>::Check(src);
    if (one[0] != 1) {
      ::mshadow::detail::ThrowShapes("broadcast_scalar of a vector of one element", one.shape_, 1,
                                     Shape1(1).shape_, 1);
    }
    this->shape_ = shape;
    this->map_ = detail::AxisMap<dimdst>(shape);
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    for (int d = 1; d < dimdst; ++d) map->Insert(d, this->shape_[d]);
    map->Repeat(0, this->shape_[0]);
  }
};

namespace detail {
/// Where the host sees the element, it is read once, when the Plan is made; a kernel reads it.
template <typename E, typename SrcExp, typename DType, int dim,
          bool kOnCpu = ExpInfo<SrcExp>::kDevMask == cpu::kDevMask>
class BroadcastScalarPlan : public AxisMapPlanOf<E, SrcExp, DType, dim> {
 public:
  explicit BroadcastScalarPlan(const E &exp)
      : AxisMapPlanOf<E, SrcExp, DType, dim>(exp.src_, exp.map_) {}
};
template <typename E, typename SrcExp, typename DType, int dim>
class BroadcastScalarPlan<E, SrcExp, DType, dim, true> {
 public:
  explicit BroadcastScalarPlan(const E &exp)
      : element_(MakeSourcePlan<kIsComputed<SrcExp> >(exp.src_).Eval(0, 0)) {}
  MSHADOW_XINLINE DType Eval(index_t, index_t) const { return element_; }
  static constexpr bool kUniform = true;

 private:
  DType element_;
};
}  // namespace detail

template <typename SrcExp, typename DType, int dimdst>
class Plan<BroadcastScalarExp<SrcExp, DType, dimdst>, DType>
    : public detail::BroadcastScalarPlan<BroadcastScalarExp<SrcExp, DType, dimdst>, SrcExp, DType,
                                         dimdst> {
 public:
  explicit Plan(const BroadcastScalarExp<SrcExp, DType, dimdst> &exp)
      : detail::BroadcastScalarPlan<BroadcastScalarExp<SrcExp, DType, dimdst>, SrcExp, DType,
                                    dimdst>(exp) {}
};

#endif

/// \p src, a vector of one element, as a tensor of shape \p shape.
/// \throws Error unless src has one element
template <typename SrcExp, typename DType, int etype, int dimdst>
MSHADOW_CINLINE BroadcastScalarExp<SrcExp, DType, dimdst> broadcast_scalar(
    const Exp<SrcExp, DType, etype> &src, const Shape<dimdst> &shape) {
  static_assert(etype != type::kComplex, "assign the product or reduction to a tensor first");
  static_assert(ExpInfo<SrcExp>::kDim == 1, "broadcast_scalar takes an expression of rank 1");
  return BroadcastScalarExp<SrcExp, DType, dimdst>(src.self(), shape);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_BROADCAST_SCALAR_H_
