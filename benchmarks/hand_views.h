// SPDX-License-Identifier: Apache-2.0
/// \file hand_views.h
/// Loops by hand for rules of views.h that read windows, rows by indices and other shapes. Each
/// takes a square matrix of 8 rows or more for its elements, as the rule that it is compared with.
#ifndef BENCHMARKS_HAND_VIEWS_H_
#define BENCHMARKS_HAND_VIEWS_H_

#include <bench_views_rules.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <vector>

namespace by_hand {

using namespace mshadow;
using Matrix = Tensor<cpu, 2, float>;
using Image = Tensor<cpu, 3, float>;
using Indices = Tensor<cpu, 1, int32_t>;
using Row = float *__restrict;

inline Matrix Small(const Matrix &whole, index_t rows, index_t cols) {
  return Matrix(whole.dptr_, Shape2(rows, cols));
}

/// The matrix of which each element is four.
inline Matrix Half(const Matrix &whole) {
  return Small(whole, whole.size(0) / 2, whole.size(1) / 2);
}

inline void Upsample(Matrix out, const Matrix &whole) {
  const Matrix in = Half(whole);
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = in[y / 2].dptr_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < in.size(1); ++x) to[2 * x] = to[2 * x + 1] = from[x] * 2.0f;
  }
}

inline void Repeat(Matrix out, const Matrix &whole) {
  const Matrix in = Small(whole, whole.size(0), whole.size(1) / 2);
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = in[y].dptr_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < in.size(1); ++x) to[2 * x] = to[2 * x + 1] = from[x] * 2.0f;
  }
}

inline void Spread(Matrix out, const Matrix &in) {
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = in[y].dptr_, *const row = in.dptr_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < out.size(1); ++x) to[x] = from[x] * row[x];
  }
}

inline void Reshape(Matrix out, const Matrix &in) {
  const Row to = out.dptr_;
  for (size_t i = 0; i < in.shape_.Size(); ++i) to[i] = in.dptr_[i] * 2.0f;
}

/// Indices of rows in no order.
inline Indices RowsOf(const Matrix &table) {
  static std::vector<int32_t> index;
  if (index.size() != table.size(0)) {
    index.resize(table.size(0));
    for (size_t i = 0; i < index.size(); ++i) {
      index[i] = static_cast<int32_t>(i * 2654435761u % index.size());
    }
  }
  return Indices(index.data(), Shape1(static_cast<index_t>(index.size())));
}

inline void Take(Matrix out, const Matrix &table) {
  const Indices index = RowsOf(table);
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = table.dptr_ + index[y] * table.stride_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < out.size(1); ++x) to[x] = from[x] * 2.0f;
  }
}

/// As rows of 8 elements.
inline Matrix Narrow(const Matrix &whole) {
  return Small(whole, static_cast<index_t>(whole.shape_.Size() / 8), 8);
}

inline void OneHot(Matrix out, const Matrix &in) {
  const Indices index = RowsOf(in);
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = in[y].dptr_;
    const Row to = out[y].dptr_;
    std::copy(from, from + out.size(1), to);
    to[index[y]] -= 1.0f;
  }
}

inline void Count(Matrix out, const Matrix &in) {
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = in[y].dptr_;
    const Row to = out[y].dptr_;
    for (int x = 0; x < static_cast<int>(out.size(1)); ++x) to[x] = from[x] * static_cast<float>(x);
  }
}

inline void MaxOfFour(Matrix whole, const Matrix &in) {
  Matrix out = Half(whole);
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const a = in[2 * y].dptr_, *const b = in[2 * y + 1].dptr_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < out.size(1); ++x) {
      to[x] = std::max(std::max(a[2 * x], a[2 * x + 1]), std::max(b[2 * x], b[2 * x + 1])) * 2.0f;
    }
  }
}

inline void MaxOfColumns(Matrix whole, const Matrix &in) {
  Matrix out = Half(whole);
  for (index_t y = 0; y < out.size(0); ++y) {
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < out.size(1); ++x) {
      const float *const a = in[2 * x].dptr_ + 2 * y, *const b = in[2 * x + 1].dptr_ + 2 * y;
      to[x] = std::max(std::max(a[0], a[1]), std::max(b[0], b[1])) * 2.0f;
    }
  }
}

inline void MaxOfComputed(Matrix whole, const Matrix &in) {
  Matrix out = Half(whole);
  const auto computed = [](float element) { return element * element - element; };
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const a = in[2 * y].dptr_, *const b = in[2 * y + 1].dptr_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < out.size(1); ++x) {
      to[x] = std::max(std::max(computed(a[2 * x]), computed(a[2 * x + 1])),
                       std::max(computed(b[2 * x]), computed(b[2 * x + 1]))) *
              2.0f;
    }
  }
}

inline void SumOfNine(Matrix out, const Matrix &in) {
  const int rows = static_cast<int>(in.size(0)), cols = static_cast<int>(in.size(1));
  for (int y = 0; y < rows; ++y) {
    const Row to = out[static_cast<index_t>(y)].dptr_;
    const auto sum = [&](int x) {
      float total = 0;
      for (int i = std::max(y - 1, 0); i <= std::min(y + 1, rows - 1); ++i) {
        for (int j = std::max(x - 1, 0); j <= std::min(x + 1, cols - 1); ++j) {
          total += in.dptr_[i * cols + j];
        }
      }
      return total * 2.0f;
    };
    to[0] = sum(0);
    to[cols - 1] = sum(cols - 1);
    if (y == 0 || y == rows - 1) {
      for (int x = 1; x < cols - 1; ++x) to[x] = sum(x);
      continue;
    }
    const float *const b = in[static_cast<index_t>(y)].dptr_, *const a = b - cols,
                       *const c = b + cols;
    for (int x = 1; x < cols - 1; ++x) {
      to[x] =
          (a[x - 1] + a[x] + a[x + 1] + b[x - 1] + b[x] + b[x + 1] + c[x - 1] + c[x] + c[x + 1]) *
          2.0f;
    }
  }
}

/// The first elements of a matrix as pooled data, those behind them as its gradient.
inline Matrix Pooled(const Matrix &in) { return Half(in); }
inline Matrix GradOf(const Matrix &in) {
  const Matrix pooled = Half(in);
  return Matrix(in.dptr_ + pooled.shape_.Size(), pooled.shape_);
}

inline void MaxOfFourGrad(Matrix out, const Matrix &in) {
  const Matrix pooled = Pooled(in), grad = GradOf(in);
  for (index_t y = 0; y < out.size(0); ++y) {
    const float *const from = in[y].dptr_, *const top = pooled[y / 2].dptr_;
    const float *const dy = grad[y / 2].dptr_;
    const Row to = out[y].dptr_;
    for (index_t x = 0; x < pooled.size(1); ++x) {
      for (index_t i = 2 * x; i < 2 * x + 2; ++i) to[i] = (from[i] == top[x] ? dy[x] : 0.0f) * 2.0f;
    }
  }
}

/// Windows of 3 x 3, 2 apart, with a border of 1.
inline void Layer(Matrix whole, const Matrix &in) {
  const Matrix out = Half(whole);
  const int rows = static_cast<int>(in.size(0)), cols = static_cast<int>(in.size(1));
  for (int y = 0; y < rows / 2; ++y) {
    const Row to = out[static_cast<index_t>(y)].dptr_;
    const float *const b = in.dptr_ + 2 * y * cols, *const a = b - cols, *const c = b + cols;
    const auto top = [&](int x) {  // where all is inside but perhaps what is above or to the left
      float highest = x == 0 || y == 0 ? 0.0f : a[2 * x - 1];
      for (int j = x == 0 ? 0 : 2 * x - 1; j < 2 * x + 2; ++j) {
        if (y > 0) highest = std::max(highest, a[j]);
        highest = std::max(highest, std::max(b[j], c[j]));
      }
      return highest * 2.0f;
    };
    to[0] = top(0);
    if (y == 0) {
      for (int x = 1; x < cols / 2; ++x) to[x] = top(x);
      continue;
    }
    for (int x = 1; x < cols / 2; ++x) {
      float highest = a[2 * x - 1];
      for (int j = 2 * x - 1; j < 2 * x + 2; ++j) {
        highest = std::max(highest, std::max(a[j], std::max(b[j], c[j])));
      }
      to[x] = highest * 2.0f;
    }
  }
}

inline void LayerGrad(Matrix out, const Matrix &in) {
  const Matrix pooled = Pooled(in), grad = GradOf(in);
  const int rows = static_cast<int>(in.size(0)), cols = static_cast<int>(in.size(1));
  for (int y = 0; y < rows; ++y) {
    const float *const from = in.dptr_ + y * cols;
    const Row to = out.dptr_ + y * cols;
    for (int x = 0; x < cols; ++x) to[x] = 0.0f;
    for (int p = y / 2; p <= std::min((y + 1) / 2, rows / 2 - 1); ++p) {
      const float *const top = pooled.dptr_ + p * (cols / 2);
      const float *const dy = grad.dptr_ + p * (cols / 2);
      for (int q = 0; q < cols / 2 - 1; ++q) {
        to[2 * q] += from[2 * q] == top[q] ? dy[q] : 0.0f;
        to[2 * q + 1] += from[2 * q + 1] == top[q] ? dy[q] : 0.0f;
        to[2 * q + 1] += from[2 * q + 1] == top[q + 1] ? dy[q + 1] : 0.0f;
      }
      const int q = cols / 2 - 1;
      to[2 * q] += from[2 * q] == top[q] ? dy[q] : 0.0f;
      to[2 * q + 1] += from[2 * q + 1] == top[q] ? dy[q] : 0.0f;
    }
    for (int x = 0; x < cols; ++x) to[x] *= 2.0f;
  }
}

/// Windows of 3 x 3 elements two apart, one around each element. The matrix is also what was pooled
/// and its gradient.
inline void DilatedGrad(Matrix out, const Matrix &in) {
  const int rows = static_cast<int>(in.size(0)), cols = static_cast<int>(in.size(1));
  for (int y = 0; y < rows; ++y) {
    const float *const from = in.dptr_ + y * cols;
    const Row to = out.dptr_ + y * cols;
    for (int x = 0; x < cols; ++x) to[x] = 0.0f;
    for (int p = y - 2; p <= y + 2; p += 2) {
      if (p < 0 || p >= rows) continue;
      const float *const windows = in.dptr_ + p * cols;
      for (int d = -2; d <= 2; d += 2) {
        for (int x = std::max(-d, 0); x < cols - std::max(d, 0); ++x) {
          to[x] += from[x] == windows[x + d] ? windows[x + d] : 0.0f;
        }
      }
    }
  }
}

inline void Arithmetic(Matrix out, const Matrix &in) {
  const int rows = static_cast<int>(in.size(0)), cols = static_cast<int>(in.size(1));
  for (int y = 0; y < rows; ++y) {
    const float *const from = in.dptr_ + y * cols, *const last = from + cols - 1;
    const float *const above = from - cols;
    const Row to = out.dptr_ + y * cols;
    for (int x = 0; x < cols; ++x) to[x] = last[-x] * last[-x] + 1.0f;
    if (y == 0) continue;
    for (int x = 0; x < cols; ++x) to[x] -= above[x] + above[x];
  }
}

/// As eight channels.
inline Image AsChannels(const Matrix &in) {
  return Image(in.dptr_, Shape3(8, in.size(0) / 8, in.size(1)));
}

inline void Channels(Matrix out, const Matrix &in) {
  const int plane = static_cast<int>(in.shape_.Size() / 8);
  for (int c = 0; c < 8; ++c) {
    const Row to = out.dptr_ + c * plane;
    const float *const own = in.dptr_ + c * plane;
    for (int i = 0; i < plane; ++i) to[i] = 0;
    for (int near = std::max(c - 2, 0); near <= std::min(c + 2, 7); ++near) {
      const float *const from = in.dptr_ + near * plane;
      for (int i = 0; i < plane; ++i) to[i] += from[i] * from[i];
    }
    for (int i = 0; i < plane; ++i) to[i] = own[i] * (to[i] + 1.0f);
  }
}

/// An image of a channel that has a quarter of the elements, and its patches of 2 x 2.
inline Image AsImage(const Matrix &in) {
  return Image(in.dptr_, Shape3(1, in.size(0) / 2, in.size(1) / 2));
}
inline Matrix AsPatches(const Matrix &in) {
  return Small(in, 4, (in.size(0) / 2 - 1) * (in.size(1) / 2 - 1));
}

inline void Unpack(Matrix whole, const Matrix &in) {
  const index_t n = in.size(0) / 2, count = n - 1;
  Row to = whole.dptr_;
  for (index_t d = 0; d < 4; ++d) {
    for (index_t y = 0; y < count; ++y, to += count) {
      const float *const from = in.dptr_ + (y + d / 2) * n + d % 2;
      for (index_t x = 0; x < count; ++x) to[x] = from[x] * 2.0f;
    }
  }
}

inline void Pack(Matrix whole, const Matrix &in) {
  const index_t n = in.size(0) / 2, count = n - 1;
  std::fill(whole.dptr_, whole.dptr_ + n * n, 0.0f);
  const float *from = in.dptr_;
  for (index_t d = 0; d < 4; ++d) {
    for (index_t y = 0; y < count; ++y, from += count) {
      const Row to = whole.dptr_ + (y + d / 2) * n + d % 2;
      for (index_t x = 0; x < count; ++x) to[x] += from[x];
    }
  }
  for (index_t i = 0; i < n * n; ++i) whole.dptr_[i] *= 2.0f;
}

}  // namespace by_hand

#endif  // BENCHMARKS_HAND_VIEWS_H_
