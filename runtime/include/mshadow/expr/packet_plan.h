// SPDX-License-Identifier: Apache-2.0
/// \file packet_plan.h
/// Which expressions can be evaluated in packets, and their evaluation.
#ifndef MSHADOW_PACKET_PLAN_H_
#define MSHADOW_PACKET_PLAN_H_

#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/expr/packet.h"
#include "mshadow/expr/plan.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
/// The element types that packets hold.
template <typename DType>
constexpr bool kHasPacket = ::mshadow::detail::IsSame<DType, float>::value ||
                            ::mshadow::detail::IsSame<DType, double>::value;
}  // namespace detail

/// Whether every node of E has a packet form. Specialise it, with PacketPlan, for your own
/// expression.
template <typename E, packet::PacketArch Arch>
struct PacketCheck {
  static constexpr bool kPass = false;
};
template <typename DType, packet::PacketArch Arch>
struct PacketCheck<ScalarExp<DType>, Arch> {
  static constexpr bool kPass = detail::kHasPacket<DType>;
};
template <int dim, typename DType, packet::PacketArch Arch>
struct PacketCheck<Tensor<cpu, dim, DType>, Arch> {
  static constexpr bool kPass = detail::kHasPacket<DType>;
};
template <typename OP, typename TA, typename DType, int etype, packet::PacketArch Arch>
struct PacketCheck<UnaryMapExp<OP, TA, DType, etype>, Arch> {
  static constexpr bool kPass =
      PacketCheck<TA, Arch>::kPass && packet::PacketOp<OP, DType, Arch>::kEnabled;
};
template <typename OP, typename TA, typename TB, typename DType, int etype, packet::PacketArch Arch>
struct PacketCheck<BinaryMapExp<OP, TA, TB, DType, etype>, Arch> {
  static constexpr bool kPass = PacketCheck<TA, Arch>::kPass && PacketCheck<TB, Arch>::kPass &&
                                packet::PacketOp<OP, DType, Arch>::kEnabled;
};

/// Whether every row of every tensor in the expression begins at an address that is aligned for
/// packets.
template <int dim, typename E, packet::PacketArch Arch>
struct PacketAlignCheck {
  static bool Check(const E &exp) {
    bool aligned = PacketCheck<E, Arch>::kPass;
    if constexpr (PacketCheck<E, Arch>::kPass) {
      Operands<E>::Visit(exp, false, [&aligned](const auto &tensor, bool) {
        aligned =
            aligned && packet::CheckAlign<Arch>(tensor.dptr_) &&
            packet::CheckAlign<Arch>(static_cast<size_t>(tensor.stride_) * sizeof(*tensor.dptr_));
      });
    }
    return aligned;
  }
};

/// Evaluates an expression packet by packet, and element by element where a row ends.
template <typename E, typename DType, packet::PacketArch Arch>
class PacketPlan;

template <typename DType, packet::PacketArch Arch>
class PacketPlan<ScalarExp<DType>, DType, Arch> {
 public:
  explicit PacketPlan(const ScalarExp<DType> &exp) : scalar_(exp.scalar_) {}
  MSHADOW_CINLINE packet::Packet<DType, Arch> EvalPacket(index_t, index_t) const {
    return packet::Packet<DType, Arch>::Fill(scalar_);
  }
  MSHADOW_CINLINE DType Eval(index_t, index_t) const { return scalar_; }

 private:
  DType scalar_;
};

template <int dim, typename DType, packet::PacketArch Arch>
class PacketPlan<Tensor<cpu, dim, DType>, DType, Arch> {
 public:
  explicit PacketPlan(const Tensor<cpu, dim, DType> &t) : dptr_(t.dptr_), stride_(t.stride_) {}
  MSHADOW_CINLINE packet::Packet<DType, Arch> EvalPacket(index_t y, index_t x) const {
    return packet::Packet<DType, Arch>::Load(&dptr_[y * stride_ + x]);
  }
  MSHADOW_CINLINE DType Eval(index_t y, index_t x) const { return dptr_[y * stride_ + x]; }

 private:
  const DType *dptr_;
  index_t stride_;
};

template <typename OP, typename TA, typename DType, int etype, packet::PacketArch Arch>
class PacketPlan<UnaryMapExp<OP, TA, DType, etype>, DType, Arch> {
 public:
  explicit PacketPlan(const UnaryMapExp<OP, TA, DType, etype> &exp) : src_(exp.src_) {}
  MSHADOW_CINLINE packet::Packet<DType, Arch> EvalPacket(index_t y, index_t x) const {
    return packet::PacketOp<OP, DType, Arch>::PacketMap(src_.EvalPacket(y, x));
  }
  MSHADOW_CINLINE DType Eval(index_t y, index_t x) const { return OP::Map(src_.Eval(y, x)); }

 private:
  PacketPlan<TA, DType, Arch> src_;
};

template <typename OP, typename TA, typename TB, typename DType, int etype, packet::PacketArch Arch>
class PacketPlan<BinaryMapExp<OP, TA, TB, DType, etype>, DType, Arch> {
 public:
  explicit PacketPlan(const BinaryMapExp<OP, TA, TB, DType, etype> &exp)
      : lhs_(exp.lhs_), rhs_(exp.rhs_) {}
  MSHADOW_CINLINE packet::Packet<DType, Arch> EvalPacket(index_t y, index_t x) const {
    return packet::PacketOp<OP, DType, Arch>::PacketMap(lhs_.EvalPacket(y, x),
                                                        rhs_.EvalPacket(y, x));
  }
  MSHADOW_CINLINE DType Eval(index_t y, index_t x) const {
    return OP::Map(lhs_.Eval(y, x), rhs_.Eval(y, x));
  }

 private:
  PacketPlan<TA, DType, Arch> lhs_;
  PacketPlan<TB, DType, Arch> rhs_;
};

template <packet::PacketArch Arch, typename E, typename DType, int etype>
PacketPlan<E, DType, Arch> MakePacketPlan(const Exp<E, DType, etype> &exp) {
  static_assert(PacketCheck<E, Arch>::kPass, "this expression has no packet form");
  return PacketPlan<E, DType, Arch>(exp.self());
}

MSHADOW_VERSION_END
}  // namespace expr

MSHADOW_VERSION_BEGIN

/// `dst saver plan` in packets. PacketAlignCheck has checked the alignment of both sides.
template <typename SV, int dim, typename DType, typename E, packet::PacketArch Arch>
void MapPacketPlan(Tensor<cpu, dim, DType> *dst, const expr::PacketPlan<E, DType, Arch> &plan) {
  const Tensor<cpu, 2, DType> rows = dst->FlatTo2D();
  const index_t whole = packet::LowerAlign<DType, Arch>(rows.shape_[1]);
  for (index_t y = 0; y < rows.shape_[0]; ++y) {
    DType *const row = rows.dptr_ + y * rows.stride_;
    for (index_t x = 0; x < whole; x += packet::Packet<DType, Arch>::kSize) {
      packet::Saver<SV, DType, Arch>::Save(row + x, plan.EvalPacket(y, x));
    }
    for (index_t x = whole; x < rows.shape_[1]; ++x) {
      SV::template Save<DType>(row[x], plan.Eval(y, x));
    }
  }
}

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_PACKET_PLAN_H_
