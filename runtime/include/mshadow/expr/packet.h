// SPDX-License-Identifier: Apache-2.0
/// \file packet.h
/// Packets as mshadow's users know them: 16 bytes of float or double, the operators that have a
/// packet form, and the check whether an expression consists of those only.
///
/// The runtime's own loops do not need them: compilers vectorise Plans as they are, with any
/// operator, for any instruction set. This header is for code that makes the check, or that writes
/// its own loop: `MapPacketPlan<sv::saveto>(&dst, MakePacketPlan<kArch>(exp))`.
#ifndef MSHADOW_PACKET_H_
#define MSHADOW_PACKET_H_

#include "mshadow/detail/allocation.h"
#include "mshadow/expr/engine.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace packet {

/// The kinds of packets: single elements, 16 bytes.
enum PacketArch { kPlain, kSSE2 };
#ifndef MSHADOW_DEFAULT_PACKET
#define MSHADOW_DEFAULT_PACKET ::mshadow::packet::kSSE2
#endif

/// What a packet's address must be a multiple of.
template <PacketArch Arch>
struct AlignBytes {
  static constexpr index_t value = Arch == kPlain ? 4 : 16;
};

template <PacketArch Arch>
inline bool CheckAlign(size_t pitch) {
  return pitch % static_cast<size_t>(AlignBytes<Arch>::value) == 0;
}
template <PacketArch Arch>
inline bool CheckAlign(const void *ptr) {
  return CheckAlign<Arch>(reinterpret_cast<size_t>(ptr));
}

/// \p size elements rounded up, and down, to whole packets.
template <typename DType, PacketArch Arch>
inline index_t UpperAlign(index_t size) {
  constexpr index_t kCount = AlignBytes<Arch>::value / static_cast<index_t>(sizeof(DType));
  return kCount > 1 ? (size + kCount - 1) / kCount * kCount : size;
}
template <typename DType, PacketArch Arch>
inline index_t LowerAlign(index_t size) {
  constexpr index_t kCount = AlignBytes<Arch>::value / static_cast<index_t>(sizeof(DType));
  return kCount > 1 ? size / kCount * kCount : size;
}

/// Memory for \p num_line rows of \p lspace bytes, each aligned; \p out_pitch becomes the bytes
/// from one to the next.
/// \throws Error if there is none
inline void *AlignedMallocPitch(size_t *out_pitch, size_t lspace, size_t num_line) {
  *out_pitch = (lspace + 15) / 16 * 16;
  return ::mshadow::detail::Allocate(static_cast<index_t>(*out_pitch),
                                     static_cast<index_t>(num_line));
}
inline void AlignedFree(void *ptr) { ::mshadow::detail::Deallocate(ptr); }

namespace detail {
template <typename DType, PacketArch Arch>
struct Lanes {
  static constexpr index_t kSize = AlignBytes<Arch>::value / static_cast<index_t>(sizeof(DType));
  typedef DType type __attribute__((vector_size(16), may_alias));
  typedef DType unaligned __attribute__((vector_size(16), may_alias, aligned(sizeof(DType))));
};
template <typename DType>
struct Lanes<DType, kPlain> {
  static constexpr index_t kSize = 1;
  typedef DType type;
  typedef DType unaligned;
};
}  // namespace detail

/// A packet: kSize values of type DType.
template <typename DType, PacketArch Arch = MSHADOW_DEFAULT_PACKET>
struct Packet {
  static_assert(narrow_float::IsTheSame<DType, float>::value ||
                    narrow_float::IsTheSame<DType, double>::value,
                "packets hold float or double");
  using Lanes = detail::Lanes<DType, Arch>;
  static constexpr index_t kSize = Lanes::kSize;
  typename Lanes::type data_;

  Packet() = default;
  MSHADOW_CINLINE explicit Packet(typename Lanes::type data) : data_(data) {}

  MSHADOW_CINLINE static Packet Fill(DType s) { return Packet(s - typename Lanes::type{}); }
  /// Load reads from an aligned address, LoadUnAligned from any address.
  MSHADOW_CINLINE static Packet Load(const DType *src) {
    return Packet(*reinterpret_cast<const typename Lanes::type *>(src));
  }
  MSHADOW_CINLINE static Packet LoadUnAligned(const DType *src) {
    return Packet(*reinterpret_cast<const typename Lanes::unaligned *>(src));
  }
  MSHADOW_CINLINE Packet &operator=(DType s) { return *this = Fill(s); }
  MSHADOW_CINLINE void Store(DType *dst) const {
    *reinterpret_cast<typename Lanes::type *>(dst) = data_;
  }
  MSHADOW_CINLINE DType Sum() const {
    const DType *const lanes = reinterpret_cast<const DType *>(&data_);
    DType sum = lanes[0];
    for (index_t i = 1; i < kSize; ++i) sum += lanes[i];
    return sum;
  }

  friend MSHADOW_CINLINE Packet operator+(Packet a, Packet b) { return Packet(a.data_ + b.data_); }
  friend MSHADOW_CINLINE Packet operator-(Packet a, Packet b) { return Packet(a.data_ - b.data_); }
  friend MSHADOW_CINLINE Packet operator*(Packet a, Packet b) { return Packet(a.data_ * b.data_); }
  friend MSHADOW_CINLINE Packet operator/(Packet a, Packet b) { return Packet(a.data_ / b.data_); }
};

/// The packet form of an operator. Specialise it, with kEnabled and PacketMap, for your own
/// operator.
template <typename OP, typename DType, PacketArch Arch>
struct PacketOp {
  static constexpr bool kEnabled = false;
};
#define MSHADOW_PACKET_OP(OP, symbol)                                                    \
  template <typename DType, PacketArch Arch>                                             \
  struct PacketOp<OP, DType, Arch> {                                                     \
    static constexpr bool kEnabled = true;                                               \
    MSHADOW_CINLINE static Packet<DType, Arch> PacketMap(const Packet<DType, Arch> &a,   \
                                                         const Packet<DType, Arch> &b) { \
      return a symbol b;                                                                 \
    }                                                                                    \
  };
MSHADOW_PACKET_OP(op::plus, +)
MSHADOW_PACKET_OP(op::minus, -)
MSHADOW_PACKET_OP(op::mul, *)
MSHADOW_PACKET_OP(op::div, /)
#undef MSHADOW_PACKET_OP
template <typename DType, PacketArch Arch>
struct PacketOp<op::right, DType, Arch> {
  static constexpr bool kEnabled = true;
  MSHADOW_CINLINE static Packet<DType, Arch> PacketMap(const Packet<DType, Arch> &,
                                                       const Packet<DType, Arch> &b) {
    return b;
  }
};
template <typename DType, PacketArch Arch>
struct PacketOp<op::identity, DType, Arch> {
  static constexpr bool kEnabled = true;
  MSHADOW_CINLINE static Packet<DType, Arch> PacketMap(const Packet<DType, Arch> &a) { return a; }
};

/// Stores as an assignment does: `=`, `+=`, `-=`, `*=`, `/=`.
template <typename SV, typename DType, PacketArch Arch>
struct Saver {
  MSHADOW_CINLINE static void Save(DType *dst, const Packet<DType, Arch> &src) {
    PacketOp<typename SV::OPType, DType, Arch>::PacketMap(Packet<DType, Arch>::Load(dst), src)
        .Store(dst);
  }
};
template <typename DType, PacketArch Arch>
struct Saver<sv::saveto, DType, Arch> {
  MSHADOW_CINLINE static void Save(DType *dst, const Packet<DType, Arch> &src) { src.Store(dst); }
};
}  // namespace packet

}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_PACKET_H_
