// SPDX-License-Identifier: Apache-2.0
// Slices, concatenations, reversals; images cropped and padded.
#include "extension_testing.h"

namespace {
using namespace testing_runtime;

template <int d, typename DType>
void CheckSlice(const Shape<3> &shape, index_t begin, index_t end) {
  auto t = Make<DType>(shape, 1);
  Shape<3> part = shape;
  part[d] = end - begin;
  ExpectElements(slice<d>(t, begin, end), part, [&](Shape<3> i) {
    i[d] += begin;
    return Number(At(t, i));
  });
  const TensorContainer<cpu, 3, DType> old(t);
  auto from = Make<DType>(part, 5);
  slice<d>(t, begin, end) = from * 2;
  slice<d>(t, begin, end) += 1;
  ForEachIndex(shape, [&](const Shape<3> &i) {
    Shape<3> j = i;
    j[d] -= begin;
    const bool in = begin <= i[d] && i[d] < end;
    EXPECT_EQ(Number(At(t, i)), in ? Number(At(from, j)) * 2 + 1 : Number(At(old, i))) << i;
  });
}

TEST(ExtensionView, Slice) {
  ForElementTypes([](auto zero) {
    using DType = decltype(zero);
    CheckSlice<0, DType>(Shape3(5, 3, 4), 1, 3);
    CheckSlice<1, DType>(Shape3(5, 3, 4), 2, 3);
    CheckSlice<2, DType>(Shape3(5, 3, 200), 3, 190);
    CheckSlice<2, DType>(Shape3(5, 3, 4), 2, 2);
    CheckSlice<1, DType>(Shape3(5, 0, 4), 0, 0);
    CheckSlice<0, DType>(Shape3(1, 1, 1), 0, 1);
  });
  auto v = Make<float>(Shape1(9), 1);
  slice<0>(v, 2, 5) = 7;
  EXPECT_EQ(v[4], 7.0f);
  EXPECT_NE(v[5], 7.0f);
  auto t = Make<float>(Shape2(3, 4), 1);
  EXPECT_MESSAGE(slice<1>(t, 2, 5), "slice: [2,5) is not within dimension 1, whose extent is 4");
  EXPECT_MESSAGE(slice<0>(t, 2, 1), "slice: [2,1) is not within dimension 0, whose extent is 3");
  EXPECT_MESSAGE(slice<0>(t, 0, 2) = slice<0>(t, 0, 3) * 1, "shapes (2,4) and (3,4) differ");
}

TEST(ExtensionView, SlicesOfSlicesAndBoxes) {
  auto t = Make<float>(Shape3(4, 5, 6), 1);
  const auto want = [&](const Shape<3> &i) { return t[i[0] + 1][i[1] + 2][i[2] + 1]; };
  const Shape<3> part = Shape3(2, 3, 4);
  ExpectElements(slice(t, Shape3(1, 2, 1), Shape3(3, 5, 5)), part, want);
  ExpectElements(slice<2>(slice<1>(slice<0>(t, 1, 3), 2, 5), 1, 5), part, want);
  auto from = Make<float>(part, 3);
  TensorContainer<cpu, 3> a(t), b(t);
  slice(a, Shape3(1, 2, 1), Shape3(3, 5, 5)) = from;
  slice<2>(slice<1>(slice<0>(b, 1, 3), 2, 5), 1, 5) = from;
  ForEachIndex(part,
               [&](const Shape<3> &i) { EXPECT_EQ(a[i[0] + 1][i[1] + 2][i[2] + 1], At(from, i)); });
  ExpectSame<float>(b.FlatTo2D(), a.FlatTo2D());
  EXPECT_EQ(a[0][0][0], t[0][0][0]);
  // A slice assigned to a slice of its own type writes elements too.
  slice<1>(a, 0, 2) = slice<1>(t, 3, 5);
  EXPECT_EQ(a[3][1][5], t[3][4][5]);
}

TEST(ExtensionView, OverlappingSlices) {
  auto t = Make<float>(Shape3(4, 6, 5), 1);
  const TensorContainer<cpu, 3> old(t);
  slice<1>(t, 0, 2) = slice<1>(t, 2, 4) * 2;  // no element of one is in the other
  EXPECT_EQ(t[3][1][4], old[3][3][4] * 2);
  slice<2>(t, 0, 2) = slice<2>(t, 3, 5);
  slice<1>(t, 0, 3) = slice<1>(t, 0, 3) + 1;  // the same elements
  EXPECT_EQ(t[0][2][4], old[0][2][4] + 1);
  EXPECT_MESSAGE(slice<1>(t, 0, 3) = slice<1>(t, 1, 4) * 1, "overlaps its memory");
  EXPECT_MESSAGE(slice<0>(t, 0, 3) = slice<0>(t, 1, 4), "overlaps its memory");
  EXPECT_MESSAGE(t[1].Slice(0, 2) = slice<0>(t[1], 1, 3), "overlaps its memory");
  EXPECT_MESSAGE(t = broadcast_to(slice<1>(t, 5, 6), t.shape_), "reads other elements");
  EXPECT_MESSAGE((slice<1>(t, 0, 4) = swapaxis<1, 0>(slice<1>(t, 2, 6))), "reads other elements");
  t.Slice(0, 1) = slice<0>(t, 2, 3);
  EXPECT_EQ(t[0][5][4], old[2][5][4]);
}

/// Boxes against an enumeration of their elements.
TEST(Overlap, OfBoxesAgreesWithEnumeration) {
  TensorContainer<cpu, 3> t(Shape3(4, 3, 5));
  std::mt19937 random(3);
  std::vector<mshadow::detail::Box> boxes;
  std::vector<std::vector<int>> touched;
  for (int n = 0; n < 120; ++n) {
    // A slice of the tensor, of two of its planes, or of it as a matrix.
    Tensor<cpu, 3> view = n % 3 == 1 ? t.Slice(1, 3) : Tensor<cpu, 3>(t);
    if (n % 3 == 2) view = Tensor<cpu, 3>(t.dptr_, Shape3(1, 12, 5), t.stride_, nullptr);
    Shape<3> begin, end;
    for (int d = 0; d < 3; ++d) {
      begin[d] = static_cast<index_t>(random()) % view.shape_[d];
      end[d] = begin[d] + static_cast<index_t>(random()) % (view.shape_[d] - begin[d] + 1);
    }
    const auto part = slice(view, begin, end);
    boxes.push_back(BoxOf(part));
    touched.emplace_back(4 * 3 * 8);
    const auto plan = MakePlan(part);
    int next = 1;
    ForEach(part.shape_, [&](index_t y, index_t x) {
      touched.back()[static_cast<size_t>(&plan.REval(y, x) - t.dptr_)] = next++;
    });
  }
  int counts[3] = {};
  for (size_t a = 0; a < boxes.size(); ++a) {
    for (size_t b = 0; b < boxes.size(); ++b) {
      bool share = false;
      for (size_t i = 0; i < touched[a].size(); ++i) share |= touched[a][i] && touched[b][i];
      const auto overlap = mshadow::detail::Compare(boxes[a], boxes[b]);
      if (share) {
        EXPECT_NE(overlap, mshadow::detail::Overlap::kNone) << a << ' ' << b;
      }
      if (overlap == mshadow::detail::Overlap::kSame) {
        EXPECT_EQ(touched[a], touched[b]) << a << ' ' << b;
      }
      if (a % 3 == b % 3 && !share) {
        EXPECT_EQ(overlap, mshadow::detail::Overlap::kNone) << a << ' ' << b;
      }
      ++counts[static_cast<int>(overlap)];
    }
  }
  EXPECT_GT(counts[0], 1000);
  EXPECT_GT(counts[1], 20);
  EXPECT_GT(counts[2], 300);
}

template <int d, int dim>
void CheckConcat(const Shape<dim> &shape, index_t more) {
  Shape<dim> other = shape, both = shape;
  other[d] = more;
  both[d] += more;
  auto a = Make<float>(shape, 1), b = Make<float>(other, 2, false);
  const auto want = [&](Shape<dim> i) {
    if (i[d] < shape[d]) return At(a, i);
    i[d] -= shape[d];
    return At(b, i);
  };
  ExpectElements(concat<d>(a, b), both, want);
  auto from = Make<float>(both, 3);
  concat<d>(a, b) = from;
  concat<d>(a, b) -= 1;
  ForEachIndex(both, [&](const Shape<dim> &i) { EXPECT_EQ(want(i), At(from, i) - 1) << i; });
}

TEST(ExtensionView, Concat) {
  CheckConcat<0>(Shape1(3), 2);
  CheckConcat<0>(Shape2(3, 4), 2);
  CheckConcat<1>(Shape2(3, 4), 200);
  CheckConcat<1>(Shape2(3, 0), 2);
  CheckConcat<0>(Shape3(3, 4, 2), 5);
  CheckConcat<1>(Shape3(3, 4, 2), 1);
  CheckConcat<2>(Shape3(3, 4, 2), 0);
  CheckConcat<1>(Shape4(3, 4, 2, 2), 3);
  CheckConcat<2>(Shape5(2, 3, 4, 2, 2), 3);
  auto a = Make<float>(Shape2(3, 4), 1), b = Make<float>(Shape2(2, 4), 2);
  EXPECT_MESSAGE(concat<1>(a, b),
                 "concat: dimensions other than the joined one differ, shapes "
                 "(3,4) and (2,4)");
  auto c = Make<float>(Shape2(5, 4), 3);
  EXPECT_MESSAGE(concat<0>(a, b) = flip(concat<0>(a, b), 0), "reads other elements");
  EXPECT_MESSAGE(concat<0>(a, a) = c, "shapes (6,4) and (5,4) differ");
  auto twice = Make<float>(Shape2(6, 4), 4);
  EXPECT_MESSAGE(concat<0>(a, a) = twice, "overlaps its memory");
  EXPECT_MESSAGE(concat<0>(a, a.Slice(1, 3)) += c, "overlaps its memory");
  concat<0>(a.Slice(0, 1), a.Slice(2, 3)) = c.Slice(0, 2);
  slice<0>(concat<0>(a, b), 2, 5) = c.Slice(0, 3);
  EXPECT_EQ(a[2][1], c[0][1]);
  EXPECT_EQ(b[1][3], c[2][3]);
}

// Rows that are in two tensors, from runs, from blocks of a transpose, and through a slice.
TEST(ExtensionView, ConcatOfRowsInParts) {
  for (const index_t first : {0, 1, 5, 40, 133}) {
    auto a = Make<float>(Shape2(37, first), 1), b = Make<float>(Shape2(37, 150 - first), 2, false);
    const auto at = [&](index_t y, index_t x) { return x < first ? a[y][x] : b[y][x - first]; };
    const auto from = Make<float>(Shape2(150, 37), 3);
    concat<1>(a, b) = from.T() * 2.0f;
    ForEach(Shape2(37, 150), [&](index_t y, index_t x) { EXPECT_EQ(at(y, x), 2 * from[x][y]); });
    concat<1>(a, b) = from.T();
    ForEach(Shape2(37, 150), [&](index_t y, index_t x) { EXPECT_EQ(at(y, x), from[x][y]); });
    slice<1>(concat<1>(a, b), 2, 149) += 1.0f;
    concat<1>(concat<1>(a, b), Tensor<cpu, 2>(Shape2(37, 0))) += 2.0f;
    ForEach(Shape2(37, 150), [&](index_t y, index_t x) {
      EXPECT_EQ(at(y, x), from[x][y] + (x < 2 || x >= 149 ? 0 : 1) + 2) << y << ' ' << x;
    });
  }
}

TEST(ExtensionView, FlipAndMirror) {
  for (const Shape<3> &shape : SomeShapes<3>()) {
    auto t = Make<float>(shape, 1);
    for (int dim = 0; dim < 3; ++dim) {
      const auto flipped = [&](Shape<3> i) {
        i[dim] = shape[dim] - 1 - i[dim];
        return At(t, i);
      };
      ExpectElements(flip(t, dim), shape, flipped);
      if (dim == 2) {
        ExpectElements(mirror(t * 2), shape, [&](Shape<3> i) { return flipped(i) * 2; });
        // Of what is no tensor.
        const auto twice = Shape3(shape[0], shape[1], 2 * shape[2]);
        ExpectElements(flip(concat<2>(t, t), 2), twice, [&](Shape<3> i) {
          i[2] %= shape[2];
          return flipped(i);
        });
      }
      TensorContainer<cpu, 3> dst(shape);
      flip(dst, dim) = t;
      ForEachIndex(shape, [&](const Shape<3> &i) { EXPECT_EQ(At(dst, i), flipped(i)); });
    }
  }
  auto t = Make<float>(Shape2(3, 4), 1);
  EXPECT_MESSAGE(flip(t, 2), "flip: axis 2 is not within [0,1]");
  EXPECT_MESSAGE(t = mirror(t), "reads other elements");
  EXPECT_MESSAGE(t = flip(t, 0), "reads other elements");
  EXPECT_MESSAGE(flip(t, 1) = t * 2, "reads other elements");
  flip(t, 1) += 1;
}

TEST(ExtensionView, Crop) {
  for (const Shape<3> &shape : {Shape3(2, 5, 6), Shape3(1, 2, 3), Shape3(0, 4, 4)}) {
    auto t = Make<int32_t>(shape, 1);
    const Shape<3> part = Shape3(shape[0], 2, 3);
    ExpectElements(crop(t, Shape2(2, 3)), part, [&](const Shape<3> &i) {
      return t[i[0]][i[1] + (shape[1] - 2) / 2][i[2] + (shape[2] - 3) / 2];
    });
  }
  auto t = Make<float>(Shape2(5, 6), 1);
  ExpectElements(crop(t, Shape2(2, 3), 3, 1), Shape2(2, 3),
                 [&](const Shape<2> &i) { return t[i[0] + 3][i[1] + 1]; });
  EXPECT_MESSAGE(crop(t, Shape2(2, 3), 4, 0),
                 "crop: [4,6) is not within dimension 0, whose extent is 5");
  EXPECT_MESSAGE(crop(t, Shape2(2, 7)), "crop: the image is smaller than the window, shapes (5,6)");
}

TEST(ExtensionView, Pad) {
  ForElementTypes([](auto zero) {
    for (const Shape<3> &shape : SomeShapes<3>()) {
      auto t = Make<decltype(zero)>(shape, 1);
      for (const Shape<2> &p : {Shape2(0, 0), Shape2(1, 1), Shape2(2, 130), Shape2(3, 0)}) {
        const Shape<3> padded = Shape3(shape[0], shape[1] + 2 * p[0], shape[2] + 2 * p[1]);
        const auto want = [&](const Shape<3> &i) {
          const index_t y = i[1] - p[0], x = i[2] - p[1];
          const bool in = 0 <= y && y < shape[1] && 0 <= x && x < shape[2];
          return in ? Number(At(t, Shape3(i[0], y, x))) : 0;
        };
        ExpectElements(pad(t, p[0], p[1]), padded, want);
        if (p[0] == p[1]) ExpectElements(pad(t, p[0]), padded, want);
      }
    }
  });
  auto t = Make<float>(Shape2(5, 6), 1);
  EXPECT_MESSAGE(pad(t, -1), "pad: the height -1 is negative");
}

TEST(ExtensionView, UpsamplingNearest) {
  for (const Shape<3> &shape : SomeShapes<3>()) {
    auto t = Make<float>(shape, 1);
    for (const index_t k : {1, 2, 3}) {
      ExpectElements(upsampling_nearest(t, k), Shape3(shape[0], shape[1] * k, shape[2] * k),
                     [&](const Shape<3> &i) { return At(t, Shape3(i[0], i[1] / k, i[2] / k)); });
    }
  }
  auto t = Make<float>(Shape2(5, 6), 1);
  EXPECT_MESSAGE(upsampling_nearest(t, 0), "the scale 0 is not positive");
}

}  // namespace
