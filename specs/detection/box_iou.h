// SPDX-License-Identifier: Apache-2.0
/// \file box_iou.h
/// Matching of boxes by their overlap.
#ifndef SPECS_DETECTION_BOX_IOU_H_
#define SPECS_DETECTION_BOX_IOU_H_

#include <mshadow/kernel.h>

namespace detection {
using namespace mshadow;
using namespace mshadow::expr;

/// \brief the part of two intervals that both have
struct overlap {
  template <typename T>
  MSHADOW_XINLINE static T Map(T begin, T end) {
    return begin < end ? end - begin : T(0);
  }
};
/// \brief a / b, and 0 where b is 0
struct ratio {
  template <typename T>
  MSHADOW_XINLINE static T Map(T a, T b) {
    return b > T(0) ? a / b : T(0);
  }
};

/// Intersection over union of each box of a list with each of another, the area that both cover by
/// the area that one covers, as in Everingham et al. 2010; 0 for two boxes without an area. Boxes
/// of a matrix with four rows are these rows: left is boxes[0].
/// \param out from 0 to 1, one row per box of the first list, one column per box of the second
/// \param left1 of each box of the first list
/// \param top1 of each box of the first list
/// \param right1 of each box of the first list, not below left1
/// \param bottom1 of each box of the first list, not below top1
/// \param left2 of each box of the second list
/// \param top2 of each box of the second list
/// \param right2 of each box of the second list, not below left2
/// \param bottom2 of each box of the second list, not below top2
template <typename xpu, typename DType>
MSHADOW_KERNEL void BoxIou(Tensor<xpu, 2, DType> out, const Tensor<xpu, 1, DType> &left1,
                           const Tensor<xpu, 1, DType> &top1, const Tensor<xpu, 1, DType> &right1,
                           const Tensor<xpu, 1, DType> &bottom1, const Tensor<xpu, 1, DType> &left2,
                           const Tensor<xpu, 1, DType> &top2, const Tensor<xpu, 1, DType> &right2,
                           const Tensor<xpu, 1, DType> &bottom2) {
  auto shape = out.shape_;
  auto area1 = (right1 - left1) * (bottom1 - top1);
  auto area2 = (right2 - left2) * (bottom2 - top2);
  auto width = F<overlap>(F<op::maximum>(broadcast<0>(left1, shape), broadcast<1>(left2, shape)),
                          F<op::minimum>(broadcast<0>(right1, shape), broadcast<1>(right2, shape)));
  auto height =
      F<overlap>(F<op::maximum>(broadcast<0>(top1, shape), broadcast<1>(top2, shape)),
                 F<op::minimum>(broadcast<0>(bottom1, shape), broadcast<1>(bottom2, shape)));
  auto both = width * height;
  out = F<ratio>(both, broadcast<0>(area1, shape) + broadcast<1>(area2, shape) - both);
}
MSHADOW_INSTANTIATE(BoxIou, float, double);

}  // namespace detection

#endif  // SPECS_DETECTION_BOX_IOU_H_
