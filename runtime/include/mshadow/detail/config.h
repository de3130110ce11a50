// SPDX-License-Identifier: Apache-2.0
/// \file config.h
/// What every header needs first: integer types, inlining, the inline namespace.
#ifndef MSHADOW_CONFIG_H_
#define MSHADOW_CONFIG_H_

#ifdef __FAST_MATH__
#error "mshadow gives the same bits everywhere, which -ffast-math breaks: build without it"
#endif

#ifdef __MSHADOW_GEN__
// The generator parses specs against these headers. Without any std header that takes milliseconds.
// The types are those of <cstdint>, which a spec may include.
typedef __INT8_TYPE__ int8_t;
typedef __INT16_TYPE__ int16_t;
typedef __INT32_TYPE__ int32_t;
typedef __INT64_TYPE__ int64_t;
typedef __UINT8_TYPE__ uint8_t;
typedef __UINT16_TYPE__ uint16_t;
typedef __UINT32_TYPE__ uint32_t;
typedef __UINT64_TYPE__ uint64_t;
typedef __SIZE_TYPE__ size_t;
#else
#include <cstddef>
#include <cstdint>
// Code for the original mshadow expects the C library's headers. They are cheap; tensor.h has those
// that are not.
#include <cfloat>
#include <climits>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#endif

/// A function that is always inlined, on the host and, if nvcc compiles, on the device: accessors,
/// operators, Plans. Builds without optimisation may define it as `inline`, and then compile
/// several times faster. Emitted .cc files may not: their packets must be inlined
/// (packet/begin_baseline.h refuses it).
#ifndef MSHADOW_XINLINE
#define MSHADOW_XINLINE_IS_FORCED 1
#ifdef __CUDACC__
#define MSHADOW_XINLINE inline __attribute__((always_inline)) __host__ __device__
#else
#define MSHADOW_XINLINE inline __attribute__((always_inline))
#endif
#endif
/// The same for functions of the host only. The names are the original mshadow's.
#define MSHADOW_CINLINE inline __attribute__((always_inline))
#define MSHADOW_FORCE_INLINE inline __attribute__((always_inline))

#define MSHADOW_CONSTEXPR constexpr
#define MSHADOW_NO_EXCEPTION noexcept(true)
#define MSHADOW_THROW_EXCEPTION noexcept(false)
#define MSHADOW_ALIGNED(bytes) __attribute__((aligned(bytes)))

/// A loop that evaluates. It is never inlined: the caller may be compiled with contraction, and a
/// loop has the floating-point rules of the function that it is in.
#define MSHADOW_NOINLINE __attribute__((noinline))

// Switches of the original mshadow, for user code that tests them. How the runtime is built decides
// what it does: CMake options choose BLAS and CUDA. Instructions and threads are chosen at run
// time.
#ifndef MSHADOW_STAND_ALONE
#define MSHADOW_STAND_ALONE 0
#endif
#ifndef MSHADOW_USE_CUDA
#if defined(__CUDACC__) && !MSHADOW_STAND_ALONE
#define MSHADOW_USE_CUDA 1
#else
#define MSHADOW_USE_CUDA 0
#endif
#endif
#ifndef MSHADOW_USE_CBLAS
#define MSHADOW_USE_CBLAS 0
#endif
#ifndef MSHADOW_USE_MKL
#define MSHADOW_USE_MKL 0
#endif
#ifndef MSHADOW_USE_CUDNN
#define MSHADOW_USE_CUDNN 0
#endif
#ifndef MSHADOW_USE_CUSOLVER
#define MSHADOW_USE_CUSOLVER 0
#endif
#ifndef MSHADOW_USE_CUTENSOR
#define MSHADOW_USE_CUTENSOR 0
#endif
#ifndef MSHADOW_USE_NVML
#define MSHADOW_USE_NVML 0
#endif
#ifndef MSHADOW_USE_SSE
#define MSHADOW_USE_SSE 0
#endif
#ifndef MSHADOW_USE_F16C
#define MSHADOW_USE_F16C 0
#endif
#ifndef MSHADOW_OLD_CUDA
#define MSHADOW_OLD_CUDA 0
#endif
/// In the original mshadow, GPU work without a stream is an error. Here it goes to the default
/// stream.
#ifndef MSHADOW_FORCE_STREAM
#define MSHADOW_FORCE_STREAM 0
#endif
/// Rounding to 16 bits is always to nearest even.
#define MSHADOW_HALF_ROUND_TO_NEAREST 1
/// The standard that the headers need is C++17.
#define MSHADOW_IN_CXX11 1

// Classes are in an inline namespace whose name has the revision of their layout. So a process that
// also loads another mshadow (an old libmxnet, say) cannot mix the two. The generator sees one
// program only, and has no such namespace. A namespace that is opened inside must never be opened
// outside, nor the other way round: compilers disagree whether the two are one. `detail` is always
// inside; expr, op, sv, red and blas are outside.
#ifdef __MSHADOW_GEN__
#define MSHADOW_VERSION_BEGIN
#define MSHADOW_VERSION_END
#else
#define MSHADOW_VERSION_BEGIN inline namespace MSHADOW_VERSION {
#define MSHADOW_VERSION_END }
#endif

/// `extern "C"`, by the original mshadow's name.
#define MSHADOW_EXTERN_C extern "C"

/// The type of index_t: int64_t, unless the runtime was configured for int32_t or uint32_t, which
/// users of mshadow had before 2019. The namespace's name has it, since layouts depend on it. If a
/// file and the runtime disagree, the linker's message has the name of this macro.
#ifndef MSHADOW_INDEX_TYPE
#define MSHADOW_INDEX_TYPE int64_t
#endif
#define MSHADOW_VERSION MSHADOW_PASTE(MSHADOW_VERSION_OF_, MSHADOW_INDEX_TYPE)
#define MSHADOW_VERSION_OF_int64_t v1
#define MSHADOW_VERSION_OF_int32_t v1_MSHADOW_INDEX_TYPE_int32_t
#define MSHADOW_VERSION_OF_uint32_t v1_MSHADOW_INDEX_TYPE_uint32_t
#define MSHADOW_PASTE(a, b) MSHADOW_PASTE_NOW(a, b)
#define MSHADOW_PASTE_NOW(a, b) a##b

/// The original mshadow's switch, for code that tests it: whether index_t is 64 bits wide. Flags of
/// users' old builds do not change it.
#undef MSHADOW_INT64_TENSOR_SIZE
#define MSHADOW_INT64_TENSOR_SIZE MSHADOW_PASTE(MSHADOW_IS_64_BITS_, MSHADOW_INDEX_TYPE)
#define MSHADOW_IS_64_BITS_int64_t 1
#define MSHADOW_IS_64_BITS_int32_t 0
#define MSHADOW_IS_64_BITS_uint32_t 0

#ifndef __GNUC__
#error "mshadow needs GCC or Clang, for their vectors and target pragmas; MSVC has neither"
#endif

#endif  // MSHADOW_CONFIG_H_
