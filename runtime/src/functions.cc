// SPDX-License-Identifier: Apache-2.0
// The elementary functions of many elements, once for each instruction set.
#include "mshadow/expr/function.h"
#include "mshadow/isa.h"
#include "mshadow/packet/begin_strict.h"

namespace mshadow {
namespace {

using math::Function;
using math::FunctionOfTwo;

template <typename T>
using Loop = void (*)(const T *in, int64_t n, T *out);
template <typename T>
using LoopOfTwo = void (*)(const T *a, const T *b, int64_t n, T *out);

namespace baseline {
#include <mshadow/packet/baseline.inc>

#include "functions_of_region.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include <mshadow/packet/avx2.inc>

#include "functions_of_region.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include <mshadow/packet/avx512.inc>

#include "functions_of_region.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

/// That of the best region.
template <typename T, typename F>
auto BestLoopOf(F function) {
#if MSHADOW_HAS_AVX512
  if (ActiveIsa() >= Isa::kAvx512) return avx512::LoopOf<T>(function);
#endif
#if MSHADOW_HAS_AVX2
  if (ActiveIsa() >= Isa::kAvx2) return avx2::LoopOf<T>(function);
#endif
  return baseline::LoopOf<T>(function);
}

}  // namespace

namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

template <typename T>
void MapFunction(Function function, const T *in, int64_t n, T *out) {
  BestLoopOf<T>(function)(in, n, out);
}
template <typename T>
void MapFunction(FunctionOfTwo function, const T *a, const T *b, int64_t n, T *out) {
  BestLoopOf<T>(function)(a, b, n, out);
}

#define MSHADOW_FUNCTIONS_OF(T)                                 \
  template void MapFunction(Function, const T *, int64_t, T *); \
  template void MapFunction(FunctionOfTwo, const T *, const T *, int64_t, T *);
MSHADOW_FUNCTIONS_OF(float)
MSHADOW_FUNCTIONS_OF(double)
MSHADOW_FUNCTIONS_OF(half::half_t)
MSHADOW_FUNCTIONS_OF(bfloat::bf16_t)
#undef MSHADOW_FUNCTIONS_OF

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow
