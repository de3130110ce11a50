// SPDX-License-Identifier: Apache-2.0
// The same in Eigen, in threads where its blocks allow that.
#include <Eigen/Core>

#include "expressions.h"

namespace mshadow_bench {
namespace {

constexpr int64_t kRows = Buffers::kRows, kSize = Buffers::kSize, kImage = Buffers::kImage;
constexpr int64_t kHeight = Buffers::kHeight, kChannels = Buffers::kChannels;
using Vector = Eigen::Map<Eigen::ArrayXf>;
using Matrix = Eigen::Map<Eigen::Array<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

void Sgd(const Buffers &b) {
  InThreads(kSize, 12, [&](int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    Vector(b.y + begin, n) -= 0.1f * (Vector(b.x + begin, n) + 0.01f * Vector(b.z + begin, n));
  });
}
void Clip(const Buffers &b) {
  InThreads(kSize, 12, [&](int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    Vector(b.y + begin, n) =
        Vector(b.x + begin, n).min(0.5f).max(-0.5f) * Vector(b.z + begin, n).min(0.1f).max(-0.1f);
  });
}
void Exp(const Buffers &b) {
  InThreads(kSize, 32, [&](int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    Vector(b.y + begin, n) = Vector(b.x + begin, n).exp();
  });
}
void SigmoidOfASum(const Buffers &b) {
  InThreads(kSize, 32, [&](int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    Vector(b.y + begin, n) =
        (1.0f + (-Vector(b.x + begin, n) - Vector(b.z + begin, n)).exp()).inverse();
  });
}
void SumRows(const Buffers &b) {
  InThreads(kRows, 8 * kRows, [&](int64_t begin, int64_t end) {
    Vector(b.v + begin, end - begin) =
        Matrix(b.x, kRows, kRows).middleCols(begin, end - begin).colwise().sum();
  });
}
void SumColumns(const Buffers &b) {
  InThreads(kRows, 8 * kRows, [&](int64_t begin, int64_t end) {
    Vector(b.v + begin, end - begin) =
        Matrix(b.x, kRows, kRows).middleRows(begin, end - begin).rowwise().sum();
  });
}
void DivideMiddle(const Buffers &b) {
  InThreads(kSize / kImage, 8 * kImage, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Matrix(b.y + i * kImage, kHeight, kHeight) =
          Matrix(b.x + i * kImage, kHeight, kHeight).rowwise() /
          Vector(b.z + i * kHeight, kHeight).transpose();
    }
  });
}
void DivideLast(const Buffers &b) {
  InThreads(kSize / kHeight, 8 * kHeight, [&](int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    Matrix(b.y + begin * kHeight, n, kHeight) =
        Matrix(b.x + begin * kHeight, n, kHeight).colwise() / Vector(b.z + begin, n);
  });
}
void ReduceMiddle(const Buffers &b) {
  InThreads(kSize / kImage, 4 * kImage, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      Vector(b.y + i * kHeight, kHeight) =
          Matrix(b.x + i * kImage, kHeight, kHeight).colwise().sum();
    }
  });
}
void ReduceLast(const Buffers &b) {
  InThreads(kSize / kHeight, 4 * kHeight, [&](int64_t begin, int64_t end) {
    const int64_t n = end - begin;
    Vector(b.y + begin, n) = Matrix(b.x + begin * kHeight, n, kHeight).rowwise().sum();
  });
}
void BatchNorm(const Buffers &b) {
  InThreads(kSize / kImage, 8 * kImage, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      const int64_t c = i % kChannels;
      Vector(b.y + i * kImage, kImage) =
          b.w[c] * (Vector(b.x + i * kImage, kImage) - b.v[c]) / std::sqrt(b.v[c] + 1e-3f) + b.v[c];
    }
  });
}

}  // namespace

std::vector<ExpressionPeer> EigenExpressions() {
  return {{"sgd_1d", Sgd},
          {"user_op_clip", Clip},
          {"exp", Exp},
          {"sigmoid_of_a_sum", SigmoidOfASum},
          {"sum_rows", SumRows},
          {"sumall_except_dim_0", SumColumns},
          {"broadcast_with_axis_middle", DivideMiddle},
          {"broadcast_with_axis_last", DivideLast},
          {"reduce_with_axis_middle", ReduceMiddle},
          {"reduce_with_axis_last", ReduceLast},
          {"batch_norm", BatchNorm}};
}

}  // namespace mshadow_bench
