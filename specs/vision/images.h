// SPDX-License-Identifier: Apache-2.0
/// \file images.h
/// Colours and edges of images. Planes are tensors of any rank with the same shape.
#ifndef SPECS_VISION_IMAGES_H_
#define SPECS_VISION_IMAGES_H_

#include <mshadow/kernel.h>

namespace vision {
using namespace mshadow;
using namespace mshadow::expr;

/// Grey of colours: y = 0.299 red + 0.587 green + 0.114 blue. ITU-R BT.601; OpenCV's cvtColor with
/// COLOR_RGB2GRAY.
/// \param out grey; may be red, green or blue
/// \param red plane
/// \param green plane
/// \param blue plane
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Grayscale(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &red,
                              const Tensor<xpu, dim, DType> &green,
                              const Tensor<xpu, dim, DType> &blue) {
  out = 0.299f * red + 0.587f * green + 0.114f * blue;
}
MSHADOW_INSTANTIATE(Grayscale, float);

/// Gamma: y = gain x^gamma, limited to [0, 1]. torchvision's adjust_gamma.
/// \param out brightness; may be in
/// \param in brightness, from 0 to 1
/// \param gamma above 1 for darker shadows
/// \param gain factor
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AdjustGamma(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                float gamma, float gain = 1.0f) {
  auto value = gain * F<op::power>(in, gamma);
  out = F<op::minimum>(F<op::maximum>(value, 0.0f), 1.0f);
}
MSHADOW_INSTANTIATE(AdjustGamma, float);

struct srgb_to_linear {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    const T bent = mshadow::math::pow((a + T(0.055)) / T(1.055), T(2.4));
    return a <= T(0.04045) ? a / T(12.92) : bent;
  }
};

struct linear_to_srgb {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    const T bent = T(1.055) * mshadow::math::pow(a, T(1) / T(2.4)) - T(0.055);
    return a <= T(0.0031308) ? T(12.92) * a : bent;
  }
};

/// Linear light of sRGB: x / 12.92 where x <= 0.04045, else ((x + 0.055) / 1.055)^2.4. IEC
/// 61966-2-1.
/// \param out linear; may be in
/// \param in sRGB, from 0 to 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void SrgbToLinear(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<srgb_to_linear>(in);
}
MSHADOW_INSTANTIATE(SrgbToLinear, float);

/// sRGB of linear light: 12.92 x where x <= 0.0031308, else 1.055 x^(1 / 2.4) - 0.055. IEC
/// 61966-2-1.
/// \param out sRGB; may be in
/// \param in linear, from 0 to 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void LinearToSrgb(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<linear_to_srgb>(in);
}
MSHADOW_INSTANTIATE(LinearToSrgb, float);

/// One image over another: y = alpha foreground + (1 - alpha) background. Porter and Duff 1984, the
/// operator "over", for colours that are not multiplied by their alpha.
/// \param out blended plane; may be foreground or background
/// \param foreground plane
/// \param background plane
/// \param alpha opacity of the foreground, from 0 to 1
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void AlphaBlend(Tensor<xpu, dim, DType> out,
                               const Tensor<xpu, dim, DType> &foreground,
                               const Tensor<xpu, dim, DType> &background,
                               const Tensor<xpu, dim, DType> &alpha) {
  out = alpha * foreground + (1.0f - alpha) * background;
}
MSHADOW_INSTANTIATE(AlphaBlend, float);

/// Size of the gradient of an image: sqrt(gx^2 + gy^2), where gx is the image convolved with (1, 2,
/// 1)^T (-1, 0, 1), and gy with its transpose. Pixels outside the image are 0. Sobel and Feldman
/// 1968.
/// \param out of each pixel
/// \param in brightness
template <typename xpu, typename DType>
MSHADOW_KERNEL void Sobel(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const Shape<2> shape = in.shape_;
  auto falling = crop(pad(in, 1), shape, 2, 2) - crop(pad(in, 1), shape, 0, 0);
  auto rising = crop(pad(in, 1), shape, 0, 2) - crop(pad(in, 1), shape, 2, 0);
  auto gx =
      falling + rising + 2.0f * (crop(pad(in, 1), shape, 1, 2) - crop(pad(in, 1), shape, 1, 0));
  auto gy =
      falling - rising + 2.0f * (crop(pad(in, 1), shape, 2, 1) - crop(pad(in, 1), shape, 0, 1));
  out = F<op::square_root>(gx * gx + gy * gy);
}
MSHADOW_INSTANTIATE(Sobel, float);

/// Pixels as networks take them: y[n][c][h][w] = (x[n][h][w][c] / 255 - mean_c) / deviation_c.
/// torchvision's to_tensor and normalize in one.
/// \param out samples, channels, rows, columns
/// \param in samples, rows, columns, channels
/// \param mean of each channel
/// \param inv_deviation 1 / standard deviation of each channel
template <typename xpu>
MSHADOW_KERNEL void NormalizeImages(Tensor<xpu, 4, float> out, const Tensor<xpu, 4, uint8_t> &in,
                                    const Tensor<xpu, 1, float> &mean,
                                    const Tensor<xpu, 1, float> &inv_deviation) {
  auto x = tcast<float>(transpose(in, Shape4(0, 3, 1, 2)));
  out = (x * (1.0f / 255.0f) - broadcast<1>(mean, out.shape_)) *
        broadcast<1>(inv_deviation, out.shape_);
}
MSHADOW_INSTANTIATE(NormalizeImages, Types<>);

/// An image twice as high and wide, by bilinear interpolation of the pixels' centres:
/// torch.nn.functional.interpolate with scale_factor=2, mode="bilinear" and align_corners=False.
/// The rule doubles each pixel along the rows and replaces it by a mean with weights (1, 2, 1) / 4.
/// Then it does the same along the columns. A pixel outside of the image has the value of the
/// nearest one inside.
/// \param out image of twice as many rows and columns
/// \param in image
template <typename xpu, typename DType>
MSHADOW_KERNEL void UpsampleBilinear2x(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  const index_t rows = in.size(0), cols = in.size(1);
  Temporary<xpu, 2, DType> wide(Shape2(in.size(0), 2 * in.size(1)), in.stream_);
  auto twice = reshape(broadcast_with_axis(in, 1, 2), Shape2(rows, 2 * cols));
  auto left = crop(pad(twice, 0, 1), Shape2(rows, 2 * cols), 0, 0);
  auto right = crop(pad(twice, 0, 1), Shape2(rows, 2 * cols), 0, 2);
  wide = 0.25f * (left + right) + 0.5f * twice;
  MSHADOW_STAGE();
  slice<1>(wide, 0, 1) += 0.25f * slice<1>(in, 0, 1);
  slice<1>(wide, 2 * cols - 1, 2 * cols) += 0.25f * slice<1>(in, cols - 1, cols);
  MSHADOW_STAGE();
  auto tall = reshape(broadcast_with_axis(wide, 0, 2), Shape2(2 * rows, 2 * cols));
  auto above = crop(pad(tall, 1, 0), out.shape_, 0, 0);
  auto below = crop(pad(tall, 1, 0), out.shape_, 2, 0);
  out = 0.25f * (above + below) + 0.5f * tall;
  MSHADOW_STAGE();
  slice<0>(out, 0, 1) += 0.25f * slice<0>(wide, 0, 1);
  slice<0>(out, 2 * rows - 1, 2 * rows) += 0.25f * slice<0>(wide, rows - 1, rows);
}
MSHADOW_INSTANTIATE(UpsampleBilinear2x, float);

}  // namespace vision

#endif  // SPECS_VISION_IMAGES_H_
