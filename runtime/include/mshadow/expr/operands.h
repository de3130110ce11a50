// SPDX-License-Identifier: Apache-2.0
/// \file operands.h
/// Which tensors an expression reads, and how. The aliasing check is based on this, and so is the
/// decision to evaluate a block as one row.
#ifndef MSHADOW_EXPR_OPERANDS_H_
#define MSHADOW_EXPR_OPERANDS_H_

#include <type_traits>
#include <utility>

#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/address_map.h"
#include "mshadow/expr/overlap.h"
#include "mshadow/expression.h"

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

/// An index map: how a node's elements lie among those of its operand. A node passes the map along
/// with the operand while the operand is visited.
struct IndexStep {
  /// Makes the address map of an operand of \p node that of the node; null if there is none.
  void (*map)(const void *node, ::mshadow::detail::AddressMap *addresses);
  const void *node;
  mutable const IndexStep *above = nullptr;  ///< the step of the node whose operand this node is

  operator bool() const { return true; }
};
inline constexpr IndexStep kAnyStep{nullptr, nullptr};
/// The step of an operand that is evaluated before anything is written (materialised.h).
inline constexpr IndexStep kStepBefore{nullptr, nullptr};

/// The index maps from an expression down to one of its operands. As a bool: whether element (y, x)
/// of the expression may need another element of the operand than (y, x).
class Path {
 public:
  Path(bool moved) : step_(moved ? &kAnyStep : nullptr) {}  // NOLINT: of a node that knows no more
  Path(const IndexStep &step) : step_(&step) {}             // NOLINT
  operator bool() const { return step_ != nullptr; }

  /// The path with \p above before it.
  Path Under(Path above) const {
    if (step_ == nullptr || above.is_before()) return above;
    if (step_->map != nullptr) step_->above = above.step_;
    return *this;
  }
  /// Whether the operand is read before anything is written, so that it may be what is written.
  bool is_before() const { return step_ == &kStepBefore; }
  /// Turns the address map of the operand into that of the expression.
  void Map(::mshadow::detail::AddressMap *addresses) const {
    for (const IndexStep *step = step_; step != nullptr; step = step->above) {
      if (step->map == nullptr) {
        addresses->known = false;
        return;
      }
      step->map(step->node, addresses);
    }
  }

 private:
  const IndexStep *step_;
};

/// The step from a node with `void MapAddresses(AddressMap *map) const` to its only operand.
template <typename Node>
IndexStep StepThrough(const Node &node) {
  return {[](const void *self, ::mshadow::detail::AddressMap *addresses) {
            static_cast<const Node *>(self)->MapAddresses(addresses);
          },
          &node};
}

struct IgnoreOperands {
  template <typename E>
  void operator()(const E &, bool) const {}
};
/// Whether E lists its operands.
template <typename E, typename = void>
constexpr bool kListsOperands = false;
template <typename E>
constexpr bool kListsOperands<
    E, std::void_t<decltype(std::declval<const E &>().ForEachOperand(IgnoreOperands()))>> = true;

/// Whether E says how many elements of its operands it reads for one of its own.
template <typename E, typename = void>
constexpr bool kCountsReads = false;
template <typename E>
constexpr bool kCountsReads<E, std::void_t<decltype(std::declval<const E &>().CountReads())>> =
    true;

/// How long an operator or an index map takes besides its operands: its `static constexpr int
/// kWork`, as the bytes that are read in that time. Most take none.
template <typename OP, typename = void>
constexpr int kWorkOf = 0;
template <typename OP>
constexpr int kWorkOf<OP, std::void_t<decltype(OP::kWork)>> = OP::kWork;
/// The same for a conversion from or to a 16-bit float.
template <typename DType>
constexpr int kConversionWork = 0;
template <>
inline constexpr int kConversionWork<half::half_t> = 20;
template <>
inline constexpr int kConversionWork<bfloat::bf16_t> = 4;
/// The same for a conversion of operator OP: for arithmetic, half_plan.h converts eight at once.
template <typename OP, typename DType>
constexpr int kConversionWorkOf = kConversionWork<DType>;
#if MSHADOW_HALF_BY_EIGHT
template <>
inline constexpr int kConversionWorkOf<op::plus, half::half_t> = 2;
template <>
inline constexpr int kConversionWorkOf<op::minus, half::half_t> = 2;
template <>
inline constexpr int kConversionWorkOf<op::mul, half::half_t> = 2;
template <>
inline constexpr int kConversionWorkOf<op::div, half::half_t> = 2;
#endif
/// The same for an operator with `operands` operands, where they and the result have type DType.
template <typename OP, typename DType, int operands>
constexpr index_t kWorkOfMap = kWorkOf<OP> + (operands + 1) * kConversionWorkOf<OP, DType>;
}  // namespace detail

/// The tensors under an expression of type E.
///  * Visit(e, moved, f) calls f(view, moved) for each tensor or slice. `moved` is a Path; as a
///    bool, it says whether element (y, x) of e may read another element of the tensor than (y, x).
///    Visit also calls f(node) for each index map, if f takes that;
///  * kKnown: Visit finds all tensors;
///  * kIsMap: every node works element by element, so that rows may be joined;
///  * Bytes(e): roughly how long an element takes, as the bytes that are read in that time. It is
///    the bytes that the element reads, or more if computing takes longer than reading.
/// The primary template is for index maps. A node of the library lists its operands: its
/// `ForEachOperand(f)` calls f(operand, moved) for each, where moved may be a StepThrough the node.
/// For a user's node, Visit goes into the member src_, with moved = true unless the node is a
/// kMapper. Specialise Operands if your node has more sources.
template <typename E>
struct Operands {
  template <typename Function>
  static void Visit(const E &exp, detail::Path moved, Function &&f) {
    if constexpr (std::is_invocable_v<Function &, const E &>) f(exp);
    if constexpr (detail::kListsOperands<E>) {
      exp.ForEachOperand([&f, moved](const auto &operand, detail::Path path) {
        Operands<std::decay_t<decltype(operand)>>::Visit(operand, path.Under(moved), f);
      });
    } else if constexpr (detail::kHasSource<E>) {
      using Source = Operands<std::decay_t<decltype(exp.src_)>>;
      if constexpr (ExpTraits<E>::type::kType == type::kMapper) {
        Source::Visit(exp.src_, moved, f);
      } else {
        Source::Visit(exp.src_, true, f);
      }
    }
  }
  static index_t Bytes(const E &exp) {
    index_t bytes = 8;
    if constexpr (detail::kListsOperands<E>) {
      bytes = 0;
      exp.ForEachOperand([&bytes](const auto &operand, bool) {
        bytes += Operands<std::decay_t<decltype(operand)>>::Bytes(operand);
      });
    }
    if constexpr (detail::kCountsReads<E>) bytes *= exp.CountReads();
    return bytes + detail::kWorkOf<E>;
  }
  static constexpr bool kKnown = detail::kListsOperands<E>;
  static constexpr bool kIsMap = false;
};

template <typename DType>
struct Operands<ScalarExp<DType>> {
  template <typename Function>
  static void Visit(const ScalarExp<DType> &, bool, Function &&) {}
  static index_t Bytes(const ScalarExp<DType> &) { return 0; }
  static constexpr bool kKnown = true;
  static constexpr bool kIsMap = true;
};

template <typename Device, int dim, typename DType>
struct Operands<Tensor<Device, dim, DType>> {
  template <typename Function>
  static void Visit(const Tensor<Device, dim, DType> &tensor, detail::Path moved, Function &&f) {
    f(tensor, moved);
  }
  static index_t Bytes(const Tensor<Device, dim, DType> &) { return sizeof(DType); }
  static constexpr bool kKnown = true;
  static constexpr bool kIsMap = true;
};

namespace detail {
/// What nodes with sources S have in common.
template <typename... S>
struct OperandsOfNode {
  static constexpr bool kKnown = (Operands<S>::kKnown && ...);
  static constexpr bool kIsMap = (Operands<S>::kIsMap && ...);
};
}  // namespace detail

template <typename DstDType, typename SrcDType, typename E, int etype>
struct Operands<TypecastExp<DstDType, SrcDType, E, etype>> : detail::OperandsOfNode<E> {
  template <typename Function>
  static void Visit(const TypecastExp<DstDType, SrcDType, E, etype> &exp, detail::Path moved,
                    Function &&f) {
    Operands<E>::Visit(exp.exp, moved, f);
  }
  static index_t Bytes(const TypecastExp<DstDType, SrcDType, E, etype> &exp) {
    constexpr int kWork = detail::kConversionWork<SrcDType> + detail::kConversionWork<DstDType>;
    return Operands<E>::Bytes(exp.exp) + kWork;
  }
};

template <typename E, typename DType>
struct Operands<TransposeExp<E, DType>> : detail::OperandsOfNode<E> {
  template <typename Function>
  static void Visit(const TransposeExp<E, DType> &exp, detail::Path moved, Function &&f) {
    const auto swap = [](const void *, ::mshadow::detail::AddressMap *map) {
      constexpr int kSwapped[] = {1, 0};
      map->known = map->known && map->dim == 2;
      map->Permute(kSwapped);
    };
    const detail::IndexStep step{swap, &exp};
    Operands<E>::Visit(exp.exp, detail::Path(step).Under(moved), f);
  }
  static index_t Bytes(const TransposeExp<E, DType> &exp) { return Operands<E>::Bytes(exp.exp); }
  static constexpr bool kIsMap = false;
};

template <typename OP, typename TA, typename DType, int etype>
struct Operands<UnaryMapExp<OP, TA, DType, etype>> : detail::OperandsOfNode<TA> {
  template <typename Function>
  static void Visit(const UnaryMapExp<OP, TA, DType, etype> &exp, detail::Path moved,
                    Function &&f) {
    Operands<TA>::Visit(exp.src_, moved, f);
  }
  static index_t Bytes(const UnaryMapExp<OP, TA, DType, etype> &exp) {
    return Operands<TA>::Bytes(exp.src_) + detail::kWorkOfMap<OP, DType, 1>;
  }
};

template <typename OP, typename TA, typename TB, typename DType, int etype>
struct Operands<BinaryMapExp<OP, TA, TB, DType, etype>> : detail::OperandsOfNode<TA, TB> {
  template <typename Function>
  static void Visit(const BinaryMapExp<OP, TA, TB, DType, etype> &exp, detail::Path moved,
                    Function &&f) {
    Operands<TA>::Visit(exp.lhs_, moved, f);
    Operands<TB>::Visit(exp.rhs_, moved, f);
  }
  static index_t Bytes(const BinaryMapExp<OP, TA, TB, DType, etype> &exp) {
    return Operands<TA>::Bytes(exp.lhs_) + Operands<TB>::Bytes(exp.rhs_) +
           detail::kWorkOfMap<OP, DType, 2>;
  }
};

template <typename OP, typename TA, typename TB, typename TC, typename DType, int etype>
struct Operands<TernaryMapExp<OP, TA, TB, TC, DType, etype>> : detail::OperandsOfNode<TA, TB, TC> {
  template <typename Function>
  static void Visit(const TernaryMapExp<OP, TA, TB, TC, DType, etype> &exp, detail::Path moved,
                    Function &&f) {
    Operands<TA>::Visit(exp.item1_, moved, f);
    Operands<TB>::Visit(exp.item2_, moved, f);
    Operands<TC>::Visit(exp.item3_, moved, f);
  }
  static index_t Bytes(const TernaryMapExp<OP, TA, TB, TC, DType, etype> &exp) {
    return Operands<TA>::Bytes(exp.item1_) + Operands<TB>::Bytes(exp.item2_) +
           Operands<TC>::Bytes(exp.item3_) + detail::kWorkOfMap<OP, DType, 3>;
  }
};

/// A product reads every element of its operands for each of its own.
template <typename TA, typename TB, bool ltrans, bool rtrans, typename DType>
struct Operands<DotExp<TA, TB, ltrans, rtrans, DType>> : detail::OperandsOfNode<TA, TB> {
  template <typename Function>
  static void Visit(const DotExp<TA, TB, ltrans, rtrans, DType> &exp, detail::Path, Function &&f) {
    Operands<TA>::Visit(exp.lhs_, true, f);
    Operands<TB>::Visit(exp.rhs_, true, f);
  }
  static index_t Bytes(const DotExp<TA, TB, ltrans, rtrans, DType> &exp) {
    return Operands<TA>::Bytes(exp.lhs_) + Operands<TB>::Bytes(exp.rhs_);
  }
  static constexpr bool kIsMap = false;
};

namespace detail {

template <typename T>
constexpr bool kIsTensor = false;
template <typename Device, int dim, typename DType>
constexpr bool kIsTensor<Tensor<Device, dim, DType>> = true;

/// The memory of a tensor.
template <typename Device, int dim, typename DType>
MSHADOW_CINLINE ::mshadow::detail::Block BlockOf(const Tensor<Device, dim, DType> &t) {
  const Shape<2> flat = t.shape_.FlatTo2D();
  const index_t stride = dim == 1 ? flat[1] : t.stride_;
  return {t.dptr_, flat[0], flat[1], stride, static_cast<index_t>(sizeof(DType))};
}

/// The elements of a tensor. If its rank is too high for a Box, the tensor is treated as a matrix.
template <typename Device, int dim, typename DType>
::mshadow::detail::Box BoxOf(const Tensor<Device, dim, DType> &t) {
  const Shape<2> flat = t.shape_.FlatTo2D();
  ::mshadow::detail::Box box{};
  box.whole = BlockOf(t);
  constexpr bool kFits = dim <= ::mshadow::detail::Box::kMaxDim;
  box.dim = kFits ? dim : 2;
  for (int i = 0; i < box.dim; ++i) {
    box.extent[i] = kFits ? t.shape_[i] : flat[i];
    box.end[i] = box.extent[i];
  }
  return box;
}

/// Throw the Errors that the checks below describe.
[[noreturn]] void ThrowMovedRead(const index_t *shape, int dim);
[[noreturn]] void ThrowPartialOverlap(const index_t *shape, int dim);
[[noreturn]] void ThrowNoMemory(const index_t *shape, int dim);

// The functions that throw take numbers by value. A tensor that is passed to a function is copied
// through memory before any check, and a check should cost only a few comparisons.

template <int dim>
[[noreturn]] MSHADOW_NOINLINE void ThrowNoMemoryFor(Shape<dim> shape) {
  ThrowNoMemory(shape.shape_, dim);
}
template <typename View>
[[noreturn]] MSHADOW_NOINLINE void ThrowNoMemoryForSlice(const View &view) {
  const ::mshadow::detail::Box box = BoxOf(view);
  ThrowNoMemory(box.extent, box.dim);
}

/// Where the memory of a tensor or slice is. For a slice, it is the memory of its tensor.
/// \throws Error if the tensor has elements and no memory for them
template <typename View>
MSHADOW_CINLINE ::mshadow::detail::Span CheckedSpan(const View &view) {
  const ::mshadow::detail::Block block = BlockOf(view);
  if (block.dptr == nullptr && !block.empty()) {
    if constexpr (kIsTensor<View>) {
      ThrowNoMemoryFor(view.shape_);
    } else {
      ThrowNoMemoryForSlice(view);
    }
  }
  return ::mshadow::detail::SpanOf(block);
}

/// Whether node E looks at the elements of an operand before anything is written.
template <typename E, typename = void>
constexpr bool kChecksElements = false;
template <typename E>
constexpr bool
    kChecksElements<E, std::void_t<decltype(std::declval<const E &>().CheckElements())>> = true;

/// Checks tensors whose addresses overlap, and which are read element by element.
/// \throws Error unless they share no element, or all elements
template <int dim>
MSHADOW_NOINLINE void CheckBlocks(::mshadow::detail::Block written, ::mshadow::detail::Block view,
                                  Shape<dim> shape) {
  if (::mshadow::detail::Compare(written, view) != ::mshadow::detail::Overlap::kPartial) return;
  ThrowPartialOverlap(shape.shape_, dim);
}

/// Checks elements that are read through \p from, against the elements of \p written, which are
/// written through \p to, of a destination of rank \p dim.
/// \throws Error unless they share no element, or each element is read only where it is written
void CheckBoxes(const ::mshadow::detail::Box &written, Path to, const ::mshadow::detail::Box &view,
                Path from, const index_t *shape, int dim);
template <typename Written, typename View, int dim>
MSHADOW_NOINLINE void CheckViews(Written written, Path to, View view, Path from, Shape<dim> shape) {
  constexpr bool kFit = ExpInfo<Written>::kDim <= ::mshadow::detail::Box::kMaxDim &&
                        ExpInfo<View>::kDim <= ::mshadow::detail::Box::kMaxDim;
  CheckBoxes(BoxOf(written), kFit ? to : Path(true), BoxOf(view), from, shape.shape_, dim);
}

/// Whether E is the rows of a matrix that indices name (extension/rows.h).
template <typename E>
constexpr bool kPicksRows = false;
/// Whether two expressions are the same rows of one matrix, in the same order.
template <typename A, typename B>
bool AreSameRows(const A &, const B &) {
  return false;
}

/// A tensor or slice that `dst = …` writes, and against which each operand is checked.
template <typename Written, int dim>
struct OperandCheck {
  const Written &written;
  ::mshadow::detail::Span span;
  Path to;  ///< as a bool: whether element (y, x) of dst may be another element of the tensor
  const Shape<dim> &shape;

  template <typename View>
  MSHADOW_CINLINE void operator()(const View &view, Path from) const {
    if constexpr (kPicksRows<View>) (*this)(view.index_, true);
    if (!CheckedSpan(view).Meets(span) || from.is_before()) return;
    if constexpr (kPicksRows<Written> || kPicksRows<View>) {
      if (to || from || !AreSameRows(written, view)) ThrowPartialOverlap(shape.shape_, dim);
      return;
    }
    if constexpr (kIsTensor<Written> && kIsTensor<View>) {
      if (!to && !from) return CheckBlocks(BlockOf(written), BlockOf(view), shape);
    }
    CheckViews(written, to, view, from, shape);
  }
};

struct ElementCheck {
  template <typename View>
  void operator()(const View &, bool) const {}
  template <typename E>
  void operator()(const E &exp) const {
    if constexpr (kChecksElements<E>) exp.CheckElements();
  }
};

/// Whether E, as a destination, must look at elements before anything is written.
template <typename E, typename = void>
constexpr bool kChecksDestination = false;
template <typename E>
constexpr bool kChecksDestination<
    E, std::void_t<decltype(std::declval<const E &>().CheckDestination())>> = true;

struct DestinationCheck {
  template <typename View>
  void operator()(const View &, bool) const {}
  template <typename E>
  void operator()(const E &exp) const {
    if constexpr (kChecksDestination<E>) exp.CheckDestination();
  }
};

/// \throws Error if two of the tensors that an assignment to \p dst writes share memory
template <typename RV, int dim>
void CheckDestination(const RV &dst, const Shape<dim> &shape) {
  int first = 0;
  Operands<RV>::Visit(dst, false, [&](const auto &a, bool) {
    int second = 0;
    Operands<RV>::Visit(dst, false, [&](const auto &b, bool) {
      const bool share =
          ::mshadow::detail::Compare(BoxOf(a), BoxOf(b)) != ::mshadow::detail::Overlap::kNone;
      if (second++ > first && share) ThrowPartialOverlap(shape.shape_, dim);
    });
    ++first;
  });
}

/// \throws Error if assigning \p exp to \p dst would overwrite elements that are still to be read:
///     if an index map moves an element of dst to other coordinates (`t = t.T()`), or an operand
///     shares elements with dst at other coordinates. There is no Error if each element is read
///     only where it is written, even through maps that undo each other (a crop of a pad). A tensor
///     without memory is an Error, too
template <typename RV, typename E>
void CheckAliasing(const RV &dst, const E &exp) {
  constexpr int kDim = ExpInfo<RV>::kDim;
  const Shape<kDim> shape = dst.shape_;
  if constexpr (kListsOperands<RV>) CheckDestination(dst, shape);
  Operands<RV>::Visit(dst, false, [&](const auto &view, Path to) {
    using Check = OperandCheck<std::decay_t<decltype(view)>, kDim>;
    Operands<E>::Visit(exp, false, Check{view, CheckedSpan(view), to, shape});
  });
}

/// \throws Error if \p exp looks up an index that is out of range (extension/index.h)
template <typename E>
void CheckElements(const E &exp) {
  if constexpr ((ExpInfo<E>::kDevMask & cpu::kDevMask) != 0) {
    Operands<E>::Visit(exp, false, ElementCheck());
  }
}

/// Whether dst and each operand of \p exp are one run of memory. Then one long row has the same
/// result as many short rows.
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
