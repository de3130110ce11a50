// SPDX-License-Identifier: Apache-2.0
// Expressions: with scalars that are computed once, a choice between two formulas, two element
// types.
#include <mshadow/kernel.h>

namespace loss {
using namespace mshadow;
using namespace mshadow::expr;

/// Huber's loss: d^2 / 2 where abs(d) <= delta, else delta (abs(d) - delta / 2), d = a - b.
/// Huber 1964.
/// \param delta where the parabola ends
/// \param scaled whether it is divided by delta, as the smooth L1 loss is
template <typename A, typename B>
MSHADOW_EXPRESSION auto Huber(const A &a, const B &b, float delta = 1.0f, bool scaled = false) {
  auto d = a - b;
  auto limited = F<op::minimum>(F<op::maximum>(d, -delta), delta);
  auto loss = limited * (d - 0.5f * limited);
  return scaled ? loss * (1.0f / delta) : loss * 1.0f;
}
MSHADOW_INSTANTIATE_EXPRESSION(Huber, float, double);

/// Values of a table of 256, scaled.
template <typename Q, typename S>
MSHADOW_EXPRESSION auto Dequantize(const Q &q, const S &scale) {
  return tcast<float>(q) * scale;
}
MSHADOW_INSTANTIATE_EXPRESSION(Dequantize, Types<int8_t, float>);
}  // namespace loss
