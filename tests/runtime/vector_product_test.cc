// SPDX-License-Identifier: Apache-2.0
// Products of a vector and a small matrix: the order of additions that
// runtime/src/vector_products.h says, on every instruction set, wherever the operands are.
#include <mshadow/limit_isa.h>

#include <algorithm>
#include <limits>
#include <vector>

#include "testing.h"

namespace {
using namespace testing_runtime;

/// Of numbers whose sums are rounded.
template <typename T>
void Fill(TensorContainer<cpu, 2, T> *t, unsigned seed) {
  ForEach(t->shape_, [&](index_t y, index_t x) {
    seed = seed * 1664525 + 1013904223;
    (*t)[y][x] = static_cast<T>(static_cast<double>(seed >> 8) / 3e6 - 2);
  });
}

/// Added row by row: product k to sum k % 4.
template <typename T>
T AddedRows(const std::vector<T> &products) {
  T sums[4] = {};
  for (size_t k = 0; k < products.size(); ++k) sums[k % 4] += products[k];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}
/// Added side by side, as many as 64 bytes have.
template <typename T>
T AddedColumns(const std::vector<T> &products) {
  constexpr size_t kBlock = 64 / sizeof(T);
  T wide[kBlock] = {};
  size_t k = 0;
  for (; k + kBlock <= products.size(); k += kBlock) {
    for (size_t i = 0; i < kBlock; ++i) wide[i] += products[k + i];
  }
  for (size_t half = kBlock / 2; half >= 4; half /= 2) {
    for (size_t i = 0; i < half; ++i) wide[i] += wide[i + half];
  }
  for (; k + 4 <= products.size(); k += 4) {
    for (size_t i = 0; i < 4; ++i) wide[i] += products[k + i];
  }
  T sum = (wide[0] + wide[1]) + (wide[2] + wide[3]);
  for (; k < products.size(); ++k) sum += products[k];
  return sum;
}

template <typename T>
class VectorProduct : public ::testing::Test {
 protected:
  /// op(a) op(b) of \p shape (rows, columns, terms) on every instruction set.
  void Check(const Shape<3> &shape, bool ta, bool tb) {
    const index_t m = shape[0], n = shape[1], inner = shape[2];
    for (const bool pad : {false, true}) {
      TensorContainer<cpu, 2, T> a(ta ? Shape2(inner, m) : Shape2(m, inner), 0, pad);
      TensorContainer<cpu, 2, T> b(tb ? Shape2(n, inner) : Shape2(inner, n), 0, pad);
      TensorContainer<cpu, 2, T> old(Shape2(m, n), 0, pad), dst(old);
      Fill<T>(&a, 1);
      Fill<T>(&b, 2);
      Fill<T>(&old, 3);
      const bool by_rows = m == 1 ? !tb : ta;
      for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
        LimitIsa(isa);
        Copy(dst, old);
        blas::Gemm<T>(ta, tb, T(0.3), Of(a), Of(b), T(0.7), To(dst.dptr_, m, n, dst.stride_));
        ForEach(dst.shape_, [&](index_t y, index_t x) {
          std::vector<T> products;
          for (index_t k = 0; k < inner; ++k) {
            products.push_back((ta ? a[k][y] : a[y][k]) * (tb ? b[x][k] : b[k][x]));
          }
          const T sum = inner == 1 ? products[0]
                        : by_rows  ? AddedRows(products)
                                   : AddedColumns(products);
          // Rounded each, whatever the compiler would contract.
          const volatile T scaled = T(0.3) * sum, kept = T(0.7) * old[y][x];
          const T want = scaled + kept;
          EXPECT_EQ(dst[y][x], want) << IsaName(isa) << shape << ta << tb << pad << y << x;
        });
      }
    }
    LimitIsa(Isa::kAvx512);
  }
  static blas::Matrix<T> To(T *dptr, index_t rows, index_t cols, index_t stride) {
    return {dptr, rows, cols, stride};
  }
  static blas::Matrix<const T> From(const T *dptr, index_t rows, index_t cols, index_t stride) {
    return {dptr, rows, cols, stride};
  }
  static blas::Matrix<const T> Of(const Tensor<cpu, 2, T> &t) {
    return From(t.dptr_, t.shape_[0], t.shape_[1], t.stride_);
  }
};
using FloatTypes = ::testing::Types<float, double>;
TYPED_TEST_SUITE(VectorProduct, FloatTypes);

constexpr index_t kExtents[] = {2, 4, 5, 7, 8, 9, 15, 16, 17, 31, 32, 33, 47, 63, 64};

TYPED_TEST(VectorProduct, OfARowAndAMatrix) {
  for (const index_t n : kExtents) {
    for (const index_t inner : kExtents) {
      if (n >= 5) this->Check(Shape3(1, n, inner), false, false);
      if (inner >= 8) this->Check(Shape3(1, n, inner), true, true);
    }
  }
}

TYPED_TEST(VectorProduct, OfAMatrixAndAColumn) {
  for (const index_t m : kExtents) {
    for (const index_t inner : kExtents) {
      if (m >= 5) this->Check(Shape3(m, 1, inner), true, true);
      if (inner >= 8) this->Check(Shape3(m, 1, inner), false, false);
    }
  }
}

TYPED_TEST(VectorProduct, OfAColumnAndARow) {
  for (const index_t m : kExtents) {
    for (const index_t n : kExtents) {
      if (n >= 5) this->Check(Shape3(m, n, 1), m % 2 == 0, n % 2 == 0);
    }
  }
}

/// Nothing behind a row is read or written, and old values only where they count.
TYPED_TEST(VectorProduct, StaysWithinItsRowsAndIgnoresNaNs) {
  using T = TypeParam;
  constexpr T kNaN = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> a(64, T(1)), b(64 * 70, kNaN), c(64, T(1)), dst(64 * 70, kNaN);
  for (const index_t n : kExtents) {
    if (n < 5) continue;
    for (index_t y = 0; y < 16; ++y) std::fill_n(b.begin() + y * 70, n, T(2));
    std::fill(dst.begin(), dst.end(), kNaN);
    blas::Gemm<T>(false, false, T(1), this->From(a.data(), 1, 16, 16),
                  this->From(b.data(), 16, n, 70), T(0), this->To(dst.data(), 1, n, 70));
    for (index_t x = 0; x < n; ++x) EXPECT_EQ(dst[x], T(32)) << n << x;
    EXPECT_NE(dst[n], dst[n]);
    blas::Gemm<T>(false, false, T(1), this->From(a.data(), 16, 1, 1), this->From(c.data(), 1, n, n),
                  T(0), this->To(dst.data(), 16, n, 70));
    for (index_t y = 0; y < 16; ++y) {
      for (index_t x = 0; x < n; ++x) EXPECT_EQ(dst[y * 70 + x], T(1)) << n << y << x;
      EXPECT_NE(dst[y * 70 + n], dst[y * 70 + n]);
    }
    std::fill(b.begin(), b.end(), kNaN);
  }
}

}  // namespace
