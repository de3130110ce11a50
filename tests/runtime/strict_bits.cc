// SPDX-License-Identifier: Apache-2.0
// Prints a hash of what a few unfused rules compute. strict_bits.sh compiles this file many ways
// and compares: the headers' guard, not the flags, decides about contraction.
#include <cstdio>
#include <cstring>

#include "strict_bits_rule.h"

namespace {
using namespace mshadow;  // NOLINT

uint64_t hash = 14695981039346656037u;

void Add(const void *data, size_t size) {
  const unsigned char *bytes = static_cast<const unsigned char *>(data);
  for (size_t i = 0; i < size; ++i) hash = (hash ^ bytes[i]) * 1099511628211u;
}

template <typename T>
void Run(index_t rows, index_t cols, bool pad) {
  TensorContainer<cpu, 2, T> w(Shape2(rows, cols), 0, pad), m(w.shape_, 0, pad),
      g(w.shape_, 0, !pad);
  uint32_t state = 12345;
  for (index_t y = 0; y < rows; ++y) {
    for (index_t x = 0; x < cols; ++x) {
      for (TensorContainer<cpu, 2, T> *t : {&w, &m, &g}) {
        state = state * 1664525u + 1013904223u;
        (*t)[y][x] = ScalarCast<T>((static_cast<float>(state >> 8) - 8388608.0f) / 4194304.0f);
      }
    }
  }
  for (int i = 0; i < 3; ++i) rules::Rule<cpu, 2, T>(w, m, g, 0.1f, 0.013f);
  for (index_t y = 0; y < rows; ++y) {
    Add(w[y].dptr_, static_cast<size_t>(cols) * sizeof(T));
    Add(m[y].dptr_, static_cast<size_t>(cols) * sizeof(T));
  }
  TensorContainer<cpu, 1, T> sums(Shape1(cols));
  sums = 0.3f * mshadow::expr::sum_rows(w * m);
  sums += 0.7f * mshadow::expr::sumall_except_dim<1>(w);
  Add(sums.dptr_, static_cast<size_t>(cols) * sizeof(T));
  TensorContainer<cpu, 2, T> turned(Shape2(cols, rows), 0, !pad);
  turned = w.T();
  for (index_t x = 0; x < cols; ++x) Add(turned[x].dptr_, static_cast<size_t>(rows) * sizeof(T));
}

/// Every kind of float as half_t, by itself and as the result of an operator: ties, subnormals,
/// infinities, NaN.
void RunConversions() {
  TensorContainer<cpu, 1, float> any(Shape1(20011));
  TensorContainer<cpu, 1, half::half_t> narrow(any.shape_);
  uint32_t state = 1;
  for (index_t i = 0; i < any.shape_[0]; ++i) {
    state = state * 1664525u + 1013904223u;
    // Half of them where half_t has numbers, some of those between two.
    const uint32_t bits =
        i % 2 == 0 ? state
                   : (state & 0x80000000u) | ((0x32000000u + state % 0x16000000u) & 0xfffff000u);
    std::memcpy(&any[i], &bits, sizeof(bits));
  }
  narrow = mshadow::expr::tcast<half::half_t>(any);
  Add(narrow.dptr_, 2 * static_cast<size_t>(any.shape_[0]));
  narrow = mshadow::expr::tcast<half::half_t>(mshadow::expr::F<op::abs>(any));
  Add(narrow.dptr_, 2 * static_cast<size_t>(any.shape_[0]));
}

/// Every half_t as float, by itself, in short rows and as an operand.
void RunWidening() {
  TensorContainer<cpu, 1, half::half_t> every(Shape1(65536));
  for (unsigned bits = 0; bits < 65536; ++bits) {
    every[static_cast<index_t>(bits)] = half::half_t::Binary(static_cast<unsigned short>(bits));
  }
  TensorContainer<cpu, 1, float> wide(every.shape_);
  wide = mshadow::expr::tcast<float>(every);
  Add(wide.dptr_, 4 * 65536);
  wide = 2.0f - mshadow::expr::tcast<float>(every);
  Add(wide.dptr_, 4 * 65536);
  const Tensor<cpu, 2, half::half_t> rows(every.dptr_, Shape2(6000, 9), 10, nullptr);
  TensorContainer<cpu, 2, float> copy(rows.shape_);
  copy = mshadow::expr::tcast<float>(rows);
  for (index_t y = 0; y < 6000; ++y) Add(copy[y].dptr_, 4 * 9);
}

/// Arithmetic of every half_t with others: in rows that are no multiple of eight, of scalars and of
/// what is rounded in between, in place, where it is added.
void RunHalfArithmetic() {
  using half::half_t;
  TensorContainer<cpu, 2, half_t> a(Shape2(2048, 37), half_t(0)), b(a.shape_), c(a.shape_);
  for (index_t i = 0; i < 2048 * 37; ++i) {
    const unsigned bits = static_cast<unsigned>(i) & 0xffff;
    // One NaN at most: which of two an addition gives is the compiler's choice.
    const bool is_nan = (bits & 0x7fff) > 0x7c00;
    a[i / 37][i % 37] = half_t::Binary(static_cast<unsigned short>(bits));
    b[i / 37][i % 37] = is_nan ? half_t(1.5f) : half_t(static_cast<float>(i % 97 - 48) * 0.37f);
  }
  const auto add = [&c] {
    for (index_t y = 0; y < c.shape_[0]; ++y) Add(c[y].dptr_, 2 * 37);
  };
  c = a + b;
  add();
  c = a - b;
  add();
  c = a * b;
  add();
  c = a / (b + half_t(20.0f));
  add();
  c = half_t(0.3f) * (b * b + b);
  add();
  c += a + b;
  add();
  c = c - mshadow::expr::repmat(b[5], c.shape_[0]) * b;
  add();
  const Tensor<cpu, 2, half_t> narrow(b.dptr_, Shape2(2048, 7), b.stride_, nullptr);
  Tensor<cpu, 2, half_t> few(c.dptr_, narrow.shape_, c.stride_, nullptr);
  few = narrow + narrow;
  add();
}

template <typename T>
void RunSizes() {
  Run<T>(1, 301, false);
  Run<T>(7, 33, true);
  Run<T>(64, 64, false);
}

}  // namespace

int main() {
  RunSizes<float>();
  RunSizes<double>();
  RunSizes<half::half_t>();
  RunSizes<bfloat::bf16_t>();
  RunConversions();
  RunWidening();
  RunHalfArithmetic();
  std::printf("%016llx\n", static_cast<unsigned long long>(hash));
}
