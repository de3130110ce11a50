// SPDX-License-Identifier: Apache-2.0
/// \file drawn_view.h
/// Random elements that a generated rule draws (extension/random.h). Kernels compute them from the
/// key of the launch and the row-major indices of the elements, so no memory holds them.
#ifndef MSHADOW_DRAWN_VIEW_H_
#define MSHADOW_DRAWN_VIEW_H_

#include "mshadow/detail/normal_draw.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// \tparam kWhat what is drawn
template <DrawKind kWhat, typename DType>
class DrawnView {
 public:
  static constexpr DrawKind kDraw = kWhat;
  using Element = DType;

  void Set(uint64_t seed, uint64_t sequence) { key_ = {seed, sequence, 0}; }
  /// \param probability of a 1, if kWhat is kBernoulli
  void Set(double probability, uint64_t seed, uint64_t sequence) {
    key_ = {seed, sequence, detail::WordsBelow(probability)};
  }

  MSHADOW_XINLINE const DrawKey &key() const { return key_; }

 private:
  DrawKey key_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_DRAWN_VIEW_H_
