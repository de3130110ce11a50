// SPDX-License-Identifier: Apache-2.0
/// \file scan-inl.h
/// How scans are evaluated: a thread takes a row, leaf by leaf, in the order of row_tree.h.
#ifndef MSHADOW_EXTENSION_SCAN_INL_H_
#define MSHADOW_EXTENSION_SCAN_INL_H_

#include <type_traits>

#include "mshadow/detail/element_loop.h"
#include "mshadow/expr/materialised.h"
#include "mshadow/extension/pairwise_tree.h"
#include "mshadow/extension/scan.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// How a scan combines what single elements give: by a reducer.
template <typename Reducer, typename Acc, typename Src>
struct ScanOf {
  using Value = Acc;
  Src src;

  MSHADOW_XINLINE static Value Initial() {
    Acc value;
    Reducer::SetInitValue(value);
    return value;
  }
  MSHADOW_XINLINE Value At(index_t y, index_t x) const {
    Acc value = Initial();
    Reducer::Reduce(value, static_cast<Acc>(src.Eval(y, x)));
    return value;
  }
  MSHADOW_XINLINE static Value Both(Value left, Value right) {
    MergeInto<Reducer>(left, right);
    return left;
  }
  MSHADOW_XINLINE static Acc Result(Value value) { return value; }
};

/// By the steps of a recurrence: an element makes factor h + term of the value h before it.
template <typename Acc, typename Factor, typename Term>
struct RecurrenceOf {
  struct Value {
    Acc factor, term;
  };
  Factor factor;
  Term term;

  /// The value before the first element, 0, which no factor reaches.
  MSHADOW_XINLINE static Value Initial() { return {Acc(0), Acc(0)}; }
  MSHADOW_XINLINE Value At(index_t y, index_t x) const {
    return {static_cast<Acc>(factor.Eval(y, x)), static_cast<Acc>(term.Eval(y, x))};
  }
  MSHADOW_XINLINE static Value Both(Value left, Value right) {
    return {op::mul::Map(left.factor, right.factor),
            op::plus::Map(op::mul::Map(right.factor, left.term), right.term)};
  }
  MSHADOW_XINLINE static Acc Result(Value value) { return value.term; }
};

/// `dst saver scan` for rows: a body of RunBody, whose elements are the rows.
template <typename Saver, bool kExclusive, typename Acc, typename Dst, typename Scan>
struct ScanRows {
  Dst dst;
  Scan scan;
  index_t rows, cols;  ///< of the loop: a column
  index_t length;      ///< of a row

  MSHADOW_XINLINE void operator()(index_t y, index_t, index_t) const {
    Value earlier = Scan::Initial();
    index_t x = 0;
    for (; x + kScanLeaf <= length; x += kScanLeaf) {
      earlier = Leaf<true>(y, x, earlier, kScanLeaf);
    }
    if (x < length) Leaf<false>(y, x, earlier, static_cast<int>(length - x));
  }

 private:
  using Value = typename Scan::Value;

  /// The leaf from element \p begin on. Returns the result of its last element.
  /// \tparam kIsWhole whether it has kScanLeaf elements: compilers then unroll the loops
  /// \param elements how many it has
  template <bool kIsWhole>
  MSHADOW_XINLINE Value Leaf(index_t y, index_t begin, Value earlier, int elements) const {
    const int count = kIsWhole ? kScanLeaf : elements;
    Value leaf[kScanLeaf];
    for (int i = 0; i < count; ++i) leaf[i] = scan.At(y, begin + i);
    for (int step = 1; step < count; step *= 2) {
      for (int block = step; block < count; block += 2 * step) {
        const Value last = leaf[block - 1];
        const int end = block + step < count ? block + step : count;
        for (int i = block; i < end; ++i) leaf[i] = Scan::Both(last, leaf[i]);
      }
    }
    Value before = earlier;
    for (int i = 0; i < count; ++i) {
      const Value result = Scan::Both(earlier, leaf[i]);
      Save(y, begin + i, Scan::Result(kExclusive ? before : result));
      before = result;
    }
    return before;
  }
  MSHADOW_XINLINE void Save(index_t y, index_t x, Acc result) const {
    using DType = std::decay_t<decltype(dst.dptr_[0])>;
    Saver::template Save<DType>(dst.dptr_[y * dst.stride_ + x], ScalarCast<DType>(result));
  }
};

/// Checks `dst saver exp`, and runs it.
/// \param make returns what combines the elements, from their Plans
template <typename Saver, bool kExclusive, typename Device, int dim, typename DType, typename E,
          typename Make>
void EvalScan(Tensor<Device, dim, DType> *dst, const E &exp, const Shape<dim> &shape,
              const char *what, const Make &make) {
  if (dst->shape_ != shape) {
    ::mshadow::detail::ThrowShapes("destination and scan", dst->shape_, shape);
  }
  CheckAliasing(*dst, exp);
  const Tensor<Device, 2, DType> rows = dst->FlatTo2D();
  if (rows.shape_.Size() == 0) return;
  using Acc = typename Accumulator<DType>::type;
  const auto run = [&] {
    const auto scan = make();
    using Scan = std::decay_t<decltype(scan)>;
    using Body = ScanRows<Saver, kExclusive, Acc, Tensor<Device, 2, DType>, Scan>;
    const index_t length = rows.shape_[1];
    ::mshadow::detail::RunBody(what, Body{rows, scan, rows.shape_[0], 1, length},
                               length * Operands<E>::Bytes(exp), dst->stream_);
  };
  if constexpr (Device::kDevCPU) {
    run();
  } else {
    const ::mshadow::detail::AssignmentScope assignment(dst->stream_);
    run();
  }
}

/// The shape of an operand of a scan, whose elements are checked.
template <int dim, typename E>
Shape<dim> ShapeOfScanned(const E &exp) {
  const Shape<dim> shape = ShapeCheck<dim, E>::Check(exp);
  CheckElements(exp);
  return shape;
}

}  // namespace detail

template <typename Saver, typename Device, int dim, typename DType, typename SrcExp,
          typename Reducer, bool exclusive>
struct ExpComplexEngine<Saver, Tensor<Device, dim, DType>,
                        ScanExp<SrcExp, DType, Reducer, exclusive>, DType> {
  using E = ScanExp<SrcExp, DType, Reducer, exclusive>;
  static void Eval(Tensor<Device, dim, DType> *dst, const E &exp) {
    using Acc = typename detail::Accumulator<DType>::type;
    const auto make = [&exp] {
      using Src = std::decay_t<decltype(MakePlan(exp.src_))>;
      return detail::ScanOf<Reducer, Acc, Src>{MakePlan(exp.src_)};
    };
    detail::EvalScan<Saver, exclusive>(dst, exp, detail::ShapeOfScanned<dim>(exp.src_), "scan",
                                       make);
  }
};

template <typename Saver, typename Device, int dim, typename DType, typename FactorExp,
          typename TermExp>
struct ExpComplexEngine<Saver, Tensor<Device, dim, DType>, RecurrenceExp<FactorExp, TermExp, DType>,
                        DType> {
  using E = RecurrenceExp<FactorExp, TermExp, DType>;
  static void Eval(Tensor<Device, dim, DType> *dst, const E &exp) {
    using Acc = typename detail::Accumulator<DType>::type;
    const Shape<dim> shape = detail::ShapeOfScanned<dim>(exp.term_);
    if constexpr (ExpInfo<FactorExp>::kDim != 0) {
      const Shape<dim> factor = detail::ShapeOfScanned<dim>(exp.factor_);
      if (factor != shape) ::mshadow::detail::ThrowShapes("factors and terms", factor, shape);
    }
    const auto make = [&exp] {
      using Factor = std::decay_t<decltype(MakePlan(exp.factor_))>;
      using Term = std::decay_t<decltype(MakePlan(exp.term_))>;
      return detail::RecurrenceOf<Acc, Factor, Term>{MakePlan(exp.factor_), MakePlan(exp.term_)};
    };
    detail::EvalScan<Saver, false>(dst, exp, shape, "linear_recurrence", make);
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_SCAN_INL_H_
