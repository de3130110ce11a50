// SPDX-License-Identifier: Apache-2.0
/// \file scalar.h
/// The region of one lane, on ordinary scalars: mshadow::packet::scalar. mshadow::math is made of
/// it, and emitted headers run formulas on it, one element at a time.
///
/// It computes the vector regions' bits under any of the includer's flags: every product passes a
/// barrier, so that it cannot be contracted with a sum even after inlining into a function that is
/// compiled with contraction.
///
/// The elementary functions need fused multiply-adds. Where the includer's flags allow no
/// instruction for them, a function is called, not inlined, and there are two of it: one for
/// processors that have the instruction, and one that computes the same in software.
#ifndef MSHADOW_PACKET_SCALAR_H_
#define MSHADOW_PACKET_SCALAR_H_

#include "mshadow/packet/prelude.h"

#define MSHADOW_PACKET_AVX2 0
#define MSHADOW_PACKET_AVX512 0

#if MSHADOW_HAS_AVX2 && !MSHADOW_HAS_FMA && !defined(MSHADOW_TEST_SOFTWARE_FMA)
#define MSHADOW_PACKET_CALLS_FMA 1
#include "mshadow/packet/begin_fma.inc"
namespace mshadow {
namespace packet {
/// The functions alone, for processors with FMA.
namespace scalar_fma {
#define MSHADOW_PACKET_FMA 1
#include "mshadow/packet/scalar_vec.inc"
// Written against it.
#include "mshadow/packet/half_lanes.inc"
#include "mshadow/packet/narrow.inc"
// Written against all of these.
#include "mshadow/packet/math.inc"
#undef MSHADOW_PACKET_FMA
}  // namespace scalar_fma
}  // namespace packet
}  // namespace mshadow
#include "mshadow/packet/end_isa.inc"
#else
#define MSHADOW_PACKET_CALLS_FMA 0
#endif

#define MSHADOW_PACKET_FMA 0
namespace mshadow {
namespace packet {
namespace scalar {

constexpr int kVectorBytes = 1;

template <typename... T>
MSHADOW_MAP constexpr int LanesFor() {
  return 1;
}

#include "mshadow/packet/scalar_vec.inc"
// The order matters: shared.inc is written against what stands above.
#include "mshadow/packet/half_lanes.inc"
#include "mshadow/packet/shared.inc"
// And this against all of it.
#include "mshadow/packet/places.inc"

template <typename Plan>
MSHADOW_MAP auto ScalarsOf(const Plan &plan) {
  return plan.scalars;
}

/// Element x of row y alone.
class OneElement : public OperandRows {
 public:
  MSHADOW_MAP OneElement(index_t y, index_t x) : OperandRows(y), x_(x) {}
  MSHADOW_MAP bool done() const { return is_done_; }
  MSHADOW_MAP void next() { is_done_ = true; }

  template <typename Out, typename Step>
  MSHADOW_MAP void ForEach(const Out &, const Step &step, bool = false) const {
    step(At<1, AllLanes>{x_, {}});
  }

 private:
  const index_t x_;
  bool is_done_ = false;
};

}  // namespace scalar
}  // namespace packet
}  // namespace mshadow

#undef MSHADOW_PACKET_AVX2
#undef MSHADOW_PACKET_AVX512
#undef MSHADOW_PACKET_FMA
#undef MSHADOW_PACKET_CALLS_FMA

#endif  // MSHADOW_PACKET_SCALAR_H_
