// SPDX-License-Identifier: Apache-2.0
/// \file scalar.h
/// The region of one lane, on ordinary scalars: mshadow::packet::scalar. mshadow::math is made of
/// it, and emitted headers run formulas on it, one element at a time.
///
/// It gives the vector regions' bits under any of the includer's flags: every product passes a
/// barrier, so that it cannot be contracted with a sum even after inlining into a function that is
/// compiled with contraction.
#ifndef MSHADOW_PACKET_SCALAR_H_
#define MSHADOW_PACKET_SCALAR_H_

#include "mshadow/packet/prelude.h"

#define MSHADOW_PACKET_AVX2 0
#define MSHADOW_PACKET_AVX512 0
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

#endif  // MSHADOW_PACKET_SCALAR_H_
