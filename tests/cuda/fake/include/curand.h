// SPDX-License-Identifier: Apache-2.0
/// \file curand.h
/// The part of cuRAND that the project uses, on the fake runtime: other numbers than cuRAND's, of
/// the same distributions, drawn when the stream runs.
#ifndef MSHADOW_TESTS_CUDA_FAKE_CURAND_H_
#define MSHADOW_TESTS_CUDA_FAKE_CURAND_H_

#include "cuda_runtime_api.h"

enum curandStatus_t {
  CURAND_STATUS_SUCCESS = 0,
  CURAND_STATUS_NOT_INITIALIZED = 101,
  CURAND_STATUS_OUT_OF_RANGE = 104,
  CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
  CURAND_STATUS_LAUNCH_FAILURE = 201
};
enum curandRngType_t { CURAND_RNG_PSEUDO_DEFAULT = 100 };

using curandGenerator_t = struct curandGenerator_st *;

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
curandStatus_t curandDestroyGenerator(curandGenerator_t generator);
curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed);
curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream);
/// Normal draws come in pairs: an odd count is refused.
curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count);
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count);
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count);
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t count,
                                    float mean, float deviation);
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t count,
                                          double mean, double deviation);

#endif  // MSHADOW_TESTS_CUDA_FAKE_CURAND_H_
