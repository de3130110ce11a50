// SPDX-License-Identifier: Apache-2.0
/// \file rvalue.h
/// What can be assigned: the five assignments, each from a scalar and from an expression.
#ifndef MSHADOW_EXPR_RVALUE_H_
#define MSHADOW_EXPR_RVALUE_H_

#include "mshadow/expr/info.h"
#include "mshadow/expr/nodes.h"
#include "mshadow/expr/operators.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

#ifdef __MSHADOW_GEN__
namespace detail {
/// Calls a saver's function, so that the generator finds its instance for these elements.
template <typename Saver, typename DType>
void UseSaver() {
  DType to, from;
  Saver::template Save<DType>(to, from);
}
}  // namespace detail
#endif

/// Evaluates `dst saver exp` (expr/engine.h). A saver of your own is a struct with `Save(a, b)`,
/// which changes the old element a.
template <typename Saver, typename RValue, typename DType>
struct ExpEngine {
#ifdef __MSHADOW_GEN__
  template <typename E, int etype>
  static void Eval(RValue *, const Exp<E, DType, etype> &) {
    detail::UseSaver<Saver, DType>();
  }
#else
  template <typename E, int etype>
  static void Eval(RValue *dst, const Exp<E, DType, etype> &exp);
#endif
};

#ifdef __MSHADOW_GEN__
#define MSHADOW_CONST_ASSIGNMENT(symbol)
#else
/// The assignment to a const tensor or view, which a static_assert refuses.
#define MSHADOW_CONST_ASSIGNMENT(symbol)                                              \
  template <typename S, ::mshadow::detail::IfScalar<S> = 0>                           \
  const auto &operator symbol(S) const {                                              \
    return this->template RefuseConst<S>();                                           \
  }                                                                                   \
  template <typename E, typename EDType, int etype>                                   \
  const auto &operator symbol(const ::mshadow::expr::Exp<E, EDType, etype> &) const { \
    return this->template RefuseConst<E>();                                           \
  }
#endif

/// The base of every tensor and assignable view.
/// \tparam Container the most derived class
template <typename Container, typename DType>
struct RValueExp : Exp<Container, DType, type::kRValue> {
  /// This matrix with rows and columns swapped; in a dot, also a vector as a column.
  MSHADOW_XINLINE TransposeExp<Container, DType> T() const {
    static_assert(ExpInfo<Container>::kDim <= 2, "only matrices and vectors have a transpose");
    return TransposeExp<Container, DType>(this->self());
  }

  /// Every element becomes \p s.
  template <typename S, detail::IfScalar<S> = 0>
  Container &__assign(S s) {
    return Assign<sv::saveto>(scalar<DType>(s));
  }
  /// The elements become those of \p exp.
  /// \throws Error if the shapes differ or \p exp reads, other than element by element, what is
  ///     being written
  template <typename E, typename EDType, int etype>
  Container &__assign(const Exp<E, EDType, etype> &exp) {
    return Assign<sv::saveto>(exp);
  }

#define MSHADOW_ASSIGNMENT(symbol, Saver)                        \
  template <typename S, detail::IfScalar<S> = 0>                 \
  Container &operator symbol(S s) {                              \
    return Assign<Saver>(scalar<DType>(s));                      \
  }                                                              \
  template <typename E, typename EDType, int etype>              \
  Container &operator symbol(const Exp<E, EDType, etype> &exp) { \
    return Assign<Saver>(exp);                                   \
  }                                                              \
  MSHADOW_CONST_ASSIGNMENT(symbol)
  MSHADOW_ASSIGNMENT(+=, sv::plusto)
  MSHADOW_ASSIGNMENT(-=, sv::minusto)
  MSHADOW_ASSIGNMENT(*=, sv::multo)
  MSHADOW_ASSIGNMENT(/=, sv::divto)
#undef MSHADOW_ASSIGNMENT

#ifndef __MSHADOW_GEN__
 protected:
  template <typename T>
  const Container &RefuseConst() const {
    static_assert(::mshadow::detail::AlwaysFalse<T>::value,
                  "the destination is const: assign to a tensor that is not, or, in a lambda that "
                  "captured it by value, write mutable");
    return this->self();
  }
#endif

 private:
  template <typename Saver, typename E, typename EDType, int etype>
  Container &Assign(const Exp<E, EDType, etype> &exp) {
    if constexpr (CheckAssignment<Container, DType, E, EDType>()) {
      ExpEngine<Saver, Container, DType>::Eval(this->ptrself(), exp);
    }
    return *this->ptrself();
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_RVALUE_H_
