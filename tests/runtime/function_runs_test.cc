// SPDX-License-Identifier: Apache-2.0
// Elementary functions in expressions: the runtime's loops give the bits of mshadow::math, element
// by element, wherever an expression has the function and whichever instruction set is taken.
#include <mshadow/expr/op_extra.h>
#include <mshadow/limit_isa.h>

#include <cstring>
#include <limits>

#include "testing.h"

namespace {
using namespace testing_runtime;

template <typename T>
class FunctionRuns : public ::testing::Test {
 protected:
  ~FunctionRuns() override { LimitIsa(Isa::kAvx512); }
};
using FloatTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t>;
TYPED_TEST_SUITE(FunctionRuns, FloatTypes);

/// The function without its loop: an operator like any.
template <typename OP>
struct Plain {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return OP::Map(a);
  }
};

/// Numbers of every size and sign, zeros, infinities and NaN.
template <typename T>
void FillWithAll(const Tensor<cpu, 2, T> &t, int seed) {
  const double special[] = {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, std::nan(""), 1e-40, 88.5};
  int next = seed;
  ForEach(t.shape_, [&](index_t y, index_t x) {
    next = (next * 1103 + 12345) % 65536;
    const double value =
        next % 11 == 0 ? special[next % 9] : (next % 2 == 0 ? 1 : -1) * (next % 1000) / 37.0;
    At(t, y, x) = T(static_cast<float>(value));
  });
}

template <typename T>
bool IsSame(const T &a, const T &b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0 || (!(a == a) && !(b == b));
}

/// `dst += value` and `dst = value` by elements and by runs are the same.
template <typename T, typename ByElement, typename ByRun>
void ExpectSameBits(const Tensor<cpu, 2, T> &like, const ByElement &by_element,
                    const ByRun &by_run) {
  for (const bool pad : {false, true}) {
    TensorContainer<cpu, 2, T> want(like.shape_, T(1.5f), pad), got(like.shape_, T(1.5f), pad);
    want += by_element;
    got += by_run;
    ForEach(like.shape_, [&](index_t y, index_t x) {
      ASSERT_TRUE(IsSame(At(got, y, x), At(want, y, x))) << "+=, " << y << ' ' << x;
    });
    want = by_element;
    got = by_run;
    ForEach(like.shape_, [&](index_t y, index_t x) {
      ASSERT_TRUE(IsSame(At(got, y, x), At(want, y, x))) << "=, " << y << ' ' << x;
    });
  }
}

template <typename OP, typename T>
void TryFunction(const Tensor<cpu, 2, T> &a) {
  TensorContainer<cpu, 2, T> got(a.shape_, T(0), false);
  got = F<OP>(a);
  ForEach(a.shape_, [&](index_t y, index_t x) {
    ASSERT_TRUE(IsSame(At(got, y, x), OP::Map(At(a, y, x)))) << y << ' ' << x;
  });
}

constexpr Isa kIsas[] = {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512};
const Shape<2> kShapes[] = {Shape2(1, 1),  Shape2(3, 3),   Shape2(2, 7),   Shape2(5, 10),
                            Shape2(3, 17), Shape2(1, 300), Shape2(2, 131), Shape2(0, 4)};

TYPED_TEST(FunctionRuns, EveryFunctionEverySize) {
  using T = TypeParam;
  int seed = 1;
  for (const Isa isa : kIsas) {
    LimitIsa(isa);
    for (const Shape<2> &shape : kShapes) {
      for (const bool pad : {false, true}) {
        TensorContainer<cpu, 2, T> a(shape, T(0), pad);
        FillWithAll<T>(a, ++seed);
#define MSHADOW_FUNCTION(Operator, function, Name, bytes) TryFunction<op::Operator, T>(a);
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes)
#include <mshadow/expr/functions.inc>
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_OF_TWO
      }
    }
  }
}

struct PlainPower {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return op::power::Map(a, b);
  }
};

template <typename OP, typename T>
void TryFunctionOfTwo(const Tensor<cpu, 2, T> &a, const Tensor<cpu, 2, T> &b) {
  TensorContainer<cpu, 2, T> got(a.shape_, T(0), false);
  got = F<OP>(a, b);
  ForEach(a.shape_, [&](index_t y, index_t x) {
    ASSERT_TRUE(IsSame(At(got, y, x), OP::Map(At(a, y, x), At(b, y, x)))) << y << ' ' << x;
  });
}

TYPED_TEST(FunctionRuns, OfTwo) {
  using T = TypeParam;
  int seed = 7;
  for (const Isa isa : kIsas) {
    LimitIsa(isa);
    for (const Shape<2> &shape : kShapes) {
      TensorContainer<cpu, 2, T> a(shape, T(0)), b(shape, T(0), false);
      FillWithAll<T>(a, ++seed);
      FillWithAll<T>(b, ++seed);
#define MSHADOW_FUNCTION(Operator, function, Name, bytes)
#define MSHADOW_FUNCTION_OF_TWO(Operator, function, Name, bytes) \
  TryFunctionOfTwo<op::Operator, T>(a, b);
#include <mshadow/expr/functions.inc>
#undef MSHADOW_FUNCTION
#undef MSHADOW_FUNCTION_OF_TWO
      ExpectSameBits<T>(a, F<PlainPower>(a * b, b), F<op::power>(a * b, b));
      ExpectSameBits<T>(a, F<PlainPower>(a, T(0.5f)), F<op::power>(a, T(0.5f)));
      ExpectSameBits<T>(a, F<PlainPower>(T(2), b), F<op::power>(T(2), b));
    }
  }
}

// What a function reads may be what it is assigned to.
TYPED_TEST(FunctionRuns, InPlace) {
  using T = TypeParam;
  const Shape<2> shape = Shape2(3, 200);
  TensorContainer<cpu, 2, T> a(shape, T(0)), b(shape, T(0)), want(shape, T(0));
  FillWithAll<T>(b, 5);
  for (int which = 0; which < 3; ++which) {
    FillWithAll<T>(a, 4);
    if (which == 0) want = F<Plain<op::exp>>(a);
    if (which == 1) want = F<Plain<op::tanh>>(a + b);
    if (which == 2) want = F<PlainPower>(b, a);
    if (which == 0) a = F<op::exp>(a);
    if (which == 1) a = F<op::tanh>(a + b);
    if (which == 2) a = F<op::power>(b, a);
    ForEach(shape, [&](index_t y, index_t x) {
      ASSERT_TRUE(IsSame(At(a, y, x), At(want, y, x))) << which << ": " << y << ' ' << x;
    });
  }
}

// Within other expressions: of views, repeated, turned, reduced.
TYPED_TEST(FunctionRuns, WithinOthers) {
  using T = TypeParam;
  using Exp = Plain<op::exp>;
  TensorContainer<cpu, 2, T> a(Shape2(20, 35), T(0)), turned(Shape2(35, 20), T(0));
  TensorContainer<cpu, 1, T> row(Shape1(35), T(0)), sum(Shape1(20), T(0)), want(Shape1(20), T(0));
  FillWithAll<T>(a, 3);
  for (index_t x = 0; x < 35; ++x) row[x] = T(0.25f * static_cast<float>(x));
  ExpectSameBits<T>(a, F<Exp>(broadcast<1>(row, a.shape_)),
                    F<op::exp>(broadcast<1>(row, a.shape_)));
  ExpectSameBits<T>(turned, F<Exp>(a.T()), F<op::exp>(a.T()));
  ExpectSameBits<T>(a, F<Exp>(mirror(a)), F<op::exp>(mirror(a)));
  ExpectSameBits<T>(a, mirror(F<Exp>(a)), mirror(F<op::exp>(a)));
  ExpectSameBits<T>(a, a * F<Exp>(F<Exp>(a) - T(1)), a * F<op::exp>(F<op::exp>(a) - T(1)));
  sum = sumall_except_dim<0>(F<op::exp>(a));
  want = sumall_except_dim<0>(F<Exp>(a));
  for (index_t y = 0; y < 20; ++y) ASSERT_TRUE(IsSame(sum[y], want[y])) << y;
}

struct OwnSigmoid {
  static constexpr auto kFunction = math::Function::kSigmoid;
  template <typename T>
  MSHADOW_XINLINE static T Map(T a) {
    return math::sigmoid(a);
  }
};

TYPED_TEST(FunctionRuns, AnOperatorOfTheUsersOwn) {
  using T = TypeParam;
  static_assert(expr::detail::kIsFunction<OwnSigmoid, T>);
  static_assert(!expr::detail::kIsFunction<Plain<op::exp>, T>);
  static_assert(!expr::detail::kIsFunction<OwnSigmoid, int>);
  TensorContainer<cpu, 2, T> a(Shape2(4, 50), T(0));
  FillWithAll<T>(a, 9);
  ExpectSameBits<T>(a, F<op::sigmoid>(a), F<OwnSigmoid>(a));
}

}  // namespace
