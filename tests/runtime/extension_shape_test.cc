// SPDX-License-Identifier: Apache-2.0
// Broadcasts, reshapes and permutations of dimensions.
#include <mshadow/extension/diag.h>

#include "extension_testing.h"

namespace {
using namespace testing_runtime;

/// What mxnet's operators pass for a Shape: its rank is known at run time.
struct RuntimeShape {
  std::vector<index_t> extents;
  int ndim() const { return static_cast<int>(extents.size()); }
  index_t operator[](int i) const { return extents[static_cast<size_t>(i)]; }
};

TEST(ExtensionShape, BroadcastScalar) {
  ForElementTypes([](auto zero) {
    auto v = Make<decltype(zero)>(Shape1(1), 3);
    for (const Shape<3> &shape : SomeShapes<3>()) {
      ExpectElements(broadcast_scalar(v * 2, shape), shape,
                     [&](const Shape<3> &) { return Number(v[0]) * 2; });
    }
  });
  auto v = Make<float>(Shape1(2), 3);
  EXPECT_MESSAGE(broadcast_scalar(v, Shape2(3, 4)), "broadcast_scalar");
  EXPECT_MESSAGE(broadcast_scalar(v, Shape2(3, 4)), "shapes (2,) and (1,) differ");
}

TEST(ExtensionShape, BroadcastWithAxis) {
  ForElementTypes([](auto zero) {
    for (const Shape<3> &shape : SomeShapes<3>()) {
      auto t = Make<decltype(zero)>(shape, 1);
      for (int axis = -1; axis < 3; ++axis) {
        Shape<4> wide;
        for (int d = 0; d < 4; ++d)
          wide[d] = d <= axis ? shape[d] : d == axis + 1 ? 3 : shape[d - 1];
        ExpectElements(broadcast_with_axis(t + 1, axis, 3), wide, [&](const Shape<4> &i) {
          Shape<3> from;
          for (int d = 0; d < 3; ++d) from[d] = i[d <= axis ? d : d + 1];
          return Number(At(t, from)) + 1;
        });
      }
    }
  });
  auto t = Make<float>(Shape2(2, 3), 1);
  EXPECT_MESSAGE(broadcast_with_axis(t, 2, 3), "broadcast_with_axis: axis 2 is not within [-1,1]");
  EXPECT_MESSAGE(broadcast_with_axis(t, -2, 3), "axis -2");
  EXPECT_MESSAGE(broadcast_with_axis(t, 0, -1), "the size -1 is negative");
}

TEST(ExtensionShape, Diag) {
  ForElementTypes([](auto zero) {
    for (const index_t n : {1, 3, 17, 40}) {
      auto t = Make<decltype(zero)>(Shape2(n, n), 1);
      const auto element = [&](index_t y, index_t x) { return Number(t[y][x]); };
      ExpectElements(diag(t), Shape1(n), [&](const Shape<1> &i) { return element(i[0], i[0]); });
      ExpectElements(diag(mirror(t + 1)) * 2, Shape1(n),
                     [&](const Shape<1> &i) { return (element(i[0], n - 1 - i[0]) + 1) * 2; });
    }
  });
  for (const index_t n : {0, 1, 5, 33}) {
    auto v = Make<float>(Shape1(n), 1);
    ExpectElements(diag(v * 2), Shape2(n, n), [&](const Shape<2> &i) {
      return i[0] == i[1] ? 2 * Number(v[i[0]]) : 0.0;
    });
  }
  auto t = Make<float>(Shape2(2, 3), 1);
  EXPECT_MESSAGE(diag(t), "diag: expected a square matrix, got shape (2,3)");
}

TEST(ExtensionShape, WritesADiagonal) {
  ForElementTypes([](auto zero) {
    using DType = decltype(zero);
    for (const index_t n : {1, 3, 17, 40}) {
      auto m = Make<DType>(Shape2(n, n), 1);  // in rows that are padded
      const auto before = Make<DType>(Shape2(n, n), 1);
      auto v = Make<DType>(Shape1(n), 5);
      diag(m) = v * 2;
      diag(m) += 1;
      diag(m) = diag(m) - v;  // each element only where it is written
      ForEachIndex(m.shape_, [&](const Shape<2> &i) {
        const double is = Number(At(m, i)), was = Number(At(before, i)), e = Number(v[i[0]]);
        EXPECT_EQ(is, i[0] == i[1] ? e * 2 + 1 - e : was) << i;
      });
    }
  });
  TensorContainer<cpu, 2> m(Shape2(3, 3), 1.0f);
  diag(flip(m, 0)) = 7;
  EXPECT_EQ(m[2][0], 7.0f);
  EXPECT_EQ(m[0][0], 1.0f);
  EXPECT_MESSAGE(diag(m) = m[1] * 2, "reads other elements");
  TensorContainer<cpu, 2> wide(Shape2(2, 3), 1.0f);
  EXPECT_MESSAGE(diag(wide) = 1, "diag: expected a square matrix, got shape (2,3)");
  TensorContainer<cpu, 1> longer(Shape1(4), 1.0f);
  EXPECT_MESSAGE(diag(m) = longer + 0, "shape");
}

TEST(ExtensionShape, WritesAReshape) {
  ForElementTypes([](auto zero) {
    using DType = decltype(zero);
    for (const Shape<3> &shape : SomeShapes<3>()) {
      const Shape<2> other = Shape2(shape[2], shape[0] * shape[1]);
      auto from = Make<DType>(other, 5);
      auto t = Make<DType>(shape, 1);  // in rows that are padded
      reshape(t, other) = from * 2;
      reshape(t, other) += 1;
      index_t n = 0;
      ForEachIndex(shape, [&](const Shape<3> &i) {
        const Shape<2> j = Shape2(n / other[1], n % other[1]);
        EXPECT_EQ(Number(At(t, i)), Number(At(from, j)) * 2 + 1) << i;
        ++n;
      });
    }
  });
  TensorContainer<cpu, 2> t(Shape2(4, 6), 1.0f, false);
  auto as_vector = reshape(t, Shape1(24));
  as_vector = as_vector + 1;  // each element only where it is written
  EXPECT_EQ(t[3][5], 2.0f);
  slice<0>(reshape(t, Shape2(8, 3)), 2, 4) = 7;
  EXPECT_EQ(t[1][5], 7.0f);
  EXPECT_NE(t[2][0], 7.0f);
  EXPECT_MESSAGE(reshape(t, Shape1(24)) = mirror(reshape(t, Shape1(24))), "reads other elements");
  EXPECT_MESSAGE(reshape(t, Shape1(23)) = 1, "the numbers of elements differ");
}

TEST(ExtensionShape, ProductsOfReshapes) {
  TensorContainer<cpu, 3> images(Shape3(2, 3, 4)), out(Shape3(2, 3, 5));
  auto weight = Make<float>(Shape2(4, 5), 2);
  images = 1.0f;
  reshape(out, Shape2(6, 5)) = dot(reshape(images, Shape2(6, 4)), weight);
  for (index_t x = 0; x < 5; ++x) {
    const float sum = weight[0][x] + weight[1][x] + weight[2][x] + weight[3][x];
    EXPECT_EQ(out[1][2][x], sum);
  }
  const Tensor<cpu, 2> padded(images.dptr_, Shape2(4, 5), 6, nullptr);
  auto square = Make<float>(Shape2(4, 4), 1), tall = Make<float>(Shape2(5, 4), 1);
  EXPECT_MESSAGE((reshape(padded, Shape2(5, 4)) = dot(tall, square)),
                 "has padded rows");
}

TEST(ExtensionShape, BroadcastKeepdim) {
  for (const Shape<3> &shape : SomeShapes<3>()) {
    for (int axis = 0; axis < 3; ++axis) {
      Shape<3> one = shape;
      one[axis] = 1;
      auto t = Make<float>(one, 1);
      ExpectElements(broadcast_keepdim(t, axis, shape[axis]), shape, [&](Shape<3> i) {
        i[axis] = 0;
        return Number(At(t, i));
      });
    }
  }
  auto t = Make<float>(Shape2(2, 3), 1);
  EXPECT_MESSAGE(
      broadcast_keepdim(t, 1, 4),
      "broadcast_keepdim: the dimension to repeat must have extent 1, shapes (2,3) and (2,4)");
  EXPECT_MESSAGE(broadcast_keepdim(t, -1, 4), "axis -1 is not within [0,1]");
}

TEST(ExtensionShape, BroadcastSeveralAxes) {
  for (const Shape<4> &shape : SomeShapes<4>()) {
    const Shape<4> one = Shape4(1, shape[1], 1, shape[3]);
    auto t = Make<float>(one, 1);
    const auto want = [&](const Shape<4> &i) { return Number(At(t, Shape4(0, i[1], 0, i[3]))); };
    ExpectElements(broadcast_to(t, shape), shape, want);
    ExpectElements(broadcast_to(t, RuntimeShape{{shape[0], shape[1], shape[2], shape[3]}}), shape,
                   want);
    ExpectElements(broadcast_multi_axes(t, Shape2(0, 2), Shape2(shape[0], shape[2])), shape, want);
    ExpectElements(
        broadcast_multi_axes(t, RuntimeShape{{0, 2}}, RuntimeShape{{shape[0], shape[2]}}), shape,
        want);
  }
  auto t = Make<float>(Shape3(1, 3, 1), 1);
  EXPECT_MESSAGE(
      broadcast_to(t, Shape3(2, 4, 2)),
      "broadcast_to: a dimension to repeat must have extent 1, shapes (1,3,1) and (2,4,2)");
  EXPECT_MESSAGE(broadcast_to(t, Shape2(2, 3)), "the shape must have the rank of the source");
  EXPECT_MESSAGE(broadcast_multi_axes(t, Shape2(2, 0), Shape2(5, 5)), "axis 0 is not within [3,2]");
  EXPECT_MESSAGE(broadcast_multi_axes(t, Shape1(1), Shape1(5)), "must have extent 1");
  EXPECT_MESSAGE(broadcast_multi_axes(t, Shape1(0), Shape2(5, 5)),
                 "the number of axes must be the number of sizes");
}

TEST(ExtensionShape, Reshape) {
  ForElementTypes([](auto zero) {
    for (const Shape<3> &shape : SomeShapes<3>()) {
      for (const bool pad : {true, false}) {
        auto t = Make<decltype(zero)>(shape, 1, pad);
        const auto want_at = [&](index_t n) {
          return shape[2] == 0 ? 0 : Number(At(t, n / shape[2], n % shape[2])) + 1;
        };
        ExpectElements(reshape(t + 1, Shape1(shape.Size())), Shape1(shape.Size()),
                       [&](const Shape<1> &i) { return want_at(i[0]); });
        const Shape<4> four = Shape4(shape[1], 1, shape[0], shape[2]);
        ExpectElements(reshape(t + 1, four), four, [&](const Shape<4> &i) {
          return want_at((i[0] * four[2] + i[2]) * four[3] + i[3]);
        });
        const Shape<2> two = Shape2(shape[2], shape[0] * shape[1]);
        ExpectElements(reshape(t + 1, two), two,
                       [&](const Shape<2> &i) { return want_at(i[0] * two[1] + i[1]); });
      }
    }
  });
  auto t = Make<float>(Shape2(2, 3), 1);
  EXPECT_MESSAGE(reshape(t, Shape1(5)),
                 "reshape: the numbers of elements differ, shapes (2,3) and (5,)");
}

template <int a1, int a2, typename DType>
void CheckSwapaxis(const TensorContainer<cpu, 4, DType> &t) {
  Shape<4> shape = t.shape_;
  shape[a1] = t.shape_[a2];
  shape[a2] = t.shape_[a1];
  ExpectElements(swapaxis<a1, a2>(t * 2), shape, [&](Shape<4> i) {
    const index_t swapped = i[a1];
    i[a1] = i[a2];
    i[a2] = swapped;
    return Number(At(t, i)) * 2;
  });
}

TEST(ExtensionShape, Swapaxis) {
  ForElementTypes([](auto zero) {
    for (const Shape<4> &shape : SomeShapes<4>(4)) {
      auto t = Make<decltype(zero)>(shape, 1);
      CheckSwapaxis<1, 0>(t);
      CheckSwapaxis<3, 0>(t);
      CheckSwapaxis<2, 1>(t);
      CheckSwapaxis<3, 2>(t);
    }
  });
}

TEST(ExtensionShape, Transpose) {
  for (const Shape<4> &shape : SomeShapes<4>()) {
    auto t = Make<int32_t>(shape, 1);
    for (const Shape<4> &axes :
         {Shape4(0, 1, 2, 3), Shape4(3, 2, 1, 0), Shape4(1, 3, 0, 2), Shape4(2, 0, 1, 3)}) {
      Shape<4> permuted;
      for (int d = 0; d < 4; ++d) permuted[d] = shape[axes[d]];
      ExpectElements(transpose(t, axes), permuted, [&](const Shape<4> &i) {
        Shape<4> from;
        for (int d = 0; d < 4; ++d) from[axes[d]] = i[d];
        return At(t, from);
      });
    }
  }
  auto t = Make<float>(Shape2(2, 3), 1);
  EXPECT_MESSAGE(transpose(t, Shape2(1, 1)), "transpose: the axes (1,1) name a dimension twice");
  EXPECT_MESSAGE(transpose(t, Shape2(1, 2)), "transpose: axis 2 is not within [0,1]");
}

TEST(ExtensionShape, TransposesInTiles) {
  auto t = Make<float>(Shape3(150, 3, 70), 1);
  auto m = Make<float>(Shape2(130, 200), 2);
  for (const int threads : {1, 3}) {
    SetNumThreads(threads);
    ExpectElements(swapaxis<2, 0>(t), Shape3(70, 3, 150),
                   [&](const Shape<3> &i) { return t[i[2]][i[1]][i[0]]; });
    ExpectElements(1 + tcast<double>(transpose(t, Shape3(1, 2, 0))), Shape3(3, 70, 150),
                   [&](const Shape<3> &i) { return 1.0 + t[i[2]][i[0]][i[1]]; });
    ExpectElements(m.T() * 2 + F<op::identity>(m.T()), Shape2(200, 130),
                   [&](const Shape<2> &i) { return 3 * m[i[1]][i[0]]; });
  }
  SetNumThreads(0);
}

TEST(ExtensionShape, TransposeIndices) {
  const Shape<3> shape = Shape3(3, 4, 5), axes = Shape3(2, 0, 1);
  TensorContainer<cpu, 3, int32_t> number(shape), moved(Shape3(5, 3, 4));
  ForEachIndex(shape, [&](const Shape<3> &i) {
    At(number, i) = static_cast<int32_t>((i[0] * 4 + i[1]) * 5 + i[2]);
  });
  moved = transpose(number, axes);
  // Element n of the source is element m of its transpose if moved[m] is n.
  std::vector<double> place(60);
  for (index_t m = 0; m < 60; ++m) {
    place[static_cast<size_t>(At(moved, m / 4, m % 4))] = static_cast<double>(m);
  }
  TensorContainer<cpu, 2, float> indices(Shape2(6, 10));
  ForEach(indices.shape_, [&](index_t y, index_t x) {
    At(indices, y, x) = static_cast<float>((y * 10 + x) * 7 % 60);
  });
  ExpectElements(transpose_indices(indices, shape, axes), indices.shape_,
                 [&](const Shape<2> &i) { return place[static_cast<size_t>(At(indices, i))]; });
  EXPECT_MESSAGE(transpose_indices(indices, shape, Shape3(0, 0, 1)), "transpose_indices: the axes");
}

TEST(ExtensionShape, NestAndOutliveTheirParts) {
  auto t = Make<float>(Shape2(3, 4), 1);
  const auto make = [&] {
    auto wide = broadcast_with_axis(t * 2, 1, 5);
    auto turned = swapaxis<2, 0>(wide);
    return reshape(turned + 1, Shape2(4, 15)) * 2;
  };
  ExpectElements(make(), Shape2(4, 15), [&](const Shape<2> &i) {
    const index_t n = i[0] * 15 + i[1];  // of shape (5,4,3)
    return (t[n % 3][n / 3 % 4] * 2 + 1) * 2;
  });
}

TEST(ExtensionShape, InPlaceIsRefused) {
  auto t = Make<float>(Shape2(4, 4), 1);
  const float before = t[0][1];
  EXPECT_MESSAGE(t = transpose(t, Shape2(1, 0)), "reads other elements of this tensor");
  EXPECT_MESSAGE((t = swapaxis<1, 0>(t)), "reads other elements of this tensor");
  EXPECT_MESSAGE(t += 2 * reshape(mirror(t), Shape2(4, 4)), "reads other elements of this tensor");
  EXPECT_MESSAGE(t = broadcast_with_axis(t[1], -1, 4), "reads other elements of this tensor");
  EXPECT_MESSAGE(t = broadcast_to(t.Slice(0, 1), Shape2(4, 4)),
                 "reads other elements of this tensor");
  EXPECT_EQ(t[0][1], before);
}

using mshadow::detail::Divider;

TEST(Divider, IsDivision) {
  std::mt19937_64 random(1);
  const index_t largest = std::numeric_limits<index_t>::max();
  std::vector<index_t> numbers = {0,
                                  1,
                                  2,
                                  3,
                                  4,
                                  5,
                                  7,
                                  8,
                                  9,
                                  255,
                                  256,
                                  257,
                                  largest,
                                  largest - 1,
                                  index_t{1} << 62,
                                  (index_t{1} << 62) - 1,
                                  (index_t{1} << 62) + 1};
  for (int i = 0; i < 300; ++i) {
    numbers.push_back(static_cast<index_t>(random() >> 1 >> random() % 63));
  }
  for (const index_t d : numbers) {
    const Divider divider(d);
    if (d == 0) continue;
    for (const index_t n : numbers) {
      for (const index_t m : {n, n / d * d, n / d * d - 1}) {
        if (m < 0) continue;
        index_t quotient = m;
        ASSERT_EQ(divider.Split(&quotient), m % d) << m << " by " << d;
        ASSERT_EQ(quotient, m / d) << m << " by " << d;
      }
    }
  }
}

}  // namespace
