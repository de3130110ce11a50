// SPDX-License-Identifier: Apache-2.0
/// \file elementary.h
/// Elementary functions as rules, for benchmarks: no shipped rule is one of them alone.
#ifndef MSHADOW_BENCHMARKS_ELEMENTARY_H_
#define MSHADOW_BENCHMARKS_ELEMENTARY_H_

#include <mshadow/kernel.h>

namespace elementary {
using namespace mshadow;
using namespace mshadow::expr;

/// e^x.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Exp(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<op::exp>(in);
}
MSHADOW_INSTANTIATE(Exp, float);

/// The natural logarithm.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Log(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in) {
  out = F<op::log>(in);
}
MSHADOW_INSTANTIATE(Log, float);

}  // namespace elementary

#endif  // MSHADOW_BENCHMARKS_ELEMENTARY_H_
