// SPDX-License-Identifier: Apache-2.0
/// \file transpose.h
/// Permutations of dimensions: swapaxis, transpose, transpose_indices. `.T()` is the core's.
#ifndef MSHADOW_EXTENSION_TRANSPOSE_H_
#define MSHADOW_EXTENSION_TRANSPOSE_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Two dimensions exchanged: a1 = dimsrc - m_a1 and a2.
template <typename SrcExp, typename DType, int dimsrc, int m_a1, int a2>
struct SwapAxisExp
    : detail::AxisMapExp<SwapAxisExp<SrcExp, DType, dimsrc, m_a1, a2>, SrcExp, dimsrc, DType> {
  static constexpr bool kRowsStay = m_a1 > 1;
  explicit SwapAxisExp(const SrcExp &src)
      : detail::AxisMapExp<SwapAxisExp, SrcExp, dimsrc, DType>(src) {
    constexpr int a1 = dimsrc - m_a1;
    const Shape<dimsrc> source = ShapeCheck<dimsrc, SrcExp>::Check(src);
    this->shape_ = source;
    this->shape_[a1] = source[a2];
    this->shape_[a2] = source[a1];
    this->map_ = detail::MapInto(source, this->shape_);
    this->map_.set_step(a1, detail::StepAlong(source, a2));
    this->map_.set_step(a2, detail::StepAlong(source, a1));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    int axes[static_cast<size_t>(dimsrc)];
    for (int d = 0; d < dimsrc; ++d) axes[d] = d;
    axes[dimsrc - m_a1] = a2;
    axes[a2] = dimsrc - m_a1;
    map->Permute(axes);
  }
};
template <typename SrcExp, typename DType, int dimsrc, int m_a1, int a2>
MSHADOW_AXIS_MAP_PLAN(SrcExp, dimsrc, SwapAxisExp<SrcExp, DType, dimsrc, m_a1, a2>);

/// \p src with dimensions a1 and a2 exchanged; a1 > a2.
template <int a1, int a2, typename SrcExp, typename DType, int etype,
          int dim = ExpInfo<SrcExp>::kDim>
SwapAxisExp<SrcExp, DType, dim, dim - a1, a2> swapaxis(const Exp<SrcExp, DType, etype> &src) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(0 <= a2 && a2 < a1 && a1 < dim,
                "swapaxis<a1, a2> needs two dimensions of the expression, and a1 > a2");
  return SwapAxisExp<SrcExp, DType, dim, dim - a1, a2>(src.self());
}

namespace detail {
/// \throws Error unless \p axes is a permutation of 0 … dim - 1
template <int dim>
void CheckPermutation(const char *name, const Shape<dim> &axes) {
  for (int d = 0; d < dim; ++d) {
    CheckAxis(name, axes[d], 0, dim - 1);
    for (int e = 0; e < d; ++e) {
      if (axes[d] == axes[e]) {
        ::mshadow::detail::ThrowError(std::string(name) + ": the axes " +
                                      ::mshadow::detail::ShapeText(axes.shape_, dim) +
                                      " name a dimension twice");
      }
    }
  }
}
}  // namespace detail

/// Any permutation of dimensions.
template <typename SrcExp, typename DType, int dimsrc>
struct TransposeExExp
    : detail::AxisMapExp<TransposeExExp<SrcExp, DType, dimsrc>, SrcExp, dimsrc, DType> {
  Shape<dimsrc> axes_;
  TransposeExExp(const SrcExp &src, const Shape<dimsrc> &axes)
      : detail::AxisMapExp<TransposeExExp, SrcExp, dimsrc, DType>(src), axes_(axes) {
    detail::CheckPermutation("transpose", axes);
    const Shape<dimsrc> source = ShapeCheck<dimsrc, SrcExp>::Check(src);
    for (int d = 0; d < dimsrc; ++d) this->shape_[d] = source[axes[d]];
    this->map_ = detail::AxisMap<dimsrc>(this->shape_);
    for (int d = 0; d < dimsrc; ++d) {
      this->map_.set_step(d, detail::StepAlong(source, static_cast<int>(axes[d])));
    }
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    int axes[static_cast<size_t>(dimsrc)];
    for (int d = 0; d < dimsrc; ++d) axes[d] = static_cast<int>(axes_[d]);
    map->Permute(axes);
  }
};
template <typename SrcExp, typename DType, int dimsrc>
MSHADOW_AXIS_MAP_PLAN(SrcExp, dimsrc, TransposeExExp<SrcExp, DType, dimsrc>);

/// \p src with its dimensions in another order: dimension d of the result is axes[d] of src.
/// \throws Error if \p axes is not a permutation
template <typename SrcExp, typename DType, int etype>
TransposeExExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> transpose(
    const Exp<SrcExp, DType, etype> &src, const Shape<ExpInfo<SrcExp>::kDim> &axes) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  return TransposeExExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), axes);
}

/// Numbers of elements of one tensor as numbers of the same elements in its transpose.
template <typename SrcExp, typename DType, int dimsrc, int etype>
struct TransposeIndicesExp : Exp<TransposeIndicesExp<SrcExp, DType, dimsrc, etype>, DType, etype> {
  SrcExp src_indices_;
  Shape<dimsrc> src_shape_;
  Shape<dimsrc> src_in_dst_stride_;  ///< in the transpose, between neighbours along each dimension

  TransposeIndicesExp(const SrcExp &src_indices, const Shape<dimsrc> &src_shape,
                      const Shape<dimsrc> &axes)
      : src_indices_(src_indices), src_shape_(src_shape) {
    detail::CheckPermutation("transpose_indices", axes);
    index_t stride = 1;
    for (int d = dimsrc - 1; d >= 0; --d) {
      src_in_dst_stride_[axes[d]] = stride;
      stride *= src_shape[axes[d]];
    }
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_indices_, false);
  }
};

template <typename SrcExp, typename DType, int dimsrc, int etype>
struct ExpInfo<TransposeIndicesExp<SrcExp, DType, dimsrc, etype>> : ExpInfo<SrcExp> {};
template <int dim, typename SrcExp, typename DType, int dimsrc, int etype>
struct ShapeCheck<dim, TransposeIndicesExp<SrcExp, DType, dimsrc, etype>> {
  static Shape<dim> Check(const TransposeIndicesExp<SrcExp, DType, dimsrc, etype> &exp) {
    return ShapeCheck<dim, SrcExp>::Check(exp.src_indices_);
  }
};

template <typename SrcExp, typename DType, int dimsrc, int etype>
class Plan<TransposeIndicesExp<SrcExp, DType, dimsrc, etype>, DType> {
 public:
  explicit Plan(const TransposeIndicesExp<SrcExp, DType, dimsrc, etype> &exp)
      : src_(MakePlan(exp.src_indices_)), stride_(exp.src_in_dst_stride_) {
    for (int d = 0; d < dimsrc; ++d) extent_[d] = ::mshadow::detail::Divider(exp.src_shape_[d]);
  }
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    index_t source = ScalarCast<index_t>(src_.Eval(y, x));
    index_t index = 0;
    for (int d = dimsrc - 1; d > 0; --d) index += extent_[d].Split(&source) * stride_[d];
    return ScalarCast<DType>(index + source * stride_[0]);
  }

 private:
  Plan<SrcExp, DType> src_;
  ::mshadow::detail::Divider extent_[static_cast<size_t>(dimsrc)];
  Shape<dimsrc> stride_;
};

/// Each element of \p src_indices, the number of an element of a tensor of shape \p src_shape in
/// row-major order, as the number of that element in transpose(tensor, axes).
/// \throws Error if \p axes is not a permutation
template <typename SrcExp, typename DType, int dimsrc, int etype>
TransposeIndicesExp<SrcExp, DType, dimsrc, etype | type::kMapper> transpose_indices(
    const Exp<SrcExp, DType, etype> &src_indices, const Shape<dimsrc> &src_shape,
    const Shape<dimsrc> &axes) {
  return TransposeIndicesExp<SrcExp, DType, dimsrc, etype | type::kMapper>(src_indices.self(),
                                                                           src_shape, axes);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_TRANSPOSE_H_
