// SPDX-License-Identifier: Apache-2.0
#include "include/curand.h"

#include <random>
#include <set>

#include "state.h"

struct curandGenerator_st {
  int device;
  cudaStream_t stream;
  std::mt19937_64 engine;
  unsigned long long seed;
};

namespace fakecuda {
namespace {

std::set<curandGenerator_st *> generators;

curandStatus_t Begin(curandGenerator_st *generator, const char *call) {
  if (generators.count(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  return Enter(call) == cudaSuccess ? CURAND_STATUS_SUCCESS : CURAND_STATUS_LAUNCH_FAILURE;
}

/// Queues the draws, which go on from where the generator is now.
template <typename T, typename Distribution>
curandStatus_t Generate(curandGenerator_st *generator, const char *call, T *out, size_t count,
                        Distribution distribution) {
  auto lock = Lock();
  if (const curandStatus_t status = Begin(generator, call)) return status;
  if (!IsStream(generator->stream)) return CURAND_STATUS_OUT_OF_RANGE;
  std::mt19937_64 engine = generator->engine;
  generator->engine.discard(4 * count + 4);
  const int device = generator->device;
  Enqueue(generator->stream, [=]() mutable {
    DeviceAccess open(device);
    for (size_t i = 0; i < count; ++i) out[i] = static_cast<T>(distribution(engine));
  });
  return CURAND_STATUS_SUCCESS;
}

}  // namespace
}  // namespace fakecuda

curandStatus_t curandCreateGenerator(curandGenerator_t *generator, curandRngType_t) {
  auto lock = fakecuda::Lock();
  if (fakecuda::Enter(__func__) != cudaSuccess) return CURAND_STATUS_NOT_INITIALIZED;
  *generator = new curandGenerator_st{fakecuda::CurrentDevice(), nullptr, std::mt19937_64(0), 0};
  fakecuda::generators.insert(*generator);
  fakecuda::CountObjects(1);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandDestroyGenerator(curandGenerator_t generator) {
  auto lock = fakecuda::Lock();
  const bool failed = fakecuda::Enter(__func__) != cudaSuccess;
  if (fakecuda::generators.erase(generator) == 0) return CURAND_STATUS_NOT_INITIALIZED;
  delete generator;
  fakecuda::CountObjects(-1);
  return failed ? CURAND_STATUS_LAUNCH_FAILURE : CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator,
                                                  unsigned long long seed) {
  auto lock = fakecuda::Lock();
  if (const curandStatus_t status = fakecuda::Begin(generator, __func__)) return status;
  generator->seed = seed;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset) {
  auto lock = fakecuda::Lock();
  if (const curandStatus_t status = fakecuda::Begin(generator, __func__)) return status;
  generator->engine.seed(generator->seed);
  generator->engine.discard(offset);
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandSetStream(curandGenerator_t generator, cudaStream_t stream) {
  auto lock = fakecuda::Lock();
  if (const curandStatus_t status = fakecuda::Begin(generator, __func__)) return status;
  generator->stream = stream;
  return CURAND_STATUS_SUCCESS;
}

curandStatus_t curandGenerate(curandGenerator_t generator, unsigned *out, size_t count) {
  return fakecuda::Generate(generator, __func__, out, count,
                            [](std::mt19937_64 &engine) { return engine() >> 32; });
}
curandStatus_t curandGenerateUniform(curandGenerator_t generator, float *out, size_t count) {
  return fakecuda::Generate(generator, __func__, out, count,
                            [](std::mt19937_64 &engine) {  // (0, 1], as cuRAND
                              return static_cast<float>((engine() >> 40) + 1) / 16777216.0f;
                            });
}
curandStatus_t curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count) {
  return fakecuda::Generate(generator, __func__, out, count, [](std::mt19937_64 &engine) {
    return static_cast<double>((engine() >> 11) + 1) / 9007199254740992.0;
  });
}
curandStatus_t curandGenerateNormal(curandGenerator_t generator, float *out, size_t count,
                                    float mean, float deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return fakecuda::Generate(generator, __func__, out, count,
                            std::normal_distribution<float>(mean, deviation));
}
curandStatus_t curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t count,
                                          double mean, double deviation) {
  if (count % 2 != 0) return CURAND_STATUS_LENGTH_NOT_MULTIPLE;
  return fakecuda::Generate(generator, __func__, out, count,
                            std::normal_distribution<double>(mean, deviation));
}
