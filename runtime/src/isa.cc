// SPDX-License-Identifier: Apache-2.0
#include "mshadow/isa.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "mshadow/error.h"
#include "mshadow/limit_isa.h"
#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace mshadow {
namespace {

/// What the processor has and the operating system saves.
Isa Supported() {
#if defined(__x86_64__)
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  // __builtin_cpu_supports knows no "f16c" in older compilers.
  const bool f16c = __get_cpuid(1, &eax, &ebx, &ecx, &edx) != 0 && (ecx >> 29 & 1) != 0;
  if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma") || !f16c) {
    return Isa::kBaseline;
  }
  const bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  return avx512 ? Isa::kAvx512 : Isa::kAvx2;
#else
  return Isa::kBaseline;
#endif
}

Isa Decide() {
  const Isa supported = Supported();
  const char *const name = std::getenv("MSHADOW_ISA");
  if (name == nullptr || *name == '\0') return supported;
  for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
    if (std::string(name) == IsaName(isa)) return isa < supported ? isa : supported;
  }
  throw Error("MSHADOW_ISA: expected baseline, avx2 or avx512, got '" + std::string(name) + "'");
}

std::atomic<Isa> limit{Isa::kAvx512};  // LimitIsa's

constexpr int kUndecided = -1;
std::atomic<int> decided{kUndecided};  // the Isa of the first call

// Apart: every launch asks, and but for the first one only loads what was decided.
MSHADOW_NOINLINE int DecideOnce() {
  static const int isa = static_cast<int>(Decide());
  decided.store(isa, std::memory_order_relaxed);
  return isa;
}

}  // namespace

Isa ActiveIsa() {
  int isa = decided.load(std::memory_order_relaxed);
  if (isa == kUndecided) isa = DecideOnce();
  return std::min(static_cast<Isa>(isa), limit.load(std::memory_order_relaxed));
}

void LimitIsa(Isa isa) { limit.store(isa, std::memory_order_relaxed); }

Isa IsaToMove(int64_t bytes) {
  constexpr int64_t kNear = int64_t{4} << 20;
  const Isa isa = ActiveIsa();
  return bytes > kNear && isa > Isa::kAvx2 ? Isa::kAvx2 : isa;
}

const char *IsaName(Isa isa) {
  switch (isa) {
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512:
      return "avx512";
    case Isa::kBaseline:
      break;
  }
  return "baseline";
}

}  // namespace mshadow
