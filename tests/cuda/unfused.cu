// SPDX-License-Identifier: Apache-2.0
// A spec as it stands, compiled by nvcc for the GPU: each statement a kernel.
#include "specs/activation/silu.h"
#include "specs/optim/adamw.h"

template void optim::AdamW<mshadow::gpu, 2, float>(
    mshadow::Tensor<mshadow::gpu, 2>, mshadow::Tensor<mshadow::gpu, 2>,
    mshadow::Tensor<mshadow::gpu, 2>, const mshadow::Tensor<mshadow::gpu, 2> &, float, float, float,
    float, float, int);

template void activation::Silu<mshadow::gpu, 1, mshadow::half::half_t>(
    mshadow::Tensor<mshadow::gpu, 1, mshadow::half::half_t>,
    const mshadow::Tensor<mshadow::gpu, 1, mshadow::half::half_t> &);
