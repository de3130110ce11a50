// SPDX-License-Identifier: Apache-2.0
/// \file engine.h
/// What happens when an expression is assigned. The shapes are checked; then the kind of the
/// expression decides which function evaluates it: MapExp if it has a Plan (tensor_cpu.h),
/// otherwise ExpComplexEngine.
#ifndef MSHADOW_EXPR_ENGINE_H_
#define MSHADOW_EXPR_ENGINE_H_

#include "mshadow/detail/exception.h"
#include "mshadow/expr/info.h"
#include "mshadow/expr/operands.h"
#include "mshadow/expr/plan.h"
#include "mshadow/expression.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// `dst saver exp` on the CPU, for expressions that have a Plan: tensor_cpu.h. Each device
/// overloads this.
template <typename Saver, typename RV, int dim, typename DType, typename E, int etype>
void MapExp(TRValue<RV, cpu, dim, DType> *dst, const expr::Exp<E, DType, etype> &exp);

MSHADOW_VERSION_END

namespace expr {
MSHADOW_VERSION_BEGIN

/// The shape of an expression of rank \p dim. Check throws Error if the operands' shapes do not
/// match. It is used only for expressions whose ExpInfo has kDim > 0. The primary template is for
/// expressions that derive from MakeTensorExp; specialise it for other expressions, or to check
/// sources.
template <int dim, typename E>
struct ShapeCheck {
  static Shape<dim> Check(const E &exp) {
    constexpr bool kIsMap = ExpTraits<E>::type::kType != type::kComplex;
    if constexpr (ExpInfo<E>::kDim == dim && kIsMap) {
      return exp.shape_;
    } else {
      return Shape<dim>{};  // the expression has been refused, with a sentence
    }
  }
};

template <int dim, typename DstDType, typename SrcDType, typename E, int etype>
struct ShapeCheck<dim, TypecastExp<DstDType, SrcDType, E, etype>> {
  static Shape<dim> Check(const TypecastExp<DstDType, SrcDType, E, etype> &exp) {
    return ShapeCheck<dim, E>::Check(exp.exp);
  }
};

template <int dim, typename E, typename DType>
struct ShapeCheck<dim, TransposeExp<E, DType>> {
  static Shape<dim> Check(const TransposeExp<E, DType> &exp) {
    static_assert(dim == 2, "only a matrix can be evaluated transposed");
    const Shape<dim> shape = ShapeCheck<dim, E>::Check(exp.exp);
    return Shape2(shape[1], shape[0]);
  }
};

template <int dim, typename OP, typename TA, typename DType, int etype>
struct ShapeCheck<dim, UnaryMapExp<OP, TA, DType, etype>> {
  static Shape<dim> Check(const UnaryMapExp<OP, TA, DType, etype> &exp) {
    return ShapeCheck<dim, TA>::Check(exp.src_);
  }
};

namespace detail {
/// The common shape of two operands, at least one of which is not a scalar.
template <int dim, typename TA, typename TB>
Shape<dim> CommonShape(const TA &a, const TB &b) {
  if constexpr (ExpInfo<TA>::kDim == 0) {
    return ShapeCheck<dim, TB>::Check(b);
  } else if constexpr (ExpInfo<TB>::kDim == 0) {
    return ShapeCheck<dim, TA>::Check(a);
  } else {
    const Shape<dim> shape_a = ShapeCheck<dim, TA>::Check(a);
    const Shape<dim> shape_b = ShapeCheck<dim, TB>::Check(b);
    if (shape_a != shape_b) {
      ::mshadow::detail::ThrowShapes("operands of an expression", shape_a, shape_b);
    }
    return shape_a;
  }
}
}  // namespace detail

template <int dim, typename OP, typename TA, typename TB, typename DType, int etype>
struct ShapeCheck<dim, BinaryMapExp<OP, TA, TB, DType, etype>> {
  static Shape<dim> Check(const BinaryMapExp<OP, TA, TB, DType, etype> &exp) {
    return detail::CommonShape<dim>(exp.lhs_, exp.rhs_);
  }
};

template <int dim, typename OP, typename TA, typename TB, typename TC, typename DType, int etype>
struct ShapeCheck<dim, TernaryMapExp<OP, TA, TB, TC, DType, etype>> {
  static Shape<dim> Check(const TernaryMapExp<OP, TA, TB, TC, DType, etype> &exp) {
    if constexpr (ExpInfo<TC>::kDim == 0) {
      return detail::CommonShape<dim>(exp.item1_, exp.item2_);
    } else if constexpr (ExpInfo<TA>::kDim == 0) {
      return detail::CommonShape<dim>(exp.item2_, exp.item3_);
    } else {
      if constexpr (ExpInfo<TB>::kDim != 0) detail::CommonShape<dim>(exp.item2_, exp.item3_);
      return detail::CommonShape<dim>(exp.item1_, exp.item3_);
    }
  }
};

/// Checks everything that must hold before `dst saver exp` writes its first element.
/// \throws Error if the shapes differ or exp would read what has been overwritten
template <typename RV, typename E>
void CheckBeforeWrite(const RV &dst, const E &exp) {
  if constexpr (ExpInfo<E>::kDim != 0) {
    constexpr int kDim = ExpInfo<RV>::kDim;
    const Shape<kDim> want = ShapeCheck<kDim, RV>::Check(dst);
    const Shape<kDim> got = ShapeCheck<kDim, E>::Check(exp);
    if (want != got) {
      ::mshadow::detail::ThrowShapes("destination and expression", want, got);
    }
  }
  detail::CheckAliasing(dst, exp);
  detail::CheckElements(exp);
  if constexpr (!detail::kIsTensor<RV>) Operands<RV>::Visit(dst, false, detail::DestinationCheck());
}

/// Evaluates `dst saver exp` for expressions of kind kComplex. There are specialisations for
/// products (dot_engine.h) and reductions (extension/reduce_to_1d.h).
template <typename Saver, typename RValue, typename E, typename DType>
struct ExpComplexEngine {
  static void Eval(RValue *, const E &) {
    static_assert(::mshadow::detail::AlwaysFalse<E>::value,
                  "a product or a reduction stands alone on the right: dst = [scale *] dot(a, b); "
                  "assign it to a tensor and go on with that");
  }
};

template <typename Saver, typename RValue, typename DType>
template <typename E, int etype>
void ExpEngine<Saver, RValue, DType>::Eval(RValue *dst, const Exp<E, DType, etype> &exp) {
  if constexpr (etype == type::kComplex) {
    ExpComplexEngine<Saver, RValue, E, DType>::Eval(dst, exp.self());
  } else {
    MapExp<Saver>(dst, exp);  // of the destination's device, found where its tensors are declared
  }
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_ENGINE_H_
