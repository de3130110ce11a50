// SPDX-License-Identifier: Apache-2.0
/// \file concat.h
/// concat<d>(a, b): two tensors, of any rank, joined along a dimension. Assigning to it writes
/// both.
#ifndef MSHADOW_EXTENSION_CONCAT_H_
#define MSHADOW_EXTENSION_CONCAT_H_

#include "mshadow/extension/slice.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// lhs before rhs along dimension srcdim - dimsrc_m_cat.
template <typename LhsExp, typename RhsExp, typename Device, typename DType, int srcdim,
          int dimsrc_m_cat>
struct ConcatExp : TRValue<ConcatExp<LhsExp, RhsExp, Device, DType, srcdim, dimsrc_m_cat>, Device,
                           srcdim, DType> {
  static constexpr int kCatDim = srcdim - dimsrc_m_cat;
  LhsExp src1_;
  RhsExp src2_;
  Shape<srcdim> shape_;
  index_t dcat_src1_;  ///< extent of lhs along the dimension
  index_t dcat_src2_;

  ConcatExp(const LhsExp &src1, const RhsExp &src2) : src1_(src1), src2_(src2) {
    const Shape<srcdim> a = ShapeCheck<srcdim, LhsExp>::Check(src1);
    const Shape<srcdim> b = ShapeCheck<srcdim, RhsExp>::Check(src2);
    shape_ = a;
    for (int d = 0; d < srcdim; ++d) {
      if (d != kCatDim && a[d] != b[d]) {
        detail::ThrowMisfit("concat", "dimensions other than the joined one differ", a.shape_,
                            srcdim, b.shape_, srcdim);
      }
    }
    dcat_src1_ = a[kCatDim];
    dcat_src2_ = b[kCatDim];
    shape_[kCatDim] += dcat_src2_;
  }
  MSHADOW_VIEW_ASSIGNMENT(ConcatExp)
  /// Of what begins \p at along the joined dimension.
  void MapAddresses(index_t at, ::mshadow::detail::AddressMap *map) const {
    map->Shift(kCatDim, -static_cast<int64_t>(at), shape_[kCatDim]);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    const auto map_first = [](const void *node, ::mshadow::detail::AddressMap *map) {
      static_cast<const ConcatExp *>(node)->MapAddresses(0, map);
    };
    const auto map_second = [](const void *node, ::mshadow::detail::AddressMap *map) {
      const ConcatExp *const self = static_cast<const ConcatExp *>(node);
      self->MapAddresses(self->dcat_src1_, map);
    };
    f(src1_, detail::IndexStep{map_first, this});
    f(src2_, detail::IndexStep{map_second, this});
  }
};

template <typename LhsExp, typename RhsExp, typename Device, typename DType, int srcdim, int m_cat>
class Plan<ConcatExp<LhsExp, RhsExp, Device, DType, srcdim, m_cat>, DType> {
 public:
  explicit Plan(const ConcatExp<LhsExp, RhsExp, Device, DType, srcdim, m_cat> &exp)
      : src1_(MakePlan(exp.src1_)),
        src2_(MakePlan(exp.src2_)),
        size1_(exp.dcat_src1_),
        size2_(exp.dcat_src2_),
        size_(exp.dcat_src1_ + exp.dcat_src2_),
        inner_(exp.shape_.ProdShape(srcdim - m_cat + 1, srcdim - 1)) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const At at = Find(y, x);
    return at.first ? DType(src1_.Eval(at.y, at.x)) : DType(src2_.Eval(at.y, at.x));
  }
  MSHADOW_XINLINE DType &REval(index_t y, index_t x) const {
    const At at = Find(y, x);
    return at.first ? src1_.REval(at.y, at.x) : src2_.REval(at.y, at.x);
  }

  static constexpr bool kRuns = true;
  static constexpr bool kShortByElement = true;
  static constexpr bool kRowsInMemory = detail::kHasWholeRowsInMemory<Plan<LhsExp, DType>> &&
                                        detail::kHasWholeRowsInMemory<Plan<RhsExp, DType>>;
  MSHADOW_CINLINE index_t EndOfPart(index_t x, index_t end) const {
    return m_cat == 1 && x < size1_ && size1_ < end ? size1_ : end;
  }
  /// A run within one tensor is left where it is.
  const DType *FindRun(index_t y, index_t x, int n, DType *out) const {
    const At at = Find(y, x);
    if (LeftOf(at, n) < n) {
      EvalRun(y, x, n, out);
      return out;
    }
    return at.first ? PartOf(src1_, at, n, out) : PartOf(src2_, at, n, out);
  }
  const DType *FindInPlace(index_t y, index_t x, int64_t *n) const {
    const At at = Find(y, x);
    if (m_cat == 1 && at.first && *n > size1_ - at.x) *n = size1_ - at.x;
    return at.first ? detail::FindInPlace<DType>(src1_, at.y, at.x, n)
                    : detail::FindInPlace<DType>(src2_, at.y, at.x, n);
  }
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    for (int i = 0; i < n;) {
      const At at = Find(y, x + i);
      const int part = LeftOf(at, n - i);
      if (at.first) {
        Fill(src1_, at, part, out + i);
      } else {
        Fill(src2_, at, part, out + i);
      }
      i += part;
    }
  }

 private:
  struct At {
    bool first;  ///< of lhs
    index_t y;
    index_t x;
  };

  /// The last dimension is joined within each row, another one by whole rows.
  MSHADOW_XINLINE At Find(index_t y, index_t x) const {
    if constexpr (m_cat == 1) {
      return x < size1_ ? At{true, y, x} : At{false, y, x - size1_};
    } else {
      index_t outer = y;
      const index_t inner = inner_.Split(&outer);
      const index_t i = size_.Split(&outer);
      return i < size1_ ? At{true, (outer * size1_ + i) * inner_.divisor() + inner, x}
                        : At{false, (outer * size2_ + i - size1_) * inner_.divisor() + inner, x};
    }
  }

  /// How many of \p n elements from \p at on are of the same operand.
  MSHADOW_CINLINE int LeftOf(const At &at, int n) const {
    if (m_cat != 1 || !at.first) return n;
    const index_t left = size1_ - at.x;
    return left < static_cast<index_t>(n) ? static_cast<int>(left) : n;
  }

  template <typename P>
  static const DType *PartOf(const P &plan, const At &at, int n, DType *out) {
    if constexpr (detail::kIsPlanOfTensor<P>) return &plan.Eval(at.y, at.x);
    Fill(plan, at, n, out);
    return out;
  }
  template <typename P>
  static void Fill(const P &plan, const At &at, int n, DType *out) {
    const detail::Run<P, DType> run(plan, at.y, at.x, n);
    detail::StoreRun(out, run, n);
  }

  Plan<LhsExp, DType> src1_;
  Plan<RhsExp, DType> src2_;
  index_t size1_;
  index_t size2_;
  ::mshadow::detail::Divider size_;
  ::mshadow::detail::Divider inner_;
};

/// \p src1 before \p src2 along dimension \p cdim, both of them tensors or assignable views.
/// \throws Error if they differ in another dimension
template <int cdim, typename LhsExp, typename RhsExp, typename Device, typename DType, int srcdim>
ConcatExp<LhsExp, RhsExp, Device, DType, srcdim, srcdim - cdim> concat(
    const TRValue<LhsExp, Device, srcdim, DType> &src1,
    const TRValue<RhsExp, Device, srcdim, DType> &src2) {
  static_assert(0 <= cdim && cdim < srcdim, "concat<d>: the tensors have no such dimension");
  return ConcatExp<LhsExp, RhsExp, Device, DType, srcdim, srcdim - cdim>(src1.self(), src2.self());
}
/// Of tensors that do not go together.
template <int cdim, typename LhsExp, typename RhsExp, typename Device, typename Device2,
          typename DType, typename DType2, int dim, int dim2>
auto concat(const TRValue<LhsExp, Device, dim, DType> &src1,
            const TRValue<RhsExp, Device2, dim2, DType2> &) {
  static_assert(dim == dim2, "concat: the tensors have different ranks");
  static_assert(dim != dim2 || std::is_same_v<DType, DType2>,
                "concat: the tensors have different element types");
  static_assert(dim != dim2 || !std::is_same_v<DType, DType2>,
                "concat: the tensors are on different devices");
  return concat<cdim>(src1, src1);  // so that the compiler says no more
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_CONCAT_H_
