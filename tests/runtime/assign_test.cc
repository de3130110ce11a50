// SPDX-License-Identifier: Apache-2.0
// Operators, scalars on either side and the five assignments against the obvious loop.
#include "testing.h"

namespace {
using namespace testing_runtime;

struct square {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return static_cast<T>(a * a);
  }
};
struct larger {
  template <typename T>
  static T Map(T a, T b) {
    return a < b ? b : a;
  }
};
struct select {
  template <typename T>
  static T Map(T condition, T a, T b) {
    return condition > T(6) ? a : b;
  }
};
template <typename T>
class Assign : public ::testing::Test {};
using ElementTypes = ::testing::Types<float, half::half_t, int8_t, int64_t>;
TYPED_TEST_SUITE(Assign, ElementTypes);

TYPED_TEST(Assign, ScalarsOfAnyTypeOnEitherSide) {
  using T = TypeParam;
  const T two = ScalarCast<T>(2);
  const auto twice = [=](T a, T) { return ScalarCast<T>(two * a); };
  CompareEverywhere<T>([](auto &a, auto &) { return a * 2; }, twice);
  CompareEverywhere<T>([](auto &a, auto &) { return 2.0f * a; }, twice);
  CompareEverywhere<T>([](auto &a, auto &) { return a * 2.0; }, twice);
  CompareEverywhere<T>([](auto &a, auto &) { return int64_t{2} * a; }, twice);
  CompareEverywhere<T>([=](auto &a, auto &) { return a * two; }, twice);
  CompareEverywhere<T>([](auto &a, auto &) { return a * half::half_t(2.0f); }, twice);
  CompareEverywhere<T>([](auto &a, auto &) { return scalar<T>(2) * a; }, twice);
  CompareEverywhere<T>([](auto &a, auto &) { return 12 - a; },
                       [](T a, T) { return ScalarCast<T>(ScalarCast<T>(12) - a); });
}

TYPED_TEST(Assign, UserOperators) {
  using T = TypeParam;
  CompareEverywhere<T>([](auto &a, auto &) { return F<square>(a); },
                       [](T a, T) { return ScalarCast<T>(a * a); });
  CompareEverywhere<T>([](auto &a, auto &b) { return F<larger>(a, b); },
                       [](T a, T b) { return a < b ? b : a; });
  CompareEverywhere<T>([](auto &a, auto &) { return F<larger>(F<larger>(1, a), 3.0f); },
                       [](T a, T) { return a < T(3) ? T(3) : a; });
  CompareEverywhere<T>([](auto &a, auto &b) { return F<select>(a, b, a); },
                       [](T a, T b) { return a > T(6) ? b : a; });
  CompareEverywhere<T>([](auto &a, auto &) { return F<select>(a, 2, 3.0f); },
                       [](T a, T) { return a > T(6) ? T(2) : T(3); });
  CompareEverywhere<T>([](auto &a, auto &b) { return F<select>(7, a, b); },
                       [](T a, T) { return a; });
  CompareEverywhere<T>([](auto &a, auto &b) { return MakeExp<op::right>(a, b); },
                       [](T, T b) { return b; });
}

TYPED_TEST(Assign, TheFiveAssignments) {
  using T = TypeParam;
  for (const bool pad : {false, true}) {
    const Shape<2> shape = Shape2(3, 7);
    const auto b = Make<T>(shape, 2, pad);
    const auto start = Make<T>(shape, 3);
    const auto check = [&](auto assign, auto expected) {
      TensorContainer<cpu, 2, T> t(start), want(shape);
      assign(t);
      ForEach(shape, [&](index_t y, index_t x) {
        At(want, y, x) = ScalarCast<T>(expected(At(start, y, x), At(b, y, x)));
      });
      ExpectSame<T>(t, want);
    };
    check([&](auto &t) { t = b * 1; }, [](T, T v) { return v; });
    check([&](auto &t) { t += b; }, [](T u, T v) { return u + v; });
    check([&](auto &t) { t -= b; }, [](T u, T v) { return u - v; });
    check([&](auto &t) { t *= b; }, [](T u, T v) { return u * v; });
    check([&](auto &t) { t /= b; }, [](T u, T v) { return u / v; });
    check([&](auto &t) { t = 3; }, [](T, T) { return T(3); });
    check([&](auto &t) { t += 2.0f; }, [](T u, T) { return u + T(2); });
    check([&](auto &t) { t -= 1.0; }, [](T u, T) { return u - T(1); });
    check([&](auto &t) { t *= T(3); }, [](T u, T) { return u * T(3); });
    check([&](auto &t) { t /= int64_t{2}; }, [](T u, T) { return u / T(2); });
  }
}

// Rows that begin anywhere in a cache line, long enough to be divided there, and shorter.
TYPED_TEST(Assign, LongRowsFromAnyAddress) {
  using T = TypeParam;
  for (const index_t length : {1023, 1024, 2049}) {
    for (const index_t offset : {0, 1, 7, 63}) {
      auto memory = Make<T>(Shape1(length + 65), 1);
      const TensorContainer<cpu, 1, T> old(memory);
      Tensor<cpu, 1, T> dst = memory.Slice(offset, offset + length);
      dst += T(1);
      for (index_t i = 0; i < memory.size(0); ++i) {
        const bool written = i >= offset && i < offset + length;
        EXPECT_EQ(memory[i], written ? static_cast<T>(old[i] + T(1)) : old[i])
            << offset << " " << i;
      }
    }
  }
}

// What is left behind whole blocks of elements, and what lies behind a row.
TYPED_TEST(Assign, RowsOfEveryLength) {
  using T = TypeParam;
  for (index_t length = 0; length < 72; ++length) {
    const auto src = Make<T>(Shape2(3, length + 1), 1);
    auto memory = Make<T>(Shape2(3, length + 2), 2);
    const TensorContainer<cpu, 2, T> old(memory);
    Tensor<cpu, 2, T> dst(memory.dptr_, Shape2(3, length), memory.stride_, nullptr);
    const Tensor<cpu, 2, T> from(src.dptr_ + 1, dst.shape_, src.stride_, nullptr);
    dst += from * T(2);
    for (index_t y = 0; y < 3; ++y) {
      for (index_t x = 0; x < length + 2; ++x) {
        T want = old[y][x];
        if (x < length) want = static_cast<T>(want + static_cast<T>(src[y][x + 1] * T(2)));
        EXPECT_EQ(memory[y][x], want) << length << " " << y << " " << x;
      }
    }
  }
}

TYPED_TEST(Assign, AssignmentsChain) {
  using T = TypeParam;
  auto t = Make<T>(Shape1(9), 1);
  (t = 1) += 2;
  EXPECT_EQ(t[8], T(3));
}

}  // namespace
