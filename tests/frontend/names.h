// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

/// A function of the spec's that returns an expression.
template <typename TA, typename TB, typename DType, int ta, int tb>
auto Mix(const Exp<TA, DType, ta> &a, const Exp<TB, DType, tb> &b, float share) {
  const float rest = 1.0f - share;
  auto first = a.self() * share;
  return first + b.self() * rest;
}

/// Names stand for their expressions.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Names(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in, float s,
                          bool first) {
  const auto &same = in;
  auto view = out;
  auto g = tcast<float>(same) * s;
  auto h = F<op::square>(g) + g;
  s = 2.0f;
  view = tcast<DType>(h + Mix(g, h, 0.25f) * s);
  out += first ? in : same;
}
MSHADOW_INSTANTIATE(Names, float);

/// MSHADOW_INSTANTIATE has template parameters of its own, none of which is called so.
template <typename xpu, typename DType>
MSHADOW_KERNEL void T(Tensor<xpu, 2, DType> out, const Tensor<xpu, 2, DType> &in) {
  out = in * in;
}
MSHADOW_INSTANTIATE(T, float);
}  // namespace specs
