// SPDX-License-Identifier: Apache-2.0
// Loops over the float functions of SLEEF, glibc's libmvec and Eigen. Compiled twice, for AVX2 with
// FMA and for AVX-512 (MSHADOW_BENCH_ISA), which each library's names and packets follow.
#include "functions.h"

#define MSHADOW_BENCH_JOIN_(a, b) a##b
#define MSHADOW_BENCH_JOIN(a, b) MSHADOW_BENCH_JOIN_(a, b)

#include <immintrin.h>
#if MSHADOW_BENCH_SLEEF
#include <sleef.h>
#endif
#if MSHADOW_BENCH_EIGEN
// Both copies of this file instantiate Eigen's templates; the linker would keep one of each.
#define Eigen MSHADOW_BENCH_JOIN(Eigen, MSHADOW_BENCH_ISA)
#include <Eigen/Core>
#include <unsupported/Eigen/SpecialFunctions>
#endif

#define MSHADOW_BENCH_LOOPS_OF(library) MSHADOW_BENCH_JOIN(library##Loops, MSHADOW_BENCH_ISA)

#if defined(__AVX512F__)
#define MSHADOW_BENCH_VECTOR __m512
#define MSHADOW_BENCH_LANES 16
#define MSHADOW_BENCH_LOAD _mm512_loadu_ps
#define MSHADOW_BENCH_STORE _mm512_storeu_ps
#define MSHADOW_BENCH_SLEEF_NAME(name) Sleef_##name##f16_u10avx512f
#define MSHADOW_BENCH_SLEEF_ERFC Sleef_erfcf16_u15avx512f
#define MSHADOW_BENCH_LIBMVEC_NAME(name) _ZGVeN16v_##name##f
#define MSHADOW_BENCH_LIBMVEC_PAIR(name) _ZGVeN16vv_##name##f
#define MSHADOW_BENCH_SLEEF_HYPOT Sleef_hypotf16_u05avx512f
#define MSHADOW_BENCH_SLEEF_SINCOS Sleef_sincosf16_u10avx512f
#define MSHADOW_BENCH_MAX _mm512_max_ps
#elif defined(__AVX2__)
#define MSHADOW_BENCH_VECTOR __m256
#define MSHADOW_BENCH_LANES 8
#define MSHADOW_BENCH_LOAD _mm256_loadu_ps
#define MSHADOW_BENCH_STORE _mm256_storeu_ps
#define MSHADOW_BENCH_SLEEF_NAME(name) Sleef_##name##f8_u10avx2
#define MSHADOW_BENCH_SLEEF_ERFC Sleef_erfcf8_u15avx2
#define MSHADOW_BENCH_LIBMVEC_NAME(name) _ZGVdN8v_##name##f
#define MSHADOW_BENCH_LIBMVEC_PAIR(name) _ZGVdN8vv_##name##f
#define MSHADOW_BENCH_SLEEF_HYPOT Sleef_hypotf8_u05avx2
#define MSHADOW_BENCH_SLEEF_SINCOS Sleef_sincosf8_u10avx2
#define MSHADOW_BENCH_MAX _mm256_max_ps
#endif

#if MSHADOW_BENCH_LIBMVEC
#define MSHADOW_BENCH_DECLARE(name) \
  extern "C" MSHADOW_BENCH_VECTOR MSHADOW_BENCH_LIBMVEC_NAME(name)(MSHADOW_BENCH_VECTOR);
MSHADOW_BENCH_DECLARE(exp)
MSHADOW_BENCH_DECLARE(expm1)
MSHADOW_BENCH_DECLARE(log)
MSHADOW_BENCH_DECLARE(log1p)
MSHADOW_BENCH_DECLARE(tanh)
MSHADOW_BENCH_DECLARE(erf)
MSHADOW_BENCH_DECLARE(exp2)
MSHADOW_BENCH_DECLARE(exp10)
MSHADOW_BENCH_DECLARE(log2)
MSHADOW_BENCH_DECLARE(log10)
MSHADOW_BENCH_DECLARE(sin)
MSHADOW_BENCH_DECLARE(cos)
MSHADOW_BENCH_DECLARE(tan)
MSHADOW_BENCH_DECLARE(atan)
MSHADOW_BENCH_DECLARE(asin)
MSHADOW_BENCH_DECLARE(acos)
MSHADOW_BENCH_DECLARE(sinh)
MSHADOW_BENCH_DECLARE(cosh)
MSHADOW_BENCH_DECLARE(asinh)
MSHADOW_BENCH_DECLARE(acosh)
MSHADOW_BENCH_DECLARE(atanh)
MSHADOW_BENCH_DECLARE(cbrt)
MSHADOW_BENCH_DECLARE(erfc)
extern "C" {
MSHADOW_BENCH_VECTOR MSHADOW_BENCH_LIBMVEC_PAIR(atan2)(MSHADOW_BENCH_VECTOR, MSHADOW_BENCH_VECTOR);
MSHADOW_BENCH_VECTOR MSHADOW_BENCH_LIBMVEC_PAIR(hypot)(MSHADOW_BENCH_VECTOR, MSHADOW_BENCH_VECTOR);
}
#endif

namespace mshadow_bench {
namespace {

// No template over the function: SLEEF's have attributes of their own.
#define MSHADOW_BENCH_ROW(name, function)                                  \
  {#name, [](const float *in, float *out, int64_t n) {                     \
     for (int64_t i = 0; i < n; i += MSHADOW_BENCH_LANES) {                \
       MSHADOW_BENCH_STORE(out + i, function(MSHADOW_BENCH_LOAD(in + i))); \
     }                                                                     \
   }},
#define MSHADOW_BENCH_ROW_OF_TWO(name, function)                                         \
  {#name, [](const float *in, float *out, int64_t n) {                                   \
     for (int64_t i = 0; i < n; i += MSHADOW_BENCH_LANES) {                              \
       const MSHADOW_BENCH_VECTOR second = MSHADOW_BENCH_LOAD(in + PlaceOfSecond(i, n)); \
       MSHADOW_BENCH_STORE(out + i, function(MSHADOW_BENCH_LOAD(in + i), second));       \
     }                                                                                   \
   }},
#define MSHADOW_BENCH_ROW_OF_BOTH(name, function)                       \
  {#name, [](const float *in, float *out, int64_t n) {                  \
     for (int64_t i = 0; i < n; i += MSHADOW_BENCH_LANES) {             \
       const auto both = function(MSHADOW_BENCH_LOAD(in + i));          \
       MSHADOW_BENCH_STORE(out + i, MSHADOW_BENCH_MAX(both.x, both.y)); \
     }                                                                  \
   }},
#define MSHADOW_BENCH_ROWS(row)                                                               \
  row(exp) row(expm1) row(log) row(log1p) row(tanh) row(erf) row(exp2) row(exp10) row(log2)   \
      row(log10) row(sin) row(cos) row(tan) row(atan) row(asin) row(acos) row(sinh) row(cosh) \
          row(asinh) row(acosh) row(atanh) row(cbrt)
#define MSHADOW_BENCH_SLEEF_ROW(name) MSHADOW_BENCH_ROW(name, MSHADOW_BENCH_SLEEF_NAME(name))
#define MSHADOW_BENCH_LIBMVEC_ROW(name) MSHADOW_BENCH_ROW(name, MSHADOW_BENCH_LIBMVEC_NAME(name))

#if MSHADOW_BENCH_EIGEN
using Elements = Eigen::Map<Eigen::ArrayXf>;
using Arguments = Eigen::Map<const Eigen::ArrayXf>;
#define MSHADOW_BENCH_EIGEN_ROW(name) \
  {#name,                             \
   [](const float *in, float *out, int64_t n) { Elements(out, n) = Arguments(in, n).name(); }},
#endif

}  // namespace

FunctionLoops MSHADOW_BENCH_LOOPS_OF(Sleef)() {
#if MSHADOW_BENCH_SLEEF
  // It has no erfc within 1 ULP: that within 1.5; of hypot that within 0.5.
  return {MSHADOW_BENCH_ROWS(MSHADOW_BENCH_SLEEF_ROW) MSHADOW_BENCH_SLEEF_ROW(lgamma)
              MSHADOW_BENCH_ROW_OF_BOTH(sincos, MSHADOW_BENCH_SLEEF_SINCOS)
                  MSHADOW_BENCH_ROW(erfc, MSHADOW_BENCH_SLEEF_ERFC)
                      MSHADOW_BENCH_ROW_OF_TWO(atan2, MSHADOW_BENCH_SLEEF_NAME(atan2))
                          MSHADOW_BENCH_ROW_OF_TWO(hypot, MSHADOW_BENCH_SLEEF_HYPOT)};
#else
  return {};
#endif
}

FunctionLoops MSHADOW_BENCH_LOOPS_OF(Libmvec)() {
#if MSHADOW_BENCH_LIBMVEC
  return {MSHADOW_BENCH_ROWS(MSHADOW_BENCH_LIBMVEC_ROW) MSHADOW_BENCH_LIBMVEC_ROW(erfc)
              MSHADOW_BENCH_ROW_OF_TWO(atan2, MSHADOW_BENCH_LIBMVEC_PAIR(atan2))
                  MSHADOW_BENCH_ROW_OF_TWO(hypot, MSHADOW_BENCH_LIBMVEC_PAIR(hypot))};
#else
  return {};
#endif
}

FunctionLoops MSHADOW_BENCH_LOOPS_OF(Eigen)() {
#if MSHADOW_BENCH_EIGEN
  return {MSHADOW_BENCH_EIGEN_ROW(exp) MSHADOW_BENCH_EIGEN_ROW(expm1) MSHADOW_BENCH_EIGEN_ROW(log)
              MSHADOW_BENCH_EIGEN_ROW(log1p) MSHADOW_BENCH_EIGEN_ROW(tanh)
                  MSHADOW_BENCH_EIGEN_ROW(rsqrt) MSHADOW_BENCH_EIGEN_ROW(sin)
                      MSHADOW_BENCH_EIGEN_ROW(cos) MSHADOW_BENCH_EIGEN_ROW(tan)
                          MSHADOW_BENCH_EIGEN_ROW(atanh) MSHADOW_BENCH_EIGEN_ROW(acosh)
                              MSHADOW_BENCH_EIGEN_ROW(asinh) MSHADOW_BENCH_EIGEN_ROW(cosh)
                                  MSHADOW_BENCH_EIGEN_ROW(sinh) MSHADOW_BENCH_EIGEN_ROW(acos)
                                      MSHADOW_BENCH_EIGEN_ROW(asin) MSHADOW_BENCH_EIGEN_ROW(atan){
                                          "sigmoid", [](const float *in, float *out, int64_t n) {
                                            Elements(out, n) = Arguments(in, n).logistic();
                                          }}};
#else
  return {};
#endif
}

}  // namespace mshadow_bench
