// SPDX-License-Identifier: Apache-2.0
/// \file nms.h
/// Non-maximum suppression: which boxes are covered by better ones.
#ifndef SPECS_DETECTION_NMS_H_
#define SPECS_DETECTION_NMS_H_

#include "box_iou.h"

namespace detection {
using namespace mshadow;
using namespace mshadow::expr;

/// Which boxes of one list boxes of another suppress: 1 where the other box has a higher score, and
/// the intersection over union of both is above the threshold; else 0. With one list for both, a
/// box is kept if no kept box has a 1 in its row; torchvision.ops.nms goes over the boxes by
/// falling scores to find those.
/// \param out 1 or 0, one row per box of the first list, one column per box of the second
/// \param left1 of each box of the first list
/// \param top1 of each box of the first list
/// \param right1 of each box of the first list, not below left1
/// \param bottom1 of each box of the first list, not below top1
/// \param score1 of each box of the first list
/// \param left2 of each box of the second list
/// \param top2 of each box of the second list
/// \param right2 of each box of the second list, not below left2
/// \param bottom2 of each box of the second list, not below top2
/// \param score2 of each box of the second list
/// \param threshold the largest overlap that is no suppression
template <typename xpu, typename DType>
MSHADOW_KERNEL void NmsOverlaps(
    Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &left1,
    const Tensor<xpu, 1, DType> &top1, const Tensor<xpu, 1, DType> &right1,
    const Tensor<xpu, 1, DType> &bottom1, const Tensor<xpu, 1, DType> &score1,
    const Tensor<xpu, 1, DType> &left2, const Tensor<xpu, 1, DType> &top2,
    const Tensor<xpu, 1, DType> &right2, const Tensor<xpu, 1, DType> &bottom2,
    const Tensor<xpu, 1, DType> &score2, MSHADOW_HYPER float threshold = 0.5f) {
  Temporary<xpu, 2, DType> shared(out.shape_, out.stream_);
  BoxIou(shared, left1, top1, right1, bottom1, left2, top2, right2, bottom2);
  out =
      (shared > threshold) * (broadcast<1>(score2, out.shape_) > broadcast<0>(score1, out.shape_));
}
MSHADOW_INSTANTIATE(NmsOverlaps, float);

}  // namespace detection

#endif  // SPECS_DETECTION_NMS_H_
