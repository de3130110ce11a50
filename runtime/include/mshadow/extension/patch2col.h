// SPDX-License-Identifier: Apache-2.0
/// \file patch2col.h
/// Convolution as a product of matrices: unpack_patch2col writes each patch of a batch of images as
/// a column, pack_col2patch adds columns up to images.
#ifndef MSHADOW_EXTENSION_PATCH2COL_H_
#define MSHADOW_EXTENSION_PATCH2COL_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {

/// Patches along one dimension of an image.
struct PatchAxis {
  index_t size;     ///< elements of a patch
  index_t stride;   ///< from a patch to the next
  index_t dilate;   ///< from an element of a patch to the next
  index_t extent;   ///< of the image
  index_t patches;  ///< that lie within it

  static PatchAxis Make(index_t size, index_t stride, index_t dilate, index_t extent) {
    return {size, stride, dilate, extent, (extent - (size - 1) * dilate - 1) / stride + 1};
  }
};

/// Patches of a batch of images of shape \p image, whose last dimensions are channels, height and
/// width. Row (c, dy, dx) of the matrix is element (dy, dx) of channel c of all patches; column
/// (n, py, px) is patch (py, px) of image n.
struct Patches {
  index_t channels;
  index_t images;
  PatchAxis y;
  PatchAxis x;

  index_t rows() const { return channels * y.size * x.size; }
  index_t cols() const { return images * y.patches * x.patches; }

  template <int dim>
  static Patches Make(const char *what, const Shape<dim> &image, const Shape<2> &size,
                      const Shape<2> &stride, const Shape<2> &dilate) {
    for (int i = 0; i < 2; ++i) {
      CheckPositive(what, "size of a patch", size[i]);
      CheckPositive(what, "stride", stride[i]);
      CheckPositive(what, "dilation", dilate[i]);
      if ((size[i] - 1) * dilate[i] >= image[dim - 2 + i]) {
        ThrowMisfit(what, "the image is smaller than a patch", image.shape_, dim, size.shape_, 2);
      }
    }
    return {image[dim - 3], image.ProdShape(0, dim - 3),
            PatchAxis::Make(size[0], stride[0], dilate[0], image[dim - 2]),
            PatchAxis::Make(size[1], stride[1], dilate[1], image[dim - 1])};
  }
};

}  // namespace detail

/// Patches of images as columns.
template <typename SrcExp, typename DType, int srcdim>
struct UnpackPatchToColXExp
    : MakeTensorExp<UnpackPatchToColXExp<SrcExp, DType, srcdim>, SrcExp, 2, DType> {
  SrcExp img_;
  detail::Patches patches_;

  UnpackPatchToColXExp(const SrcExp &img, const Shape<2> &size, const Shape<2> &stride,
                       const Shape<2> &dilate)
      : img_(img),
        patches_(detail::Patches::Make("unpack_patch2col", ShapeCheck<srcdim, SrcExp>::Check(img),
                                       size, stride, dilate)) {
    this->shape_ = Shape2(patches_.rows(), patches_.cols());
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(img_, true);
  }
};

template <typename SrcExp, typename DType, int srcdim>
class Plan<UnpackPatchToColXExp<SrcExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const UnpackPatchToColXExp<SrcExp, DType, srcdim> &exp)
      : img_(MakePlan(exp.img_)),
        patches_(exp.patches_),
        size_y_(patches_.y.size),
        size_x_(patches_.x.size),
        patches_y_(patches_.y.patches),
        patches_x_(patches_.x.patches) {}

  MSHADOW_XINLINE DType Eval(index_t i, index_t j) const {
    const detail::Place offset = Offset(&i);
    const index_t px = patches_x_.Split(&j);
    return img_.Eval(Row(i, j, offset.row), px * patches_.x.stride + offset.col);
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t i, index_t j, int n, DType *out) const {
    const detail::Place offset = Offset(&i);
    index_t px = patches_x_.Split(&j);
    for (int k = 0; k < n; ++j, px = 0) {
      const index_t row = Row(i, j, offset.row);
      for (; px < patches_.x.patches && k < n; ++px, ++k) {
        out[k] = img_.Eval(row, px * patches_.x.stride + offset.col);
      }
    }
  }

 private:
  /// Replaces the matrix's row by the channel; gives the place within a patch.
  MSHADOW_XINLINE detail::Place Offset(index_t *i) const {
    const index_t dx = size_x_.Split(i);
    const index_t dy = size_y_.Split(i);
    return {static_cast<detail::Signed>(dy * patches_.y.dilate),
            static_cast<detail::Signed>(dx * patches_.x.dilate)};
  }
  /// \param line counts lines of patches through all images
  MSHADOW_XINLINE index_t Row(index_t channel, index_t line, index_t dy) const {
    const index_t py = patches_y_.Split(&line);
    return (line * patches_.channels + channel) * patches_.y.extent + py * patches_.y.stride + dy;
  }

  Plan<SrcExp, DType> img_;
  detail::Patches patches_;
  ::mshadow::detail::Divider size_y_, size_x_, patches_y_, patches_x_;
};

/// The patches of \p img (…, channels, height, width) as a matrix of shape (channels * psize_y *
/// psize_x, images * patches): dot(weight, matrix) is the convolution. Pad the image for a border.
/// A dimension of the image has (extent - (psize - 1) * pdilate - 1) / pstride + 1 patches.
/// \throws Error if the image is smaller than a patch, or a size is not positive
template <typename SrcExp, typename DType, int etype, int dim = ExpInfo<SrcExp>::kDim>
UnpackPatchToColXExp<SrcExp, DType, dim> unpack_patch2col(const Exp<SrcExp, DType, etype> &img,
                                                          index_t psize_y, index_t psize_x,
                                                          index_t pstride_y, index_t pstride_x,
                                                          index_t pdilate_y, index_t pdilate_x) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(dim >= 3, "unpack_patch2col takes an expression of rank 3 or more");
  return UnpackPatchToColXExp<SrcExp, DType, dim>(img.self(), Shape2(psize_y, psize_x),
                                                  Shape2(pstride_y, pstride_x),
                                                  Shape2(pdilate_y, pdilate_x));
}
template <typename SrcExp, typename DType, int etype, int dim = ExpInfo<SrcExp>::kDim>
UnpackPatchToColXExp<SrcExp, DType, dim> unpack_patch2col(const Exp<SrcExp, DType, etype> &img,
                                                          index_t psize_y, index_t psize_x,
                                                          index_t pstride, index_t pdilate = 1) {
  return unpack_patch2col(img, psize_y, psize_x, pstride, pstride, pdilate, pdilate);
}

/// Columns added up to images.
template <typename SrcExp, typename DType, int dstdim>
struct PackColToPatchXExp
    : MakeTensorExp<PackColToPatchXExp<SrcExp, DType, dstdim>, SrcExp, dstdim, DType> {
  SrcExp src_;
  detail::Patches patches_;

  PackColToPatchXExp(const SrcExp &src, const Shape<dstdim> &imshape, const Shape<2> &size,
                     const Shape<2> &stride, const Shape<2> &dilate)
      : src_(src),
        patches_(detail::Patches::Make("pack_col2patch", imshape, size, stride, dilate)) {
    this->shape_ = imshape;
    const Shape<2> got = ShapeCheck<2, SrcExp>::Check(src);
    const Shape<2> want = Shape2(patches_.rows(), patches_.cols());
    if (got != want) {
      ::mshadow::detail::ThrowShapes("pack_col2patch of a matrix and its patches", got.shape_, 2,
                                     want.shape_, 2);
    }
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
  }
  index_t CountReads() const { return patches_.y.size * patches_.x.size; }
};

/// An element is added up over dy, then dx; 16-bit floats in float.
template <typename SrcExp, typename DType, int dstdim>
class Plan<PackColToPatchXExp<SrcExp, DType, dstdim>, DType> {
 public:
  explicit Plan(const PackColToPatchXExp<SrcExp, DType, dstdim> &exp)
      : src_(MakePlan(exp.src_)),
        patches_(exp.patches_),
        channels_(patches_.channels),
        height_(patches_.y.extent),
        stride_y_(patches_.y.stride),
        stride_x_(patches_.x.stride) {}

  MSHADOW_XINLINE DType Eval(index_t row, index_t x) const {
    const At at = Find(row);
    Acc sum = 0;
    for (index_t dy = 0; dy < patches_.y.size; ++dy) {
      const detail::Signed py = Patch(patches_.y, stride_y_, at.y, dy);
      if (py < 0) continue;
      for (index_t dx = 0; dx < patches_.x.size; ++dx) {
        const detail::Signed px = Patch(patches_.x, stride_x_, x, dx);
        if (px < 0) continue;
        const Acc value = static_cast<Acc>(src_.Eval(Row(at, dy, dx), Line(at, py) + px));
        sum = op::plus::Map(sum, value);
      }
    }
    return ScalarCast<DType>(sum);
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t row, index_t x, int n, DType *out) const {
    const At at = Find(row);
    Acc sum[detail::kMaxRun];
    for (int i = 0; i < n; ++i) sum[i] = 0;
    for (index_t dy = 0; dy < patches_.y.size; ++dy) {
      const detail::Signed py = Patch(patches_.y, stride_y_, at.y, dy);
      if (py < 0) continue;
      for (index_t dx = 0; dx < patches_.x.size; ++dx) {
        AddRow(Row(at, dy, dx), Line(at, py), dx * patches_.x.dilate - x, n, sum);
      }
    }
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(sum[i]);
  }

 private:
  using Acc = Promoted<DType>;
  struct At {
    index_t image;
    index_t channel;
    index_t y;
  };

  MSHADOW_XINLINE At Find(index_t row) const {
    const index_t y = height_.Split(&row);
    const index_t channel = channels_.Split(&row);
    return {row, channel, y};
  }
  /// The patch whose element d is element i of the image; -1 if there is none.
  MSHADOW_XINLINE static detail::Signed Patch(const detail::PatchAxis &axis,
                                              const ::mshadow::detail::Divider &stride, index_t i,
                                              index_t d) {
    if (i < d * axis.dilate) return -1;
    index_t p = i - d * axis.dilate;
    const index_t rest = stride.Split(&p);
    return rest == 0 && p < axis.patches ? static_cast<detail::Signed>(p) : -1;
  }
  MSHADOW_XINLINE index_t Row(const At &at, index_t dy, index_t dx) const {
    return (at.channel * patches_.y.size + dy) * patches_.x.size + dx;
  }
  /// The column of the first patch of a line of patches.
  MSHADOW_XINLINE index_t Line(const At &at, index_t py) const {
    return (at.image * patches_.y.patches + py) * patches_.x.patches;
  }
  /// Adds the patches px of a line to the elements px * stride + offset of a run.
  void AddRow(index_t row, index_t line, detail::Signed offset, int n, Acc *sum) const {
    const index_t stride = patches_.x.stride;
    const index_t first = offset < 0 ? stride_x_.Quotient(-offset + stride - 1) : 0;
    for (index_t px = first; px < patches_.x.patches; ++px) {
      const detail::Signed i = px * stride + offset;
      if (i >= n) break;
      sum[i] += static_cast<Acc>(src_.Eval(row, line + px));
    }
  }

  Plan<SrcExp, DType> src_;
  detail::Patches patches_;
  ::mshadow::detail::Divider channels_, height_, stride_y_, stride_x_;
};

/// Images of shape \p imshape each element of which is the sum of the matrix elements that
/// unpack_patch2col would read it into: the gradient of the convolution's input.
/// \throws Error if \p src does not have the shape of the patches
template <typename SrcExp, typename DType, int dstdim, int etype>
PackColToPatchXExp<SrcExp, DType, dstdim> pack_col2patch(const Exp<SrcExp, DType, etype> &src,
                                                         const Shape<dstdim> &imshape,
                                                         index_t psize_y, index_t psize_x,
                                                         index_t pstride_y, index_t pstride_x,
                                                         index_t pdilate_y, index_t pdilate_x) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim == 2, "pack_col2patch takes a matrix");
  static_assert(dstdim >= 3, "pack_col2patch makes images of rank 3 or more");
  return PackColToPatchXExp<SrcExp, DType, dstdim>(src.self(), imshape, Shape2(psize_y, psize_x),
                                                   Shape2(pstride_y, pstride_x),
                                                   Shape2(pdilate_y, pdilate_x));
}
template <typename SrcExp, typename DType, int dstdim, int etype>
PackColToPatchXExp<SrcExp, DType, dstdim> pack_col2patch(const Exp<SrcExp, DType, etype> &src,
                                                         const Shape<dstdim> &imshape,
                                                         index_t psize_y, index_t psize_x,
                                                         index_t pstride, index_t pdilate = 1) {
  return pack_col2patch(src, imshape, psize_y, psize_x, pstride, pstride, pdilate, pdilate);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_PATCH2COL_H_
