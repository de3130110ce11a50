// SPDX-License-Identifier: Apache-2.0
/// \file isa.h
/// The instruction sets for which kernels are compiled, and which of them a launch uses.
#ifndef MSHADOW_ISA_H_
#define MSHADOW_ISA_H_

#include <cstdint>

#include "mshadow/detail/config.h"

namespace mshadow {

/// In order: each includes all that come before it.
enum class Isa {
  kBaseline,  ///< what the compiler may use anywhere: SSE2 on x86-64, NEON on AArch64
  kAvx2,      ///< AVX2, FMA, F16C
  kAvx512Vl,  ///< AVX-512 F, BW, VL, DQ in packets of kShortPacket bytes; a kernel without a loop
              ///< for it runs the loop of kAvx2
  kAvx512,    ///< the same in packets of 64 bytes
};

/// Bytes of a packet of kAvx512Vl.
inline constexpr int kShortPacket = 32;

/// The best instruction set that the processor and the system support. MSHADOW_ISA in the
/// environment (baseline, avx2, avx512vl, avx512) can lower it, as can LimitIsa (limit_isa.h). The
/// processor and the environment are examined at the first call.
/// \throws Error if MSHADOW_ISA has another value
Isa ActiveIsa();

/// \name The instruction set for a certain kind of loop: ActiveIsa(), or a lower one that is faster
/// If MSHADOW_ISA is set, each function returns ActiveIsa().
/// @{

/// For a loop that mostly moves memory. \p bytes is what the launch loads and stores. Above 4 MiB,
/// which is more than the caches near the core hold, the result is at most kAvx512Vl: packets of
/// 64 bytes are then no faster than those of 32, and on some processors a fifth slower.
Isa IsaToMove(int64_t bytes);

/// For a loop that mostly moves memory and never reads what it writes. Above 48 KiB, which is more
/// than the core's L1 cache holds, such a loop waits for its stores, and its speed depends on the
/// clock. Intel's processors lower the clock for packets of 64 bytes: there the result is at most
/// kAvx512Vl. On other processors it is that of IsaToMove.
Isa IsaToCopy(int64_t bytes);

/// For a loop that spends its time on divisions and square roots. They take twice as long for a
/// packet of 64 bytes as for one of 32, so longer packets gain nothing. On Intel's processors,
/// which lower the clock for packets of 64 bytes, the result is at most kAvx512Vl.
Isa IsaToDivide();

/// IsaToCopy and IsaToDivide for a loop over elements of types \p T. If a type is narrower than
/// float, the loop also converts elements: then IsaToCopyOf returns IsaToMove(bytes), and
/// IsaToDivideOf returns ActiveIsa().
template <typename... T>
MSHADOW_CINLINE Isa IsaToCopyOf(int64_t bytes) {
  return ((sizeof(T) >= sizeof(float)) && ...) ? IsaToCopy(bytes) : IsaToMove(bytes);
}
template <typename... T>
MSHADOW_CINLINE Isa IsaToDivideOf() {
  return ((sizeof(T) >= sizeof(float)) && ...) ? IsaToDivide() : ActiveIsa();
}

/// @}

/// The name of \p isa: "baseline", "avx2", "avx512vl" or "avx512".
const char *IsaName(Isa isa);

}  // namespace mshadow

#endif  // MSHADOW_ISA_H_
