// SPDX-License-Identifier: Apache-2.0
// Permutations of tensors, which the CPU evaluates in blocks: extents around those of a block, and
// ranges of several threads, which begin anywhere.
#include "extension_testing.h"

namespace {
using namespace testing_runtime;

std::vector<Shape<4>> BlockShapes() {
  return {Shape4(1, 1, 1, 1),  Shape4(2, 3, 4, 8),   Shape4(2, 5, 7, 9), Shape4(1, 16, 3, 17),
          Shape4(4, 1, 33, 4), Shape4(3, 20, 2, 70), Shape4(2, 0, 3, 4), Shape4(35, 2, 2, 16)};
}

template <int a1, int a2, typename DType>
void CheckSwapaxis(const Tensor<cpu, 4, DType> &t) {
  Shape<4> shape = t.shape_;
  shape[a1] = t.shape_[a2];
  shape[a2] = t.shape_[a1];
  ExpectElements(swapaxis<a1, a2>(t), shape, [&](Shape<4> i) {
    const index_t swapped = i[a1];
    i[a1] = i[a2];
    i[a2] = swapped;
    return Number(At(t, i));
  });
}

template <typename DType>
void CheckTranspose(const Tensor<cpu, 4, DType> &t, const Shape<4> &axes) {
  Shape<4> shape;
  for (int d = 0; d < 4; ++d) shape[d] = t.shape_[axes[d]];
  ExpectElements(transpose(t, axes), shape, [&](const Shape<4> &i) {
    Shape<4> from;
    for (int d = 0; d < 4; ++d) from[axes[d]] = i[d];
    return Number(At(t, from));
  });
}

template <typename DType>
void CheckAll() {
  for (const Shape<4> &shape : BlockShapes()) {
    for (const bool pad : {false, true}) {
      const auto t = Make<DType>(shape, 1, pad);
      CheckSwapaxis<3, 2>(t);
      CheckSwapaxis<3, 1>(t);
      CheckSwapaxis<3, 0>(t);
      CheckSwapaxis<2, 1>(t);
      CheckTranspose(t, Shape4(0, 2, 3, 1));
      CheckTranspose(t, Shape4(3, 2, 1, 0));
      CheckTranspose(t, Shape4(1, 0, 2, 3));
    }
  }
  for (const Shape<2> &shape : {Shape2(1, 300), Shape2(300, 1), Shape2(15, 17), Shape2(100, 64),
                                Shape2(66, 131), Shape2(0, 5), Shape2(5, 0)}) {
    const auto t = Make<DType>(shape, 1);
    ExpectElements(t.T(), Shape2(shape[1], shape[0]),
                   [&](const Shape<2> &i) { return Number(At(t, i[1], i[0])); });
  }
}

TEST(ExtensionBlock, Bytes) { CheckAll<uint8_t>(); }
TEST(ExtensionBlock, Halves) { CheckAll<half::half_t>(); }
TEST(ExtensionBlock, Words) { CheckAll<float>(); }
TEST(ExtensionBlock, Doubles) { CheckAll<double>(); }

TEST(ExtensionBlock, ThreadsBeginAnywhere) {
  const Shape<4> shape = Shape4(40, 33, 9, 37);
  const auto t = Make<float>(shape, 1);
  TensorContainer<cpu, 4, float> last(Shape4(40, 37, 9, 33), 0), first(Shape4(37, 33, 9, 40), 0);
  TensorContainer<cpu, 2, float> turned(Shape2(37, 40 * 33 * 9), 0);
  for (const int threads : {1, 3, 7}) {
    SetNumThreads(threads);
    last = swapaxis<3, 1>(t);
    first = swapaxis<3, 0>(t);
    turned = t.FlatTo2D().T();
    int wrong = 0;
    ForEachIndex(shape, [&](const Shape<4> &i) {
      const float want = At(t, i);
      wrong += At(last, Shape4(i[0], i[3], i[2], i[1])) != want;
      wrong += At(first, Shape4(i[3], i[1], i[2], i[0])) != want;
      wrong += At(turned, i[3], (i[0] * 33 + i[1]) * 9 + i[2]) != want;
    });
    EXPECT_EQ(wrong, 0) << threads << " threads";
  }
  SetNumThreads(0);
}

}  // namespace
