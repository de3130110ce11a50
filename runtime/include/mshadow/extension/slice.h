// SPDX-License-Identifier: Apache-2.0
/// \file slice.h
/// Parts of a tensor, which can be assigned and sliced again: slice<d>(t, begin, end), slice(t,
/// begin, end).
#ifndef MSHADOW_EXTENSION_SLICE_H_
#define MSHADOW_EXTENSION_SLICE_H_

#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/check.h"
#include "mshadow/expr/dot_engine.h"
#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"

/// The assignments of view \p View: from a scalar, an expression, and a view of its own type. All
/// of them write elements.
#define MSHADOW_VIEW_ASSIGNMENT(View)                                  \
  View(const View &) = default;                                        \
  View &operator=(const View &other) { return this->__assign(other); } \
  template <typename S, ::mshadow::detail::IfScalar<S> = 0>            \
  View &operator=(S s) {                                               \
    return this->__assign(s);                                          \
  }                                                                    \
  template <typename E, typename EDType, int etype>                    \
  View &operator=(const Exp<E, EDType, etype> &exp) {                  \
    return this->__assign(exp);                                        \
  }                                                                    \
  MSHADOW_CONST_ASSIGNMENT(=)

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// A view of rank \p dim that can be assigned.
template <typename View, typename Device, int dim, typename DType>
struct AssignableView : TRValue<View, Device, dim, DType> {
  Shape<dim> shape_;
};

/// The base of a view that can be assigned if its source can.
template <typename View, typename SrcExp, int dim, typename DType>
struct BaseOfView {
  template <typename Device, int srcdim>
  static AssignableView<View, Device, dim, DType> Find(
      const TRValue<SrcExp, Device, srcdim, DType> *);
  static MakeTensorExp<View, SrcExp, dim, DType> Find(...);
  using type = decltype(Find(static_cast<const SrcExp *>(nullptr)));
};

/// The base of slices: elements [begin, begin + shape) of a source.
template <typename SubType, typename SrcExp, typename Device, int dim, typename DType>
struct SliceBase : TRValue<SubType, Device, dim, DType> {
  static_assert(ExpInfo<SrcExp>::kDim == dim, "a slice has the rank of its source");
  SrcExp src_;
  Shape<dim> shape_;
  Shape<dim> begin_;
  AxisMap<dim> map_;

  SliceBase(const SrcExp &src, const Shape<dim> &begin, const Shape<dim> &end)
      : src_(src), begin_(begin) {
    const Shape<dim> source = ShapeCheck<dim, SrcExp>::Check(src);
    for (int d = 0; d < dim; ++d) {
      CheckRange("slice", d, begin[d], end[d], source[d]);
      shape_[d] = end[d] - begin[d];
    }
    map_ = AxisMap<dim>(shape_);
    for (int d = 0; d < dim; ++d) map_.set_range(d, StepAlong(source, d), begin[d]);
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    for (int d = 0; d < dim; ++d) map->Shift(d, begin_[d], shape_[d]);
  }
};

/// All of \p shape but for dimension \p d, which begins, or ends, at \p at.
template <int dim>
Shape<dim> WithExtent(Shape<dim> shape, int d, index_t at) {
  shape[d] = at;
  return shape;
}
template <int dim>
Shape<dim> Zeros() {
  Shape<dim> shape;
  for (int d = 0; d < dim; ++d) shape[d] = 0;
  return shape;
}

}  // namespace detail

/// A slice along dimension srcdim - dimsrc_m_slice.
template <typename SrcExp, typename Device, typename DType, int srcdim, int dimsrc_m_slice>
struct SliceExp : detail::SliceBase<SliceExp<SrcExp, Device, DType, srcdim, dimsrc_m_slice>, SrcExp,
                                    Device, srcdim, DType> {
  static constexpr int kSliceDim = srcdim - dimsrc_m_slice;
  SliceExp(const SrcExp &src, index_t begin, index_t end)
      : detail::SliceBase<SliceExp, SrcExp, Device, srcdim, DType>(
            src, detail::WithExtent(detail::Zeros<srcdim>(), kSliceDim, begin),
            detail::WithExtent(ShapeCheck<srcdim, SrcExp>::Check(src), kSliceDim, end)) {}
  MSHADOW_VIEW_ASSIGNMENT(SliceExp)
};

/// A slice along every dimension.
template <typename SrcExp, typename Device, typename DType, int srcdim>
struct SliceExExp
    : detail::SliceBase<SliceExExp<SrcExp, Device, DType, srcdim>, SrcExp, Device, srcdim, DType> {
  SliceExExp(const SrcExp &src, const Shape<srcdim> &begin, const Shape<srcdim> &end)
      : detail::SliceBase<SliceExExp, SrcExp, Device, srcdim, DType>(src, begin, end) {}
  MSHADOW_VIEW_ASSIGNMENT(SliceExExp)
};

template <typename SrcExp, typename Device, typename DType, int srcdim, int m_slice>
class Plan<SliceExp<SrcExp, Device, DType, srcdim, m_slice>, DType>
    : public detail::AxisMapPlan<SrcExp, DType, srcdim, true> {
 public:
  explicit Plan(const SliceExp<SrcExp, Device, DType, srcdim, m_slice> &exp)
      : detail::AxisMapPlan<SrcExp, DType, srcdim, true>(exp.src_, exp.map_) {}
};
template <typename SrcExp, typename Device, typename DType, int srcdim>
class Plan<SliceExExp<SrcExp, Device, DType, srcdim>, DType>
    : public detail::AxisMapPlan<SrcExp, DType, srcdim, true> {
 public:
  explicit Plan(const SliceExExp<SrcExp, Device, DType, srcdim> &exp)
      : detail::AxisMapPlan<SrcExp, DType, srcdim, true>(exp.src_, exp.map_) {}
};

/// Elements [begin, end) of dimension \p sdim of \p src, a tensor or another assignable view.
/// \throws Error if they do not lie within it
template <int sdim, typename SrcExp, typename Device, typename DType, int srcdim>
SliceExp<SrcExp, Device, DType, srcdim, srcdim - sdim> slice(
    const TRValue<SrcExp, Device, srcdim, DType> &src, index_t begin, index_t end) {
  static_assert(0 <= sdim && sdim < srcdim, "slice<d>: the source has no such dimension");
  return SliceExp<SrcExp, Device, DType, srcdim, srcdim - sdim>(src.self(), begin, end);
}

/// Of an expression that nothing can be assigned to, slice is refused.
template <int sdim, typename E, typename DType, int etype>
const E &slice(const Exp<E, DType, etype> &src, index_t, index_t) {
  static_assert(::mshadow::detail::AlwaysFalse<E>::value,
                "slice takes a tensor, a slice or a concatenation of them: assign the expression "
                "to a tensor first, or slice its operands");
  return src.self();
}
template <typename E, typename DType, int etype, int dim>
const E &slice(const Exp<E, DType, etype> &src, const Shape<dim> &, const Shape<dim> &) {
  return slice<0>(src, 0, 0);
}

/// Elements [begin[d], end[d]) of every dimension d of \p src.
/// \throws Error if they do not lie within it
template <typename SrcExp, typename Device, typename DType, int srcdim>
SliceExExp<SrcExp, Device, DType, srcdim> slice(const TRValue<SrcExp, Device, srcdim, DType> &src,
                                                const Shape<srcdim> &begin,
                                                const Shape<srcdim> &end) {
  return SliceExExp<SrcExp, Device, DType, srcdim>(src.self(), begin, end);
}

namespace detail {

/// What lies along the first or the last dimension is a tensor, and so is such a slice of it: its
/// rows are as far apart.
template <typename SrcExp, typename Device, typename DType, int dim, int m_slice>
struct AsTensor<SliceExp<SrcExp, Device, DType, dim, m_slice>> {
  using Slice = SliceExp<SrcExp, Device, DType, dim, m_slice>;
  static constexpr int kDim = Slice::kSliceDim;
  static constexpr bool kKnown = AsTensor<SrcExp>::kKnown && (kDim == 0 || kDim == dim - 1);
  static constexpr bool kIsItself = false;
  static Tensor<Device, dim, DType> Of(const Slice &slice) {
    Tensor<Device, dim, DType> part = AsTensor<SrcExp>::Of(slice.src_);
    index_t step = kDim == dim - 1 ? 1 : part.stride_;
    for (int d = kDim + 1; d + 1 < dim; ++d) step *= part.shape_[d];
    if (part.dptr_ != nullptr) part.dptr_ += slice.begin_[kDim] * step;
    part.shape_ = slice.shape_;
    return part;
  }
};

/// Whether E is a tensor or a slice of one, or of a slice of one, …: memory that a Box describes.
template <typename E>
constexpr bool kIsBox = false;
template <typename Device, int dim, typename DType>
constexpr bool kIsBox<Tensor<Device, dim, DType>> = dim <= ::mshadow::detail::Box::kMaxDim;
template <typename SrcExp, typename Device, typename DType, int srcdim, int m_slice>
constexpr bool kIsBox<SliceExp<SrcExp, Device, DType, srcdim, m_slice>> = kIsBox<SrcExp>;
template <typename SrcExp, typename Device, typename DType, int srcdim>
constexpr bool kIsBox<SliceExExp<SrcExp, Device, DType, srcdim>> = kIsBox<SrcExp>;

template <typename SubType, typename SrcExp, typename Device, int dim, typename DType>
::mshadow::detail::Block BlockOf(const SliceBase<SubType, SrcExp, Device, dim, DType> &slice) {
  return BlockOf(slice.src_);
}
template <typename SubType, typename SrcExp, typename Device, int dim, typename DType>
::mshadow::detail::Box BoxOf(const SliceBase<SubType, SrcExp, Device, dim, DType> &slice) {
  ::mshadow::detail::Box box = BoxOf(slice.src_);
  for (int d = 0; d < dim; ++d) {
    box.begin[d] += slice.begin_[d];
    box.end[d] = box.begin[d] + slice.shape_[d];
  }
  return box;
}

/// A slice of memory is an operand itself; one of another view reads that view at other places.
template <typename Slice, typename SrcExp>
struct OperandsOfSlice {
  template <typename Function>
  static void Visit(const Slice &slice, detail::Path moved, Function &&f) {
    if constexpr (kIsBox<SrcExp>) {
      f(slice, moved);
    } else {
      const IndexStep step = StepThrough(slice);
      Operands<SrcExp>::Visit(slice.src_, Path(step).Under(moved), f);
    }
  }
  static index_t Bytes(const Slice &slice) { return Operands<SrcExp>::Bytes(slice.src_); }
  static constexpr bool kKnown = Operands<SrcExp>::kKnown;
  static constexpr bool kIsMap = false;
};

}  // namespace detail

template <typename SrcExp, typename Device, typename DType, int srcdim, int m_slice>
struct Operands<SliceExp<SrcExp, Device, DType, srcdim, m_slice>>
    : detail::OperandsOfSlice<SliceExp<SrcExp, Device, DType, srcdim, m_slice>, SrcExp> {};
template <typename SrcExp, typename Device, typename DType, int srcdim>
struct Operands<SliceExExp<SrcExp, Device, DType, srcdim>>
    : detail::OperandsOfSlice<SliceExExp<SrcExp, Device, DType, srcdim>, SrcExp> {};

template <typename Device, typename SrcExp, typename DType, int srcdim, int m_slice>
struct StreamInfo<Device, SliceExp<SrcExp, Device, DType, srcdim, m_slice>> {
  static Stream<Device> *Get(const SliceExp<SrcExp, Device, DType, srcdim, m_slice> &slice) {
    return StreamInfo<Device, SrcExp>::Get(slice.src_);
  }
};
template <typename Device, typename SrcExp, typename DType, int srcdim>
struct StreamInfo<Device, SliceExExp<SrcExp, Device, DType, srcdim>> {
  static Stream<Device> *Get(const SliceExExp<SrcExp, Device, DType, srcdim> &slice) {
    return StreamInfo<Device, SrcExp>::Get(slice.src_);
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_SLICE_H_
