// SPDX-License-Identifier: Apache-2.0
/// \file expr_operands.h
/// Which tensors an expression reads, and how: the ground of the aliasing check and of the decision
/// to evaluate a block as one row.
#ifndef MSHADOW_EXPR_OPERANDS_H_
#define MSHADOW_EXPR_OPERANDS_H_

#include <type_traits>
#include <utility>

#include "mshadow/expression.h"
#include "mshadow/overlap.h"
#include "mshadow/tensor_view.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
/// Whether E has a member src_ that is an expression, as mshadow's chainers have.
template <typename E, typename = void>
constexpr bool kHasSource = false;
template <typename E>
constexpr bool kHasSource<E, std::void_t<decltype(std::declval<const E &>().src_)>> =
    kIsExp<std::decay_t<decltype(std::declval<const E &>().src_)>>;
}  // namespace detail

/// The tensors under an expression of type E.
///  * Visit(e, moved, f) calls f(tensor, moved) for each; moved: element (y, x) of e may read
///    another element than (y, x) of it;
///  * kKnown: Visit finds them all;
///  * kIsMap: every node works element by element, so that rows may be joined;
///  * kBytes: read for one element.
/// The primary template is for index maps: it looks into src_. Specialise it for an expression that
/// has more sources than that.
template <typename E>
struct Operands {
  template <typename Function>
  static void Visit(const E &exp, bool, Function &&f) {
    if constexpr (detail::kHasSource<E>) {
      Operands<std::decay_t<decltype(exp.src_)>>::Visit(exp.src_, true, f);
    }
  }
  static constexpr bool kKnown = detail::kHasSource<E>;
  static constexpr bool kIsMap = false;
  static constexpr int kBytes = 8;
};

template <typename DType>
struct Operands<ScalarExp<DType>> {
  template <typename Function>
  static void Visit(const ScalarExp<DType> &, bool, Function &&) {}
  static constexpr bool kKnown = true;
  static constexpr bool kIsMap = true;
  static constexpr int kBytes = 0;
};

template <typename Device, int dim, typename DType>
struct Operands<Tensor<Device, dim, DType>> {
  template <typename Function>
  static void Visit(const Tensor<Device, dim, DType> &tensor, bool moved, Function &&f) {
    f(tensor, moved);
  }
  static constexpr bool kKnown = true;
  static constexpr bool kIsMap = true;
  static constexpr int kBytes = sizeof(DType);
};

namespace detail {
/// What nodes with sources S have in common.
template <typename... S>
struct OperandsOfNode {
  static constexpr bool kKnown = (Operands<S>::kKnown && ...);
  static constexpr bool kIsMap = (Operands<S>::kIsMap && ...);
  static constexpr int kBytes = (Operands<S>::kBytes + ...);
};
}  // namespace detail

template <typename DstDType, typename SrcDType, typename E, int etype>
struct Operands<TypecastExp<DstDType, SrcDType, E, etype>> : detail::OperandsOfNode<E> {
  template <typename Function>
  static void Visit(const TypecastExp<DstDType, SrcDType, E, etype> &exp, bool moved,
                    Function &&f) {
    Operands<E>::Visit(exp.exp, moved, f);
  }
};

template <typename E, typename DType>
struct Operands<TransposeExp<E, DType>> : detail::OperandsOfNode<E> {
  template <typename Function>
  static void Visit(const TransposeExp<E, DType> &exp, bool, Function &&f) {
    Operands<E>::Visit(exp.exp, true, f);
  }
  static constexpr bool kIsMap = false;
};

template <typename OP, typename TA, typename DType, int etype>
struct Operands<UnaryMapExp<OP, TA, DType, etype>> : detail::OperandsOfNode<TA> {
  template <typename Function>
  static void Visit(const UnaryMapExp<OP, TA, DType, etype> &exp, bool moved, Function &&f) {
    Operands<TA>::Visit(exp.src_, moved, f);
  }
};

template <typename OP, typename TA, typename TB, typename DType, int etype>
struct Operands<BinaryMapExp<OP, TA, TB, DType, etype>> : detail::OperandsOfNode<TA, TB> {
  template <typename Function>
  static void Visit(const BinaryMapExp<OP, TA, TB, DType, etype> &exp, bool moved, Function &&f) {
    Operands<TA>::Visit(exp.lhs_, moved, f);
    Operands<TB>::Visit(exp.rhs_, moved, f);
  }
};

template <typename OP, typename TA, typename TB, typename TC, typename DType, int etype>
struct Operands<TernaryMapExp<OP, TA, TB, TC, DType, etype>> : detail::OperandsOfNode<TA, TB, TC> {
  template <typename Function>
  static void Visit(const TernaryMapExp<OP, TA, TB, TC, DType, etype> &exp, bool moved,
                    Function &&f) {
    Operands<TA>::Visit(exp.item1_, moved, f);
    Operands<TB>::Visit(exp.item2_, moved, f);
    Operands<TC>::Visit(exp.item3_, moved, f);
  }
};

/// A product reads every element of its operands for each of its own.
template <typename TA, typename TB, bool ltrans, bool rtrans, typename DType>
struct Operands<DotExp<TA, TB, ltrans, rtrans, DType>> : detail::OperandsOfNode<TA, TB> {
  template <typename Function>
  static void Visit(const DotExp<TA, TB, ltrans, rtrans, DType> &exp, bool, Function &&f) {
    Operands<TA>::Visit(exp.lhs_, true, f);
    Operands<TB>::Visit(exp.rhs_, true, f);
  }
  static constexpr bool kIsMap = false;
};

namespace detail {

template <typename Device, int dim, typename DType>
::mshadow::detail::Block BlockOf(const Tensor<Device, dim, DType> &t) {
  const Shape<2> shape = t.shape_.FlatTo2D();
  return {t.dptr_, shape[0], shape[1], t.stride_, static_cast<index_t>(sizeof(DType))};
}

template <typename T>
constexpr bool kIsTensor = false;
template <typename Device, int dim, typename DType>
constexpr bool kIsTensor<Tensor<Device, dim, DType>> = true;

/// Throw what is said below.
[[noreturn]] void ThrowMovedRead(const index_t *shape, int dim);
[[noreturn]] void ThrowPartialOverlap(const index_t *shape, int dim);

/// \throws Error if assigning \p exp to \p dst would overwrite elements that are still to be read:
///     dst is read through an index map (`t = t.T()`), or shares only a part of its memory with an
///     operand. Reading dst element by element is fine.
template <typename RV, typename E>
void CheckAliasing(const RV &dst, const E &exp) {
  if constexpr (kIsTensor<RV>) {
    const ::mshadow::detail::Block written = BlockOf(dst);
    Operands<E>::Visit(exp, false, [&](const auto &tensor, bool moved) {
      const auto overlap = ::mshadow::detail::Compare(written, BlockOf(tensor));
      if (overlap == ::mshadow::detail::Overlap::kNone) return;
      const Shape<ExpInfo<RV>::kDim> &shape = dst.shape_;
      if (moved) ThrowMovedRead(shape.shape_, shape.kDimension);
      if (overlap == ::mshadow::detail::Overlap::kPartial) {
        ThrowPartialOverlap(shape.shape_, shape.kDimension);
      }
    });
  }
}

/// Whether dst and all operands of \p exp are single runs of memory, so that one long row gives the
/// same result as many short ones.
template <typename RV, typename E>
bool IsOneRow(const RV &dst, const E &exp) {
  bool one_row = false;
  if constexpr (kIsTensor<RV> && Operands<E>::kIsMap) {
    one_row = dst.CheckContiguous();
    Operands<E>::Visit(exp, false, [&](const auto &tensor, bool) {
      one_row = one_row && tensor.CheckContiguous();
    });
  }
  return one_row;
}

}  // namespace detail

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_OPERANDS_H_
