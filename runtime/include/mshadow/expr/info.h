// SPDX-License-Identifier: Apache-2.0
/// \file info.h
/// What the type of an expression says: its rank and where it can run; and the checks on both,
/// which fail at compile time with a sentence.
#ifndef MSHADOW_EXPR_INFO_H_
#define MSHADOW_EXPR_INFO_H_

#include "mshadow/expr/nodes.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
template <typename Device, int dimension, typename DType>
struct Tensor;
template <typename Container, typename Device, int dimension, typename DType>
struct TRValue;
MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
/// The base MakeTensorExp of chainer E; what ExpInfo knows about it.
template <typename T>
struct ChainerInfo;
struct UnknownInfo {
  static constexpr int kDim = -1;
  static constexpr int kDevMask = 0;
};
template <typename Sub, typename Src, int dim, typename DType>
ChainerInfo<MakeTensorExp<Sub, Src, dim, DType>> FindChainer(
    const MakeTensorExp<Sub, Src, dim, DType> *);
/// The base TRValue of an assignable view.
template <typename Device, int dim>
struct ViewInfo {
  static constexpr int kDim = dim;
  static constexpr int kDevMask = Device::kDevMask;
};
template <typename Container, typename Device, int dim, typename DType>
ViewInfo<Device, dim> FindChainer(const TRValue<Container, Device, dim, DType> *);
UnknownInfo FindChainer(...);
}  // namespace detail

/// Rank and device of expression type E.
///  * kDim: the rank, 0 for scalars (which fit any), -1 if operands disagree;
///  * kDevMask: the devices that can evaluate it, a bit each.
/// Specialise it for an expression of your own that derives neither from MakeTensorExp nor TRValue.
template <typename E>
struct ExpInfo : decltype(detail::FindChainer(static_cast<E *>(nullptr))) {};

namespace detail {
template <typename Sub, typename Src, int dim, typename DType>
struct ChainerInfo<MakeTensorExp<Sub, Src, dim, DType>> {
  static constexpr int kDim = dim;
  static constexpr int kDevMask = ExpInfo<Src>::kDevMask;
};

/// The common rank of two operands.
constexpr int JoinDim(int a, int b) { return a == 0 || a == b ? b : b == 0 ? a : -1; }

/// The devices that can evaluate all of \p E: a base of the ExpInfo of nodes with several operands.
template <typename... E>
struct DevicesOf {
  static constexpr int kDevMask = (ExpInfo<E>::kDevMask & ...);
};
}  // namespace detail

template <typename DType>
struct ExpInfo<ScalarExp<DType>> {
  static constexpr int kDim = 0;
  static constexpr int kDevMask = 0xffff;
};
template <typename Device, int dim, typename DType>
struct ExpInfo<Tensor<Device, dim, DType>> {
  static constexpr int kDim = dim;
  static constexpr int kDevMask = Device::kDevMask;
};
template <typename DstDType, typename SrcDType, typename E, int etype>
struct ExpInfo<TypecastExp<DstDType, SrcDType, E, etype>> : ExpInfo<E> {};
template <typename E, typename DType>
struct ExpInfo<TransposeExp<E, DType>> : ExpInfo<E> {
  /// More than two have been refused; any destination will do.
  static constexpr int kDim = ExpInfo<E>::kDim > 2 ? 0 : ExpInfo<E>::kDim;
};
template <typename OP, typename TA, typename DType, int etype>
struct ExpInfo<UnaryMapExp<OP, TA, DType, etype>> : ExpInfo<TA> {};
template <typename OP, typename TA, typename TB, typename DType, int etype>
struct ExpInfo<BinaryMapExp<OP, TA, TB, DType, etype>> : detail::DevicesOf<TA, TB> {
  static constexpr int kDim = detail::JoinDim(ExpInfo<TA>::kDim, ExpInfo<TB>::kDim);
};
template <typename OP, typename TA, typename TB, typename TC, typename DType, int etype>
struct ExpInfo<TernaryMapExp<OP, TA, TB, TC, DType, etype>> : detail::DevicesOf<TA, TB, TC> {
  static constexpr int kDim =
      detail::JoinDim(detail::JoinDim(ExpInfo<TA>::kDim, ExpInfo<TB>::kDim), ExpInfo<TC>::kDim);
};
/// The rank of a product is its destination's business (dot_engine.h).
template <typename TA, typename TB, bool ltrans, bool rtrans, typename DType>
struct ExpInfo<DotExp<TA, TB, ltrans, rtrans, DType>> : detail::DevicesOf<TA, TB> {
  static constexpr int kDim = 0;
};

/// Whether an expression of type E and element type EDType may be assigned to a view of type RV and
/// element type DType. Fails at compile time if not, and says so in one error only.
template <typename RV, typename DType, typename E, typename EDType>
constexpr bool CheckAssignment() {
  constexpr bool kOneType = ::mshadow::detail::IsSame<DType, EDType>::value;
  static_assert(kOneType,
                "the destination and the expression have different element types: write "
                "dst = tcast<DType>(expression)");
  constexpr int kDim = ExpInfo<E>::kDim;
  static_assert(kDim != -1, "the operands of the expression have different ranks");
  constexpr bool kOneRank = kDim == 0 || kDim == ExpInfo<RV>::kDim;
  static_assert(kDim == -1 || kOneRank, "the destination and the expression have different ranks");
  constexpr bool kOneDevice = (ExpInfo<E>::kDevMask & ExpInfo<RV>::kDevMask) != 0;
  static_assert(kOneDevice,
                "the destination and the operands of the expression are on different devices");
  return kOneType && kOneRank && kOneDevice;
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_INFO_H_
