// SPDX-License-Identifier: Apache-2.0
// Loops over the functions of SLEEF, glibc's libmvec and Eigen. Compiled twice, for AVX2 with FMA
// and for AVX-512 (MSHADOW_BENCH_ISA), which each library's names and packets follow.
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

// The names of functions of floats, and of doubles.
#if defined(__AVX512F__)
#define MSHADOW_BENCH_FLOATS __m512
#define MSHADOW_BENCH_DOUBLES __m512d
#define MSHADOW_BENCH_INTRINSIC(name) _mm512_##name
#define MSHADOW_BENCH_SLEEF_OF_FLOAT(name, bound) Sleef_##name##f16_##bound##avx512f
#define MSHADOW_BENCH_SLEEF_OF_DOUBLE(name, bound) Sleef_##name##d8_##bound##avx512f
#define MSHADOW_BENCH_MVEC_OF_FLOAT(name) _ZGVeN16v_##name##f
#define MSHADOW_BENCH_MVEC_OF_DOUBLE(name) _ZGVeN8v_##name
#define MSHADOW_BENCH_MVEC_OF_FLOATS(name) _ZGVeN16vv_##name##f
#define MSHADOW_BENCH_MVEC_OF_DOUBLES(name) _ZGVeN8vv_##name
#elif defined(__AVX2__)
#define MSHADOW_BENCH_FLOATS __m256
#define MSHADOW_BENCH_DOUBLES __m256d
#define MSHADOW_BENCH_INTRINSIC(name) _mm256_##name
#define MSHADOW_BENCH_SLEEF_OF_FLOAT(name, bound) Sleef_##name##f8_##bound##avx2
#define MSHADOW_BENCH_SLEEF_OF_DOUBLE(name, bound) Sleef_##name##d4_##bound##avx2
#define MSHADOW_BENCH_MVEC_OF_FLOAT(name) _ZGVdN8v_##name##f
#define MSHADOW_BENCH_MVEC_OF_DOUBLE(name) _ZGVdN4v_##name
#define MSHADOW_BENCH_MVEC_OF_FLOATS(name) _ZGVdN8vv_##name##f
#define MSHADOW_BENCH_MVEC_OF_DOUBLES(name) _ZGVdN4vv_##name
#endif

#define MSHADOW_BENCH_FUNCTIONS(row)                                                          \
  row(exp) row(expm1) row(log) row(log1p) row(tanh) row(erf) row(exp2) row(exp10) row(log2)   \
      row(log10) row(sin) row(cos) row(tan) row(atan) row(asin) row(acos) row(sinh) row(cosh) \
          row(asinh) row(acosh) row(atanh) row(cbrt)
#define MSHADOW_BENCH_FUNCTIONS_OF_TWO(row) row(atan2) row(hypot) row(pow)

#if MSHADOW_BENCH_LIBMVEC
#define MSHADOW_BENCH_DECLARE(name)                                             \
  MSHADOW_BENCH_FLOATS MSHADOW_BENCH_MVEC_OF_FLOAT(name)(MSHADOW_BENCH_FLOATS); \
  MSHADOW_BENCH_DOUBLES MSHADOW_BENCH_MVEC_OF_DOUBLE(name)(MSHADOW_BENCH_DOUBLES);
#define MSHADOW_BENCH_DECLARE_OF_TWO(name)                                         \
  MSHADOW_BENCH_FLOATS MSHADOW_BENCH_MVEC_OF_FLOATS(name)(MSHADOW_BENCH_FLOATS,    \
                                                          MSHADOW_BENCH_FLOATS);   \
  MSHADOW_BENCH_DOUBLES MSHADOW_BENCH_MVEC_OF_DOUBLES(name)(MSHADOW_BENCH_DOUBLES, \
                                                            MSHADOW_BENCH_DOUBLES);
extern "C" {
MSHADOW_BENCH_FUNCTIONS(MSHADOW_BENCH_DECLARE)
MSHADOW_BENCH_DECLARE(erfc)
MSHADOW_BENCH_FUNCTIONS_OF_TWO(MSHADOW_BENCH_DECLARE_OF_TWO)
}
#endif

namespace mshadow_bench {
namespace {

template <typename T>
struct Packet;
template <>
struct Packet<float> {
  using Vector = MSHADOW_BENCH_FLOATS;
  static Vector Load(const float *in) { return MSHADOW_BENCH_INTRINSIC(loadu_ps)(in); }
  static void Store(float *out, Vector v) { MSHADOW_BENCH_INTRINSIC(storeu_ps)(out, v); }
  static Vector Max(Vector a, Vector b) { return MSHADOW_BENCH_INTRINSIC(max_ps)(a, b); }
};
template <>
struct Packet<double> {
  using Vector = MSHADOW_BENCH_DOUBLES;
  static Vector Load(const double *in) { return MSHADOW_BENCH_INTRINSIC(loadu_pd)(in); }
  static void Store(double *out, Vector v) { MSHADOW_BENCH_INTRINSIC(storeu_pd)(out, v); }
  static Vector Max(Vector a, Vector b) { return MSHADOW_BENCH_INTRINSIC(max_pd)(a, b); }
};
template <typename T>
constexpr int64_t kLanes = sizeof(typename Packet<T>::Vector) / sizeof(T);

// No template over the function: SLEEF's have attributes of their own.
#define MSHADOW_BENCH_ROW(T, name, function)                         \
  {#name, [](const T *in, T *out, int64_t n) {                       \
     for (int64_t i = 0; i < n; i += kLanes<T>) {                    \
       Packet<T>::Store(out + i, function(Packet<T>::Load(in + i))); \
     }                                                               \
   }},
#define MSHADOW_BENCH_ROW_OF_TWO(T, name, function)                          \
  {#name, [](const T *in, T *out, int64_t n) {                               \
     for (int64_t i = 0; i < n; i += kLanes<T>) {                            \
       const auto second = Packet<T>::Load(in + PlaceOfSecond(i, n));        \
       Packet<T>::Store(out + i, function(Packet<T>::Load(in + i), second)); \
     }                                                                       \
   }},
#define MSHADOW_BENCH_ROW_OF_BOTH(T, name, function)              \
  {#name, [](const T *in, T *out, int64_t n) {                    \
     for (int64_t i = 0; i < n; i += kLanes<T>) {                 \
       const auto both = function(Packet<T>::Load(in + i));       \
       Packet<T>::Store(out + i, Packet<T>::Max(both.x, both.y)); \
     }                                                            \
   }},

#if MSHADOW_BENCH_SLEEF
// It has no erfc within 1 ULP: that within 1.5; of hypot that within 0.5.
#define MSHADOW_BENCH_SLEEF_TABLE(T, name_of)                           \
  {                                                                     \
    MSHADOW_BENCH_FUNCTIONS(MSHADOW_BENCH_SLEEF_ROW)                    \
    MSHADOW_BENCH_SLEEF_ROW(lgamma)                                     \
    MSHADOW_BENCH_ROW(T, erfc, name_of(erfc, u15))                      \
        MSHADOW_BENCH_ROW_OF_BOTH(T, sincos, name_of(sincos, u10))      \
            MSHADOW_BENCH_ROW_OF_TWO(T, atan2, name_of(atan2, u10))     \
                MSHADOW_BENCH_ROW_OF_TWO(T, hypot, name_of(hypot, u05)) \
                    MSHADOW_BENCH_ROW_OF_TWO(T, pow, name_of(pow, u10)) \
  }
FunctionTable<float> SleefFloats() {
#define MSHADOW_BENCH_SLEEF_ROW(name) \
  MSHADOW_BENCH_ROW(float, name, MSHADOW_BENCH_SLEEF_OF_FLOAT(name, u10))
  return MSHADOW_BENCH_SLEEF_TABLE(float, MSHADOW_BENCH_SLEEF_OF_FLOAT);
#undef MSHADOW_BENCH_SLEEF_ROW
}
FunctionTable<double> SleefDoubles() {
#define MSHADOW_BENCH_SLEEF_ROW(name) \
  MSHADOW_BENCH_ROW(double, name, MSHADOW_BENCH_SLEEF_OF_DOUBLE(name, u10))
  return MSHADOW_BENCH_SLEEF_TABLE(double, MSHADOW_BENCH_SLEEF_OF_DOUBLE);
#undef MSHADOW_BENCH_SLEEF_ROW
}
#endif

#if MSHADOW_BENCH_LIBMVEC
#define MSHADOW_BENCH_MVEC_FLOAT(name) \
  MSHADOW_BENCH_ROW(float, name, MSHADOW_BENCH_MVEC_OF_FLOAT(name))
#define MSHADOW_BENCH_MVEC_DOUBLE(name) \
  MSHADOW_BENCH_ROW(double, name, MSHADOW_BENCH_MVEC_OF_DOUBLE(name))
#define MSHADOW_BENCH_MVEC_FLOATS(name) \
  MSHADOW_BENCH_ROW_OF_TWO(float, name, MSHADOW_BENCH_MVEC_OF_FLOATS(name))
#define MSHADOW_BENCH_MVEC_DOUBLES(name) \
  MSHADOW_BENCH_ROW_OF_TWO(double, name, MSHADOW_BENCH_MVEC_OF_DOUBLES(name))
#endif

#if MSHADOW_BENCH_EIGEN
template <typename T>
using Elements = Eigen::Map<Eigen::Array<T, Eigen::Dynamic, 1>>;
template <typename T>
using Arguments = Eigen::Map<const Eigen::Array<T, Eigen::Dynamic, 1>>;
#define MSHADOW_BENCH_EIGEN_ROW(name) \
  {#name, [](const T *in, T *out, int64_t n) { Elements<T>(out, n) = Arguments<T>(in, n).name(); }},
template <typename T>
FunctionTable<T> EigenTable() {
  return {MSHADOW_BENCH_EIGEN_ROW(exp) MSHADOW_BENCH_EIGEN_ROW(expm1) MSHADOW_BENCH_EIGEN_ROW(log)
              MSHADOW_BENCH_EIGEN_ROW(log1p) MSHADOW_BENCH_EIGEN_ROW(tanh)
                  MSHADOW_BENCH_EIGEN_ROW(rsqrt) MSHADOW_BENCH_EIGEN_ROW(sin)
                      MSHADOW_BENCH_EIGEN_ROW(cos) MSHADOW_BENCH_EIGEN_ROW(tan)
                          MSHADOW_BENCH_EIGEN_ROW(atanh) MSHADOW_BENCH_EIGEN_ROW(acosh)
                              MSHADOW_BENCH_EIGEN_ROW(asinh) MSHADOW_BENCH_EIGEN_ROW(cosh)
                                  MSHADOW_BENCH_EIGEN_ROW(sinh) MSHADOW_BENCH_EIGEN_ROW(acos)
                                      MSHADOW_BENCH_EIGEN_ROW(asin) MSHADOW_BENCH_EIGEN_ROW(atan){
                                          "sigmoid",
                                          [](const T *in, T *out, int64_t n) {
                                            Elements<T>(out, n) = Arguments<T>(in, n).logistic();
                                          }},
          {"pow", [](const T *in, T *out, int64_t n) {
             const Arguments<T> first(in, n / 2), second(in + n / 2, n / 2);
             Elements<T>(out, n / 2) = first.pow(second);
             Elements<T>(out + n / 2, n / 2) = second.pow(first);
           }}};
}
#endif

}  // namespace

FunctionLoops MSHADOW_BENCH_LOOPS_OF(Sleef)() {
#if MSHADOW_BENCH_SLEEF
  return {SleefFloats(), SleefDoubles()};
#else
  return {};
#endif
}

FunctionLoops MSHADOW_BENCH_LOOPS_OF(Libmvec)() {
#if MSHADOW_BENCH_LIBMVEC
  return {{MSHADOW_BENCH_FUNCTIONS(MSHADOW_BENCH_MVEC_FLOAT) MSHADOW_BENCH_MVEC_FLOAT(erfc)
               MSHADOW_BENCH_FUNCTIONS_OF_TWO(MSHADOW_BENCH_MVEC_FLOATS)},
          {MSHADOW_BENCH_FUNCTIONS(MSHADOW_BENCH_MVEC_DOUBLE) MSHADOW_BENCH_MVEC_DOUBLE(erfc)
               MSHADOW_BENCH_FUNCTIONS_OF_TWO(MSHADOW_BENCH_MVEC_DOUBLES)}};
#else
  return {};
#endif
}

FunctionLoops MSHADOW_BENCH_LOOPS_OF(Eigen)() {
#if MSHADOW_BENCH_EIGEN
  return {EigenTable<float>(), EigenTable<double>()};
#else
  return {};
#endif
}

}  // namespace mshadow_bench
