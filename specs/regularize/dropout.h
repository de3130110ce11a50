// SPDX-License-Identifier: Apache-2.0
/// \file dropout.h
/// Dropout, Srivastava et al. 2014, as all frameworks have it: what is kept is scaled up, so that
/// inference needs nothing.
#ifndef SPECS_REGULARIZE_DROPOUT_H_
#define SPECS_REGULARIZE_DROPOUT_H_

#include <mshadow/kernel.h>

namespace regularize {
using namespace mshadow;
using namespace mshadow::expr;

/// Dropout with a given mask: y = x / keep where the mask is not 0, and else 0. Backward it is the
/// same rule, of the gradients.
/// \param out activations
/// \param in activations; may be out
/// \param mask 1 for what is kept, 0 for what is dropped
/// \param keep probability that an element is kept, above 0
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Dropout(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                            const Tensor<xpu, dim, uint8_t> &mask,
                            MSHADOW_HYPER double keep = 0.5) {
  using Wide = Promoted<DType>;
  const Wide scale = Wide(1) / static_cast<Wide>(keep);
  out = tcast<DType>(where(mask, tcast<Wide>(in) * scale, Wide(0)));
}
MSHADOW_INSTANTIATE(Dropout, float, double, half::half_t, bfloat::bf16_t);

/// Dropout that draws its mask: y = x / keep with probability keep, and else 0. Element i is kept
/// if word i of Philox4x32-10 (Salmon et al. 2011) with this seed and sequence is below keep.
/// Backward it is the same rule, of the gradients, with the same seed and sequence: it draws the
/// same mask again, so that no memory holds it.
/// \param out activations
/// \param in activations; may be out
/// \param seed seed of the training run
/// \param sequence another number for each layer and step
/// \param keep probability that an element is kept, above 0
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void RandomDropout(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                  int64_t seed, int64_t sequence, MSHADOW_HYPER double keep = 0.5) {
  using Wide = Promoted<DType>;
  const Wide scale = Wide(1) / static_cast<Wide>(keep);
  out = tcast<DType>(where(random_bernoulli<Wide>(in.shape_, keep, seed, sequence),
                           tcast<Wide>(in) * scale, Wide(0)));
}
MSHADOW_INSTANTIATE(RandomDropout, float, double, half::half_t, bfloat::bf16_t);

}  // namespace regularize

#endif  // SPECS_REGULARIZE_DROPOUT_H_
