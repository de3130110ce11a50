// SPDX-License-Identifier: Apache-2.0
/// \file nodes.h
/// The nodes of expressions, and the functions that make them. expr/engine.h says what happens when
/// an expression is assigned.
///
/// Nodes hold their operands by value, and tensors as small views, so `auto e = a + b * c;` never
/// dangles. A node's type contains its most derived class, which Exp<SubType, …>::self() returns:
/// there are no virtual functions.
#ifndef MSHADOW_EXPR_NODES_H_
#define MSHADOW_EXPR_NODES_H_

#include "mshadow/detail/cast.h"
#include "mshadow/detail/shape.h"
#include "mshadow/expr/op.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Kinds of expressions. The kind of a node is the bitwise or of its own kind and its operands'.
namespace type {
constexpr int kRValue = 0;   ///< a tensor, or a view that can be assigned
constexpr int kMapper = 1;   ///< element (y, x) needs only its operands' elements (y, x)
constexpr int kChainer = 3;  ///< element (y, x) needs any elements: transpose, broadcast, slice
constexpr int kComplex = 7;  ///< cannot be evaluated one element at a time: dot, reductions
}  // namespace type

/// The base of every expression.
/// \tparam SubType the most derived class
/// \tparam DType its element type
/// \tparam exp_type its kind
template <typename SubType, typename DType, int exp_type>
struct Exp {
  MSHADOW_XINLINE const SubType &self() const { return *static_cast<const SubType *>(this); }
  MSHADOW_XINLINE SubType *ptrself() { return static_cast<SubType *>(this); }
};

/// Whether T is an expression; if so, its most derived class, element type and kind.
template <typename T>
struct ExpTraits {
 private:
  template <typename Sub, typename DType, int kKind>
  struct Found {
    static constexpr bool kIsExp = true;
    static constexpr int kType = kKind;
    using SubType = Sub;
    using ElementType = DType;
  };
  struct Missing {
    static constexpr bool kIsExp = false;
    using ElementType = void;
  };
  template <typename Sub, typename DType, int kKind>
  static Found<Sub, DType, kKind> Find(const Exp<Sub, DType, kKind> *);
  static Missing Find(...);

 public:
  using type = decltype(Find(static_cast<T *>(nullptr)));
};
template <typename T>
constexpr bool kIsExp = ExpTraits<T>::type::kIsExp;

/// A scalar used as an expression: it has the same value for every element.
template <typename DType>
struct ScalarExp : Exp<ScalarExp<DType>, DType, type::kMapper> {
  DType scalar_;
  MSHADOW_XINLINE ScalarExp(DType scalar) : scalar_(scalar) {}
};

namespace detail {
/// The element type of `scalar<DType>(s)` for an s of type S: DType, or S if DType is void. (The
/// generator does not parse <type_traits>.)
template <typename DType, typename S>
struct ScalarElement {
  using type = DType;
};
template <typename S>
struct ScalarElement<void, S> {
  using type = S;
};
}  // namespace detail

/// \p s as an expression of element type DType. `scalar(s)`, without a DType, has the type of \p s.
template <typename DType = void, typename S, ::mshadow::detail::IfScalar<S> = 0>
MSHADOW_XINLINE ScalarExp<typename detail::ScalarElement<DType, S>::type> scalar(S s) {
  using Element = typename detail::ScalarElement<DType, S>::type;
  return ScalarExp<Element>(ScalarCast<Element>(s));
}

/// Each element converted to DstDType (ScalarCast says how).
template <typename DstDType, typename SrcDType, typename EType, int etype>
struct TypecastExp : Exp<TypecastExp<DstDType, SrcDType, EType, etype>, DstDType, etype> {
  EType exp;
  MSHADOW_XINLINE explicit TypecastExp(const EType &e) : exp(e) {}
};

/// \p exp with its elements converted to DstDType.
template <typename DstDType, typename SrcDType, typename EType, int etype>
MSHADOW_XINLINE TypecastExp<DstDType, SrcDType, EType, (etype | type::kMapper)> tcast(
    const Exp<EType, SrcDType, etype> &exp) {
  return TypecastExp<DstDType, SrcDType, EType, (etype | type::kMapper)>(exp.self());
}

/// A matrix with rows and columns swapped. `.T()` undoes it.
template <typename EType, typename DType>
struct TransposeExp : Exp<TransposeExp<EType, DType>, DType, type::kChainer> {
  EType exp;
  MSHADOW_XINLINE explicit TransposeExp(const EType &e) : exp(e) {}
  MSHADOW_XINLINE const EType &T() const { return exp; }
};

/// OP::Map of each element.
template <typename OP, typename TA, typename DType, int etype>
struct UnaryMapExp : Exp<UnaryMapExp<OP, TA, DType, etype>, DType, etype> {
  TA src_;
  MSHADOW_XINLINE explicit UnaryMapExp(const TA &src) : src_(src) {
#ifdef __MSHADOW_GEN__
    static_cast<void>(OP::Map(DType()));
#endif
  }
};

/// OP::Map of each pair of elements.
template <typename OP, typename TA, typename TB, typename DType, int etype>
struct BinaryMapExp : Exp<BinaryMapExp<OP, TA, TB, DType, etype>, DType, etype> {
  TA lhs_;
  TB rhs_;
  MSHADOW_XINLINE BinaryMapExp(const TA &lhs, const TB &rhs) : lhs_(lhs), rhs_(rhs) {
#ifdef __MSHADOW_GEN__
    static_cast<void>(OP::Map(DType(), DType()));
#endif
  }
};

/// OP::Map of each triple of elements.
template <typename OP, typename TA, typename TB, typename TC, typename DType, int etype>
struct TernaryMapExp : Exp<TernaryMapExp<OP, TA, TB, TC, DType, etype>, DType, etype> {
  TA item1_;
  TB item2_;
  TC item3_;
  MSHADOW_XINLINE TernaryMapExp(const TA &item1, const TB &item2, const TC &item3)
      : item1_(item1), item2_(item2), item3_(item3) {
#ifdef __MSHADOW_GEN__
    static_cast<void>(OP::Map(DType(), DType(), DType()));
#endif
  }
};

/// dot(lhs, rhs) times scale_; a flag says that its operand is transposed. dot_engine.h evaluates
/// the node, never element by element.
template <typename TA, typename TB, bool ltrans, bool rtrans, typename DType>
struct DotExp : Exp<DotExp<TA, TB, ltrans, rtrans, DType>, DType, type::kComplex> {
  TA lhs_;
  TB rhs_;
  DType scale_;
  MSHADOW_XINLINE DotExp(const TA &lhs, const TB &rhs, DType scale)
      : lhs_(lhs), rhs_(rhs), scale_(scale) {}
};

/// The base of expressions that map the indices of one source, and that have the shape shape_.
/// \tparam SubType the most derived class, which its Plan is specialised for
template <typename SubType, typename SrcExp, int dim, typename DType>
struct MakeTensorExp : Exp<SubType, DType, type::kChainer> {
  Shape<dim> shape_;
  MSHADOW_XINLINE const SubType &real_self() const { return this->self(); }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_NODES_H_
