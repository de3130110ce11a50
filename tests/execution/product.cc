// SPDX-License-Identifier: Apache-2.0
#include "product.h"

#include <cmath>
#include <stdexcept>

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;

/// An array as matrices of one shape.
struct Matrices {
  const Array &array;
  int64_t rows, cols;
  bool transposed;

  const Estimate &at(int64_t batch, int64_t y, int64_t x) const {
    const int64_t i = transposed ? x * cols + y : y * cols + x;
    return array.elements.at(static_cast<size_t>(batch * rows * cols + i));
  }
  int64_t height() const { return transposed ? cols : rows; }
  int64_t width() const { return transposed ? rows : cols; }
};

Matrices MatricesOf(const Array &array, bool transposed, bool is_column) {
  const size_t rank = array.shape.size();
  if (rank > 1) return {array, array.shape[rank - 2], array.shape[rank - 1], transposed};
  if (is_column) return {array, array.shape[0], 1, false};
  return {array, 1, array.shape[0], false};
}

/// A sum of products that is added in any order.
class Sum {
 public:
  explicit Sum(ScalarKind kind) : kind_(kind) {}

  void Add(const Estimate &a, const Estimate &b) {
    if (!mgen::IsFloat(kind_)) {
      integer_ = Apply(Op::kAdd, kind_, {integer_, Apply(Op::kMul, kind_, {a, b})});
      return;
    }
    undecided_ = undecided_ || a.undecided || b.undecided || !std::isfinite(a.value) ||
                 !std::isfinite(b.value);
    value_ += a.value * b.value;
    size_ += std::fabs(a.value * b.value);
    bound_ += std::fabs(a.value) * b.bound + std::fabs(b.value) * a.bound +
              static_cast<long double>(a.bound) * b.bound;
    ++terms_;
  }

  /// As a value of the type that sums are added in.
  Estimate Finish() const {
    if (!mgen::IsFloat(kind_)) return integer_;
    if (undecided_) return Undecided(kind_);
    const bool is_double = kind_ == ScalarKind::kFloat64;
    const long double unit = std::ldexp(1.0L, is_double ? -53 : -24);
    const long double least = std::ldexp(1.0L, is_double ? -1074 : -149);
    Estimate sum;
    sum.kind = kind_;
    sum.value = value_;
    const long double terms = static_cast<long double>(terms_) + 2;
    sum.bound = static_cast<double>(bound_ + 1.01L * terms * (unit * (size_ + bound_) + least));
    // Where the sum of the sizes overflows, the order may decide.
    sum.undecided = size_ > (is_double ? 1e307L : 1e37L);
    return sum;
  }

 private:
  ScalarKind kind_;
  bool undecided_ = false;
  long double value_ = 0, size_ = 0, bound_ = 0;
  int64_t terms_ = 0;
  Estimate integer_ = ExactInteger(kind_, 0);
};

bool IsNarrow(ScalarKind kind) {
  return kind == ScalarKind::kFloat16 || kind == ScalarKind::kBFloat16;
}

}  // namespace

Array ProductOf(ScalarKind kind, const Estimate &scale, const Array &left, bool left_transposed,
                const Array &right, bool right_transposed, const Array &like) {
  const bool is_outer = like.shape.size() == 2 && left.shape.size() == 1;
  const Matrices a = MatricesOf(left, left_transposed, is_outer);
  const Matrices b = MatricesOf(right, right_transposed, right.shape.size() == 1 && !is_outer);
  const int64_t size = a.height() * b.width();
  if (a.width() != b.height()) throw std::invalid_argument("factors do not fit");
  const ScalarKind sum_kind = IsNarrow(kind) ? ScalarKind::kFloat32 : kind;
  Array result = like;
  for (size_t i = 0; i < result.elements.size(); ++i) {
    const int64_t number = static_cast<int64_t>(i);
    const int64_t batch = number / size, y = number % size / b.width(), x = number % b.width();
    Sum sum(sum_kind);
    for (int64_t k = 0; k < a.width(); ++k) sum.Add(a.at(batch, y, k), b.at(batch, k, x));
    result.elements[i] = Apply(Op::kMul, sum_kind, {sum.Finish(), Convert(sum_kind, scale)});
  }
  return result;
}

}  // namespace mshadow_test
