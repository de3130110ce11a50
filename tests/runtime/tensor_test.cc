// SPDX-License-Identifier: Apache-2.0
#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(Tensor, ViewsMemoryThatItDoesNotOwn) {
  float data[24] = {};
  Tensor<cpu, 3, float> t(data, Shape3(2, 3, 3), 4, nullptr);
  EXPECT_EQ(t.size(0), 2);
  EXPECT_EQ(t.size(2), 3);
  EXPECT_EQ(t.MSize(), 24);
  EXPECT_EQ(t.MemSize<1>(), 12);
  EXPECT_FALSE(t.CheckContiguous());
  t[1][2][1] = 5.0f;
  EXPECT_EQ(data[12 + 8 + 1], 5.0f);
}

TEST(Tensor, SlicesAndFlattensWithoutCopying) {
  auto t = Make<float>(Shape3(4, 2, 5), 1);
  const Tensor<cpu, 3> part = t.Slice(1, 3);
  EXPECT_EQ(part.shape_, Shape3(2, 2, 5));
  EXPECT_EQ(&part[0][0][0], &t[1][0][0]);
  const Tensor<cpu, 2> flat = t.FlatTo2D();
  EXPECT_EQ(flat.shape_, Shape2(8, 5));
  EXPECT_EQ(flat[7][4], t[3][1][4]);
}

TEST(Tensor, RefusesASliceOutsideItself) {
  auto t = Make<float>(Shape2(4, 5), 1);
  EXPECT_MESSAGE(t.Slice(1, 5), "slice [1,5) is not within the first dimension, whose extent is 4");
  EXPECT_MESSAGE(t.Slice(3, 2), "slice [3,2)");
  EXPECT_MESSAGE(t[0].Slice(-1, 2), "slice [-1,2)");
  EXPECT_EQ(t.Slice(4, 4).shape_, Shape2(0, 5));
}

TEST(Tensor, RefusesToViewPaddedRowsAsAVector) {
  auto padded = Make<float>(Shape2(3, 5), 1, true);
  ASSERT_EQ(padded.stride_, 8);
  EXPECT_MESSAGE(padded.FlatTo1D(), "shape (3,5) with row stride 8 has padded rows");
  auto contiguous = Make<float>(Shape2(3, 5), 1, false);
  EXPECT_EQ(contiguous.FlatTo1D()[14], contiguous[2][4]);
  EXPECT_EQ(padded.Slice(1, 2).FlatTo1D().shape_, Shape1(5));  // one row: nothing between rows
}

TEST(Tensor, AssigningATensorCopiesTheView) {
  auto a = Make<float>(Shape2(2, 3), 1);
  auto b = Make<float>(Shape2(2, 3), 2);
  Tensor<cpu, 2> view = a;
  view = static_cast<Tensor<cpu, 2> &>(b);
  EXPECT_EQ(view.dptr_, b.dptr_);
  view = b + 0;  // an expression writes elements
  view[0] = b[1] * 1;
  EXPECT_EQ(b[0][2], b[1][2]);
  EXPECT_NE(a[0][0], b[0][0]);
}

TEST(Tensor, AVectorIsItsOwnSpecialisation) {
  auto t = Make<double>(Shape1(6), 1);
  EXPECT_EQ(t.size(0), 6);
  EXPECT_EQ(t.size(3), 6);
  t[2] = 9.0;
  EXPECT_EQ(t.dptr_[2], 9.0);
  EXPECT_EQ(t.FlatTo2D().shape_, Shape2(1, 6));
  EXPECT_EQ(t.Slice(2, 4)[0], 9.0);
}

TEST(Tensor, NewTensorFillsAndFreeSpaceReleases) {
  Tensor<cpu, 2, half::half_t> t =
      NewTensor<cpu>(Shape2(3, 3), half::half_t(0.5f), true, static_cast<Stream<cpu> *>(nullptr));
  EXPECT_EQ(t.stride_, 8);
  EXPECT_EQ(reinterpret_cast<uintptr_t>(t.dptr_) % 64, 0u);
  ForEach(t.shape_, [&](index_t y, index_t x) { EXPECT_EQ(float(At(t, y, x)), 0.5f); });
  FreeSpace(&t);
  EXPECT_EQ(t.dptr_, nullptr);
}

TEST(Tensor, CopyHonoursStrides) {
  auto from = Make<int32_t>(Shape2(3, 5), 1, true);
  auto to = Make<int32_t>(Shape2(3, 5), 2, false);
  Copy(to, from);
  ForEach(from.shape_, [&](index_t y, index_t x) { EXPECT_EQ(At(to, y, x), At(from, y, x)); });
  auto other = Make<int32_t>(Shape2(5, 3), 1);
  EXPECT_MESSAGE(Copy(to, other), "shapes (3,5) and (5,3) differ");
}

TEST(Tensor, CopyRefusesWhatItWouldOverwrite) {
  auto t = Make<int32_t>(Shape2(4, 6), 1, false);
  const TensorContainer<cpu, 2, int32_t> old(t);
  EXPECT_MESSAGE(Copy(t.Slice(0, 3), t.Slice(1, 4)), "overlaps its memory");
  EXPECT_MESSAGE(Copy(t.Slice(1, 4), t.Slice(0, 3)), "overlaps its memory");
  EXPECT_MESSAGE(Copy(Tensor<cpu, 2, int32_t>(Shape2(4, 6)), t), "expected memory");
  EXPECT_MESSAGE(Copy(t, Tensor<cpu, 2, int32_t>(Shape2(4, 6))), "expected memory");
  ExpectSame(Tensor<cpu, 2, int32_t>(t), Tensor<cpu, 2, int32_t>(old));
  Copy(t.Slice(0, 2), t.Slice(2, 4));
  EXPECT_EQ(At(t, 1, 5), At(old, 3, 5));
  Copy(t.Slice(0, 0), t.Slice(1, 1));
}

// Long rows, which threads share in cache lines, and many short ones; the end is nothing whole.
TEST(Tensor, CopiesAllOfALargeTensor) {
  SetNumThreads(3);
  for (const Shape<2> shape : {Shape2(1, 300001), Shape2(2, 131), Shape2(5000, 77)}) {
    for (const bool pad : {false, true}) {
      auto from = Make<int8_t>(shape, 1, pad);
      auto to = Make<int8_t>(shape, 2, false);
      Copy(to, from);
      ExpectSame(Tensor<cpu, 2, int8_t>(to), Tensor<cpu, 2, int8_t>(from));
      Copy(to, to);
      ExpectSame(Tensor<cpu, 2, int8_t>(to), Tensor<cpu, 2, int8_t>(from));
    }
  }
  SetNumThreads(0);
}

TEST(Tensor, RefusesImpossibleAllocations) {
  const index_t big = index_t{1} << 40;
  EXPECT_MESSAGE((TensorContainer<cpu, 2>(Shape2(big, big))), "cannot allocate");
  EXPECT_MESSAGE((TensorContainer<cpu, 2>(Shape2(-1, 4))), "expected factors of at least 0");
}

}  // namespace
