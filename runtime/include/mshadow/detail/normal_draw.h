// SPDX-License-Identifier: Apache-2.0
/// \file normal_draw.h
/// Random elements one at a time, also normal ones: for GPUs, and for emitted code.
#ifndef MSHADOW_NORMAL_DRAW_H_
#define MSHADOW_NORMAL_DRAW_H_

#include "mshadow/detail/draws.h"
#include "mshadow/expr/op.h"
#include "mshadow/functions.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// One of the two normal numbers that Box and Muller (1958) make of two uniform ones.
/// \param u in (0, 1] \param angle in [0, 2 pi)
template <typename Real>
MSHADOW_XINLINE Real NormalOf(Real u, Real angle, bool second) {
  const Real radius = math::sqrt(op::mul::Map(Real(-2), math::log(u)));
  return op::mul::Map(radius, second ? math::sin(angle) : math::cos(angle));
}

/// Normal element \p i, from the block that has the words of its pair.
template <typename DType>
MSHADOW_XINLINE DType NormalOfBlock(const PhiloxBlock &block, uint64_t i) {
  const bool second = i % 2 != 0;
  constexpr double kTurn = 6.283185307179586;  // 2 pi
  if constexpr (sizeof(DType) == 8) {
    const auto digits = static_cast<double>(block.Pair(0) >> 11);
    const double u = op::plus::Map(op::mul::Map(digits, kNegativePowerOfTwo<double, 53>),
                                   kNegativePowerOfTwo<double, 54>);
    const auto turn = static_cast<double>(block.Pair(1) >> 11);
    return NormalOf(u, op::mul::Map(turn, kTurn * kNegativePowerOfTwo<double, 53>), second);
  } else {
    const unsigned at = static_cast<unsigned>(i) % 4u / 2u * 2u;
    const auto digits = static_cast<float>(static_cast<int32_t>(block.Word(at) >> 1));
    const float u = op::plus::Map(op::mul::Map(digits, kNegativePowerOfTwo<float, 31>),
                                  kNegativePowerOfTwo<float, 32>);
    const auto turn = static_cast<float>(static_cast<int32_t>(block.Word(at + 1) >> 8));
    constexpr auto kStep = static_cast<float>(kTurn * kNegativePowerOfTwo<double, 24>);
    return DType(NormalOf(u, op::mul::Map(turn, kStep), second));
  }
}

/// Elements one after the other. Those of one block share it.
template <DrawKind kDraw, typename DType>
class DrawCursor {
 public:
  MSHADOW_XINLINE explicit DrawCursor(const DrawKey &key) : key_(key) {}

  MSHADOW_XINLINE DType Element(uint64_t i) {
    const uint64_t number = i * kWordsOfDraw<kDraw, DType> / Philox::kWords;
    if (!has_block_ || number != number_) block_ = BlockOfDraw<kDraw, DType>(key_, i);
    has_block_ = true;
    number_ = number;
    if constexpr (kDraw == DrawKind::kNormal) {
      return NormalOfBlock<DType>(block_, i);
    } else {
      return ElementOfBlock<kDraw, DType>(key_, block_, i);
    }
  }

 private:
  const DrawKey key_;
  PhiloxBlock block_ = {};
  uint64_t number_ = 0;  ///< of the block
  bool has_block_ = false;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_NORMAL_DRAW_H_
