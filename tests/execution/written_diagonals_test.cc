// SPDX-License-Identifier: Apache-2.0
#include "written_diagonals.gen.h"

#include <mshadow/list.h>

#include <algorithm>
#include <string>

#include "fenced_tensor.h"

namespace {

using mshadow::Shape1;
using mshadow::Shape2;
using namespace mshadow_test;

/// What a fenced tensor holds at first, as a number.
float First(index_t n) { return static_cast<float>(n % 113 + 1); }

template <typename DType>
void CompareShift(const Layout &layout, index_t n) {
  const Fenced<2, DType> in(Shape2(n, n), layout), out(Shape2(n, n), layout);
  for (index_t y = 0; y < n; ++y) {
    for (index_t x = 0; x < n; ++x) {
      DType &e = in.tensor.dptr_[y * in.tensor.stride_ + x];
      e = DType(static_cast<float>(static_cast<int>(e) % 50));
    }
  }
  written_diagonals::Shift(out.tensor, in.tensor);
  out.Expect([&](index_t y, index_t x) { return (in.At(y, x) + (x == y ? 3.0f : 1.0f)) * 2.0f; });
}

TEST(WrittenDiagonals, ANumberBetweenStatementsOfTheMatrix) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      CompareShift<float>(layout, n);
      CompareShift<double>(layout, n);
      CompareShift<mshadow::half::half_t>(layout, n);
      CompareShift<int8_t>(layout, n);
    }
  });
}

TEST(WrittenDiagonals, EachSaverByAName) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      for (const bool halves : {false, true}) {
        const Fenced<2, float> m(Shape2(n, n), layout);
        const Fenced<1, float> v(Shape1(n), layout);
        written_diagonals::Scale(m.tensor, v.tensor, halves);
        m.Expect([&](index_t y, index_t x) {
          if (y != x) return First(y * n + x);
          const float e = v.At(x), scaled = e * e - 0.5f * e;
          return halves ? scaled / 2.0f : scaled;
        });
      }
    }
  });
}

TEST(WrittenDiagonals, AValueThatReadsTheMatrix) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, float> m(Shape2(n, n), layout);
      const Fenced<1, float> v(Shape1(n), layout);
      written_diagonals::Negate(m.tensor, v.tensor);
      m.Expect([&](index_t y, index_t x) {
        if (y != x) return First(y * n + x);
        const float first = v.At(y) - First(y * n + y);
        float most = first;
        for (index_t i = 0; i < n; ++i) {
          if (i != y) most = std::max(most, First(y * n + i));
        }
        return first + 2.0f * most;
      });
    }
  });
}

TEST(WrittenDiagonals, TheSumsOfRows) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, float> edges(Shape2(n, n), layout), out(Shape2(n, n), layout);
      written_diagonals::Laplacian(out.tensor, edges.tensor);
      out.Expect([&](index_t y, index_t x) {
        float degree = 0;  // the elements are small integers, so that each order gives this
        for (index_t i = 0; i < n; ++i) degree += edges.At(y, i);
        return (y == x ? degree : 0.0f) - edges.At(y, x);
      });
    }
  });
}

TEST(WrittenDiagonals, OfATemporary) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, float> in(Shape2(n, n), layout), out(Shape2(n, n), layout);
      written_diagonals::Count(out.tensor, in.tensor);
      out.Expect([&](index_t y, index_t x) {
        const index_t from = n - 1 - x;
        return y == from ? static_cast<float>(2 * y + 1) : 2.0f * in.At(y, from);
      });
    }
  });
}

TEST(WrittenDiagonals, TwoOfOneVector) {
  Everywhere([](const Layout &layout) {
    for (const index_t n : kWidths) {
      const Fenced<2, float> a(Shape2(n, n), layout), b(Shape2(n, n), layout);
      const Fenced<1, float> v(Shape1(n), layout);
      written_diagonals::Twice(a.tensor, b.tensor, v.tensor);
      a.Expect([&](index_t y, index_t x) { return y == x ? First(x) : First(y * n + x); });
      b.Expect([&](index_t y, index_t x) {
        return y == x ? (First(x) + 1) * (First(x) + 1) : First(y * n + x);
      });
      v.Expect([&](index_t, index_t x) { return First(x) + 1; });
    }
  });
}

TEST(WrittenDiagonals, ErrorsComeBeforeTheFirstWrite) {
  const Fenced<2, float> wide(Shape2(3, 4), kLayouts[2]), square(Shape2(3, 3), kLayouts[2]);
  const Fenced<1, float> longer(Shape1(4), kLayouts[0]), v(Shape1(3), kLayouts[0]);
  EXPECT_EQ(Said([&] { written_diagonals::Scale(wide.tensor, v.tensor, true); }),
            "Scale: argument 'm': expected a square matrix, got shape (3,4)");
  EXPECT_EQ(Said([&] { written_diagonals::Shift(wide.tensor, wide.tensor); }),
            "Shift: argument 'out': expected a square matrix, got shape (3,4)");
  EXPECT_NE(Said([&] { written_diagonals::Scale(square.tensor, longer.tensor, true); })
                .find("argument 'v'"),
            std::string::npos);
  EXPECT_EQ(Said([&] { written_diagonals::Negate(square.tensor, longer.tensor); }),
            "Negate: argument 'diag(m)': expected shape (4,), the shape of 'v', got (3,)");
  const mshadow::Tensor<cpu, 1, float> row = square.tensor[1];
  EXPECT_NE(Said([&] { written_diagonals::Scale(square.tensor, row, true); }).find("overlap"),
            std::string::npos);
  EXPECT_NE(Said([&] { written_diagonals::Negate(square.tensor, row); }).find("overlap"),
            std::string::npos);
  const auto is_first = [](index_t cols) {
    return [cols](index_t y, index_t x) { return First(y * cols + x); };
  };
  wide.Expect(is_first(4));
  square.Expect(is_first(3));
}

TEST(WrittenDiagonals, ListsOfMatricesOfAnySize) {
  Everywhere([](const Layout &layout) {
    const Fenced<2, float> a(Shape2(5, 5), layout), b(Shape2(40, 40), layout);
    const Fenced<1, float> v(Shape1(5), layout), w(Shape1(40), layout);
    mshadow::RuleList list;
    auto group = list.Group<written_diagonals::ScaleRule>({{"halves", false}});
    group.Add(a.tensor, v.tensor);
    group.Add(b.tensor, w.tensor);
    for (int times = 0; times < 2; ++times) list.Run();
    for (const auto &[m, from] : {std::pair(&a, &v), std::pair(&b, &w)}) {
      const index_t n = m->tensor.size(0);
      const Fenced<1, float> &vector = *from;
      m->Expect([&, n](index_t y, index_t x) {
        const float e = vector.At(x);
        return y == x ? e * e - 0.5f * e : First(y * n + x);
      });
    }
  });
}

}  // namespace
