// SPDX-License-Identifier: Apache-2.0
/// \file check.h
/// Turns the status of CUDA calls into Error.
#ifndef MSHADOW_SRC_CUDA_CHECK_H_
#define MSHADOW_SRC_CUDA_CHECK_H_

#include <cuda_runtime_api.h>

namespace mshadow {
namespace cuda {

/// \throws Error "<call>: <name> (<description>)" unless \p status is success. The error is taken
/// from CUDA's memory of it, so that no later call reports it again.
void Check(cudaError_t status, const char *call);

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_SRC_CUDA_CHECK_H_
