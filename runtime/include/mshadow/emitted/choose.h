// SPDX-License-Identifier: Apache-2.0
/// \file choose.h
/// How a launch picks the variant of its loop: by bools that are known at run time, which become
/// template arguments, and by the instruction set.
#ifndef MSHADOW_CHOOSE_H_
#define MSHADOW_CHOOSE_H_

#include "mshadow/base.h"
#include "mshadow/detail/marks.h"
#include "mshadow/isa.h"

namespace mshadow {

/// A bool whose value is a constant, which may be a template argument.
template <bool kValue>
struct Bool {
  MSHADOW_XINLINE constexpr operator bool() const { return kValue; }
};

/// Calls \p function with a Bool for each condition, in order:
///
///     Choose([&](auto kNesterov) { return Loop<kNesterov>; }, nesterov)
template <typename Function>
MSHADOW_CINLINE auto Choose(Function function) {
  return function();
}
template <typename Function, typename... More>
MSHADOW_CINLINE auto Choose(Function function, bool condition, More... more) {
  const auto with = [&](auto constant) {
    return Choose([&](auto... rest) { return function(constant, rest...); }, more...);
  };
  return condition ? with(Bool<true>()) : with(Bool<false>());
}

/// A loop over elements, rows or channels [begin, end) of a Plan.
using PlanLoop = void (*)(const void *plan, index_t begin, index_t end);

/// \name The loop for an instruction set, of those for which it was compiled
/// \param isa the instruction set; ActiveIsa() unless given
/// \param short_avx512 the loop for packets of kShortPacket bytes
/// @{
MSHADOW_CINLINE PlanLoop LoopFor(Isa isa, PlanLoop baseline, PlanLoop avx2) {
  return isa >= Isa::kAvx2 ? avx2 : baseline;
}
MSHADOW_CINLINE PlanLoop LoopFor(Isa isa, PlanLoop baseline, PlanLoop avx2, PlanLoop avx512) {
  return isa >= Isa::kAvx512 ? avx512 : LoopFor(isa, baseline, avx2);
}
MSHADOW_CINLINE PlanLoop LoopFor(Isa isa, PlanLoop baseline, PlanLoop avx2, PlanLoop short_avx512,
                                 PlanLoop avx512) {
  if (isa == Isa::kAvx512Vl) return short_avx512;
  return LoopFor(isa, baseline, avx2, avx512);
}
MSHADOW_CINLINE PlanLoop LoopFor(PlanLoop baseline, PlanLoop avx2) {
  return LoopFor(ActiveIsa(), baseline, avx2);
}
MSHADOW_CINLINE PlanLoop LoopFor(PlanLoop baseline, PlanLoop avx2, PlanLoop avx512) {
  return LoopFor(ActiveIsa(), baseline, avx2, avx512);
}
/// @}

}  // namespace mshadow

#endif  // MSHADOW_CHOOSE_H_
