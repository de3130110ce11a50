// SPDX-License-Identifier: Apache-2.0
// The shipped updates of rows that indices name, run unfused, against their formulas in double:
// rows that have a gradient, over some steps with other rows each, and rows that have none.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "random.h"
#include "specs/optim/lazy.h"

namespace {

using mshadow::cpu;
using mshadow::Tensor;

constexpr int kRows = 9, kCols = 7, kFew = 4, kSteps = 12;

template <typename T>
struct Matrix {
  explicit Matrix(int count = kRows) : elements(static_cast<size_t>(count * kCols), T(0.0f)) {}
  Tensor<cpu, 2, T> tensor() {
    const auto rows = static_cast<mshadow::index_t>(elements.size() / kCols);
    return {elements.data(), mshadow::Shape2(rows, kCols)};
  }
  double At(int64_t y, int x) const {
    return static_cast<double>(elements[static_cast<size_t>(y * kCols + x)]);
  }
  std::vector<T> elements;
};

/// A model in double, and ours, which both begin at the same random weights.
template <typename T>
class Lazy : public testing::Test {
 protected:
  using State = mshadow::Promoted<T>;
  using Reference = std::vector<double>;  // of the elements of all rows

  Lazy() : w_(kRows * kCols), a_(kRows * kCols), b_(kRows * kCols) {
    for (size_t i = 0; i < w_.size(); ++i) {
      weight_.elements[i] = T(static_cast<float>(random_.Unit() - 0.5));
      w_[i] = static_cast<double>(weight_.elements[i]);
    }
  }

  /// Draws other rows and a gradient.
  void Draw() {
    for (int i = 0; i < kFew; ++i) {
      do {
        index_[i] = random_.Below(kRows);
      } while (std::find(index_, index_ + i, index_[i]) != index_ + i);
    }
    for (T &g : grad_.elements) g = T(static_cast<float>(2 * random_.Unit() - 1));
  }
  /// update(w, a, b, g) for each element of the rows of this step.
  template <typename Update>
  void Refer(const Update &update) {
    for (int i = 0; i < kFew; ++i) {
      for (int x = 0; x < kCols; ++x) {
        const auto at = static_cast<size_t>(index_[i] * kCols + x);
        update(&w_[at], &a_[at], &b_[at], grad_.At(i, x));
      }
    }
  }
  void Compare(const Matrix<T> &ours, const Reference &theirs) const {
    for (int y = 0; y < kRows; ++y) {
      for (int x = 0; x < kCols; ++x) {
        ASSERT_NEAR(ours.At(y, x), theirs[static_cast<size_t>(y * kCols + x)], kTolerance)
            << y << "," << x;
      }
    }
  }
  Tensor<cpu, 1, int64_t> index() { return {index_, mshadow::Shape1(kFew)}; }

  static constexpr double kTolerance = sizeof(T) == 8 ? 1e-13 : sizeof(T) == 4 ? 1e-6 : 0.02;
  mshadow_test::SplitMix64 random_{7};
  int64_t index_[kFew];
  Matrix<T> weight_, grad_{kFew};
  Matrix<State> first_, second_;
  Reference w_, a_, b_;  // weights and states
};
using Types = testing::Types<float, double, mshadow::half::half_t, mshadow::bfloat::bf16_t>;
TYPED_TEST_SUITE(Lazy, Types);

TYPED_TEST(Lazy, SGD) {
  for (int t = 1; t <= kSteps; ++t) {
    this->Draw();
    optim::LazySGD(this->weight_.tensor(), this->grad_.tensor(), this->index(), 0.125, t > 6);
    this->Refer(
        [&](double *w, double *, double *, double g) { *w -= t > 6 ? -0.125 * g : 0.125 * g; });
  }
  this->Compare(this->weight_, this->w_);
}

TYPED_TEST(Lazy, Adagrad) {
  for (int t = 1; t <= kSteps; ++t) {
    this->Draw();
    optim::LazyAdagrad(this->weight_.tensor(), this->first_.tensor(), this->grad_.tensor(),
                       this->index(), 0.125, 0.5, 0.0625, t, false);
    this->Refer([&](double *w, double *s, double *, double g) {
      *s += g * g;
      *w -= 0.125 / (1 + (t - 1) * 0.5) * g / (std::sqrt(*s) + 0.0625);
    });
  }
  this->Compare(this->weight_, this->w_);
}

TYPED_TEST(Lazy, Adam) {
  for (int t = 1; t <= kSteps; ++t) {
    this->Draw();
    optim::LazyAdam(this->weight_.tensor(), this->first_.tensor(), this->second_.tensor(),
                    this->grad_.tensor(), this->index(), 0.125, 0.875, 0.96875, 0.0625, t, true);
    const double rate = 0.125 * std::sqrt(1 - std::pow(0.96875, t)) / (1 - std::pow(0.875, t));
    this->Refer([&](double *w, double *m, double *v, double g) {
      *m += (1 - 0.875) * (-g - *m);
      *v += (1 - 0.96875) * (g * g - *v);
      *w -= rate * *m / (std::sqrt(*v) + 0.0625);
    });
  }
  this->Compare(this->weight_, this->w_);
}

}  // namespace
