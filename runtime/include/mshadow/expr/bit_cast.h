// SPDX-License-Identifier: Apache-2.0
/// \file bit_cast.h
/// bit_cast<DType>(e): the bits of each element, read as a DType.
#ifndef MSHADOW_BIT_CAST_H_
#define MSHADOW_BIT_CAST_H_

#include "mshadow/expr/info.h"
#include "mshadow/expr/nodes.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/expr/engine.h"
#include "mshadow/expr/materialised.h"
#include "mshadow/expr/operands.h"
#include "mshadow/expr/plan.h"
#endif

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// The bits of each element of an expression of SrcDType, read as a DstDType.
template <typename DstDType, typename SrcDType, typename EType, int etype>
struct BitCastExp : Exp<BitCastExp<DstDType, SrcDType, EType, etype>, DstDType, etype> {
  EType exp;
  MSHADOW_XINLINE explicit BitCastExp(const EType &e) : exp(e) {}
};

/// The bits of each element of \p e, read as a DType, which has as many bits: those of a float as
/// an int32_t, those of a bf16_t as an int16_t, or the reverse. Neither type is bool. A NaN has
/// many bit patterns; which one an operation gives depends on the processor.
template <typename DType, typename E, typename From, int etype>
MSHADOW_XINLINE BitCastExp<DType, From, E, (etype | type::kMapper)> bit_cast(
    const Exp<E, From, etype> &e) {
  static_assert(sizeof(DType) == sizeof(From),
                "bit_cast<DType>(e) needs a DType with as many bits as the elements of e");
  static_assert(!::mshadow::detail::IsSame<DType, bool>::value &&
                    !::mshadow::detail::IsSame<From, bool>::value,
                "bit_cast<DType>(e) takes and gives no bool: write tcast<DType>(e)");
  return BitCastExp<DType, From, E, (etype | type::kMapper)>(e.self());
}

template <typename DstDType, typename SrcDType, typename E, int etype>
struct ExpInfo<BitCastExp<DstDType, SrcDType, E, etype>> : ExpInfo<E> {};

#ifndef __MSHADOW_GEN__

namespace detail {
/// The bits of an element as another type; of a type of another size, nothing of use: it has been
/// refused, with a sentence.
template <typename DstDType, typename SrcDType>
MSHADOW_XINLINE DstDType BitsAs(const SrcDType &a) {
  if constexpr (sizeof(DstDType) == sizeof(SrcDType)) {
    return __builtin_bit_cast(DstDType, a);
  } else {
    return DstDType();
  }
}
}  // namespace detail

template <typename DstDType, typename SrcDType, typename E, int etype>
class Plan<BitCastExp<DstDType, SrcDType, E, etype>, DstDType> {
  using Source = Plan<E, SrcDType>;

 public:
  MSHADOW_CINLINE explicit Plan(const BitCastExp<DstDType, SrcDType, E, etype> &exp)
      : src_(MakePlan(exp.exp)) {}
  MSHADOW_XINLINE DstDType Eval(index_t y, index_t x) const {
    return detail::BitsAs<DstDType>(static_cast<SrcDType>(src_.Eval(y, x)));
  }
  static constexpr bool kRuns = detail::kHasRuns<Source>;
  static constexpr bool kUniform = detail::kIsUniform<Source>;
  static constexpr bool kShortByElement = detail::kShortByElement<Source>;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t y, index_t x, int n) : src_(p.src_, y, x, n) {}
    MSHADOW_CINLINE DstDType operator[](std::ptrdiff_t i) const {
      return detail::BitsAs<DstDType>(static_cast<SrcDType>(src_[i]));
    }

   private:
    detail::Run<Source, SrcDType> src_;
  };
  index_t RowPeriod() const { return detail::RowPeriodOf(src_); }

 private:
  Source src_;
};

template <int dim, typename DstDType, typename SrcDType, typename E, int etype>
struct ShapeCheck<dim, BitCastExp<DstDType, SrcDType, E, etype>> {
  static Shape<dim> Check(const BitCastExp<DstDType, SrcDType, E, etype> &exp) {
    return ShapeCheck<dim, E>::Check(exp.exp);
  }
};

template <typename DstDType, typename SrcDType, typename E, int etype>
struct Operands<BitCastExp<DstDType, SrcDType, E, etype>> : detail::OperandsOfNode<E> {
  template <typename Function>
  static void Visit(const BitCastExp<DstDType, SrcDType, E, etype> &exp, detail::Path moved,
                    Function &&f) {
    Operands<E>::Visit(exp.exp, moved, f);
  }
  static index_t Bytes(const BitCastExp<DstDType, SrcDType, E, etype> &exp) {
    return Operands<E>::Bytes(exp.exp);
  }
};

namespace detail {
template <typename Dst, typename Src, typename E, int etype>
constexpr bool kReadsMany<BitCastExp<Dst, Src, E, etype>, void> = kReadsMany<E>;
}  // namespace detail

#endif

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_BIT_CAST_H_
