// SPDX-License-Identifier: Apache-2.0
// The free functions on the CPU: each against a loop that is as plain as possible.
#include <mshadow/limit_isa.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <numeric>
#include <random>
#include <vector>

#include "testing.h"

namespace {
using namespace testing_runtime;
using half::half_t;

template <typename T>
class Functions : public ::testing::Test {};
using FloatTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t>;
TYPED_TEST_SUITE(Functions, FloatTypes);

template <typename T>
double Tolerance() {
  return sizeof(T) == 2 ? 2e-2 : sizeof(T) == 4 ? 1e-6 : 1e-14;
}

/// Labels 0, 1, 2 … below `classes`.
template <typename T, int dim>
TensorContainer<cpu, dim, T> Labels(const Shape<dim> &shape, int classes) {
  TensorContainer<cpu, dim, T> t(shape);
  int next = 1;
  ForEach(shape, [&](index_t y, index_t x) { At(t, y, x) = ScalarCast<T>(next++ * 7 % classes); });
  return t;
}

TYPED_TEST(Functions, SoftmaxOverTheMiddleDimension) {
  using T = TypeParam;
  for (const Shape<3> &s : {Shape3(2, 5, 3), Shape3(1, 37, 7), Shape3(2, 1, 3), Shape3(0, 5, 3)}) {
    const auto x = Make<T>(s, 1);
    TensorContainer<cpu, 3, T> y(s, 0, false);
    Softmax(y, x);
    for (index_t n = 0; n < s[0]; ++n) {
      for (index_t i = 0; i < s[2]; ++i) {
        double sum = 0;
        for (index_t c = 0; c < s[1]; ++c) sum += std::exp(double(x[n][c][i]));
        for (index_t c = 0; c < s[1]; ++c) {
          const double want = std::exp(double(x[n][c][i])) / sum;
          EXPECT_NEAR(double(y[n][c][i]), want, Tolerance<T>() * want + 1e-6);
        }
      }
    }
  }
}

TYPED_TEST(Functions, SoftmaxGradOfRows) {
  using T = TypeParam;
  const index_t rows = 4, classes = 5;
  const auto src = Make<T>(Shape2(rows, classes), 1);
  const auto label = Labels<T>(Shape1(rows), classes);
  TensorContainer<cpu, 2, T> dst(src.shape_, 0, false), ignoring(src.shape_), smooth(src.shape_);
  SoftmaxGrad(dst, src, label);
  SoftmaxGrad(ignoring, src, label, label[1]);
  SmoothSoftmaxGrad(smooth, src, label, label[2], 0.25f);
  for (index_t y = 0; y < rows; ++y) {
    for (index_t x = 0; x < classes; ++x) {
      const bool hit = static_cast<index_t>(label[y]) == x;
      const double p = double(src[y][x]);
      EXPECT_EQ(double(dst[y][x]), p - hit);
      EXPECT_EQ(double(ignoring[y][x]), label[y] == label[1] ? 0 : p - hit);
      const double want = label[y] == label[2] ? 0 : hit ? p - 0.75 : p - 0.25 / (classes - 1);
      EXPECT_NEAR(double(smooth[y][x]), want, Tolerance<T>() * 10);
    }
  }
  TensorContainer<cpu, 2, T> in_place(src);
  SoftmaxGrad(in_place, in_place, label);
  ExpectSame<T>(in_place, dst);
}

/// Rows that threads share, whose label is in any of the pieces or in none.
TEST(SoftmaxGrad, OfLongRows) {
  const index_t rows = 5, classes = 100003;
  const auto src = Make<float>(Shape2(rows, classes), 1);
  const float labels[] = {0, 50048, 100002, -1, 100003};
  TensorContainer<cpu, 1> label(Shape1(rows));
  for (index_t y = 0; y < rows; ++y) label[y] = labels[y];
  for (const int threads : {1, 7}) {
    TensorContainer<cpu, 2> dst(src);
    SetNumThreads(threads);
    SoftmaxGrad(dst, dst, label);
    SetNumThreads(0);
    for (index_t y = 0; y < rows; ++y) {
      for (index_t x = 0; x < classes; ++x) {
        ASSERT_EQ(dst[y][x], src[y][x] - (static_cast<float>(x) == labels[y])) << y << ' ' << x;
      }
    }
  }
}

TYPED_TEST(Functions, SoftmaxGradOfPositions) {
  using T = TypeParam;
  const Shape<3> s = Shape3(2, 4, 5);
  const auto src = Make<T>(s, 1);
  const auto label = Labels<T>(Shape2(2, 5), 4);
  TensorContainer<cpu, 3, T> dst(s), ignoring(s, 0, false), smooth(s);
  SoftmaxGrad(dst, src, label);
  SoftmaxGrad(ignoring, src, label, 3);
  SmoothSoftmaxGrad(smooth, src, label, 0.25f);
  for (index_t n = 0; n < s[0]; ++n) {
    for (index_t c = 0; c < s[1]; ++c) {
      for (index_t x = 0; x < s[2]; ++x) {
        const bool hit = static_cast<index_t>(label[n][x]) == c;
        const double p = double(src[n][c][x]);
        EXPECT_EQ(double(dst[n][c][x]), p - hit);
        EXPECT_EQ(double(ignoring[n][c][x]), label[n][x] == T(3) ? 0 : p - hit);
        EXPECT_NEAR(double(smooth[n][c][x]), hit ? p - 0.75 : p - 0.25 / 3, Tolerance<T>() * 10);
      }
    }
  }
  const auto wrong = Labels<T>(Shape2(2, 4), 4);
  EXPECT_MESSAGE(SoftmaxGrad(dst, src, wrong),
                 "SoftmaxGrad: expected a label for each position, got shapes (2,4,5) and (2,4)");
}

template <typename T, typename Index>
void CheckTakes() {
  const index_t rows = 4, batch = 9, cols = 5;
  const int raw[] = {0, 3, 3, -1, 9, 1, 0, 3, -6};
  const auto src = Make<T>(Shape2(batch, cols), 1);
  TensorContainer<cpu, 1, Index> index(Shape1(batch));
  for (index_t y = 0; y < batch; ++y) index[y] = ScalarCast<Index>(raw[y]);
  const auto old = Make<T>(Shape2(rows, cols), 2);
  TensorContainer<cpu, 2, T> clipped(old), wrapped(old), wide(old), clip_want(old), wrap_want(old);
  for (index_t y = 0; y < batch; ++y) {
    const int i = static_cast<int>(index[y]);
    for (index_t x = 0; x < cols; ++x) {
      clip_want[std::min(std::max(i, 0), 3)][x] += src[y][x];
      wrap_want[((i % 4) + 4) % 4][x] += src[y][x];
    }
  }
  TensorContainer<cpu, 2, double> temp(old.shape_);
  AddTakeGrad(clipped, index, src);
  AddTakeGrad<false>(wrapped, index, src);
  AddTakeGrad<true>(wide, temp, index, src);
  ExpectSame<T>(clipped, clip_want);
  ExpectSame<T>(wrapped, wrap_want);
  ExpectSame<T>(wide, clip_want);
  EXPECT_MESSAGE(AddTakeGrad(clipped, index, clipped.Slice(0, 4)), "an index for each row");
  EXPECT_MESSAGE(AddTakeGrad(clipped.Slice(0, 2), index.Slice(0, 2), clipped.Slice(1, 3)),
                 "share no memory");
}

TEST(Takes, GradOfEveryTypeAndIndex) {
  CheckTakes<float, float>();
  CheckTakes<float, int32_t>();
  CheckTakes<double, int64_t>();
  CheckTakes<half_t, int8_t>();
  CheckTakes<int32_t, double>();
  CheckTakes<bfloat::bf16_t, float>();
}

/// Rows of every length and number that are added in another way: by fours, by vectors of each
/// instruction set, by threads.
template <typename T>
void CheckTakesOf(index_t batch, index_t cols) {
  TensorContainer<cpu, 1> index(Shape1(batch));
  for (index_t y = 0; y < batch; ++y) index[y] = static_cast<float>((y * 7 + 2) % 5 % 3);
  const auto src = Make<T>(Shape2(batch, cols), 1);
  TensorContainer<cpu, 2, T> dst(Shape2(3, cols), T(1)), filled(dst);
  TensorContainer<cpu, 2, T> sums(dst), last(dst);
  for (index_t y = 0; y < batch; ++y) {
    const auto row = static_cast<index_t>(index[y]);
    for (index_t x = 0; x < cols; ++x) {
      sums[row][x] += src[y][x];
      last[row][x] = src[y][x];
    }
  }
  AddTakeGrad(dst, index, src);
  IndexFill(filled, index, src);
  ExpectSame<T>(dst, sums);
  ExpectSame<T>(filled, last);
}
template <typename T>
void CheckTakesOfAnyLength() {
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    LimitIsa(isa);
    for (index_t cols : {0, 1, 2, 3, 4, 5, 7, 8, 11, 31, 32, 33, 63, 64, 67, 127, 129, 3000}) {
      for (index_t batch : {1, 4, 64, 150}) CheckTakesOf<T>(batch, cols);
    }
  }
  LimitIsa(Isa::kAvx512);
}
TEST(Takes, RowsOfAnyLength) {
  CheckTakesOfAnyLength<float>();
  CheckTakesOfAnyLength<double>();
  CheckTakesOfAnyLength<int32_t>();
}

/// Floats that are no row's number as they stand: converted as ScalarCast does, then clipped.
TEST(Takes, IndicesThatAreNoIntegers) {
  const float inf = std::numeric_limits<float>::infinity();
  const float nan = std::numeric_limits<float>::quiet_NaN();
  const float raw[] = {0.75f, -0.0f, -0.5f, nan, 2147483648.0f, 1e30f, inf, -inf, -3.0f, 2.999f};
  const int rows[] = {0, 0, 0, 0, 2, 2, 2, 0, 0, 2};
  TensorContainer<cpu, 2> one(Shape2(1, 1), 1.0f);
  TensorContainer<cpu, 1> index(Shape1(1));
  for (size_t i = 0; i < std::size(raw); ++i) {
    TensorContainer<cpu, 2> dst(Shape2(3, 1), 0.0f);
    index[0] = raw[i];
    AddTakeGrad(dst, index, one);
    EXPECT_EQ(dst[rows[i]][0], 1.0f) << raw[i];
    if (raw[i] > -1 && raw[i] < 3) {
      IndexFill(dst, index, one);
    } else if (raw[i] == raw[i]) {
      EXPECT_MESSAGE(IndexFill(dst, index, one), "IndexFill: expected indices within [0,3)");
    }
  }
}

TEST(Takes, GradOfLargeBatchesAddsSortedRows) {
  const index_t rows = 5, batch = 12, cols = 3;
  const auto src = Make<float>(Shape2(batch, cols), 1);
  TensorContainer<cpu, 1, int> sorted(Shape1(batch)), position(Shape1(batch));
  for (int i = 0; i < batch; ++i) {
    sorted[i] = i * 7 % 4;  // row 4 gets nothing
    position[i] = i;
  }
  TensorContainer<cpu, 2> dst(Shape2(rows, cols), 1.0f), want(Shape2(rows, cols), 1.0f);
  AddTakeGrad(want, sorted, src);
  SortByKey(sorted, position);
  AddTakeGradLargeBatch(dst, sorted, position, src);
  ExpectSame<float>(dst, want);
  position[3] = 12;
  EXPECT_MESSAGE(AddTakeGradLargeBatch(dst, sorted, position, src),
                 "AddTakeGradLargeBatch: expected indices within [0,12), got 12 at position 3");
  ExpectSame<float>(dst, want);
}

TEST(Takes, IndexFillWritesRows) {
  const auto src = Make<float>(Shape2(3, 5), 1);
  TensorContainer<cpu, 2> dst(Shape2(4, 5), 0.0f, false);
  TensorContainer<cpu, 1, int> index(Shape1(3));
  index[0] = 3;
  index[1] = 0;
  index[2] = 3;
  IndexFill(dst, index, src);
  ExpectSame<float>(dst.Slice(3, 4), src.Slice(2, 3));
  ExpectSame<float>(dst.Slice(0, 1), src.Slice(1, 2));
  EXPECT_EQ(dst[1][0], 0.0f);
  index[2] = 4;
  dst = 7;
  EXPECT_MESSAGE(IndexFill(dst, index, src), "IndexFill: expected indices within [0,4), got 4");
  EXPECT_EQ(dst[3][0], 7.0f);
}

template <typename Key, typename Value>
void CheckSort(bool ascend) {
  for (const index_t count : {0, 1, 2, 33, 1000}) {
    TensorContainer<cpu, 1, Key> keys{Shape1(count)};
    TensorContainer<cpu, 1, Value> values{Shape1(count)};
    std::vector<std::pair<Key, Value>> want;
    for (int i = 0; i < count; ++i) {
      // Of both signs, both zeros among them, some beyond what small types hold.
      const double factor = i % 3 == 0 ? -1000.0 : i % 3 == 1 ? 1.0 : 3e9;
      keys[i] = ScalarCast<Key>((i * 37 % 11 - 5) * factor);
      values[i] = ScalarCast<Value>(i % 100);
      want.emplace_back(keys[i], values[i]);
    }
    std::stable_sort(want.begin(), want.end(), [ascend](const auto &a, const auto &b) {
      return ascend ? a.first < b.first : b.first < a.first;
    });
    SortByKey(keys, values, ascend);
    for (int i = 0; i < count; ++i) {
      EXPECT_EQ(keys[i], want[static_cast<size_t>(i)].first);
      EXPECT_EQ(values[i], want[static_cast<size_t>(i)].second);
    }
  }
}

TEST(Sort, IsStableForEveryType) {
  for (const bool ascend : {true, false}) {
    CheckSort<float, int>(ascend);
    CheckSort<double, half_t>(ascend);
    CheckSort<half_t, double>(ascend);
    CheckSort<bfloat::bf16_t, int8_t>(ascend);
    CheckSort<int8_t, float>(ascend);
    CheckSort<uint8_t, float>(ascend);
    CheckSort<int32_t, int64_t>(ascend);
    CheckSort<int64_t, int64_t>(ascend);
  }
}

TEST(Sort, NanComesLast) {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  TensorContainer<cpu, 1> keys(Shape1(4));
  TensorContainer<cpu, 1, int> values(Shape1(4));
  for (const bool ascend : {true, false}) {
    const float start[] = {nan, 2, nan, 1};
    for (int i = 0; i < 4; ++i) {
      keys[i] = start[i];
      values[i] = i;
    }
    SortByKey(keys, values, ascend);
    EXPECT_EQ(keys[0], ascend ? 1 : 2);
    EXPECT_EQ(keys[1], ascend ? 2 : 1);
    EXPECT_EQ(values[2], 0);
    EXPECT_EQ(values[3], 2);
  }
  EXPECT_MESSAGE(SortByKey(keys, values.Slice(0, 3)), "SortByKey: keys and values");
}

TEST(Sort, VectorizedSortSortsWithinSegments) {
  const int segment[] = {0, 0, 0, 1, 2, 2, 2, 2};
  const float value[] = {3, 1, 2, 0, 9, 8, 7, 9};
  const float want[] = {1, 2, 3, 0, 7, 8, 9, 9};
  TensorContainer<cpu, 1> values(Shape1(8));
  TensorContainer<cpu, 1, int> segments(Shape1(8));
  for (int i = 0; i < 8; ++i) {
    values[i] = value[i];
    segments[i] = segment[i];
  }
  VectorizedSort(values, segments);
  for (int i = 0; i < 8; ++i) {
    EXPECT_EQ(values[i], want[i]);
    EXPECT_EQ(segments[i], segment[i]);
  }
}

TYPED_TEST(Functions, VectorDotAndBatchGemm) {
  using T = TypeParam;
  TensorContainer<cpu, 1, T> a(Shape1(5), 2), b(Shape1(5), 3), one(Shape1(1), 100);
  VectorDot(one, a, b);
  EXPECT_EQ(double(one[0]), 30);
  const auto left = Make<T>(Shape3(2, 3, 4), 1), right = Make<T>(Shape3(2, 5, 4), 2, false);
  TensorContainer<cpu, 3, T> dst(Shape3(2, 3, 5), 8), want(Shape3(2, 3, 5), 8);
  std::vector<T *> pointers(6);
  Tensor<cpu, 1, T *> workspace(pointers.data(), Shape1(6));
  BatchGEMM<false, true>(dst, left, right, T(1), T(0.5f), workspace);
  want = T(0.5f) * want;
  want += batch_dot<false, true>(left, right);
  ForEach(dst.shape_, [&](index_t y, index_t x) {
    EXPECT_NEAR(double(At(dst, y, x)), double(At(want, y, x)), 2 * Tolerance<T>() * 100);
  });
  EXPECT_MESSAGE((BatchGEMM<false, false>(dst, left, right, T(1), T(0))), "dot: expected");
  EXPECT_MESSAGE((BatchGEMM<false, true>(left, left, left, T(1), T(0))), "expected");
  for (const index_t n : {2, 6}) {  // too small for BLAS, and not
    const auto square = Make<T>(Shape3(3, n, n), 1);
    TensorContainer<cpu, 3, T> unit(square.shape_, 0), product(square.shape_, 8);
    for (index_t i = 0; i < 3 * n; ++i) At(unit, i, i % n) = T(1);
    BatchGEMM<true, false>(product, square, unit, T(1), T(0));
    ForEach(product.shape_, [&](index_t y, index_t x) {
      EXPECT_EQ(double(At(product, y, x)), double(At(square, y / n * n + x, y % n)));
    });
    EXPECT_MESSAGE((BatchGEMM<false, false>(product, product, unit, T(1), T(0))),
                   "other elements of this tensor than the one that it writes");
  }
  Stream<cpu> *const stream = NewStream<cpu>();
  GetBatchedView(pointers.data(), left.dptr_, 3, 8, stream);
  EXPECT_EQ(pointers[2], left.dptr_ + 16);
  DeleteStream(stream);
}

TEST(Memory, NewTensorWithAndWithoutValue) {
  Tensor<cpu, 2> a = NewTensor<cpu>(Shape2(3, 5), 1.5f);
  Tensor<cpu, 2> b = NewTensor<cpu>(Shape2(3, 5));
  Tensor<cpu, 1, int> c = NewTensor<cpu, int>(Shape1(4));
  EXPECT_EQ(a[2][4], 1.5f);
  EXPECT_EQ(b.stride_, 8);
  b = a + 1;
  c = 3;
  EXPECT_EQ(c[3], 3);
  FreeSpace(&a);
  FreeSpace(&b);
  FreeSpace(&c);
  Tensor<cpu, 2> host(Shape2(3, 5));
  AllocHost<cpu>(&host);
  host = 1;
  FreeHost<cpu>(&host);
  EXPECT_EQ(host.dptr_, nullptr);
}

TEST(Memory, StreamsInEveryFormOfTheCall) {
  for (Stream<cpu> *stream : {NewStream<cpu>(), NewStream<cpu>(0), NewStream<cpu>(true, false),
                              NewStream<cpu>(false, false, 0)}) {
    stream->Wait();
    EXPECT_TRUE(stream->CheckIdle());
    DeleteStream(stream);
  }
  InitTensorEngine<cpu>();
  InitTensorEngine<cpu>(0);
  SetDevice<cpu>(0);
  ShutdownTensorEngine<cpu>();
  InitTensorEngine();
  ShutdownTensorEngine();
}

}  // namespace
