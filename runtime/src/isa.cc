// SPDX-License-Identifier: Apache-2.0
#include "mshadow/isa.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <string>

#include "mshadow/detail/exception.h"
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

/// Whether packets of 64 bytes lower the clock.
bool LowersClock() {
#if defined(__x86_64__)
  unsigned eax = 0;
  unsigned ebx = 0;
  unsigned ecx = 0;
  unsigned edx = 0;
  return __get_cpuid(0, &eax, &ebx, &ecx, &edx) != 0 && ebx == signature_INTEL_ebx;
#else
  return false;
#endif
}

/// Loops: of any kind, those that move much, those whose time the clock tells.
enum Kind { kAny, kMoves, kClocked, kKinds };

struct Choice {
  Isa of[kKinds];
};

Choice Decide() {
  const Isa best = Supported(), shorter = std::min(best, Isa::kAvx512Vl);
  const char *const name = std::getenv("MSHADOW_ISA");
  if (name == nullptr || *name == '\0') return {{best, shorter, LowersClock() ? shorter : best}};
  for (const Isa named : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512Vl, Isa::kAvx512}) {
    const Isa isa = std::min(named, best);
    if (std::string(name) == IsaName(named)) return {{isa, isa, isa}};
  }
  throw Error("MSHADOW_ISA: expected baseline, avx2, avx512vl or avx512, got '" +
              std::string(name) + "'");
}

std::atomic<Isa> limit{Isa::kAvx512};  // LimitIsa's

constexpr int kUndecided = -1;
std::atomic<int> decided[kKinds] = {{kUndecided}, {kUndecided}, {kUndecided}};

// Apart: every launch asks, and but for the first one only loads what was decided.
MSHADOW_NOINLINE int DecideOnce(Kind kind) {
  static const Choice choice = Decide();
  const int isa = static_cast<int>(choice.of[kind]);
  decided[kind].store(isa, std::memory_order_relaxed);
  return isa;
}

Isa IsaOf(Kind kind) {
  int isa = decided[kind].load(std::memory_order_relaxed);
  if (isa == kUndecided) isa = DecideOnce(kind);
  return std::min(static_cast<Isa>(isa), limit.load(std::memory_order_relaxed));
}

}  // namespace

Isa ActiveIsa() { return IsaOf(kAny); }

void LimitIsa(Isa isa) { limit.store(isa, std::memory_order_relaxed); }

Isa IsaToMove(int64_t bytes) {
  constexpr int64_t kNear = int64_t{4} << 20;
  return IsaOf(bytes > kNear ? kMoves : kAny);
}

Isa IsaToCopy(int64_t bytes) {
  constexpr int64_t kFirstCache = int64_t{48} << 10;
  const Isa isa = IsaToMove(bytes);
  return bytes > kFirstCache ? std::min(isa, IsaOf(kClocked)) : isa;
}

Isa IsaToDivide() { return IsaOf(kClocked); }

const char *IsaName(Isa isa) {
  switch (isa) {
    case Isa::kAvx2:
      return "avx2";
    case Isa::kAvx512Vl:
      return "avx512vl";
    case Isa::kAvx512:
      return "avx512";
    case Isa::kBaseline:
      break;
  }
  return "baseline";
}

}  // namespace mshadow
