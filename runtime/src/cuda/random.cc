// SPDX-License-Identifier: Apache-2.0
// Random numbers, by cuRAND.
#include <curand.h>

#include <memory>
#include <string>

#include "check.h"
#include "mshadow/detail/random_gpu.h"

namespace mshadow {
namespace cuda {
namespace {

void CheckRandom(curandStatus_t status, const char *call) {
  if (status == CURAND_STATUS_SUCCESS) return;
  throw Error(std::string(call) + ": cuRAND status " + std::to_string(static_cast<int>(status)));
}

/// Calls \p draw, which queues on \p stream, unless there is nothing to draw.
template <typename Function, typename T, typename... Parameters>
void Draw(const char *call, Function draw, curandGenerator_t generator, CUstream_st *stream, T *dst,
          size_t count, Parameters... parameters) {
  if (count == 0) return;
  CheckRandom(curandSetStream(generator, stream), "curandSetStream");
  CheckRandom(draw(generator, dst, count, parameters...), call);
}

}  // namespace

curandGenerator_st *CreateRandom(int seed) {
  curandGenerator_t generator = nullptr;
  CheckRandom(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_DEFAULT),
              "curandCreateGenerator");
  std::unique_ptr<curandGenerator_st, void (*)(curandGenerator_st *)> owner(generator,
                                                                            DestroyRandom);
  SeedRandom(generator, seed);
  return owner.release();
}

void DestroyRandom(curandGenerator_st *generator) noexcept {
  if (generator != nullptr) curandDestroyGenerator(generator);
}

void SeedRandom(curandGenerator_st *generator, int seed) {
  CheckRandom(curandSetPseudoRandomGeneratorSeed(generator, static_cast<unsigned>(seed)),
              "curandSetPseudoRandomGeneratorSeed");
  CheckRandom(curandSetGeneratorOffset(generator, 0), "curandSetGeneratorOffset");
}

void DrawUniform(curandGenerator_st *generator, CUstream_st *stream, float *dst, size_t count) {
  Draw("curandGenerateUniform", curandGenerateUniform, generator, stream, dst, count);
}
void DrawUniform(curandGenerator_st *generator, CUstream_st *stream, double *dst, size_t count) {
  Draw("curandGenerateUniformDouble", curandGenerateUniformDouble, generator, stream, dst, count);
}
void DrawGaussian(curandGenerator_st *generator, CUstream_st *stream, float *dst, size_t count,
                  float mu, float sigma) {
  Draw("curandGenerateNormal", curandGenerateNormal, generator, stream, dst, count, mu, sigma);
}
void DrawGaussian(curandGenerator_st *generator, CUstream_st *stream, double *dst, size_t count,
                  double mu, double sigma) {
  Draw("curandGenerateNormalDouble", curandGenerateNormalDouble, generator, stream, dst, count, mu,
       sigma);
}
void DrawBits(curandGenerator_st *generator, CUstream_st *stream, unsigned *dst, size_t count) {
  Draw("curandGenerate", curandGenerate, generator, stream, dst, count);
}

}  // namespace cuda
}  // namespace mshadow
