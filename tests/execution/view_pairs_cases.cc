// SPDX-License-Identifier: Apache-2.0
// Compiled twice: with the emitted rules, and with MSHADOW_UNFUSED, where they are the spec's own.
#include "view_pairs_cases.h"

#include <mshadow/tensor.h>

#include MSHADOW_TEST_HEADER

namespace {

using namespace mshadow;

/// A tensor in rows that are padded, with numbers of both signs, of which none is another.
template <int dim>
struct Numbers {
  std::vector<float> elements;
  Tensor<cpu, dim, float> tensor;

  explicit Numbers(const Shape<dim> &shape, float first)
      : elements(static_cast<size_t>(shape.FlatTo2D()[0] * (shape[dim - 1] + 3))) {
    tensor = Tensor<cpu, dim, float>(elements.data(), shape, shape[dim - 1] + 3, nullptr);
    for (size_t i = 0; i < elements.size(); ++i) {
      elements[i] = (first + 0.3f * static_cast<float>(i)) * (i % 3 == 1 ? -1.0f : 1.0f);
    }
  }
};

std::vector<PairResult> Results() {
  Numbers<1> v(Shape1(4), 1), one(Shape1(1), 2.7f);
  Numbers<2> m(Shape2(4, 4), -3), r(Shape2(1, 4), 0.1f), c(Shape2(4, 1), -2);
  Numbers<3> t(Shape3(2, 4, 4), -4);
  Numbers<4> q(Shape4(2, 2, 4, 4), -5);
  int32_t numbers[] = {2, 0, 3, 3};
  const Tensor<cpu, 1, int32_t> index(numbers, Shape1(4));
  std::vector<PairResult> results;
#define CALL(rule, shape)                                                                      \
  {                                                                                            \
    Numbers<decltype(shape)::kDimension> out(shape, 7);                                        \
    view_pairs::rule(out.tensor, v.tensor, one.tensor, m.tensor, r.tensor, c.tensor, t.tensor, \
                     q.tensor, index);                                                         \
    results.push_back({#rule, out.elements});                                                  \
  }
#define CALL_AT_RANK(rule, shape, of, length)                                                 \
  {                                                                                           \
    Numbers<decltype(shape)::kDimension> out(shape, 7), in(of, -3);                           \
    Numbers<1> vector(Shape1(length), 1);                                                     \
    view_pairs::rule(out.tensor, in.tensor, vector.tensor);                                   \
    results.push_back({#rule " of " + std::to_string(out.tensor.kSubdim + 1), out.elements}); \
  }
#include "view_pairs_calls.inc"
#undef CALL
#undef CALL_AT_RANK
  return results;
}

}  // namespace

#ifdef MSHADOW_UNFUSED
std::vector<PairResult> UnfusedPairs() { return Results(); }
#else
std::vector<PairResult> FusedPairs() { return Results(); }
#endif
