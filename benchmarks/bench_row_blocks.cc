// SPDX-License-Identifier: Apache-2.0
// Whether the linked BLAS gives a product of some rows the bits that the product of all rows has.
// If it did, a rule could compute its products a block of rows at a time
// (docs/decisions/stages.md).
#include <mshadow/tensor.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

namespace {

using namespace mshadow;
using namespace mshadow::expr;

using Matrix = TensorContainer<cpu, 2, float>;

constexpr index_t kRows = 1031;  // a prime, so that the last block is a short one

/// Floats in [-1, 1), from a linear congruential generator.
void Fill(Matrix *matrix) {
  static uint32_t state = 1;
  for (index_t y = 0; y < matrix->size(0); ++y) {
    for (index_t x = 0; x < matrix->size(1); ++x) {
      state = state * 1664525u + 1013904223u;
      (*matrix)[y][x] = static_cast<float>(static_cast<int32_t>(state)) * 0x1p-31f;
    }
  }
}

/// The share of elements whose bits differ.
double Differing(const Matrix &a, const Matrix &b) {
  int64_t count = 0;
  for (index_t y = 0; y < a.size(0); ++y) {
    for (index_t x = 0; x < a.size(1); ++x) {
      count += std::memcmp(a[y].dptr_ + x, b[y].dptr_ + x, sizeof(float)) != 0;
    }
  }
  return static_cast<double>(count) / static_cast<double>(a.shape_.Size());
}

template <typename Left, typename Right>
double Compare(const Left &left, const Right &right, index_t columns, index_t block) {
  Matrix whole(Shape2(kRows, columns)), blocks(Shape2(kRows, columns));
  whole = dot(left, right);
  for (index_t begin = 0; begin < kRows; begin += block) {
    const index_t end = std::min(begin + block, kRows);
    Tensor<cpu, 2, float> rows = blocks.Slice(begin, end);
    rows = dot(left.Slice(begin, end), right);
  }
  return Differing(whole, blocks);
}

}  // namespace

int main() {
  InitTensorEngine<cpu>();
  std::printf("products of %d rows; the other factor has 30 shapes, each also transposed\n",
              static_cast<int>(kRows));
  std::printf("rows of a block   cases   with other bits   elements with other bits, %%\n");
  for (const index_t block : {8, 16, 32, 64, 128, 256, 512}) {
    int cases = 0, other = 0;
    double least = 1, most = 0;
    for (const index_t inner : {16, 40, 64, 100, 256, 768}) {
      for (const index_t columns : {16, 50, 128, 768, 1031}) {
        Matrix left(Shape2(kRows, inner)), right(Shape2(inner, columns));
        Matrix transposed(Shape2(columns, inner));
        Fill(&left), Fill(&right), Fill(&transposed);
        for (const double share : {Compare(left, right, columns, block),
                                   Compare(left, transposed.T(), columns, block)}) {
          ++cases;
          other += share > 0;
          least = std::min(least, share);
          most = std::max(most, share);
        }
      }
    }
    std::printf("%15d %7d %17d   %4.1f to %4.1f\n", static_cast<int>(block), cases, other,
                100 * least, 100 * most);
  }
}
