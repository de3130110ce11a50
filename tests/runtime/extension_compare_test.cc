// SPDX-License-Identifier: Apache-2.0
// Comparisons and where().
#include "extension_testing.h"

namespace {
using namespace testing_runtime;

TEST(ExtensionCompare, GivesOnesAndZeros) {
  ForElementTypes([](auto zero) {
    for (const Shape<2> &shape : SomeShapes<2>()) {
      auto a = Make<decltype(zero)>(shape, 1), b = Make<decltype(zero)>(shape, 2);
      const auto check = [&](const auto &exp, auto compare) {
        ExpectElements(exp, shape, [&](const Shape<2> &i) {
          return compare(Number(At(a, i)), Number(At(b, i))) ? 1 : 0;
        });
      };
      check(a < b, [](double x, double y) { return x < y; });
      check(a <= b, [](double x, double y) { return x <= y; });
      check(a > b, [](double x, double y) { return x > y; });
      check(a >= b, [](double x, double y) { return x >= y; });
      check(a == b, [](double x, double y) { return x == y; });
      check(a != b, [](double x, double y) { return x != y; });
      check(a < 5, [](double x, double) { return x < 5; });
      check(5 <= b, [](double, double y) { return 5 <= y; });
      check((a * 2 == b + 1) + 0, [](double x, double y) { return x * 2 == y + 1; });
    }
  });
}

TEST(ExtensionCompare, WhereChooses) {
  for (const Shape<2> &shape : SomeShapes<2>()) {
    auto a = Make<float>(shape, 1), b = Make<float>(shape, 2);
    const auto larger = [&](const Shape<2> &i) { return At(a, i) > At(b, i); };
    ExpectElements(where(a > b, a, b), shape,
                   [&](const Shape<2> &i) { return std::max(At(a, i), At(b, i)); });
    ExpectElements(where(a > b, a * 2, -1), shape,
                   [&](const Shape<2> &i) { return larger(i) ? At(a, i) * 2 : -1; });
    ExpectElements(where(a > b, 0.5, -b), shape,
                   [&](const Shape<2> &i) { return larger(i) ? 0.5f : -At(b, i); });
  }
}

TEST(ExtensionCompare, ConditionsOfOtherTypes) {
  auto a = Make<float>(Shape2(3, 5), 1);
  TensorContainer<cpu, 2, double> tiny(Shape2(3, 5), 1e-300);  // 0 as a float
  tiny[1][2] = 0;
  ExpectElements(where(tiny, a, -a), a.shape_,
                 [&](const Shape<2> &i) { return i == Shape2(1, 2) ? -At(a, i) : At(a, i); });
  TensorContainer<cpu, 2, bool> mask(Shape2(3, 5));
  mask = true;
  mask[2][4] = false;
  ExpectElements(where(mask, a, 0), a.shape_,
                 [&](const Shape<2> &i) { return i == Shape2(2, 4) ? 0 : At(a, i); });
}

TEST(ExtensionCompare, TwoNumbersAreOfTheConditionsType) {
  auto a = Make<float>(Shape2(3, 5), 1);
  ExpectElements(where(a > 0.0f, 0.5, -2), a.shape_,
                 [&](const Shape<2> &i) { return At(a, i) > 0 ? 0.5f : -2.0f; });
  auto h = Make<half::half_t>(Shape2(3, 5), 1);
  ExpectElements(where(h > 0.0f, 1.0f, 0.0f), h.shape_,
                 [&](const Shape<2> &i) { return At(h, i) > 0 ? 1.0f : 0.0f; });
  auto n = Make<int32_t>(Shape2(3, 5), 1);
  ExpectElements(where(n, 16777217, -1), n.shape_,
                 [&](const Shape<2> &i) { return At(n, i) != 0 ? 16777217 : -1; });
}

TEST(ExtensionCompare, NaNIsUnequalAndNotZero) {
  TensorContainer<cpu, 1> a(Shape1(2), 1), dst(Shape1(2));
  a[1] = std::nanf("");
  dst = a == a;
  EXPECT_EQ(dst[1], 0.0f);
  dst = where(a, 3, a);
  EXPECT_EQ(dst[1], 3.0f);
}

}  // namespace
