// SPDX-License-Identifier: Apache-2.0
// Assignments that would read what they have overwritten are refused; those that would not are not.
#include <mshadow/expr/overlap.h>

#include "testing.h"

namespace {
using namespace testing_runtime;

TEST(Alias, ElementWiseInPlaceIsFine) {
  auto t = Make<float>(Shape2(3, 5), 1);
  const TensorContainer<cpu, 2> old(t);
  t = t * t + t;
  t -= t;
  EXPECT_EQ(t[2][4], 0.0f);
  t = old + 0;
  t = F<op::plus>(t, 1);
  EXPECT_EQ(t[2][4], old[2][4] + 1);
}

TEST(Alias, ReadingTheDestinationElsewhereIsRefused) {
  auto t = Make<float>(Shape2(4, 4), 1);
  auto u = Make<float>(Shape2(4, 4), 2);
  const float before = t[0][1];
  EXPECT_MESSAGE(t = t.T(), "reads other elements of this tensor than the one that it writes");
  EXPECT_MESSAGE(t += u * t.T(), "shape (4,4)");
  EXPECT_MESSAGE(t = dot(t, u), "assign to another tensor");
  EXPECT_MESSAGE(t -= dot(u, t.T()), "assign to another tensor");
  EXPECT_MESSAGE(t = u + repmat(t[0], 4), "assign to another tensor");
  EXPECT_MESSAGE(t[1] = sum_rows(t), "assign to another tensor");
  EXPECT_EQ(t[0][1], before);
  t = u.T();
  t = dot(u, u);
}

TEST(Alias, MemoryMustBeThere) {
  auto u = Make<float>(Shape2(4, 4), 1);
  const float before = u[1][1];
  Tensor<cpu, 2> none(nullptr, Shape2(4, 4)), empty(nullptr, Shape2(0, 4));
  Tensor<cpu, 1> row(nullptr, Shape1(4));
  [[maybe_unused]] const char *const message =
      "expected memory for the elements of a tensor of shape (4,4), got a";
  EXPECT_MESSAGE(none = 1.0f, message);
  EXPECT_MESSAGE(u = u * none, message);
  EXPECT_MESSAGE(slice<1>(none, 0, 2) = 1.0f, message);
  EXPECT_MESSAGE(u += dot(none, u), message);
  EXPECT_MESSAGE(Copy(u, none), message);
  EXPECT_MESSAGE(row = sum_rows(u), "shape (4,)");
  EXPECT_MESSAGE(u = take(row, u), "shape (4,)");
  EXPECT_EQ(u[1][1], before);
  empty = empty + 1.0f;
}

TEST(Alias, PartialOverlapIsRefused) {
  auto t = Make<float>(Shape2(6, 4), 1, false);
  EXPECT_MESSAGE(t.Slice(0, 3) = t.Slice(1, 4) * 1, "overlaps its memory");
  t.Slice(0, 3) = t.Slice(3, 6) * 1;
  EXPECT_EQ(t[0][0], t[3][0]);
  Tensor<cpu, 1> v = t.FlatTo1D();
  EXPECT_MESSAGE(v.Slice(0, 8) += v.Slice(1, 9), "overlaps its memory");
  EXPECT_MESSAGE(Copy(v.Slice(0, 8), v.Slice(7, 15)), "overlaps its memory");
}

TEST(Alias, SameMemoryInAnotherShapeIsPartial) {
  auto t = Make<float>(Shape2(6, 4), 1, false);
  Tensor<cpu, 2> other(t.dptr_, Shape2(6, 4), 4, nullptr);
  t = other + 1;  // another view, the same elements
  Tensor<cpu, 2> shifted(t.dptr_, Shape2(3, 4), 8, nullptr);
  EXPECT_MESSAGE(t.Slice(0, 3) = shifted * 1, "overlaps its memory");
}

TEST(Alias, InterleavedColumnsShareNothing) {
  auto t = Make<float>(Shape2(5, 8), 1, false);
  Tensor<cpu, 2> left(t.dptr_, Shape2(5, 4), 8, nullptr);
  Tensor<cpu, 2> right(t.dptr_ + 4, Shape2(5, 4), 8, nullptr);
  Tensor<cpu, 2> middle(t.dptr_ + 2, Shape2(5, 4), 8, nullptr);
  left = right * 1;
  EXPECT_EQ(t[4][0], t[4][4]);
  right = left + 0;
  EXPECT_MESSAGE(left = middle * 1, "overlaps its memory");
  EXPECT_MESSAGE(right = middle * 1, "overlaps its memory");
}

using mshadow::detail::Block;
using mshadow::detail::Overlap;

/// Which bytes a block touches, by enumeration.
std::vector<bool> Bytes(const Block &b, const char *base) {
  std::vector<bool> touched(512);
  for (index_t y = 0; y < b.rows; ++y) {
    for (index_t i = 0; i < b.cols * b.size; ++i) {
      const index_t at = static_cast<const char *>(b.dptr) - base + y * b.stride * b.size + i;
      touched[static_cast<size_t>(at)] = true;
    }
  }
  return touched;
}

TEST(Overlap, AgreesWithEnumeration) {
  const char memory[512] = {};
  int none = 0;
  for (index_t offset = 0; offset < 40; ++offset) {
    for (index_t rows = 0; rows < 4; ++rows) {
      for (index_t cols = 0; cols < 6; ++cols) {
        for (const index_t size : {2, 4}) {
          const Block a{memory + 80, 3, 3, 7, 4};
          const Block b{memory + 4 * offset, rows, cols, 28 / size, size};
          const std::vector<bool> in_a = Bytes(a, memory);
          const std::vector<bool> in_b = Bytes(b, memory);
          bool share = false;
          for (size_t i = 0; i < in_a.size(); ++i) share = share || (in_a[i] && in_b[i]);
          const Overlap result = mshadow::detail::Compare(a, b);
          if (share) {
            EXPECT_NE(result, Overlap::kNone);
          } else if (size == a.size && rows != 1 && cols > 0) {
            EXPECT_EQ(result, Overlap::kNone) << offset << ' ' << rows << ' ' << cols;
          }
          none += result == Overlap::kNone;
        }
      }
    }
  }
  EXPECT_GT(none, 100);
  const Block a{memory, 3, 3, 7, 4};
  EXPECT_EQ(mshadow::detail::Compare(a, a), Overlap::kSame);
}

}  // namespace
