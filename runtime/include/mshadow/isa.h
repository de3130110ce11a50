// SPDX-License-Identifier: Apache-2.0
/// \file isa.h
/// The instruction sets that emitted kernels choose from.
#ifndef MSHADOW_ISA_H_
#define MSHADOW_ISA_H_

#include <cstdint>

#include "mshadow/detail/config.h"

namespace mshadow {

/// Ordered: each has all that the ones before it have.
enum class Isa {
  kBaseline,  ///< what the compiler may use anywhere: SSE2 on x86-64, NEON on AArch64
  kAvx2,      ///< AVX2, FMA, F16C
  kAvx512Vl,  ///< AVX-512 F, BW, VL, DQ in packets of kShortPacket bytes; of loops without, AVX2
  kAvx512,    ///< the same in packets of 64 bytes
};

/// Bytes of a packet of kAvx512Vl.
inline constexpr int kShortPacket = 32;

/// The best one that the processor and the system support, or the one that MSHADOW_ISA in the
/// environment names (baseline, avx2, avx512vl, avx512), if that is lower. Decided at the first
/// call.
/// \throws Error if MSHADOW_ISA names nothing known
Isa ActiveIsa();

/// \name What ActiveIsa gives, or a lower one that is faster for a loop of a kind
/// Where MSHADOW_ISA names an instruction set, that one.
/// @{

/// For a loop that does little but move \p bytes: beyond what caches near the core hold, packets of
/// 64 bytes are no faster than those of 32, and on some processors a fifth slower.
Isa IsaToMove(int64_t bytes);

/// For one that stores what it does not read: it waits for stores where they leave the core's first
/// cache already, and for the clock, which Intel's processors lower for packets of 64 bytes.
Isa IsaToCopy(int64_t bytes);

/// For a loop that waits for quotients and square roots, which take twice as long in packets of 64
/// bytes as in those of 32: where the longer ones lower the clock, the shorter ones are faster.
Isa IsaToDivide();

/// The same of elements of types \p T. Narrow ones are converted, which is work of another kind.
template <typename... T>
MSHADOW_CINLINE Isa IsaToCopyOf(int64_t bytes) {
  return ((sizeof(T) >= sizeof(float)) && ...) ? IsaToCopy(bytes) : IsaToMove(bytes);
}
template <typename... T>
MSHADOW_CINLINE Isa IsaToDivideOf() {
  return ((sizeof(T) >= sizeof(float)) && ...) ? IsaToDivide() : ActiveIsa();
}

/// @}

/// "baseline", "avx2", "avx512vl", "avx512".
const char *IsaName(Isa isa);

}  // namespace mshadow

#endif  // MSHADOW_ISA_H_
