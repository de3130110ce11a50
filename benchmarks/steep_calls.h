// SPDX-License-Identifier: Apache-2.0
/// \file steep_calls.h
/// The rules of steep.h as kernels and as their own templates, on the same tensors.
#ifndef MSHADOW_BENCHMARKS_STEEP_CALLS_H_
#define MSHADOW_BENCHMARKS_STEEP_CALLS_H_

#include <mshadow/detail/tensor_view.h>

/// What a call reads and writes: of each rule, what it has a parameter for.
struct SteepTensors {
  mshadow::Tensor<mshadow::cpu, 2, float> out, in;
  mshadow::Tensor<mshadow::cpu, 2, uint8_t> bytes_out, bytes, more_bytes;
  mshadow::Tensor<mshadow::cpu, 1, float> gain;
  mshadow::Tensor<mshadow::cpu, 2, float> weights, weights_grad;  ///< of the experts in `chosen`
  mshadow::Tensor<mshadow::cpu, 2, int64_t> chosen;
  mshadow::Tensor<mshadow::cpu, 1, int32_t> query;  ///< of each row
  int queries = 1;                                  ///< of a head
  mshadow::index_t samples = 1, plane = 1;
};

enum class Steep {
  kOver,
  kUnit,
  kChannel,
  kComplex,
  kForces,
  kCausal,
  kCausalByVector,
  kShares,
  kToBytes,
  kFromBytes,
  kWave,
  kGroupNorm,
  kScatter,
  kGate,
  kGateGrad,
  kPixels,
  kFlip,
};

constexpr mshadow::index_t kImageChannels = 3;

void CallFused(Steep rule, const SteepTensors &tensors);
void CallUnfused(Steep rule, const SteepTensors &tensors);

#endif  // MSHADOW_BENCHMARKS_STEEP_CALLS_H_
