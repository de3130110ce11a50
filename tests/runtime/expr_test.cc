// SPDX-License-Identifier: Apache-2.0
// Expressions against the obvious loop: every element type, rank and layout.
#include <mshadow/expr/op_extra.h>

#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "testing.h"

namespace {
using namespace testing_runtime;

template <typename T>
class Expr : public ::testing::Test {};
using ElementTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t, int8_t, uint8_t,
                                      int32_t, int64_t>;
TYPED_TEST_SUITE(Expr, ElementTypes);

template <typename T>
void CompareRanks() {
  const auto build = [](auto &a, auto &b) { return 2 * a + b; };
  const auto expected = [](T a, T b) { return ScalarCast<T>(ScalarCast<T>(T(2) * a) + b); };
  for (const bool pad : {false, true}) {
    Compare<T>(Shape1(1), pad, build, expected);
    Compare<T>(Shape1(133), pad, build, expected);
    Compare<T>(Shape3(2, 3, 17), pad, build, expected);
    Compare<T>(Shape4(2, 1, 3, 9), pad, build, expected);
    Compare<T>(Shape5(2, 1, 3, 1, 9), pad, build, expected);
    Compare<T>(Shape3(2, 0, 17), pad, build, expected);
  }
}

TEST(ExprRanks, AnyRankInAnyLayout) {
  CompareRanks<float>();
  CompareRanks<half::half_t>();
  CompareRanks<int8_t>();
}

TYPED_TEST(Expr, Arithmetic) {
  using T = TypeParam;
  const auto to = [](auto value) { return ScalarCast<T>(value); };
  CompareEverywhere<T>([](auto &a, auto &b) { return a + b; }, [=](T a, T b) { return to(a + b); });
  CompareEverywhere<T>([](auto &a, auto &b) { return a - b; }, [=](T a, T b) { return to(a - b); });
  CompareEverywhere<T>([](auto &a, auto &b) { return a * b; }, [=](T a, T b) { return to(a * b); });
  CompareEverywhere<T>([](auto &a, auto &b) { return a / b; }, [=](T a, T b) { return to(a / b); });
  CompareEverywhere<T>([](auto &a, auto &) { return -a; }, [=](T a, T) { return to(-a); });
}

TYPED_TEST(Expr, EveryStepHasTheElementType) {
  using T = TypeParam;
  CompareEverywhere<T>([](auto &a, auto &b) { return a * b + a / b - b; },
                       [](T a, T b) {
                         const T product = ScalarCast<T>(a * b);
                         const T quotient = ScalarCast<T>(a / b);
                         const T sum = ScalarCast<T>(product + quotient);
                         return ScalarCast<T>(sum - b);
                       });
}

struct float_only {
  static float Map(float a) { return a + 0.25f; }
};

template <typename T>
void CheckFloatOnly() {
  CompareEverywhere<T>([](auto &a, auto &) { return F<float_only>(F<op::identity>(a)); },
                       [](T a, T) { return ScalarCast<T>(static_cast<float>(a) + 0.25f); });
}

TEST(ExprTypes, AnOperatorOverFloatsIsConverted) {
  CheckFloatOnly<float>();
  CheckFloatOnly<half::half_t>();
  CheckFloatOnly<bfloat::bf16_t>();
  CheckFloatOnly<int8_t>();
}

TEST(ExprTypes, AScalarIsOfItsOwnTypeOrOfOneThatIsNamed) {
  static_assert(std::is_same_v<decltype(scalar(2.0f)), ScalarExp<float>>);
  static_assert(std::is_same_v<decltype(scalar(half::half_t(2.0f))), ScalarExp<half::half_t>>);
  static_assert(std::is_same_v<decltype(scalar<float>(2)), ScalarExp<float>>);
  TensorContainer<cpu, 1> t(Shape1(3), 5.0f);
  t = scalar(2.0f) - t * scalar<float>(3);
  EXPECT_EQ(t[2], -13.0f);
}

TEST(ExprTypes, TcastConvertsAtEachLeaf) {
  auto h = Make<half::half_t>(Shape2(3, 5), 1);
  auto i = Make<int32_t>(Shape2(3, 5), 2);
  TensorContainer<cpu, 2, float> f(Shape2(3, 5));
  f = 0.1f * tcast<float>(h) + tcast<float>(i);
  ForEach(f.shape_, [&](index_t y, index_t x) {
    EXPECT_EQ(At(f, y, x), 0.1f * float(At(h, y, x)) + float(At(i, y, x)));
  });
  h = tcast<half::half_t>(f * 1000);
  EXPECT_EQ(float(h[2][4]), float(half::half_t(f[2][4] * 1000)));
}

TEST(ExprTypes, FloatToIntegerSaturates) {
  TensorContainer<cpu, 1> f(Shape1(4));
  f[0] = 1e10f;
  f[1] = -1e10f;
  f[2] = std::nanf("");
  f[3] = -1.75f;
  TensorContainer<cpu, 1, int8_t> i(Shape1(4));
  i = tcast<int8_t>(f);
  EXPECT_EQ(i[0], 127);
  EXPECT_EQ(i[1], -128);
  EXPECT_EQ(i[2], 0);
  EXPECT_EQ(i[3], -1);
}

TEST(ExprTypes, IntegersWrapAndDivideByZero) {
  TensorContainer<cpu, 1, int32_t> a(Shape1(2)), b(Shape1(2));
  a[0] = std::numeric_limits<int32_t>::max();
  a[1] = std::numeric_limits<int32_t>::min();
  b = a + 1;
  EXPECT_EQ(b[0], std::numeric_limits<int32_t>::min());
  b = a * 2;
  EXPECT_EQ(b[1], 0);
  b = a / -1;
  EXPECT_EQ(b[1], std::numeric_limits<int32_t>::min());
  b = a / 0;
  EXPECT_EQ(b[0], 0);
  b = -a;
  EXPECT_EQ(b[1], std::numeric_limits<int32_t>::min());
}

TEST(ExprTypes, Bool) {
  TensorContainer<cpu, 2, bool> mask(Shape2(2, 3));
  auto f = Make<float>(Shape2(2, 3), 1);
  f[1][1] = 0;
  mask = tcast<bool>(f);
  EXPECT_TRUE(mask[0][0]);
  EXPECT_FALSE(mask[1][1]);
  f = tcast<float>(mask) * 2;
  EXPECT_EQ(f[0][0], 2.0f);
  EXPECT_EQ(f[1][1], 0.0f);
  mask = false;
  EXPECT_FALSE(mask[0][0]);
}

TEST(ExprTypes, HalfRoundsAfterEveryOperation) {
  TensorContainer<cpu, 1, half::half_t> a(Shape1(1), 2048.0f), b(Shape1(1));
  b = a + 1 + 1;  // 2049 is not a half: each sum rounds to 2048
  EXPECT_EQ(float(b[0]), 2048.0f);
  b = tcast<half::half_t>(tcast<float>(a) + 1 + 1);
  EXPECT_EQ(float(b[0]), 2050.0f);
}

struct select {
  template <typename T>
  static T Map(T condition, T a, T b) {
    return condition > T(6) ? a : b;
  }
};
TEST(ExprShape, MismatchIsNamedBeforeTheFirstWrite) {
  auto a = Make<float>(Shape2(3, 5), 1);
  auto b = Make<float>(Shape2(3, 4), 2);
  TensorContainer<cpu, 2> dst(Shape2(3, 5), 7.0f);
  EXPECT_MESSAGE(dst = a + b, "operands of an expression: shapes (3,5) and (3,4) differ");
  EXPECT_MESSAGE(dst = b * 2, "destination and expression: shapes (3,5) and (3,4) differ");
  EXPECT_MESSAGE(dst += F<select>(a, 1, b), "shapes (3,5) and (3,4) differ");
  EXPECT_MESSAGE(dst = F<select>(a, b, 1), "differ");
  EXPECT_MESSAGE(dst = F<select>(1, a, b), "differ");
  EXPECT_MESSAGE(dst = F<select>(a, a, b), "differ");
  EXPECT_MESSAGE(dst = tcast<float>(b), "differ");
  EXPECT_EQ(dst[0][0], 7.0f);
}

TEST(ExprShape, AnEmptyTensorIsNoScalar) {
  TensorContainer<cpu, 2> r(Shape2(3, 2), 1.0f), q(Shape2(3, 2), 2.0f), empty(Shape2(0, 2));
  EXPECT_MESSAGE(r = empty + q, "shapes (0,2) and (3,2) differ");
  EXPECT_EQ(r[2][1], 1.0f);
}

TEST(ExprShape, TransposeSwapsRowsAndColumns) {
  auto a = Make<float>(Shape2(3, 5), 1);
  TensorContainer<cpu, 2> t(Shape2(5, 3));
  t = a.T();
  ForEach(t.shape_, [&](index_t y, index_t x) { EXPECT_EQ(At(t, y, x), At(a, x, y)); });
  t += 2 * a.T();
  EXPECT_EQ(t[4][2], 3 * a[2][4]);
  TensorContainer<cpu, 2> back(Shape2(3, 5));
  back = a.T().T() + 1;
  EXPECT_EQ(back[2][4], a[2][4] + 1);
  EXPECT_MESSAGE(back = a.T(), "shapes (3,5) and (5,3) differ");
}

TEST(Expr1D, LargeVectorsAreSplitAmongThreads) {
  const index_t n = 1000003;
  TensorContainer<cpu, 1> a(Shape1(n)), b(Shape1(n));
  for (index_t i = 0; i < n; ++i) a[i] = static_cast<float>(i % 1000);
  for (const int threads : {1, 2, 3, 8}) {
    SetNumThreads(threads);
    b = a * 2 + 1;
    for (index_t i = 0; i < n; ++i) ASSERT_EQ(b[i], a[i] * 2 + 1) << i;
    b = 0;
  }
  SetNumThreads(0);
}

/// Elements around `count` from `offset` on, whatever is stored there past the cache.
template <typename DType>
void CheckStoresPastTheCache(index_t count, index_t offset) {
  TensorContainer<cpu, 1, DType> a(Shape1(count + 9)), b(Shape1(count + 9)),
      stored(Shape1(count + 9)), want(stored.shape_);
  for (index_t i = 0; i < count + 9; ++i) {
    a[i] = static_cast<DType>(i % 101);
    b[i] = static_cast<DType>(i % 7 + 1);
  }
  const Tensor<cpu, 1, DType> x = a.Slice(offset, offset + count), z = b.Slice(2, 2 + count);
  const auto run = [&](TensorContainer<cpu, 1, DType> *to, int64_t bytes) {
    SetStreamingBytes(bytes);
    *to = DType(99);
    Tensor<cpu, 1, DType> y = to->Slice(offset, offset + count);
    y = x * z + DType(1);
    y += x;
    y = y * DType(2) - z;  // reads what it writes
    y = slice<0>(y, 0, count) + x;
    SetStreamingBytes(-1);
  };
  run(&want, int64_t{1} << 60);
  run(&stored, 0);
  for (index_t i = 0; i < count + 9; ++i) ASSERT_EQ(stored[i], want[i]) << count << ' ' << i;
}

TEST(Expr1D, StoresPastTheCacheAreStores) {
  for (const int threads : {1, 3}) {
    SetNumThreads(threads);
    for (const index_t count : {0, 1, 15, 1023, 1024, 1040, 5000, 200003}) {
      for (const index_t offset : {0, 1, 3, 8}) {
        CheckStoresPastTheCache<float>(count, offset);
        CheckStoresPastTheCache<double>(count, offset);
        CheckStoresPastTheCache<int8_t>(count, offset);
      }
    }
  }
  SetNumThreads(0);
}

std::thread::id caller;
std::atomic<bool> elsewhere;  // whether a thread other than the caller evaluated an element

struct Quick {
  static float Map(float a) {
    if (std::this_thread::get_id() != caller) elsewhere = true;
    return a + 1;
  }
};
struct Slow : Quick {
  static constexpr int kWork = 1024;
};

template <typename E>
index_t BytesOf(const E &exp) {
  return Operands<E>::Bytes(exp);
}

TEST(Expr1D, WhatTakesLongerIsSplitSooner) {
  TensorContainer<cpu, 1> a(Shape1(8192), 1.0f), b(Shape1(8192));
  const Tensor<cpu, 1> t = a;
  caller = std::this_thread::get_id();
  SetNumThreads(2);
  elsewhere = false;
  b = F<Quick>(t);
  EXPECT_FALSE(elsewhere);
  b = F<Slow>(t);
  EXPECT_TRUE(elsewhere);
  EXPECT_EQ(b[8191], 2.0f);
  SetNumThreads(0);

  EXPECT_EQ(BytesOf(t + t), 8);
  EXPECT_EQ(BytesOf(F<Quick>(t)), 4);
  EXPECT_EQ(BytesOf(F<Slow>(t) * t), 1024 + 8);
  EXPECT_EQ(BytesOf(F<op::abs>(t)), 4);
  EXPECT_GT(BytesOf(F<op::tanh>(t)), BytesOf(F<op::exp>(t)));
  EXPECT_GT(BytesOf(F<op::power>(t, t)), BytesOf(F<op::tanh>(t)));
  const Tensor<cpu, 1, half::half_t> h(nullptr, Shape1(8));
  const Tensor<cpu, 1, bfloat::bf16_t> bf(nullptr, Shape1(8));
  EXPECT_EQ(BytesOf(h), 2);  // a copy converts nothing
  EXPECT_GT(BytesOf(h + h), BytesOf(bf + bf));
  EXPECT_GT(BytesOf(bf + bf), 4);
  EXPECT_GT(BytesOf(tcast<float>(h)), 2);
  EXPECT_GT(BytesOf(tcast<half::half_t>(t)), 4);
}

}  // namespace
