// SPDX-License-Identifier: Apache-2.0
// Rows of planes that a launch takes as one.
#include <gtest/gtest.h>
#include <mshadow/emitted/joined_rows.h>
#include <mshadow/emitted/launch.h>
#include <mshadow/emitted/view.h>

#include <vector>

namespace {

using mshadow::Along;
using mshadow::Axis;
using mshadow::index_t;
using mshadow::JoinRows;
using mshadow::PlanView;
using mshadow::StridedView;
using mshadow::TensorArg;

constexpr int64_t kImages = 2, kChannels = 5, kHeight = 3, kWidth = 4;

/// A Plan of transpose(in, Shape4(0, 3, 1, 2)), which reads images of channels from pixels, and of
/// a tensor as it lies, with `gap` elements after each row.
struct Images {
  explicit Images(int64_t gap = 0) : elements(kImages * kChannels * kHeight * kWidth * 2) {
    for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
    TensorArg<const float> in;
    in.dim = 4;
    const int64_t extents[] = {kImages, kHeight, kWidth, kChannels};
    for (int d = 0; d < 4; ++d) in.shape[d] = extents[d];
    in.stride = kChannels;
    in.dptr = elements.data();
    view.Set(in, {Axis(0), Axis(2), Axis(3), Axis(1)});
    view.Over({kChannels, kHeight});
    out = {elements.data(), kWidth + gap};
  }
  /// The element of the view, and the place of that of the tensor, by their common number.
  float Viewed(index_t i) const { return view.ElementAt(view.row(i / cols), i % cols); }
  const float *At(index_t i) const { return out.row(i / cols) + i % cols; }

  std::vector<float> elements;
  StridedView<const float, 4, Along::kAcross, false> view;
  PlanView<float> out;
  index_t rows = kImages * kChannels * kHeight, cols = kWidth;
};

TEST(JoinedRows, OfPlanes) {
  Images joined;
  const Images before;
  JoinRows(&joined, &joined.view, &joined.out);
  EXPECT_EQ(joined.cols, kHeight * kWidth);
  EXPECT_EQ(joined.rows, kImages * kChannels);
  for (index_t i = 0; i < joined.rows * joined.cols; ++i) {
    ASSERT_EQ(joined.Viewed(i), before.Viewed(i)) << i;
    ASSERT_EQ(joined.At(i) - joined.At(0), before.At(i) - before.At(0)) << i;
  }
}

TEST(JoinedRows, NotWithGaps) {
  Images images(1);
  JoinRows(&images, &images.view, &images.out);
  EXPECT_EQ(images.cols, kWidth);
  EXPECT_EQ(images.out.stride, kWidth + 1);
}

/// A view whose planes are other rows than those of the first.
TEST(JoinedRows, NotWithOtherRows) {
  Images images;
  StridedView<const float, 4, Along::kAcross, false> other = images.view;
  TensorArg<const float> in;
  in.dim = 4;
  const int64_t extents[] = {kImages, kWidth, kHeight, kChannels};
  for (int d = 0; d < 4; ++d) in.shape[d] = extents[d];
  in.stride = kChannels;
  in.dptr = images.elements.data();
  other.Set(in, {Axis(0), Axis(3), Axis(2), Axis(1)});
  other.Over({kChannels, kHeight});
  JoinRows(&images, &images.view, &images.out, &other);
  EXPECT_EQ(images.cols, kWidth);
}

/// Axes outside of a row are merged where they are set: the pixels of planes.
TEST(JoinedRows, AxesOutsideOfARowAreMerged) {
  std::vector<float> elements(kImages * kChannels * kHeight * kWidth);
  for (size_t i = 0; i < elements.size(); ++i) elements[i] = static_cast<float>(i);
  TensorArg<const float> in;
  in.dim = 4;
  const int64_t extents[] = {kImages, kChannels, kHeight, kWidth};
  for (int d = 0; d < 4; ++d) in.shape[d] = extents[d];
  in.stride = kWidth;
  in.dptr = elements.data();
  StridedView<const float, 4, Along::kAcross, false> view;
  view.Set(in, {Axis(0), Axis(3), Axis(1), Axis(2)});
  view.Over({kHeight, kWidth});
  EXPECT_EQ(view.LineAlong(2).count, kHeight * kWidth);
  index_t y = 0;
  for (int64_t image = 0; image < kImages; ++image) {
    for (int64_t pixel = 0; pixel < kHeight * kWidth; ++pixel, ++y) {
      for (int64_t c = 0; c < kChannels; ++c) {
        const auto at = static_cast<size_t>((image * kChannels + c) * kHeight * kWidth + pixel);
        ASSERT_EQ(view.ElementAt(view.row(y), c), elements[at]) << y << " " << c;
      }
    }
  }
}

}  // namespace
