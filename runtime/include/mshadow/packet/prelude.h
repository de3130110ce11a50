// SPDX-License-Identifier: Apache-2.0
/// \file prelude.h
/// What packet regions need: headers of std and of intrinsics, which cannot be included within a
/// namespace; traits of element types; and types that name lanes.
///
/// A *region* is a namespace with packet types for one instruction set. Each region includes the
/// same text, because a function that uses an instruction must itself be compiled for an
/// instruction set that has it:
///
///     namespace avx2 {
///     #include <mshadow/packet/avx2.inc>
///     }
#ifndef MSHADOW_PACKET_PRELUDE_H_
#define MSHADOW_PACKET_PRELUDE_H_

#include <type_traits>
#include <utility>

#include "mshadow/bfloat.h"
#include "mshadow/detail/cast.h"
#include "mshadow/detail/marks.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/half.h"
#include "mshadow/isa.h"
#include "mshadow/packet/check_flags.h"
#include "mshadow/packet/software_fma.h"

#if defined(__x86_64__)
#include <emmintrin.h>  // enough for users of emitted headers; regions have begin_strict.h
#endif

/// Hides from the optimizer how a variable in a vector or float register got its value.
#if defined(__x86_64__)
#define MSHADOW_PACKET_OPAQUE(variable) asm("" : "+v"(variable))
#elif defined(__aarch64__)
#define MSHADOW_PACKET_OPAQUE(variable) asm("" : "+w"(variable))
#else
#define MSHADOW_PACKET_OPAQUE(variable) asm("" : "+m"(variable))
#endif

// Whether the compiler may use an instruction for a b + c anywhere in the file.
#if (defined(__FMA__) || defined(__aarch64__)) && !defined(MSHADOW_TEST_SOFTWARE_FMA)
#define MSHADOW_HAS_FMA 1
#else
#define MSHADOW_HAS_FMA 0
#endif

// Regions beyond the baseline need x86-64 and a compiler with target pragmas. nvcc's own parser has
// none. It needs none: kernels use the device region.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define MSHADOW_HAS_AVX2 1
#define MSHADOW_HAS_AVX512 1
#else
#define MSHADOW_HAS_AVX2 0
#define MSHADOW_HAS_AVX512 0
#endif

namespace mshadow {
namespace packet {

/// The coordinates of an element in its matrix.
struct Place {
  int64_t row;
  int64_t column;
  int64_t number = 0;  ///< the index in row-major order, if a rule uses it
};
MSHADOW_XINLINE Place operator+(const Place &at, int64_t columns) {
  return {at.row, at.column + columns, at.number + columns};
}

/// Names all lanes of a packet.
struct AllLanes {};

/// All lanes of a packet, and whether a store that may be non-temporal is so.
struct StreamedLanes : AllLanes {
  bool past_cache;
};
/// The same for a single store; the other stores of the packet's row are ordinary.
struct PastCache {
  bool past_cache;
};

/// Names the first lanes of a packet: 0 <= count < N. Memory of the other lanes is not touched; a
/// load sets them to T(1), so that none traps.
struct FirstLanes {
  int64_t count;
};

/// The first lane alone: count is 1. It is stored as an element is.
struct FirstLane : FirstLanes {};

/// Names `count` lanes of a packet, from `first` on.
struct LanesBetween {
  int64_t first, count;
  MSHADOW_XINLINE bool Has(int64_t lane) const { return first <= lane && lane < first + count; }
};

/// How many of the \p count elements at \p p come before the first packet of N that lies within a
/// cache line: less than N. 0 if there are too few elements for an extra step to pay.
template <int N, typename T>
MSHADOW_XINLINE index_t LanesToBoundary(const T *p, index_t count) {
  constexpr uintptr_t kPacket = N * sizeof(T) < 64 ? N * sizeof(T) : 64;
  constexpr index_t kWorthwhile = 16 * N;
  const uintptr_t beyond = reinterpret_cast<uintptr_t>(p) % kPacket;
  if (beyond == 0 || count < kWorthwhile) return 0;
  return static_cast<index_t>((kPacket - beyond) / sizeof(T));
}

/// The lanes of packets of N elements, of which the first is stored at \p p. If packets straddle
/// lines, their stores are ordinary.
template <int N, typename T>
MSHADOW_XINLINE StreamedLanes Streamed(bool streams, const T *p) {
  constexpr uintptr_t kPacket = N * sizeof(T);
  return {AllLanes(), streams && reinterpret_cast<uintptr_t>(p) % kPacket == 0};
}

template <int kBytes>
struct IntegersOf;
template <>
struct IntegersOf<1> {
  using Signed = int8_t;
  using Unsigned = uint8_t;
};
template <>
struct IntegersOf<2> {
  using Signed = int16_t;
  using Unsigned = uint16_t;
};
template <>
struct IntegersOf<4> {
  using Signed = int32_t;
  using Unsigned = uint32_t;
};
template <>
struct IntegersOf<8> {
  using Signed = int64_t;
  using Unsigned = uint64_t;
};
/// The signed integers of kBytes bytes; the unsigned ones as wide as T.
template <int kBytes>
using SignedOf = typename IntegersOf<kBytes>::Signed;
template <typename T>
using UnsignedLike = typename IntegersOf<sizeof(T)>::Unsigned;

template <typename A, typename B>
inline constexpr bool kIsSame = false;
template <typename A>
inline constexpr bool kIsSame<A, A> = true;

/// 16-bit floats. Their lanes are floats, whose values the type holds exactly.
template <typename T>
inline constexpr bool kIsNarrow = kIsSame<T, half::half_t> || kIsSame<T, bfloat::bf16_t>;
template <typename T>
inline constexpr bool kIsFloat = kIsSame<T, float> || kIsSame<T, double>;
template <typename T>
inline constexpr bool kIsInteger = !kIsNarrow<T> && !kIsFloat<T>;
template <typename T>
inline constexpr bool kIsSigned = T(-1) < T(0);
template <>
inline constexpr bool kIsSigned<half::half_t> = true;
template <>
inline constexpr bool kIsSigned<bfloat::bf16_t> = true;

/// Bytes that an element of type T has in a packet.
template <typename T>
inline constexpr int kLaneBytes = kIsNarrow<T> ? 4 : static_cast<int>(sizeof(T));

/// Enables a template for element types, including bool.
template <typename T>
using IfElement =
    typename narrow_float::EnableIf<narrow_float::IsArithmetic<T>::value || kIsNarrow<T>>::type;

/// A parameter of type Identity<T> does not deduce T.
template <typename T>
struct IdentityOf {
  using type = T;
};
template <typename T>
using Identity = typename IdentityOf<T>::type;

/// Integer division in every region. A zero divisor gives 0, so that every lane may execute a
/// division that a rule guards by a condition. The quotient wraps.
template <typename T>
MSHADOW_XINLINE constexpr T Quotient(T a, T b) {
  if (b == 0) return 0;
  if (kIsSigned<T> && b == T(-1)) return static_cast<T>(0 - static_cast<UnsignedLike<T>>(a));
  return static_cast<T>(a / b);
}
/// The remainder that belongs to Quotient; 0 if the divisor is 0.
template <typename T>
MSHADOW_XINLINE constexpr T Remainder(T a, T b) {
  if (b == 0 || (kIsSigned<T> && b == T(-1))) return 0;
  return static_cast<T>(a % b);
}

}  // namespace packet
}  // namespace mshadow

#endif  // MSHADOW_PACKET_PRELUDE_H_
