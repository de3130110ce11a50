// SPDX-License-Identifier: Apache-2.0
/// \file flip.h
/// Reversed dimensions: flip(t, d), which can be assigned, and mirror(e).
#ifndef MSHADOW_EXTENSION_FLIP_H_
#define MSHADOW_EXTENSION_FLIP_H_

#include "mshadow/extension/slice.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// A tensor or view with one dimension reversed.
template <typename SrcExp, typename Device, typename DType, int srcdim>
struct FlipExp : TRValue<FlipExp<SrcExp, Device, DType, srcdim>, Device, srcdim, DType> {
  SrcExp src_;
  Shape<srcdim> shape_;
  int dim_;
  detail::AxisMap<srcdim> map_;

  FlipExp(const SrcExp &src, int dim) : src_(src), dim_(dim) {
    detail::CheckAxis("flip", dim, 0, srcdim - 1);
    shape_ = ShapeCheck<srcdim, SrcExp>::Check(src);
    map_ = detail::IdentityMap(shape_);
    map_.set_range(dim, detail::StepAlong(shape_, dim), shape_[dim] - 1, true);
  }
  MSHADOW_VIEW_ASSIGNMENT(FlipExp)
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, detail::StepThrough(*this));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const { map->Reverse(dim_); }
};
template <typename SrcExp, typename Device, typename DType, int srcdim>
MSHADOW_AXIS_MAP_PLAN(SrcExp, srcdim, FlipExp<SrcExp, Device, DType, srcdim>);

/// \p src, a tensor or assignable view, with dimension \p dim reversed.
/// \throws Error if there is no such dimension
template <typename SrcExp, typename Device, typename DType, int srcdim>
FlipExp<SrcExp, Device, DType, srcdim> flip(const TRValue<SrcExp, Device, srcdim, DType> &src,
                                            int dim) {
  return FlipExp<SrcExp, Device, DType, srcdim>(src.self(), dim);
}

/// Rows in reverse.
template <typename SrcExp, typename DType, int srcdim>
struct MirroringExp : MakeTensorExp<MirroringExp<SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  SrcExp src_;
  explicit MirroringExp(const SrcExp &src) : src_(src) {
    this->shape_ = ShapeCheck<srcdim, SrcExp>::Check(src);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, detail::StepThrough(*this));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const { map->Reverse(srcdim - 1); }
};

/// No AxisMap: compilers reverse a row faster where they see that it is one.
template <typename SrcExp, typename DType, int srcdim>
class Plan<MirroringExp<SrcExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const MirroringExp<SrcExp, DType, srcdim> &exp)
      : src_(MakePlan(exp.src_)), last_(exp.shape_[srcdim - 1] - 1) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return src_.Eval(y, last_ - x); }

  static constexpr bool kRuns = detail::kHasRuns<Plan<SrcExp, DType>>;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    const detail::Run<Plan<SrcExp, DType>, DType> run(src_, y, last_ - x - (n - 1), n);
    for (int i = 0; i < n; ++i) out[i] = run[n - 1 - i];
  }
  index_t RowPeriod() const { return detail::RowPeriodOf(src_); }

 private:
  Plan<SrcExp, DType> src_;
  index_t last_;
};

/// \p src with its last dimension reversed.
template <typename SrcExp, typename DType, int etype>
MirroringExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> mirror(const Exp<SrcExp, DType, etype> &src) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return MirroringExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self());
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_FLIP_H_
