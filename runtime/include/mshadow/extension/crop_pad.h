// SPDX-License-Identifier: Apache-2.0
/// \file crop_pad.h
/// Images, the last two dimensions being height and width, made smaller or larger: crop, pad,
/// upsampling_nearest.
#ifndef MSHADOW_EXTENSION_CROP_PAD_H_
#define MSHADOW_EXTENSION_CROP_PAD_H_

#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// A window of every image. What is before height and width is one dimension to its map.
template <typename SrcExp, typename DType, int srcdim>
struct CroppingExp : MakeTensorExp<CroppingExp<SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  SrcExp src_;
  Shape<2> start_;
  detail::AxisMap<3> map_;

  CroppingExp(const SrcExp &src, const Shape<2> &cshape, index_t start_height, index_t start_width)
      : src_(src), start_(Shape2(start_height, start_width)) {
    constexpr int kY = srcdim - 2, kX = srcdim - 1;
    const Shape<srcdim> source = ShapeCheck<srcdim, SrcExp>::Check(src);
    detail::CheckRange("crop", kY, start_height, start_height + cshape[0], source[kY]);
    detail::CheckRange("crop", kX, start_width, start_width + cshape[1], source[kX]);
    this->shape_ = source;
    this->shape_[kY] = cshape[0];
    this->shape_[kX] = cshape[1];
    const index_t images = source.ProdShape(0, kY);
    const Shape<3> whole = Shape3(images, source[kY], source[kX]);
    map_ = detail::MapInto(whole, Shape3(images, cshape[0], cshape[1]));
    map_.set_range(1, detail::StepAlong(whole, 1), start_height);
    map_.set_range(2, detail::StepAlong(whole, 2), start_width);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, detail::StepThrough(*this));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    map->Shift(srcdim - 2, start_[0], this->shape_[srcdim - 2]);
    map->Shift(srcdim - 1, start_[1], this->shape_[srcdim - 1]);
  }
};
template <typename SrcExp, typename DType, int srcdim>
class Plan<CroppingExp<SrcExp, DType, srcdim>, DType>
    : public detail::AxisMapPlan<SrcExp, DType, 3, true> {
 public:
  explicit Plan(const CroppingExp<SrcExp, DType, srcdim> &exp)
      : detail::AxisMapPlan<SrcExp, DType, 3, true>(exp.src_, exp.map_) {}
};

/// oshape[0] rows from \p start_height on, and oshape[1] columns from \p start_width on, of each
/// image of \p src.
/// \throws Error if they do not lie within it
template <typename SrcExp, typename DType, int etype>
CroppingExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> crop(const Exp<SrcExp, DType, etype> &src,
                                                       const Shape<2> &oshape, index_t start_height,
                                                       index_t start_width) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim >= 2, "crop takes an expression of rank 2 or more");
  return CroppingExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), oshape, start_height,
                                                           start_width);
}
/// The same from the middle; if that is between two pixels, from the upper left one.
template <typename SrcExp, typename DType, int etype>
CroppingExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> crop(const Exp<SrcExp, DType, etype> &src,
                                                       const Shape<2> &oshape) {
  constexpr int kDim = ExpInfo<SrcExp>::kDim;
  const Shape<kDim> shape = ShapeCheck<kDim, SrcExp>::Check(src.self());
  if (oshape[0] > shape[kDim - 2] || oshape[1] > shape[kDim - 1]) {
    detail::ThrowMisfit("crop", "the image is smaller than the window", shape.shape_, kDim,
                        oshape.shape_, 2);
  }
  return crop(src, oshape, (shape[kDim - 2] - oshape[0]) / 2, (shape[kDim - 1] - oshape[1]) / 2);
}

/// Images with zeros around them.
template <typename SrcExp, typename DType, int srcdim>
struct PaddingExp : MakeTensorExp<PaddingExp<SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  static constexpr int kWork = 12;  ///< each row has a beginning, a middle and an end
  SrcExp src_;
  index_t pad_y_;
  index_t pad_x_;
  index_t src_height_;
  index_t src_width_;

  PaddingExp(const SrcExp &src, index_t pad_y, index_t pad_x)
      : src_(src), pad_y_(pad_y), pad_x_(pad_x) {
    detail::CheckNotNegative("pad", "height", pad_y);
    detail::CheckNotNegative("pad", "width", pad_x);
    const Shape<srcdim> source = ShapeCheck<srcdim, SrcExp>::Check(src);
    src_height_ = source[srcdim - 2];
    src_width_ = source[srcdim - 1];
    this->shape_ = source;
    this->shape_[srcdim - 2] += 2 * pad_y;
    this->shape_[srcdim - 1] += 2 * pad_x;
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, detail::StepThrough(*this));
  }
  void MapAddresses(::mshadow::detail::AddressMap *map) const {
    map->Shift(srcdim - 2, -static_cast<int64_t>(pad_y_), this->shape_[srcdim - 2]);
    map->Shift(srcdim - 1, -static_cast<int64_t>(pad_x_), this->shape_[srcdim - 1]);
  }
};

template <typename SrcExp, typename DType, int srcdim>
class Plan<PaddingExp<SrcExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const PaddingExp<SrcExp, DType, srcdim> &exp)
      : src_(MakePlan(exp.src_)),
        new_height_(exp.shape_[srcdim - 2]),
        pad_y_(exp.pad_y_),
        pad_x_(exp.pad_x_),
        height_(exp.src_height_),
        width_(exp.src_width_) {}

  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    index_t image = y;
    const detail::Signed h = new_height_.Split(&image) - pad_y_;
    const detail::Signed w = x - pad_x_;
    if (h < 0 || h >= height_ || w < 0 || w >= width_) return ScalarCast<DType>(0);
    return src_.Eval(image * height_ + h, w);
  }

  static constexpr bool kRuns = true;
  static constexpr bool kShortByElement = true;
  /// Inside an image elements are where those of the source are.
  const DType *FindRun(index_t y, index_t x, int n, DType *out) const {
    index_t image = y;
    const detail::Signed h = new_height_.Split(&image) - pad_y_, w = x - pad_x_;
    const bool is_inside = 0 <= h && h < height_ && 0 <= w && w + n <= width_;
    if (is_inside) return detail::FindElements(src_, image * height_ + h, w, n, out);
    EvalRun(y, x, n, out);
    return out;
  }
  const DType *FindInPlace(index_t y, index_t x, int64_t *n) const {
    index_t image = y;
    const detail::Signed h = new_height_.Split(&image) - pad_y_, w = x - pad_x_;
    if (h < 0 || h >= height_ || w >= width_) return nullptr;
    const detail::Signed there = w < 0 ? -w : width_ - w;
    if (*n > there) *n = there;
    if (w < 0) return nullptr;
    return detail::FindInPlace<DType>(src_, image * height_ + h, w, n);
  }
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    index_t image = y;
    const detail::Signed h = new_height_.Split(&image) - pad_y_;
    const bool in = 0 <= h && h < height_;
    const int begin = in ? Within(pad_x_ - x, n) : n;  // the image's part of the run
    const int end = in ? Within(pad_x_ + width_ - x, n) : n;
    for (int i = 0; i < begin; ++i) out[i] = ScalarCast<DType>(0);
    if (begin < end) {
      const detail::Run<Plan<SrcExp, DType>, DType> run(src_, image * height_ + h,
                                                        x + begin - pad_x_, end - begin);
      detail::StoreRun(out + begin, run, end - begin);
    }
    for (int i = end; i < n; ++i) out[i] = ScalarCast<DType>(0);
  }

 private:
  static int Within(detail::Signed i, int n) { return i < 0 ? 0 : i < n ? static_cast<int>(i) : n; }

  Plan<SrcExp, DType> src_;
  ::mshadow::detail::Divider new_height_;
  detail::Signed pad_y_, pad_x_, height_, width_;
};

/// \p src with pad_y rows of zeros above and below each image, and pad_x columns on both sides.
/// \throws Error if one of them is negative
template <typename SrcExp, typename DType, int etype>
PaddingExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> pad(const Exp<SrcExp, DType, etype> &src,
                                                     index_t pad_y, index_t pad_x) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim >= 2, "pad takes an expression of rank 2 or more");
  return PaddingExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), pad_y, pad_x);
}
template <typename SrcExp, typename DType, int etype>
PaddingExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> pad(const Exp<SrcExp, DType, etype> &src,
                                                     index_t pad_size) {
  return pad(src, pad_size, pad_size);
}

/// Every pixel repeated scale x scale times.
template <typename SrcExp, typename DType, int srcdim>
struct UpSamplingNearestExp
    : MakeTensorExp<UpSamplingNearestExp<SrcExp, DType, srcdim>, SrcExp, srcdim, DType> {
  SrcExp src_;
  index_t scale_;

  UpSamplingNearestExp(const SrcExp &src, index_t scale) : src_(src), scale_(scale) {
    detail::CheckPositive("upsampling_nearest", "scale", scale);
    this->shape_ = ShapeCheck<srcdim, SrcExp>::Check(src);
    this->shape_[srcdim - 2] *= scale;
    this->shape_[srcdim - 1] *= scale;
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, scale_ != 1);
  }
};

/// Heights of images follow each other in y, so that row y of the result is row y / scale.
template <typename SrcExp, typename DType, int srcdim>
class Plan<UpSamplingNearestExp<SrcExp, DType, srcdim>, DType> {
 public:
  explicit Plan(const UpSamplingNearestExp<SrcExp, DType, srcdim> &exp)
      : src_(MakePlan(exp.src_)), scale_(exp.scale_) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return src_.Eval(scale_.Quotient(y), scale_.Quotient(x));
  }

 private:
  Plan<SrcExp, DType> src_;
  ::mshadow::detail::Divider scale_;
};

/// \p src with height and width \p scale times as large, by repetition.
/// \throws Error if the scale is not positive
template <typename SrcExp, typename DType, int etype>
UpSamplingNearestExp<SrcExp, DType, ExpInfo<SrcExp>::kDim> upsampling_nearest(
    const Exp<SrcExp, DType, etype> &src, index_t scale) {
  static_assert(detail::CheckSource<SrcExp, etype>());
  static_assert(ExpInfo<SrcExp>::kDim >= 2,
                "upsampling_nearest takes an expression of rank 2 or more");
  return UpSamplingNearestExp<SrcExp, DType, ExpInfo<SrcExp>::kDim>(src.self(), scale);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_CROP_PAD_H_
