// SPDX-License-Identifier: Apache-2.0
/// \file broadcast-inl.h
/// How broadcast is evaluated.
#ifndef MSHADOW_EXTENSION_BROADCAST_INL_H_
#define MSHADOW_EXTENSION_BROADCAST_INL_H_

#include "mshadow/detail/divider.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/materialised.h"
#include "mshadow/expr/run.h"
#include "mshadow/extension/broadcast.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

template <typename SrcExp, typename DType, int dimdst, int dimdst_from_last>
struct ShapeCheck<dimdst, Broadcast1DExp<SrcExp, DType, dimdst, dimdst_from_last>> {
  static Shape<dimdst> Check(const Broadcast1DExp<SrcExp, DType, dimdst, dimdst_from_last> &exp) {
    const Shape<1> got = ShapeCheck<1, SrcExp>::Check(exp.src_);
    const Shape<1> want = Shape1(exp.shape_[dimdst - dimdst_from_last]);
    if (got != want) {
      ::mshadow::detail::ThrowShapes("broadcast of a vector along a dimension", got.shape_, 1,
                                     want.shape_, 1);
    }
    return exp.shape_;
  }
};

/// Along the last dimension the index is x; along another one it is found from y, which counts the
/// elements of all dimensions but the last.
template <typename SrcExp, typename DType, int dimdst, int dimdst_from_last>
class Plan<Broadcast1DExp<SrcExp, DType, dimdst, dimdst_from_last>, DType> {
  static constexpr bool kMaterialise = detail::kIsComputed<SrcExp>;
  using Source = detail::SourcePlan<kMaterialise, SrcExp, DType>;

 public:
  static constexpr int kDimCast = dimdst - dimdst_from_last;
  MSHADOW_CINLINE explicit Plan(const Broadcast1DExp<SrcExp, DType, dimdst, dimdst_from_last> &exp)
      : src_(detail::MakeSourcePlan<kMaterialise>(exp.src_)),
        ystride_(exp.shape_.ProdShape(kDimCast + 1, dimdst - 1)),
        length_(exp.shape_[kDimCast]) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    if constexpr (dimdst_from_last == 1) {
      return src_.Eval(0, x);
    } else {
      index_t index = ystride_.Quotient(y);
      return src_.Eval(0, length_.Split(&index));
    }
  }
  static constexpr bool kRuns = dimdst_from_last != 1 || detail::kHasRuns<Source>;
  static constexpr bool kUniform = dimdst_from_last != 1;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t, index_t x, int n) : src_(p.src_, 0, x, n) {}
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const { return src_[i]; }

   private:
    detail::Run<Source, DType> src_;
  };

 private:
  Source src_;
  ::mshadow::detail::Divider ystride_;
  ::mshadow::detail::Divider length_;
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_BROADCAST_INL_H_
