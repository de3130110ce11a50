// SPDX-License-Identifier: Apache-2.0
// Compiled twice: with the emitted rules, and with MSHADOW_UNFUSED, where they are the spec's.
#include "steep_calls.h"

#include <mshadow/tensor.h>

#include "routing.gen.h"
#include "steep.gen.h"

#ifdef MSHADOW_UNFUSED
#define CALL CallUnfused
#else
#define CALL CallFused
#endif

using namespace mshadow;

void CALL(Steep rule, const SteepTensors &t) {
  switch (rule) {
    case Steep::kOver:
      return steep::Over(t.bytes_out, t.bytes);
    case Steep::kUnit:
      return steep::Unit(t.out, t.in);
    case Steep::kChannel:
      return steep::Channel(t.out, t.in);
    case Steep::kComplex: {
      const Shape<3> shape = Shape3(t.in.size(0), t.in.size(1) / 2, 2);
      const Tensor<cpu, 3, float> out(t.out.dptr_, shape), in(t.in.dptr_, shape);
      return steep::Complex(out, in,
                            Tensor<cpu, 2, float>(t.gain.dptr_, Shape2(shape[0], shape[1])));
    }
    case Steep::kForces:
      return steep::Forces(t.out[0], t.in[0]);
    case Steep::kCausal:
      return steep::Causal(t.out, t.in, t.queries);
    case Steep::kCausalByVector:
      return steep::CausalByVector(t.out, t.in, t.query);
    case Steep::kShares:
      return steep::Shares(t.bytes_out, t.bytes, t.more_bytes);
    case Steep::kToBytes:
      return steep::ToBytes(t.bytes_out, t.in);
    case Steep::kFromBytes:
      return steep::FromBytes(t.out, t.bytes);
    case Steep::kWave:
      return steep::Wave(t.out, t.in);
    case Steep::kGroupNorm:
      return steep::GroupNorm(t.out, t.in, t.gain, t.samples, t.plane);
    case Steep::kScatter:
      return steep::Scatter(t.out, t.weights, t.chosen);
    case Steep::kGate:
      return layer::TopKGate(t.out, t.chosen, t.in);
    case Steep::kGateGrad:
      return layer::TopKGateGrad(t.out, t.weights_grad, t.weights, t.chosen);
    case Steep::kPixels:
    case Steep::kFlip: {
      const index_t rows = t.in.size(0), cols = t.in.size(1) / kImageChannels;
      const Shape<3> pixels = Shape3(rows, cols, kImageChannels);
      const Tensor<cpu, 3, float> out(t.out.dptr_, pixels), in(t.in.dptr_, pixels);
      if (rule == Steep::kFlip) return steep::Flip(out, in);
      const Shape<3> planes = Shape3(kImageChannels, rows, cols);
      return steep::Pixels(out, Tensor<cpu, 3, float>(t.in.dptr_, planes));
    }
  }
}
