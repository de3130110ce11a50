// SPDX-License-Identifier: Apache-2.0
/// \file scan.h
/// Scans along the last dimension: inclusive_scan, exclusive_scan and linear_recurrence. They stand
/// alone on the right of an assignment to a tensor of the same shape: t (=, +=, -=, *=, /=) scan.
///
/// The order in which elements are combined is that of row_tree.h, the same on every machine.
/// 16-bit floats are combined in float, and each result is rounded once.
#ifndef MSHADOW_EXTENSION_SCAN_H_
#define MSHADOW_EXTENSION_SCAN_H_

#ifdef __MSHADOW_GEN__
#include "mshadow/expr/info.h"
#else
#include "mshadow/expr/engine.h"
#endif
#include "mshadow/expr/red.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// \p Reducer over each element and those before it in its row; if \p exclusive without the
/// element itself.
template <typename SrcExp, typename DType, typename Reducer, bool exclusive>
struct ScanExp : Exp<ScanExp<SrcExp, DType, Reducer, exclusive>, DType, type::kComplex> {
  SrcExp src_;
  MSHADOW_XINLINE explicit ScanExp(const SrcExp &src) : src_(src) {
#ifdef __MSHADOW_GEN__
    ::mshadow::detail::UseReducer<Reducer, DType>();
#endif
  }
};
template <typename SrcExp, typename DType, typename Reducer, bool exclusive>
struct ExpInfo<ScanExp<SrcExp, DType, Reducer, exclusive>> : ExpInfo<SrcExp> {};

/// h with h[t] = factor[t] h[t - 1] + term[t] along each row, and h[-1] = 0.
template <typename FactorExp, typename TermExp, typename DType>
struct RecurrenceExp : Exp<RecurrenceExp<FactorExp, TermExp, DType>, DType, type::kComplex> {
  FactorExp factor_;
  TermExp term_;
  MSHADOW_XINLINE RecurrenceExp(const FactorExp &factor, const TermExp &term)
      : factor_(factor), term_(term) {}
};
template <typename FactorExp, typename TermExp, typename DType>
struct ExpInfo<RecurrenceExp<FactorExp, TermExp, DType>> : detail::DevicesOf<FactorExp, TermExp> {
  static constexpr int kDim = detail::JoinDim(ExpInfo<FactorExp>::kDim, ExpInfo<TermExp>::kDim);
};

#ifndef __MSHADOW_GEN__
template <typename SrcExp, typename DType, typename Reducer, bool exclusive>
struct Operands<ScanExp<SrcExp, DType, Reducer, exclusive>> : detail::OperandsOfNode<SrcExp> {
  using E = ScanExp<SrcExp, DType, Reducer, exclusive>;
  template <typename Function>
  static void Visit(const E &exp, detail::Path moved, Function &&f) {
    Operands<SrcExp>::Visit(exp.src_, moved, f);
  }
  static index_t Bytes(const E &exp) { return Operands<SrcExp>::Bytes(exp.src_); }
  static constexpr bool kIsMap = false;
};
template <typename FactorExp, typename TermExp, typename DType>
struct Operands<RecurrenceExp<FactorExp, TermExp, DType>>
    : detail::OperandsOfNode<FactorExp, TermExp> {
  using E = RecurrenceExp<FactorExp, TermExp, DType>;
  template <typename Function>
  static void Visit(const E &exp, detail::Path moved, Function &&f) {
    Operands<FactorExp>::Visit(exp.factor_, moved, f);
    Operands<TermExp>::Visit(exp.term_, moved, f);
  }
  static index_t Bytes(const E &exp) {
    return Operands<FactorExp>::Bytes(exp.factor_) + Operands<TermExp>::Bytes(exp.term_);
  }
  static constexpr bool kIsMap = false;
};
#endif

namespace detail {
/// Whether a reducer says how results of two parts become one.
template <typename Reducer, typename T, typename = void>
constexpr bool kMerges = false;
template <typename Reducer, typename T>
constexpr bool kMerges<Reducer, T,
                       decltype(void(Reducer::Merge(*static_cast<T *>(nullptr),
                                                    *static_cast<T *>(nullptr))))> = true;

/// Refuses what cannot be scanned.
template <typename Reducer, typename SrcExp, int etype>
constexpr void CheckScan() {
  static_assert(etype != type::kComplex, "assign the product, reduction or scan to a tensor first");
  static_assert(etype == type::kComplex || ExpInfo<SrcExp>::kDim > 0, "a scan needs a tensor");
  static_assert(kMerges<Reducer, float>, "a scan needs a reducer with Merge");
}
}  // namespace detail

/// Element x of each row of the result is the reduction of elements 0 to x of that row of \p exp.
/// \tparam Reducer of mshadow::red, or one of your own with Merge, which must be associative
template <typename Reducer, typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE ScanExp<SrcExp, DType, Reducer, false> inclusive_scan(
    const Exp<SrcExp, DType, etype> &exp) {
  detail::CheckScan<Reducer, SrcExp, etype>();
  return ScanExp<SrcExp, DType, Reducer, false>(exp.self());
}
/// The same of elements 0 to x - 1: element 0 is the reducer's initial value.
template <typename Reducer, typename SrcExp, typename DType, int etype>
MSHADOW_CINLINE ScanExp<SrcExp, DType, Reducer, true> exclusive_scan(
    const Exp<SrcExp, DType, etype> &exp) {
  detail::CheckScan<Reducer, SrcExp, etype>();
  return ScanExp<SrcExp, DType, Reducer, true>(exp.self());
}

/// h[t] = factor[t] h[t - 1] + term[t] along each row, where h[-1] is 0. \p factor may be a number.
template <typename FactorExp, typename TermExp, typename DType, int factor_type, int term_type>
MSHADOW_CINLINE RecurrenceExp<FactorExp, TermExp, DType> linear_recurrence(
    const Exp<FactorExp, DType, factor_type> &factor, const Exp<TermExp, DType, term_type> &term) {
  static_assert(factor_type != type::kComplex && term_type != type::kComplex,
                "assign the product, reduction or scan to a tensor first");
  return RecurrenceExp<FactorExp, TermExp, DType>(factor.self(), term.self());
}
template <typename S, typename TermExp, typename DType, int term_type, detail::IfScalar<S> = 0>
MSHADOW_CINLINE RecurrenceExp<ScalarExp<DType>, TermExp, DType> linear_recurrence(
    S factor, const Exp<TermExp, DType, term_type> &term) {
  return linear_recurrence(ScalarExp<DType>(ScalarCast<DType>(factor)), term);
}

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#ifndef __MSHADOW_GEN__
#include "mshadow/extension/scan-inl.h"
#endif

#endif  // MSHADOW_EXTENSION_SCAN_H_
