// SPDX-License-Identifier: Apache-2.0
/// \file isa.h
/// The instruction sets that emitted kernels choose from.
#ifndef MSHADOW_ISA_H_
#define MSHADOW_ISA_H_

#include <cstdint>

namespace mshadow {

/// Ordered: each has all that the ones before it have.
enum class Isa {
  kBaseline,  ///< what the compiler may use anywhere: SSE2 on x86-64, NEON on AArch64
  kAvx2,      ///< AVX2, FMA, F16C
  kAvx512,    ///< AVX-512 F, BW, VL, DQ
};

/// The best one that the processor and the system support, or the one that MSHADOW_ISA in the
/// environment names (baseline, avx2, avx512), if that is lower. Decided at the first call.
/// \throws Error if MSHADOW_ISA names nothing known
Isa ActiveIsa();

/// The one for a loop that does little but move \p bytes: beyond what caches near the core hold,
/// packets of 64 bytes are no faster than those of 32, and on some processors a fifth slower.
Isa IsaToMove(int64_t bytes);

/// "baseline", "avx2", "avx512".
const char *IsaName(Isa isa);

}  // namespace mshadow

#endif  // MSHADOW_ISA_H_
