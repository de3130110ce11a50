// SPDX-License-Identifier: Apache-2.0
/// \file views.h
/// Declares the views of extension/ for the generator's parse: types of parameters, and the rank of
/// the result. Emitted code makes the views of extension/. No program includes this.
#ifndef MSHADOW_GEN_VIEWS_H_
#define MSHADOW_GEN_VIEWS_H_

#include "mshadow/bfloat.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/info.h"
#include "mshadow/half.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

// Templates that an expression of a user's own specialises or overloads.
template <typename ExpType, typename DType>
class Plan;
template <int dim, typename E>
struct ShapeCheck {
  static Shape<dim> Check(const E &exp);
};
template <typename Device, typename E>
struct StreamInfo;
template <typename E>
struct Operands;
template <typename E, typename DType, int etype>
Plan<E, DType> MakePlan(const Exp<E, DType, etype> &exp);

/// A view of Source, of rank \p dim.
template <typename Source, int dim, typename DType>
struct ViewExp : MakeTensorExp<ViewExp<Source, dim, DType>, Source, dim, DType> {};
/// A view that repeats each element of its source.
template <typename Source, int dim, typename DType>
struct RepeatingViewExp : MakeTensorExp<RepeatingViewExp<Source, dim, DType>, Source, dim, DType> {
};
/// A view that can be assigned. In a rule, slices, concats, rows, diagonals and reshaped tensors
/// are destinations.
template <typename Source, typename Device, int dim, typename DType>
struct AssignableViewExp
    : TRValue<AssignableViewExp<Source, Device, dim, DType>, Device, dim, DType> {
  Shape<dim> shape_;

  AssignableViewExp() = default;
  AssignableViewExp(const AssignableViewExp &) = default;
  AssignableViewExp &operator=(const AssignableViewExp &other) { return this->__assign(other); }
  template <typename S, ::mshadow::detail::IfScalar<S> = 0>
  AssignableViewExp &operator=(S s) {
    return this->__assign(s);
  }
  template <typename E, typename EDType, int etype>
  AssignableViewExp &operator=(const Exp<E, EDType, etype> &exp) {
    return this->__assign(exp);
  }
};

#define MSHADOW_GEN_SOURCE \
  template <typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
#define MSHADOW_GEN_VIEW template <typename E, typename Device, typename DType, int dim>

MSHADOW_GEN_SOURCE RepeatingViewExp<E, dim + 1, DType> broadcast_with_axis(
    const Exp<E, DType, etype> &src, int axis, index_t size);
MSHADOW_GEN_SOURCE RepeatingViewExp<E, dim, DType> broadcast_keepdim(
    const Exp<E, DType, etype> &src, int axis, index_t size);
template <typename E, typename DType, int etype, int n, int dim = ExpInfo<E>::kDim>
RepeatingViewExp<E, dim, DType> broadcast_multi_axes(const Exp<E, DType, etype> &src,
                                                     const Shape<n> &axes, const Shape<n> &sizes);
MSHADOW_GEN_SOURCE RepeatingViewExp<E, dim, DType> broadcast_to(const Exp<E, DType, etype> &src,
                                                                const Shape<dim> &shape);

template <typename E, typename DType, int etype, int dim>
ViewExp<E, dim, DType> reshape(const Exp<E, DType, etype> &src, const Shape<dim> &shape);
template <typename E, typename Device, typename DType, int srcdim, int dim>
AssignableViewExp<E, Device, dim, DType> reshape(const TRValue<E, Device, srcdim, DType> &src,
                                                 const Shape<dim> &shape);
template <int a1, int a2, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> swapaxis(const Exp<E, DType, etype> &src) {
  static_assert(0 <= a2 && a2 < a1 && a1 < dim,
                "swapaxis<a1, a2> needs two dimensions of the expression, and a1 > a2");
  return {};
}
template <typename E, typename DType, int etype>
ViewExp<E, ExpInfo<E>::kDim, DType> transpose(const Exp<E, DType, etype> &src,
                                              const Shape<ExpInfo<E>::kDim> &axes);

template <typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim == 1 ? 2 : 1, DType> diag(const Exp<E, DType, etype> &src) {
  static_assert(dim == 1 || dim == 2, "diag takes a vector or a matrix");
  return {};
}
template <typename E, typename Device, typename DType>
AssignableViewExp<E, Device, 1, DType> diag(const TRValue<E, Device, 2, DType> &src);

template <int sdim, typename E, typename Device, typename DType, int dim>
AssignableViewExp<E, Device, dim, DType> slice(const TRValue<E, Device, dim, DType> &src,
                                               index_t begin, index_t end) {
  static_assert(0 <= sdim && sdim < dim, "slice<d>: the source has no such dimension");
  return {};
}
MSHADOW_GEN_VIEW AssignableViewExp<E, Device, dim, DType> slice(
    const TRValue<E, Device, dim, DType> &src, const Shape<dim> &begin, const Shape<dim> &end);
template <int cdim, typename A, typename B, typename Device, typename DType, int dim>
AssignableViewExp<BinaryMapExp<void, A, B, DType, 3>, Device, dim, DType> concat(
    const TRValue<A, Device, dim, DType> &src1, const TRValue<B, Device, dim, DType> &src2) {
  static_assert(0 <= cdim && cdim < dim, "concat<d>: the sources have no such dimension");
  return {};
}
MSHADOW_GEN_VIEW AssignableViewExp<E, Device, dim, DType> flip(
    const TRValue<E, Device, dim, DType> &src, int d);
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> mirror(const Exp<E, DType, etype> &src);

MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> crop(const Exp<E, DType, etype> &src,
                                               const Shape<2> &oshape) {
  static_assert(ExpInfo<E>::kDim >= 2, "crop takes an expression of rank 2 or more");
  return {};
}
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> crop(const Exp<E, DType, etype> &src,
                                               const Shape<2> &oshape, index_t start_height,
                                               index_t start_width) {
  static_assert(ExpInfo<E>::kDim >= 2, "crop takes an expression of rank 2 or more");
  return {};
}
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> pad(const Exp<E, DType, etype> &src, index_t pad) {
  static_assert(ExpInfo<E>::kDim >= 2, "pad takes an expression of rank 2 or more");
  return {};
}
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> pad(const Exp<E, DType, etype> &src, index_t pad_y,
                                              index_t pad_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "pad takes an expression of rank 2 or more");
  return {};
}
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> upsampling_nearest(const Exp<E, DType, etype> &src,
                                                             index_t scale) {
  static_assert(ExpInfo<E>::kDim >= 2, "upsampling_nearest takes an expression of rank 2 or more");
  return {};
}

template <typename Index, typename E, typename IType, typename DType, int e1, int e2>
ViewExp<BinaryMapExp<void, Index, E, DType, 3>, 2, DType> take(const Exp<Index, IType, e1> &index,
                                                               const Exp<E, DType, e2> &src) {
  static_assert(ExpInfo<Index>::kDim == 1 && ExpInfo<E>::kDim == 2,
                "take takes a vector of indices and a matrix");
  return {};
}

/// Rules take tensors only. Others are declared so that the generator can say so.
template <typename E, typename Device, typename DType, int dim, typename Index, typename IType,
          int etype>
AssignableViewExp<E, Device, 2, DType> rows(const TRValue<E, Device, dim, DType> &src,
                                            const Exp<Index, IType, etype> &index) {
  static_assert(dim == 2 && ExpInfo<Index>::kDim == 1,
                "rows takes a matrix and a vector of indices");
  return {};
}
template <typename E, typename Index, typename DType, typename IType, int e1, int e2>
ViewExp<BinaryMapExp<void, Index, E, DType, 3>, 2, DType> rows(const Exp<E, DType, e1> &src,
                                                               const Exp<Index, IType, e2> &index) {
  static_assert(ExpInfo<Index>::kDim == 1 && ExpInfo<E>::kDim == 2,
                "rows takes a matrix and a vector of indices");
  return {};
}

/// Rules cannot call it. Declared so that the generator can say what to write instead.
template <typename Reducer, typename E, typename DType, int etype>
DType reduce_scalar(const Exp<E, DType, etype> &src);

/// Rules cannot read it. Declared so that the generator can say what to write instead.
template <typename Index, typename E, typename IType, typename DType, int e1, int e2>
ViewExp<BinaryMapExp<void, Index, E, DType, 3>, 2, DType> take_grad(
    const Exp<Index, IType, e1> &index, const Exp<E, DType, e2> &src, index_t input_dim) {
  static_assert(ExpInfo<Index>::kDim == 1 && ExpInfo<E>::kDim == 2,
                "take_grad takes a vector of indices and a matrix");
  return {};
}

template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> pool(const Exp<E, DType, etype> &src, index_t ksize_y, index_t ksize_x,
                            index_t kstride_y, index_t kstride_x, index_t kdilate_y,
                            index_t kdilate_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> pool(const Exp<E, DType, etype> &src, const Shape<2> &pshape,
                            index_t ksize_y, index_t ksize_x, index_t kstride_y, index_t kstride_x,
                            index_t kdilate_y, index_t kdilate_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> pool(const Exp<E, DType, etype> &src, index_t ksize_y, index_t ksize_x,
                            index_t kstride_y, index_t kstride_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> pool(const Exp<E, DType, etype> &src, index_t ksize_y, index_t ksize_x,
                            index_t kstride) {
  static_assert(ExpInfo<E>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> pool(const Exp<E, DType, etype> &src, const Shape<2> &pshape,
                            index_t ksize_y, index_t ksize_x, index_t kstride_y,
                            index_t kstride_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> pool(const Exp<E, DType, etype> &src, const Shape<2> &pshape,
                            index_t ksize_y, index_t ksize_x, index_t kstride) {
  static_assert(ExpInfo<E>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> chpool(const Exp<E, DType, etype> &src, index_t nsize, index_t stride,
                              index_t pad) {
  return {};
}
template <typename Reducer, typename E, typename DType, int etype, int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> chpool(const Exp<E, DType, etype> &src, index_t nsize) {
  return {};
}

MSHADOW_GEN_SOURCE ViewExp<E, 2, DType> unpack_patch2col(const Exp<E, DType, etype> &img,
                                                         index_t psize_y, index_t psize_x,
                                                         index_t pstride_y, index_t pstride_x,
                                                         index_t pdilate_y, index_t pdilate_x) {
  static_assert(ExpInfo<E>::kDim >= 3, "unpack_patch2col takes an expression of rank 3 or more");
  return {};
}
MSHADOW_GEN_SOURCE ViewExp<E, 2, DType> unpack_patch2col(const Exp<E, DType, etype> &img,
                                                         index_t psize_y, index_t psize_x,
                                                         index_t pstride, index_t pdilate = 1) {
  static_assert(ExpInfo<E>::kDim >= 3, "unpack_patch2col takes an expression of rank 3 or more");
  return {};
}

template <typename E, typename DType, int etype, int dim>
ViewExp<E, dim, DType> pack_col2patch(const Exp<E, DType, etype> &src, const Shape<dim> &imshape,
                                      index_t psize_y, index_t psize_x, index_t pstride_y,
                                      index_t pstride_x, index_t pdilate_y, index_t pdilate_x) {
  static_assert(ExpInfo<E>::kDim == 2, "pack_col2patch takes a matrix");
  return {};
}
template <typename E, typename DType, int etype, int dim>
ViewExp<E, dim, DType> pack_col2patch(const Exp<E, DType, etype> &src, const Shape<dim> &imshape,
                                      index_t psize_y, index_t psize_x, index_t pstride,
                                      index_t pdilate = 1) {
  static_assert(ExpInfo<E>::kDim == 2, "pack_col2patch takes a matrix");
  return {};
}

template <typename Index, typename E, typename IType, typename DType, int e1, int e2>
ViewExp<BinaryMapExp<void, Index, E, DType, 3>, 2, DType> mask(const Exp<Index, IType, e1> &index,
                                                               const Exp<E, DType, e2> &src) {
  static_assert(ExpInfo<Index>::kDim == 1 && ExpInfo<E>::kDim == 2,
                "mask takes a vector and a matrix");
  return {};
}
template <typename E, typename Index, typename DType, typename IType, int e1, int e2>
ViewExp<BinaryMapExp<void, E, Index, DType, 3>, 2, DType> scatter_columns(
    const Exp<E, DType, e1> &values, const Exp<Index, IType, e2> &columns, index_t count) {
  static_assert(ExpInfo<E>::kDim == 2 && ExpInfo<Index>::kDim == 2,
                "scatter_columns takes a matrix of values and one of columns");
  return {};
}
template <typename E, typename DType, int etype, int dim>
ViewExp<E, ExpInfo<E>::kDim, DType> transpose_indices(const Exp<E, DType, etype> &indices,
                                                      const Shape<dim> &src_shape,
                                                      const Shape<dim> &axes);

/// The gradient with respect to what was pooled.
template <typename E, typename Pooled, typename Grad, typename DType>
using UnpoolExp = ViewExp<TernaryMapExp<void, E, Pooled, Grad, DType, 3>, ExpInfo<E>::kDim, DType>;

#define MSHADOW_GEN_UNPOOL                                                                        \
  template <typename Reducer, typename E, typename Pooled, typename Grad, typename DType, int e1, \
            int e2, int e3>                                                                       \
  UnpoolExp<E, Pooled, Grad, DType>

MSHADOW_GEN_UNPOOL unpool(const Exp<E, DType, e1> &src, const Exp<Pooled, DType, e2> &pooled,
                          const Exp<Grad, DType, e3> &grad, index_t ksize_y, index_t ksize_x,
                          index_t kstride_y, index_t kstride_x, index_t kdilate_y,
                          index_t kdilate_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "unpool takes expressions of rank 2 or more");
  return {};
}
MSHADOW_GEN_UNPOOL unpool(const Exp<E, DType, e1> &src, const Exp<Pooled, DType, e2> &pooled,
                          const Exp<Grad, DType, e3> &grad, index_t ksize_y, index_t ksize_x,
                          index_t kstride_y, index_t kstride_x) {
  static_assert(ExpInfo<E>::kDim >= 2, "unpool takes expressions of rank 2 or more");
  return {};
}
MSHADOW_GEN_UNPOOL unpool(const Exp<E, DType, e1> &src, const Exp<Pooled, DType, e2> &pooled,
                          const Exp<Grad, DType, e3> &grad, index_t ksize_y, index_t ksize_x,
                          index_t kstride) {
  static_assert(ExpInfo<E>::kDim >= 2, "unpool takes expressions of rank 2 or more");
  return {};
}
MSHADOW_GEN_UNPOOL ch_unpool(const Exp<E, DType, e1> &src, const Exp<Pooled, DType, e2> &pooled,
                             const Exp<Grad, DType, e3> &grad, index_t nsize, index_t stride,
                             index_t pad) {
  return {};
}
MSHADOW_GEN_UNPOOL ch_unpool(const Exp<E, DType, e1> &src, const Exp<Pooled, DType, e2> &pooled,
                             const Exp<Grad, DType, e3> &grad, index_t nsize) {
  return {};
}

template <typename Reducer, bool mask, typename E, typename DType, int etype,
          int dim = ExpInfo<E>::kDim>
ViewExp<E, dim - 1, DType> reduce_with_axis(const Exp<E, DType, etype> &src, int axis) {
  static_assert(dim >= 2,
                "reduce_with_axis takes an expression of rank 2 or more; a vector is reduced by "
                "reduce_keepdim or reduce_all");
  return {};
}
template <typename Reducer, bool mask, typename E, typename DType, int etype,
          int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> reduce_keepdim(const Exp<E, DType, etype> &src, int axis);
template <typename Reducer, typename E, typename DType, int etype, int count,
          int dim = ExpInfo<E>::kDim>
ViewExp<E, dim, DType> reduce_multi_axes(const Exp<E, DType, etype> &src, const Shape<count> &axes);

template <typename A, typename B, typename DType, int e1, int e2>
ViewExp<BinaryMapExp<void, A, B, DType, 3>, 2, DType> implicit_dot(const Exp<A, DType, e1> &lhs,
                                                                   const Exp<B, DType, e2> &rhs) {
  static_assert(ExpInfo<A>::kDim == 2 && ExpInfo<B>::kDim == 2, "implicit_dot takes two matrices");
  return {};
}

#define MSHADOW_GEN_COMPLEX(name)                                                             \
  template <typename A, typename B, typename DType, int e1, int e2>                           \
  ViewExp<BinaryMapExp<void, A, B, DType, 3>, ExpInfo<A>::kDim, DType> name(                  \
      const Exp<A, DType, e1> &lhs, const Exp<B, DType, e2> &rhs) {                           \
    static_assert(ExpInfo<A>::kDim == ExpInfo<B>::kDim, "the operands have different ranks"); \
    return {};                                                                                \
  }
MSHADOW_GEN_COMPLEX(complex_mul_cc)
MSHADOW_GEN_COMPLEX(complex_mul_cr)
MSHADOW_GEN_COMPLEX(complex_mul_rc)
MSHADOW_GEN_COMPLEX(complex_div_cc)
MSHADOW_GEN_COMPLEX(complex_div_cr)
MSHADOW_GEN_COMPLEX(complex_div_rc)
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> conj(const Exp<E, DType, etype> &src);
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> complex_exchange(const Exp<E, DType, etype> &src);
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> complex_pad_imag(const Exp<E, DType, etype> &src);
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> complex_toreal(const Exp<E, DType, etype> &src);
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> complex_abs_square(const Exp<E, DType, etype> &src);
MSHADOW_GEN_SOURCE ViewExp<E, dim, DType> complex_sum_real_imag(const Exp<E, DType, etype> &src);

/// Random elements (extension/random.h).
template <typename DType>
constexpr bool kIsDrawnFloat = false;
template <>
constexpr bool kIsDrawnFloat<float> = true;
template <>
constexpr bool kIsDrawnFloat<double> = true;
template <>
constexpr bool kIsDrawnFloat<half::half_t> = true;
template <>
constexpr bool kIsDrawnFloat<bfloat::bf16_t> = true;

template <int dim, typename DType>
struct DrawExp : MakeTensorExp<DrawExp<dim, DType>, ScalarExp<DType>, dim, DType> {};

template <int dim>
DrawExp<dim, int32_t> random_bits(const Shape<dim> &shape, uint64_t seed, uint64_t sequence);
template <typename DType, int dim>
DrawExp<dim, DType> random_uniform(const Shape<dim> &shape, uint64_t seed, uint64_t sequence) {
  static_assert(kIsDrawnFloat<DType>, "random_uniform draws float, double, half_t, bf16_t");
  return {};
}
template <typename DType, int dim>
DrawExp<dim, DType> random_normal(const Shape<dim> &shape, uint64_t seed, uint64_t sequence) {
  static_assert(kIsDrawnFloat<DType>, "random_normal draws float, double, half_t, bf16_t");
  return {};
}
template <typename DType, int dim>
DrawExp<dim, DType> random_bernoulli(const Shape<dim> &shape, double probability, uint64_t seed,
                                     uint64_t sequence);

#undef MSHADOW_GEN_SOURCE
#undef MSHADOW_GEN_VIEW
#undef MSHADOW_GEN_UNPOOL
#undef MSHADOW_GEN_COMPLEX

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_GEN_VIEWS_H_
