// SPDX-License-Identifier: Apache-2.0
/// \file pool.h
/// Pooling over windows of images, and its gradient: pool, unpool. Height and width are the last
/// two dimensions.
#ifndef MSHADOW_EXTENSION_POOL_H_
#define MSHADOW_EXTENSION_POOL_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"
#include "mshadow/extension/lane_vector.h"
#include "mshadow/extension/pairwise_tree.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {

/// A window along one dimension.
struct WindowSize {
  index_t size;      ///< elements of a window
  index_t stride;    ///< from the beginning of one window to that of the next
  index_t dilation;  ///< from one element of a window to the next
  /// From the first element of a window to the end of its last one.
  MSHADOW_XINLINE index_t Reach() const { return (size - 1) * dilation + 1; }
};

/// The windows along one dimension of the source.
struct Windows : WindowSize {
  index_t source;  ///< elements of the source
  index_t pooled;  ///< the number of windows
  /// Where window p ends. The end of the source cuts off the last windows. They may even begin past
  /// it.
  MSHADOW_XINLINE index_t End(index_t p) const {
    const index_t end = p * stride + Reach();
    return end < source ? end : source;
  }
};

/// The windows that reach over element i: [First(i), End(i)).
class WindowsOf {
 public:
  WindowsOf(const Windows &w, index_t pad = 0)
      : stride_(w.stride), dilation_(w.dilation), reach_(w.Reach()), pad_(pad), pooled_(w.pooled) {}
  MSHADOW_XINLINE index_t First(index_t i) const {
    const Signed from = i + pad_ - reach_ + stride_.divisor();
    return from <= 0 ? 0 : stride_.Quotient(from);
  }
  MSHADOW_XINLINE index_t End(index_t i) const {
    const index_t end = stride_.Quotient(i + pad_) + 1;
    return end < pooled_ ? end : pooled_;
  }
  /// Whether window p, which reaches over element i, holds it.
  MSHADOW_XINLINE bool Holds(index_t p, index_t i) const {
    return dilation_ == 1 || (i + pad_ - p * stride_.divisor()) % dilation_ == 0;
  }

 private:
  ::mshadow::detail::Divider stride_;
  index_t dilation_;
  index_t reach_;
  index_t pad_;
  index_t pooled_;
};

}  // namespace detail

/// The windows of an expression, each reduced by \p Reducer.
template <typename Reducer, typename SrcExp, typename DType, int srcdim>
struct PoolingExp
    : MakeTensorExp<PoolingExp<Reducer, SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  static constexpr int kY = srcdim - 2, kX = srcdim - 1;
  SrcExp src_;
  detail::Windows y_;
  detail::Windows x_;

  /// As many windows as lie within the image.
  PoolingExp(const SrcExp &src, const detail::WindowSize &y, const detail::WindowSize &x)
      : src_(src) {
    detail::CheckWindow("pool", y.size, x.size, y.stride, x.stride, y.dilation, x.dilation);
    const Shape<srcdim> source = ShapeCheck<srcdim, SrcExp>::Check(src);
    const Shape<2> window = Shape2(y.Reach(), x.Reach());
    if (source[kY] < window[0] || source[kX] < window[1]) {
      detail::ThrowMisfit("pool", "the image is smaller than the window", source.shape_, srcdim,
                          window.shape_, 2);
    }
    Set(source,
        Shape2((source[kY] - window[0]) / y.stride + 1, (source[kX] - window[1]) / x.stride + 1), y,
        x);
  }
  /// pshape[0] x pshape[1] windows.
  PoolingExp(const SrcExp &src, const Shape<2> &pshape, const detail::WindowSize &y,
             const detail::WindowSize &x)
      : src_(src) {
    detail::CheckWindow("pool", y.size, x.size, y.stride, x.stride, y.dilation, x.dilation);
    Set(ShapeCheck<srcdim, SrcExp>::Check(src), pshape, y, x);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return y_.size * x_.size; }

 private:
  void Set(const Shape<srcdim> &source, const Shape<2> &pshape, const detail::WindowSize &y,
           const detail::WindowSize &x) {
    y_ = {y, source[kY], pshape[0]};
    x_ = {x, source[kX], pshape[1]};
    this->shape_ = source;
    this->shape_[kY] = pshape[0];
    this->shape_[kX] = pshape[1];
  }
};

/// Reduces a window row by row. 16-bit floats are reduced in float.
template <typename Reducer, typename SrcExp, typename DType, int srcdim>
class Plan<PoolingExp<Reducer, SrcExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const PoolingExp<Reducer, SrcExp, DType, srcdim> &exp)
      : src_(MakePlan(exp.src_)), height_(exp.y_.pooled), y_(exp.y_), x_(exp.x_) {}

  MSHADOW_XINLINE DType Eval(index_t row, index_t px) const { return Window(RowsOf(row), px); }

  static constexpr bool kRuns = true;
  void EvalRun(index_t row, index_t px, int n, DType *out) const {
    constexpr int kFew = 16;
    const Rows rows = RowsOf(row);
    const bool whole = IsWhole(px + n - 1);
    if constexpr (kHasFours) {
      if (4 <= n && n < kFew && whole && x_.stride == 1) return Fours(rows, px, n, out);
    }
    if (n < kFew && whole && x_.size == 3) {
      for (int i = 0; i < n; ++i) out[i] = Whole<3>(rows, px + i);
    } else if (n < kFew && whole && x_.size == 2) {
      for (int i = 0; i < n; ++i) out[i] = Whole<2>(rows, px + i);
    } else if (n < kFew) {
      for (int i = 0; i < n; ++i) out[i] = Window(rows, px + i);
    } else if (x_.stride == 1) {
      Neighbours<1>(rows, px, n, out);
    } else {
      Neighbours<0>(rows, px, n, out);
    }
  }

 private:
  using Acc = typename detail::Accumulator<DType>::type;

  /// The rows of the source that a window covers.
  struct Rows {
    index_t begin;
    index_t end;
  };
  MSHADOW_XINLINE Rows RowsOf(index_t row) const {
    index_t image = row;
    const index_t py = height_.Split(&image), first = image * y_.source;
    return {first + py * y_.stride, first + y_.End(py)};
  }

  /// Whether the image does not cut off the columns of a window.
  MSHADOW_XINLINE bool IsWhole(index_t px) const {
    return px * x_.stride + x_.Reach() <= x_.source;
  }

  MSHADOW_XINLINE DType Window(const Rows &rows, index_t px) const {
    const index_t begin = px * x_.stride, end = x_.End(px);
    Acc result;
    Reducer::SetInitValue(result);
    for (index_t y = rows.begin; y < rows.end; y += y_.dilation) {
      for (index_t x = begin; x < end; x += x_.dilation) {
        Reducer::Reduce(result, static_cast<Acc>(src_.Eval(y, x)));
      }
    }
    return ScalarCast<DType>(result);
  }

  /// Reduces a whole window of kSize columns. The compiler unrolls so short a loop.
  template <int kSize>
  MSHADOW_CINLINE DType Whole(const Rows &rows, index_t px) const {
    Acc result;
    Reducer::SetInitValue(result);
    for (index_t y = rows.begin; y < rows.end; y += y_.dilation) {
      for (int i = 0; i < kSize; ++i) {
        Reducer::Reduce(result, static_cast<Acc>(src_.Eval(y, px * x_.stride + i * x_.dilation)));
      }
    }
    return ScalarCast<DType>(result);
  }

  static constexpr bool kHasFours = detail::kHasLaneVector<Reducer, DType> &&
                                    detail::kIsPlanOfTensor<Plan<SrcExp, DType>> &&
                                    ::mshadow::detail::IsSame<Acc, DType>::value;
  /// Computes n >= 4 adjacent whole windows, four at a time. The last four may include windows that
  /// are already computed.
  void Fours(const Rows &rows, index_t px, int n, DType *out) const {
    for (int i = 0; i < n; i += 4) {
      const int first = i + 4 <= n ? i : n - 4;
      detail::FourResults<Reducer, DType> results;
      for (index_t y = rows.begin; y < rows.end; y += y_.dilation) {
        const DType *const row = &src_.Eval(y, px + first);
        for (index_t x = 0; x < x_.size; ++x) results.Reduce(row + x * x_.dilation);
      }
      results.Store(out + first);
    }
  }

  /// Computes n windows side by side. They are kStride apart, or x_.stride if kStride is 0.
  template <index_t kStride>
  void Neighbours(const Rows &rows, index_t px, int n, DType *out) const {
    const index_t stride = kStride == 0 ? x_.stride : kStride;
    Acc result[detail::kMaxRun];
    for (int i = 0; i < n; ++i) Reducer::SetInitValue(result[i]);
    const bool whole = IsWhole(px + n - 1);
    for (index_t y = rows.begin; y < rows.end; y += y_.dilation) {
      for (index_t dx = 0; dx < x_.size; ++dx) {
        const index_t x = px * stride + dx * x_.dilation;
        const int end = whole ? n : static_cast<int>(Reached(x, n));
        for (int i = 0; i < end; ++i) {
          Reducer::Reduce(result[i], static_cast<Acc>(src_.Eval(y, x + i * stride)));
        }
      }
    }
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(result[i]);
  }

  /// Of n windows x_.stride apart, how many have a certain column inside the image. Column \p x of
  /// the image is that of the first window.
  index_t Reached(index_t x, index_t n) const {
    const index_t in = x < x_.source ? (x_.source - 1 - x) / x_.stride + 1 : 0;
    return in < n ? in : n;
  }

  Plan<SrcExp, DType> src_;
  ::mshadow::detail::Divider height_;
  detail::Windows y_;
  detail::Windows x_;
};

/// Reduces windows of ksize_y x ksize_x elements by \p Reducer. The result has an element for each
/// window that lies within the image. The elements of a window are kdilate_y rows and kdilate_x
/// columns apart: a window reaches over (ksize - 1) * kdilate + 1 of them.
/// \throws Error if the image is smaller than a window, or a size, stride or dilation is not
///     positive
template <typename Reducer, typename SrcExp, typename DType, int etype>
PoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim> pool(const Exp<SrcExp, DType, etype> &src,
                                                               index_t ksize_y, index_t ksize_x,
                                                               index_t kstride_y, index_t kstride_x,
                                                               index_t kdilate_y = 1,
                                                               index_t kdilate_x = 1) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {src.self(), {ksize_y, kstride_y, kdilate_y}, {ksize_x, kstride_x, kdilate_x}};
}
/// The same with one stride for both dimensions.
template <typename Reducer, typename SrcExp, typename DType, int etype>
PoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim> pool(const Exp<SrcExp, DType, etype> &src,
                                                               index_t ksize_y, index_t ksize_x,
                                                               index_t kstride) {
  return pool<Reducer>(src, ksize_y, ksize_x, kstride, kstride);
}
/// pshape[0] x pshape[1] windows. Windows that extend past the end are cut off. The element of a
/// window that begins past the end is the reducer's initial value.
template <typename Reducer, typename SrcExp, typename DType, int etype>
PoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim> pool(
    const Exp<SrcExp, DType, etype> &src, const Shape<2> &pshape, index_t ksize_y, index_t ksize_x,
    index_t kstride_y, index_t kstride_x, index_t kdilate_y = 1, index_t kdilate_x = 1) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim >= 2, "pool takes an expression of rank 2 or more");
  return {src.self(), pshape, {ksize_y, kstride_y, kdilate_y}, {ksize_x, kstride_x, kdilate_x}};
}
template <typename Reducer, typename SrcExp, typename DType, int etype>
PoolingExp<Reducer, SrcExp, DType, ExpInfo<SrcExp>::kDim> pool(const Exp<SrcExp, DType, etype> &src,
                                                               const Shape<2> &pshape,
                                                               index_t ksize_y, index_t ksize_x,
                                                               index_t kstride) {
  return pool<Reducer>(src, pshape, ksize_y, ksize_x, kstride, kstride);
}

/// The gradient with respect to the source of a pool, from the gradient with respect to its result.
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int srcdim>
struct UnPoolingExp
    : MakeTensorExp<UnPoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim>, SrcExp,
                    srcdim, DType> {
  static constexpr int kY = srcdim - 2, kX = srcdim - 1;
  static constexpr int kWork = 240;  ///< each element searches for its windows
  SrcExp data_src_;
  PooledExp data_pooled_;
  GradExp grad_pooled_;
  detail::Windows y_;
  detail::Windows x_;

  UnPoolingExp(const SrcExp &data_src, const PooledExp &data_pooled, const GradExp &grad_pooled,
               const detail::WindowSize &y, const detail::WindowSize &x)
      : data_src_(data_src), data_pooled_(data_pooled), grad_pooled_(grad_pooled) {
    detail::CheckWindow("unpool", y.size, x.size, y.stride, x.stride, y.dilation, x.dilation);
    const Shape<srcdim> source = ShapeCheck<srcdim, SrcExp>::Check(data_src);
    const Shape<srcdim> pooled = ShapeCheck<srcdim, PooledExp>::Check(data_pooled);
    const Shape<srcdim> grad = ShapeCheck<srcdim, GradExp>::Check(grad_pooled);
    detail::CheckPooled("unpool", srcdim, source.shape_, pooled.shape_, grad.shape_, kY, srcdim);
    y_ = {y, source[kY], pooled[kY]};
    x_ = {x, source[kX], pooled[kX]};
    this->shape_ = source;
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(data_src_, false);
    f(data_pooled_, true);
    f(grad_pooled_, true);
  }
  index_t CountReads() const {
    return ((y_.Reach() - 1) / y_.stride + 1) * ((x_.Reach() - 1) / x_.stride + 1);
  }
};
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int srcdim>
struct ExpInfo<UnPoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim>>
    : detail::DevicesOf<SrcExp, PooledExp, GradExp> {
  static constexpr int kDim = srcdim;
};

template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int srcdim>
class Plan<UnPoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const UnPoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, srcdim> &exp)
      : data_src_(MakePlan(exp.data_src_)),
        data_pooled_(MakePlan(exp.data_pooled_)),
        grad_pooled_(MakePlan(exp.grad_pooled_)),
        height_(exp.y_.source),
        pooled_height_(exp.y_.pooled),
        y_(exp.y_),
        x_(exp.x_) {}

  MSHADOW_XINLINE DType Eval(index_t row, index_t x) const {
    index_t image = row;
    const index_t y = height_.Split(&image);
    const DType source = data_src_.Eval(row, x);
    Acc sum = 0;
    for (index_t py = y_.First(y); py < y_.End(y); ++py) {
      if (!y_.Holds(py, y)) continue;
      for (index_t px = x_.First(x); px < x_.End(x); ++px) {
        if (!x_.Holds(px, x)) continue;
        const index_t at = image * pooled_height_ + py;
        const DType grad = Reducer::PartialGrad(source, DType(data_pooled_.Eval(at, px)));
        const Acc grad_pooled = static_cast<Acc>(grad_pooled_.Eval(at, px));
        sum = op::plus::Map(sum, op::mul::Map(static_cast<Acc>(grad), grad_pooled));
      }
    }
    return ScalarCast<DType>(sum);
  }

 private:
  using Acc = Promoted<DType>;
  Plan<SrcExp, DType> data_src_;
  Plan<PooledExp, DType> data_pooled_;
  Plan<GradExp, DType> grad_pooled_;
  ::mshadow::detail::Divider height_;
  index_t pooled_height_;
  detail::WindowsOf y_;
  detail::WindowsOf x_;
};

/// The gradient with respect to \p data_src, where data_pooled = pool<Reducer>(data_src, …), and
/// \p grad_pooled is the gradient with respect to data_pooled. The gradient of an element is a sum
/// over the windows that hold it. The term of a window is its element of grad_pooled times
/// Reducer::PartialGrad(element, the window's element of data_pooled).
/// \throws Error if the shapes do not match, or a size, stride or dilation is not positive
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int e1, int e2, int e3, int dim = ExpInfo<SrcExp>::kDim>
UnPoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, dim> unpool(
    const Exp<SrcExp, DType, e1> &data_src, const Exp<PooledExp, DType, e2> &data_pooled,
    const Exp<GradExp, DType, e3> &grad_pooled, index_t ksize_y, index_t ksize_x, index_t kstride_y,
    index_t kstride_x, index_t kdilate_y = 1, index_t kdilate_x = 1) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2 | e3)>());
  static_assert(dim >= 2, "unpool takes expressions of rank 2 or more");
  static_assert(ExpInfo<PooledExp>::kDim == dim && ExpInfo<GradExp>::kDim == dim,
                "unpool takes three expressions of one rank");
  return {data_src.self(),
          data_pooled.self(),
          grad_pooled.self(),
          {ksize_y, kstride_y, kdilate_y},
          {ksize_x, kstride_x, kdilate_x}};
}
/// The same with one stride for both dimensions.
template <typename Reducer, typename SrcExp, typename PooledExp, typename GradExp, typename DType,
          int e1, int e2, int e3, int dim = ExpInfo<SrcExp>::kDim>
UnPoolingExp<Reducer, SrcExp, PooledExp, GradExp, DType, dim> unpool(
    const Exp<SrcExp, DType, e1> &data_src, const Exp<PooledExp, DType, e2> &data_pooled,
    const Exp<GradExp, DType, e3> &grad_pooled, index_t ksize_y, index_t ksize_x, index_t kstride) {
  return unpool<Reducer>(data_src, data_pooled, grad_pooled, ksize_y, ksize_x, kstride, kstride);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_POOL_H_
