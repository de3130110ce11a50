// SPDX-License-Identifier: Apache-2.0
/// \file kept.h
/// Expressions whose elements are read many times, evaluated once, when the Plan of what reads them
/// is made: so `x / broadcast_with_axis(reduce_with_axis<red::sum, false>(y, 1), 0, n)` sums each
/// column once. On the CPU that is the source of a broadcast that is computed; on a GPU, where
/// memory costs more than arithmetic, one that reads many elements for each of its own.
#ifndef MSHADOW_EXTENSION_KEPT_H_
#define MSHADOW_EXTENSION_KEPT_H_

#include "mshadow/expr/check.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/kept_scope.h"
#include "mshadow/expr/shared_block.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Whether E, or what it is made of, reads several elements for one of its own.
template <typename E, typename = void>
constexpr bool kReadsMany = kCountsReads<E>;
template <typename E>
constexpr bool kReadsMany<E, std::enable_if_t<!kCountsReads<E> && kHasSource<E>>> =
    kReadsMany<std::decay_t<decltype(std::declval<const E &>().src_)>>;
template <typename Dst, typename Src, typename E, int etype>
constexpr bool kReadsMany<TypecastExp<Dst, Src, E, etype>, void> = kReadsMany<E>;
template <typename OP, typename A, typename B, typename DType, int etype>
constexpr bool kReadsMany<BinaryMapExp<OP, A, B, DType, etype>, void> =
    kReadsMany<A> || kReadsMany<B>;
template <typename OP, typename A, typename B, typename C, typename DType, int etype>
constexpr bool kReadsMany<TernaryMapExp<OP, A, B, C, DType, etype>, void> =
    kReadsMany<A> || kReadsMany<B> || kReadsMany<C>;

/// Whether E is to be kept where its elements are read again and again.
template <typename E>
constexpr bool kIsComputed = ExpTraits<E>::type::kType != type::kRValue &&
                             (ExpInfo<E>::kDevMask == cpu::kDevMask ||
                              (ExpInfo<E>::kDevMask == gpu::kDevMask && kReadsMany<E>));

/// The elements of an expression: of the CPU, owned by whoever holds this;
template <typename E, typename DType, bool kOnCpu = ExpInfo<E>::kDevMask == cpu::kDevMask>
class Kept {
 public:
  using View = Tensor<cpu, ExpInfo<E>::kDim, DType>;
  explicit Kept(const E &exp) : Kept(exp, ShapeCheck<ExpInfo<E>::kDim, E>::Check(exp)) {}

 protected:
  View view() const { return View(block_.tensor().dptr_, shape_); }

 private:
  Kept(const E &exp, const Shape<ExpInfo<E>::kDim> &shape)
      : block_(shape.Size(), nullptr), shape_(shape) {
    view() = exp;
  }

  ::mshadow::detail::SharedBlock<cpu, DType> block_;
  Shape<ExpInfo<E>::kDim> shape_;
};
/// of a GPU, owned by the assignment.
template <typename E, typename DType>
class Kept<E, DType, false> {
 public:
  using View = Tensor<gpu, ExpInfo<E>::kDim, DType>;
  explicit Kept(const E &exp) {
    view_ = ::mshadow::detail::KeptScope::Allocate<DType>(
        ShapeCheck<ExpInfo<E>::kDim, E>::Check(exp), StreamInfo<gpu, E>::Get(exp));
    view_ = exp;
  }

 protected:
  const View &view() const { return view_; }

 private:
  View view_;
};

template <typename E, typename DType, bool kOnCpu = ExpInfo<E>::kDevMask == cpu::kDevMask>
class KeptPlan : private Kept<E, DType>, public Plan<typename Kept<E, DType>::View, DType> {
 public:
  explicit KeptPlan(const E &exp)
      : Kept<E, DType>(exp), Plan<typename Kept<E, DType>::View, DType>(this->view()) {}
};
/// Kernels take nothing of it but the Plan.
template <typename E, typename DType>
class KeptPlan<E, DType, false> : public Plan<typename Kept<E, DType>::View, DType> {
  struct View : Kept<E, DType> {
    using Kept<E, DType>::Kept;
    using Kept<E, DType>::view;
  };

 public:
  explicit KeptPlan(const E &exp) : Plan<typename Kept<E, DType>::View, DType>(View(exp).view()) {}
};

/// The Plan of a source, which is kept if kKeep.
template <bool kKeep, typename E, typename DType, int etype>
MSHADOW_CINLINE auto MakeSourcePlan(const Exp<E, DType, etype> &exp) {
  if constexpr (kKeep) {
    return KeptPlan<E, DType>(exp.self());
  } else {
    return MakePlan(exp.self());
  }
}
template <bool kKeep, typename E, typename DType>
using SourcePlan = std::conditional_t<kKeep, KeptPlan<E, DType>, Plan<E, DType>>;

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXTENSION_KEPT_H_
