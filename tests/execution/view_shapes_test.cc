// SPDX-License-Identifier: Apache-2.0
// Views of other shapes than their sources, fused, against loops over indices; and what a launch
// refuses before it writes.
#include <gtest/gtest.h>
#include <mshadow/error.h>

#include <string>
#include <vector>

#include "view_shapes_rules.h"

namespace {

using mshadow::Shape1;
using mshadow::Shape2;
using mshadow::Shape3;
using mshadow::Shape4;
using mshadow::Tensor;
using mshadow::cpu;
using mshadow::index_t;

/// A tensor with rows that are padded, counted through.
template <int dim>
struct Counted {
  std::vector<float> elements;
  Tensor<cpu, dim, float> tensor;

  explicit Counted(const mshadow::Shape<dim> &shape, float first = 1)
      : elements(static_cast<size_t>(shape.FlatTo2D()[0] * (shape[dim - 1] + 3) + 1)) {
    tensor = Tensor<cpu, dim, float>(elements.data(), shape, shape[dim - 1] + 3, nullptr);
    for (float &element : elements) element = first++;
  }
  float at(index_t row, index_t column) const {
    return elements[static_cast<size_t>(row * tensor.stride_ + column)];
  }
};

/// What `run` throws.
template <typename Run>
std::string MessageOf(const Run &run) {
  try {
    run();
  } catch (const mshadow::Error &error) {
    return error.what();
  }
  return "nothing";
}

TEST(ViewShapes, HalvesOfRows) {
  for (const index_t cols : {0, 1, 2, 15, 16, 17, 127, 128, 129, 400}) {
    for (const index_t rows : {0, 1, 3}) {
      Counted<2> in(Shape2(rows, 2 * cols)), out(Shape2(rows, cols));
      view_shapes::Gate(out.tensor, in.tensor);
      for (index_t y = 0; y < rows; ++y) {
        for (index_t x = 0; x < cols; ++x) {
          ASSERT_EQ(out.at(y, x), in.at(y, x) * in.at(y, cols + x)) << y << " " << x;
        }
      }
    }
  }
}

TEST(ViewShapes, RowsThatIndicesChoose) {
  Counted<2> table(Shape2(5, 40)), out(Shape2(4, 40), 0);
  std::vector<int32_t> index = {4, 0, 4, 2};
  const Tensor<cpu, 1, int32_t> chosen(index.data(), Shape1(4));
  view_shapes::Embed(out.tensor, table.tensor, chosen, true);
  for (int y = 0; y < 4; ++y) {
    for (int x = 0; x < 40; ++x) ASSERT_EQ(out.at(y, x), 2 * table.at(index[y], x));
  }
  index[2] = 5;
  const std::vector<float> before = out.elements;
  EXPECT_NE(MessageOf([&] { view_shapes::Embed(out.tensor, table.tensor, chosen, true); }).find("5"),
            std::string::npos);
  EXPECT_EQ(out.elements, before);
  // A branch that does not read the view does not look at it.
  view_shapes::Embed(out.tensor, table.tensor, chosen, false);
  EXPECT_EQ(out.at(2, 7), 1.0f);
}

TEST(ViewShapes, PatchesOfImages) {
  Counted<4> images(Shape4(2, 3, 4, 6));
  constexpr index_t kPatches = 3 * 4;  // of an image
  Counted<2> out(Shape2(3 * 2 * 3, 2 * kPatches));
  view_shapes::Patches(out.tensor, images.tensor);
  for (index_t row = 0; row < 18; ++row) {
    const index_t x = row % 3, y = row / 3 % 2, channel = row / 6;
    for (index_t patch = 0; patch < 2 * kPatches; ++patch) {
      const index_t image = patch / kPatches, py = patch % kPatches / 4, px = patch % 4;
      const float want = images.at((image * 3 + channel) * 4 + py + y, px + x) + 1;
      ASSERT_EQ(out.at(row, patch), want) << row << " " << patch;
    }
  }
}

TEST(ViewShapes, TransposesAndParts) {
  Counted<2> a(Shape2(7, 150)), out(Shape2(150, 7));
  Counted<3> b(Shape3(3, 150, 7));
  view_shapes::Cross(out.tensor, a.tensor, b.tensor, 2);
  for (index_t y = 0; y < 150; ++y) {
    for (index_t x = 0; x < 7; ++x) ASSERT_EQ(out.at(y, x), a.at(x, y) - b.at(300 + y, x));
  }
}

TEST(ViewShapes, MisuseIsFoundBeforeTheFirstWrite) {
  Counted<2> in(Shape2(3, 9)), out(Shape2(3, 4), 0);
  const std::vector<float> before = out.elements;
  EXPECT_EQ(MessageOf([&] { view_shapes::Gate(out.tensor, in.tensor); }),
            "Gate: argument 'slice<1>(in, half, in_extent1)': expected shape (3,4), got (3,5)");
  Counted<2> even(Shape2(3, 8));
  const Tensor<cpu, 2, float> part(even.elements.data(), Shape2(3, 4), even.tensor.stride_,
                                   nullptr);
  EXPECT_EQ(MessageOf([&] { view_shapes::Gate(part, even.tensor); }),
            "Gate: argument 'in': expected memory apart from that of 'out', which the rule writes, "
            "got one that overlaps it");
  Counted<3> b(Shape3(3, 9, 3));
  EXPECT_NE(MessageOf([&] { view_shapes::Cross(out.tensor, in.tensor, b.tensor, 0); }), "nothing");
  EXPECT_EQ(out.elements, before);
  mshadow::TensorArg<float> flat = mshadow::Arg(in.tensor);
  flat.dim = 1;
  EXPECT_EQ(MessageOf([&] { view_shapes::LaunchGate(cpu(), mshadow::Arg(out.tensor), flat); }),
            "Gate: argument 'in': expected a tensor of rank 2, got one of rank 1");
}

}  // namespace
