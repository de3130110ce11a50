// SPDX-License-Identifier: Apache-2.0
/// \file index.h
/// Gathers: mat_choose_row_element, mat_fill_row_element, one_hot_encode, take, take_grad and mask
/// choose elements or rows by indices. Indices may have any element type, whatever the data's is;
/// fractions are cut off.
///
/// If an index by which take or mat_choose_row_element read is out of range, the CPU throws Error
/// before the first write. A GPU, which cannot throw, reads 0. The others leave out such elements.
#ifndef MSHADOW_EXTENSION_INDEX_H_
#define MSHADOW_EXTENSION_INDEX_H_

#include "mshadow/expr/materialised.h"
#include "mshadow/extension/axis_map.h"
#include "mshadow/extension/errors.h"
#include "mshadow/extension/pairwise_tree.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {

/// The Plan of an expression of any element type.
template <typename E>
using PlanOf = Plan<E, ElementType<E>>;

/// Index i of a vector of indices, as an integer.
template <typename P>
MSHADOW_XINLINE int64_t IndexAt(const P &plan, index_t i) {
  return ScalarCast<int64_t>(plan.Eval(0, i));
}

/// Whether \p index is within [0, size).
MSHADOW_XINLINE bool HasElement(int64_t index, index_t size) {
  return 0 <= index && index < static_cast<int64_t>(size);
}

/// Where \p index is in a row of \p size elements, by the rules of IndexAt and HasElement; -1:
/// nowhere. It has no branches, so that compilers vectorise it. For types whose values fit into 32
/// bits.
template <typename IType>
MSHADOW_XINLINE int32_t PlaceOf(IType index, IType size) {
  const bool is_number = index == index;
  const bool within = index > static_cast<IType>(-1) && index < size;
  return static_cast<int32_t>(within ? index : is_number ? static_cast<IType>(-1) : IType(0));
}

/// Where \p index is among x … x + n - 1, counted from x; -1: nowhere.
inline int WithinRun(int64_t index, index_t x, int n) {
  const int64_t first = static_cast<int64_t>(x);
  return first <= index && index - first < n ? static_cast<int>(index - first) : -1;
}

/// Whether every index is within [0, size): a quick test, which may return false if the element
/// type does not hold size. The loop has no branches, and flags as wide as indices, so that
/// compilers vectorise it.
template <typename P, typename IType>
bool AreAllWithin(const P &plan, index_t count, index_t size, IType) {
  using Flag = std::conditional_t<sizeof(IType) == sizeof(int64_t), int64_t, int32_t>;
  const IType end = ScalarCast<IType>(size);
  Flag within = ScalarCast<index_t>(end) == size;
  for (index_t i = 0; i < count; ++i) {
    const IType value = plan.Eval(0, i);
    within &= Flag(value >= IType(0)) & Flag(value < end);
  }
  return within != 0;
}

/// \throws Error unless every index is within [0, size)
template <typename IndexExp>
void CheckIndices(const char *what, const IndexExp &index, index_t size) {
  const PlanOf<IndexExp> plan = MakePlan(index);
  const index_t count = ShapeCheck<1, IndexExp>::Check(index)[0];
  if (AreAllWithin(plan, count, size, ElementType<IndexExp>())) return;
  for (index_t i = 0; i < count; ++i) {
    const ElementType<IndexExp> value = plan.Eval(0, i);
    if (!(value == value) || !HasElement(ScalarCast<int64_t>(value), size)) {
      ThrowIndex(what, ScalarCast<double>(value), i, size);
    }
  }
}

/// \throws Error unless vector \p got has one element for each of the rows of \p matrix
inline void CheckOnePerRow(const char *what, const Shape<1> &got, const Shape<2> &matrix) {
  if (got[0] != matrix[0]) {
    ThrowMisfit(what, "expected a vector with one element for each row", got.shape_, 1,
                matrix.shape_, 2);
  }
}

}  // namespace detail

/// The vector of element index[y] of each row y.
template <typename SrcExp, typename IndexExp, typename DType>
struct MatChooseRowElementExp
    : MakeTensorExp<MatChooseRowElementExp<SrcExp, IndexExp, DType>, SrcExp, 1, DType> {
  static constexpr const char *kName = "mat_choose_row_element";
  SrcExp src_;
  IndexExp index_;
  index_t cols_;
  MatChooseRowElementExp(const SrcExp &src, const IndexExp &index) : src_(src), index_(index) {
    const Shape<2> source = ShapeCheck<2, SrcExp>::Check(src);
    this->shape_ = ShapeCheck<1, IndexExp>::Check(index);
    detail::CheckOnePerRow(kName, this->shape_, source);
    cols_ = source[1];
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, true);
    f(index_, true);
  }
  void CheckElements() const { detail::CheckIndices(kName, index_, cols_); }
};
template <typename SrcExp, typename IndexExp, typename DType>
class Plan<MatChooseRowElementExp<SrcExp, IndexExp, DType>, DType> {
 public:
  explicit Plan(const MatChooseRowElementExp<SrcExp, IndexExp, DType> &exp)
      : src_(MakePlan(exp.src_)), index_(MakePlan(exp.index_)), cols_(exp.cols_) {}
  MSHADOW_XINLINE DType Eval(index_t, index_t x) const {
    const int64_t i = detail::IndexAt(index_, x);
    return detail::HasElement(i, cols_) ? DType(src_.Eval(x, static_cast<index_t>(i))) : DType(0);
  }

  static constexpr bool kRuns = true;
  static constexpr bool kShortByElement = true;
  /// Finds all places first, then reads the elements, which may be anywhere in memory.
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    using IType = detail::ElementType<IndexExp>;
    constexpr bool kPlaces = std::is_same_v<IType, float> || std::is_same_v<IType, int32_t>;
    constexpr index_t kExact = index_t{1} << 24;  // a float holds all integers up to here
    if constexpr (kPlaces) {
      if (cols_ <= kExact) return EvalPlaces(x, n, static_cast<IType>(cols_), out);
    }
    for (int i = 0; i < n; ++i) out[i] = Eval(y, x + i);
  }

 private:
  template <typename IType>
  void EvalPlaces(index_t x, int n, IType cols, DType *out) const {
    int32_t place[detail::kMaxRun];
    for (int i = 0; i < n; ++i) place[i] = detail::PlaceOf<IType>(index_.Eval(0, x + i), cols);
    for (int i = 0; i < n; ++i) {
      out[i] = place[i] < 0 ? DType(0) : DType(src_.Eval(x + i, place[i]));
    }
  }

  Plan<SrcExp, DType> src_;
  detail::PlanOf<IndexExp> index_;
  index_t cols_;
};

/// The vector of src[y][index[y]].
/// \throws Error if there is not one index for each row; if evaluated on the CPU, also if an index
///     is out of its row
template <typename SrcExp, typename IndexExp, typename DType, typename IType, int e1, int e2>
MatChooseRowElementExp<SrcExp, IndexExp, DType> mat_choose_row_element(
    const Exp<SrcExp, DType, e1> &src, const Exp<IndexExp, IType, e2> &index) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2)>());
  static_assert(ExpInfo<SrcExp>::kDim == 2 && ExpInfo<IndexExp>::kDim == 1,
                "mat_choose_row_element takes a matrix and a vector of indices");
  return MatChooseRowElementExp<SrcExp, IndexExp, DType>(src.self(), index.self());
}

/// A matrix whose element index[y] of each row y is replaced by val[y].
template <typename SrcExp, typename ValExp, typename IndexExp, typename DType>
struct MatFillRowElementExp
    : MakeTensorExp<MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType>, SrcExp, 2, DType> {
  SrcExp src_;
  ValExp val_;
  IndexExp index_;
  MatFillRowElementExp(const SrcExp &src, const ValExp &val, const IndexExp &index)
      : src_(src), val_(val), index_(index) {
    this->shape_ = ShapeCheck<2, SrcExp>::Check(src);
    detail::CheckOnePerRow("mat_fill_row_element", ShapeCheck<1, ValExp>::Check(val), this->shape_);
    detail::CheckOnePerRow("mat_fill_row_element", ShapeCheck<1, IndexExp>::Check(index),
                           this->shape_);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(src_, false);
    f(val_, true);
    f(index_, true);
  }
};
template <typename SrcExp, typename ValExp, typename IndexExp, typename DType>
class Plan<MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType>, DType> {
 public:
  explicit Plan(const MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType> &exp)
      : src_(MakePlan(exp.src_)), val_(MakePlan(exp.val_)), index_(MakePlan(exp.index_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return detail::IndexAt(index_, y) == static_cast<int64_t>(x) ? DType(val_.Eval(0, y))
                                                                 : DType(src_.Eval(y, x));
  }

  static constexpr bool kRuns = true;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t y, index_t x, int n)
        : src_(p.src_, y, x, n),
          val_(p.val_.Eval(0, y)),
          at_(detail::WithinRun(detail::IndexAt(p.index_, y), x, n)) {}
    MSHADOW_CINLINE DType operator[](ptrdiff_t i) const { return i == at_ ? val_ : DType(src_[i]); }

   private:
    detail::Run<Plan<SrcExp, DType>, DType> src_;
    DType val_;
    int at_;
  };

 private:
  Plan<SrcExp, DType> src_;
  Plan<ValExp, DType> val_;
  detail::PlanOf<IndexExp> index_;
};

/// Matrix \p src with val[y] for src[y][index[y]]. An index out of its row replaces nothing.
/// \throws Error if there are not one index and one value for each row
template <typename SrcExp, typename ValExp, typename IndexExp, typename DType, typename IType,
          int e1, int e2, int e3>
MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType> mat_fill_row_element(
    const Exp<SrcExp, DType, e1> &src, const Exp<ValExp, DType, e2> &val,
    const Exp<IndexExp, IType, e3> &index) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2 | e3)>());
  static_assert(
      ExpInfo<SrcExp>::kDim == 2 && ExpInfo<ValExp>::kDim == 1 && ExpInfo<IndexExp>::kDim == 1,
      "mat_fill_row_element takes a matrix, a vector of values and one of indices");
  return MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType>(src.self(), val.self(),
                                                               index.self());
}

/// A matrix with a row for each index: 1 at the index, else 0.
template <typename IndexExp, typename DType>
struct OneHotEncodeExp : MakeTensorExp<OneHotEncodeExp<IndexExp, DType>, IndexExp, 2, DType> {
  IndexExp index_;
  OneHotEncodeExp(const IndexExp &index, index_t num_choices) : index_(index) {
    detail::CheckNotNegative("one_hot_encode", "number of choices", num_choices);
    this->shape_ = Shape2(ShapeCheck<1, IndexExp>::Check(index)[0], num_choices);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(index_, true);
  }
};
template <typename IndexExp, typename DType>
class Plan<OneHotEncodeExp<IndexExp, DType>, DType> {
 public:
  explicit Plan(const OneHotEncodeExp<IndexExp, DType> &exp) : index_(MakePlan(exp.index_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return ScalarCast<DType>(detail::IndexAt(index_, y) == static_cast<int64_t>(x));
  }

  static constexpr bool kRuns = true;
  /// Zeros and one 1, written to where they belong, without a buffer.
  static constexpr bool kRunsInPlace = true;
  static constexpr index_t kLongestRun = index_t{1} << 20;
  void EvalRun(index_t y, index_t x, index_t n, DType *out) const {
    const int at = detail::WithinRun(detail::IndexAt(index_, y), x, static_cast<int>(n));
    for (index_t i = 0; i < n; ++i) out[i] = DType(0);
    if (at >= 0) out[at] = DType(1);
  }
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t y, index_t x, int n)
        : at_(detail::WithinRun(detail::IndexAt(p.index_, y), x, n)) {}
    MSHADOW_CINLINE DType operator[](ptrdiff_t i) const { return i == at_ ? DType(1) : DType(0); }

   private:
    int at_;
  };

 private:
  detail::PlanOf<IndexExp> index_;
};

/// A matrix of \p num_choices columns with a row for each index: 1 at the index, else 0. The row of
/// an index that is no column is all 0.
/// \tparam DType the result's element type
template <typename DType = default_real_t, typename IndexExp, typename IType, int etype>
OneHotEncodeExp<IndexExp, DType> one_hot_encode(const Exp<IndexExp, IType, etype> &index,
                                                index_t num_choices) {
  static_assert(detail::CheckSource<IndexExp, etype>());
  static_assert(ExpInfo<IndexExp>::kDim == 1, "one_hot_encode takes a vector of indices");
  return OneHotEncodeExp<IndexExp, DType>(index.self(), num_choices);
}

/// The matrix whose row y is row index[y] of another.
template <typename IndexExp, typename SrcExp, typename DType>
struct TakeExp : MakeTensorExp<TakeExp<IndexExp, SrcExp, DType>, SrcExp, 2, DType> {
  IndexExp index_;
  SrcExp src_;
  index_t rows_;
  TakeExp(const IndexExp &index, const SrcExp &src) : index_(index), src_(src) {
    const Shape<2> source = ShapeCheck<2, SrcExp>::Check(src);
    rows_ = source[0];
    this->shape_ = Shape2(ShapeCheck<1, IndexExp>::Check(index)[0], source[1]);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(index_, true);
    f(src_, true);
  }
  void CheckElements() const { detail::CheckIndices("take", index_, rows_); }
};
template <typename IndexExp, typename SrcExp, typename DType>
class Plan<TakeExp<IndexExp, SrcExp, DType>, DType> {
 public:
  explicit Plan(const TakeExp<IndexExp, SrcExp, DType> &exp)
      : index_(MakePlan(exp.index_)), src_(MakePlan(exp.src_)), rows_(exp.rows_) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const int64_t row = detail::IndexAt(index_, y);
    return detail::HasElement(row, rows_) ? DType(src_.Eval(static_cast<index_t>(row), x))
                                          : DType(0);
  }

  static constexpr bool kRuns = true;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    const int64_t row = detail::IndexAt(index_, y);
    if (!detail::HasElement(row, rows_)) {
      for (int i = 0; i < n; ++i) out[i] = DType(0);
      return;
    }
    const detail::Run<Plan<SrcExp, DType>, DType> run(src_, static_cast<index_t>(row), x, n);
    detail::StoreRun(out, run, n);
  }

 private:
  detail::PlanOf<IndexExp> index_;
  Plan<SrcExp, DType> src_;
  index_t rows_;
};

/// The matrix whose row y is row index[y] of \p src.
/// \throws Error, if evaluated on the CPU, if an index is no row
template <typename IndexExp, typename SrcExp, typename IType, typename DType, int e1, int e2>
TakeExp<IndexExp, SrcExp, DType> take(const Exp<IndexExp, IType, e1> &index,
                                      const Exp<SrcExp, DType, e2> &src) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2)>());
  static_assert(ExpInfo<IndexExp>::kDim == 1 && ExpInfo<SrcExp>::kDim == 2,
                "take takes a vector of indices and a matrix");
  return TakeExp<IndexExp, SrcExp, DType>(index.self(), src.self());
}

namespace detail {

/// For each row, which of the indices name it, in their order. Found by counting.
class IndicesOfRows {
 public:
  template <typename IndexExp>
  IndicesOfRows(const IndexExp &index, index_t count, index_t rows)
      : block_(count + rows + 1, nullptr), rows_(rows) {
    const PlanOf<IndexExp> plan = MakePlan(index);
    index_t *const end = block_.tensor().dptr_, *const at = end + rows + 1;
    for (index_t y = 0; y <= rows; ++y) end[y] = 0;
    for (index_t i = 0; i < count; ++i) {
      const int64_t row = IndexAt(plan, i);
      if (HasElement(row, rows)) ++end[row + 1];
    }
    for (index_t y = 0; y < rows; ++y) end[y + 1] += end[y];
    for (index_t i = 0; i < count; ++i) {  // end[y] is the end of the row before: becomes row y's
      const int64_t row = IndexAt(plan, i);
      if (HasElement(row, rows)) at[end[row]++] = i;
    }
  }
  const index_t *begin(index_t y) const { return at() + (y == 0 ? 0 : ends()[y - 1]); }
  const index_t *end(index_t y) const { return at() + ends()[y]; }

 private:
  const index_t *ends() const { return block_.tensor().dptr_; }
  const index_t *at() const { return ends() + rows_ + 1; }

  ::mshadow::detail::SharedTensor<cpu, index_t> block_;
  index_t rows_;
};

/// Element k is the position of the first index that equals k; if kAfter, of the first behind
/// position k that equals index k. If there is none, it is the number of indices.
template <typename IndexExp, bool kAfter>
struct FindIndexExp : MakeTensorExp<FindIndexExp<IndexExp, kAfter>, IndexExp, 1, index_t> {
  IndexExp index_;
  index_t count_;
  FindIndexExp(const IndexExp &index, index_t count, index_t size) : index_(index), count_(count) {
    this->shape_ = Shape1(size);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(index_, true);
  }
};

/// The same for a GPU, where each thread searches for one index: chains from the first index of
/// each row to its last.
template <typename IndexExp>
class ChainsOfRows {
  template <bool kAfter>
  using Find = FindIndexExp<IndexExp, kAfter>;

 public:
  ChainsOfRows(const IndexExp &index, index_t count, index_t rows)
      : first_(Find<false>(index, count, rows)), next_(Find<true>(index, count, count)) {}
  MSHADOW_XINLINE index_t First(index_t y) const { return first_.Eval(0, y); }
  MSHADOW_XINLINE index_t Next(index_t i) const { return next_.Eval(0, i); }

 private:
  MaterialisedPlan<Find<false>, index_t> first_;
  MaterialisedPlan<Find<true>, index_t> next_;
};

}  // namespace detail

template <typename IndexExp, bool kAfter>
struct ExpInfo<detail::FindIndexExp<IndexExp, kAfter>> : detail::DevicesOf<IndexExp> {
  static constexpr int kDim = 1;
};
template <typename IndexExp, bool kAfter>
class Plan<detail::FindIndexExp<IndexExp, kAfter>, index_t> {
 public:
  explicit Plan(const detail::FindIndexExp<IndexExp, kAfter> &exp)
      : index_(MakePlan(exp.index_)), count_(exp.count_) {}
  MSHADOW_XINLINE index_t Eval(index_t, index_t k) const {
    const int64_t wanted = kAfter ? detail::IndexAt(index_, k) : static_cast<int64_t>(k);
    index_t i = kAfter ? k + 1 : 0;
    while (i < count_ && detail::IndexAt(index_, i) != wanted) ++i;
    return i;
  }

 private:
  detail::PlanOf<IndexExp> index_;
  index_t count_;
};

/// A matrix whose row y is the sum of the rows i of src with index[i] == y.
template <typename IndexExp, typename SrcExp, typename DType>
struct TakeGradExp : MakeTensorExp<TakeGradExp<IndexExp, SrcExp, DType>, SrcExp, 2, DType> {
  IndexExp index_;
  SrcExp src_;
  TakeGradExp(const IndexExp &index, const SrcExp &src, index_t input_dim)
      : index_(index), src_(src) {
    detail::CheckNotNegative("take_grad", "number of rows", input_dim);
    const Shape<2> source = ShapeCheck<2, SrcExp>::Check(src);
    detail::CheckOnePerRow("take_grad", ShapeCheck<1, IndexExp>::Check(index), source);
    this->shape_ = Shape2(input_dim, source[1]);
    count_ = source[0];
  }
  index_t count_;
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(index_, true);
    f(src_, true);
  }
  index_t CountReads() const { return count_ / (this->shape_[0] + 1) + 1; }
};
template <typename IndexExp, typename SrcExp, typename DType>
class Plan<TakeGradExp<IndexExp, SrcExp, DType>, DType> {
  static constexpr bool kByRows = (ExpInfo<IndexExp>::kDevMask & gpu::kDevMask) == 0;

 public:
  explicit Plan(const TakeGradExp<IndexExp, SrcExp, DType> &exp)
      : src_(MakePlan(exp.src_)),
        count_(exp.count_),
        rows_(exp.index_, exp.count_, exp.shape_[0]) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    Acc sum = 0;
    if constexpr (kByRows) {
      for (const index_t *i = rows_.begin(y); i != rows_.end(y); ++i) {
        Add(&sum, static_cast<Acc>(src_.Eval(*i, x)));
      }
    } else {
      for (index_t i = rows_.First(y); i < count_; i = rows_.Next(i)) {
        Add(&sum, static_cast<Acc>(src_.Eval(i, x)));
      }
    }
    return ScalarCast<DType>(sum);
  }

  static constexpr bool kRuns = kByRows;
  void EvalRun(index_t y, index_t x, int n, DType *out) const {
    Acc sum[detail::kMaxRun];
    for (int i = 0; i < n; ++i) sum[i] = 0;
    for (const index_t *k = rows_.begin(y); k != rows_.end(y); ++k) {
      const detail::Run<Plan<SrcExp, DType>, DType> run(src_, *k, x, n);
      for (int i = 0; i < n; ++i) Add(sum + i, static_cast<Acc>(run[i]));
    }
    for (int i = 0; i < n; ++i) out[i] = ScalarCast<DType>(sum[i]);
  }

 private:
  using Acc = typename detail::Accumulator<DType>::type;
  MSHADOW_XINLINE static void Add(Acc *sum, Acc value) { *sum = op::plus::Map(*sum, value); }

  Plan<SrcExp, DType> src_;
  index_t count_;
  std::conditional_t<kByRows, detail::IndicesOfRows, detail::ChainsOfRows<IndexExp>> rows_;
};

/// The gradient with respect to take's matrix, of \p input_dim rows, from \p src, the gradient with
/// respect to its result. Indices that are no row are left out. 16-bit floats are added in float.
/// \throws Error if there is not one index for each row of src
template <typename IndexExp, typename SrcExp, typename IType, typename DType, int e1, int e2>
TakeGradExp<IndexExp, SrcExp, DType> take_grad(const Exp<IndexExp, IType, e1> &index,
                                               const Exp<SrcExp, DType, e2> &src,
                                               index_t input_dim) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2)>());
  static_assert(ExpInfo<IndexExp>::kDim == 1 && ExpInfo<SrcExp>::kDim == 2,
                "take_grad takes a vector of indices and a matrix");
  return TakeGradExp<IndexExp, SrcExp, DType>(index.self(), src.self(), input_dim);
}

/// Each row of a matrix times its element of a vector.
template <typename IndexExp, typename SrcExp, typename DType>
struct MaskRowsExp : MakeTensorExp<MaskRowsExp<IndexExp, SrcExp, DType>, SrcExp, 2, DType> {
  IndexExp index_;
  SrcExp src_;
  MaskRowsExp(const IndexExp &index, const SrcExp &src) : index_(index), src_(src) {
    this->shape_ = ShapeCheck<2, SrcExp>::Check(src);
    detail::CheckOnePerRow("mask", ShapeCheck<1, IndexExp>::Check(index), this->shape_);
  }
  template <typename Function>
  void ForEachOperand(Function &&f) const {
    f(index_, true);
    f(src_, false);
  }
};
template <typename IndexExp, typename SrcExp, typename DType>
class Plan<MaskRowsExp<IndexExp, SrcExp, DType>, DType> {
 public:
  explicit Plan(const MaskRowsExp<IndexExp, SrcExp, DType> &exp)
      : index_(MakePlan(exp.index_)), src_(MakePlan(exp.src_)) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    return op::mul::Map(DType(src_.Eval(y, x)), ScalarCast<DType>(index_.Eval(0, y)));
  }

  static constexpr bool kRuns = true;
  class RunOf {
   public:
    MSHADOW_CINLINE RunOf(const Plan &p, index_t y, index_t x, int n)
        : src_(p.src_, y, x, n), factor_(ScalarCast<DType>(p.index_.Eval(0, y))) {}
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const {
      return op::mul::Map(DType(src_[i]), factor_);
    }

   private:
    detail::Run<Plan<SrcExp, DType>, DType> src_;
    DType factor_;
  };

 private:
  detail::PlanOf<IndexExp> index_;
  Plan<SrcExp, DType> src_;
};

/// Row y of \p src times element y of \p index.
/// \throws Error if there is not one element for each row
template <typename IndexExp, typename SrcExp, typename IType, typename DType, int e1, int e2>
MaskRowsExp<IndexExp, SrcExp, DType> mask(const Exp<IndexExp, IType, e1> &index,
                                          const Exp<SrcExp, DType, e2> &src) {
  static_assert(detail::CheckSource<SrcExp, (e1 | e2)>());
  static_assert(ExpInfo<IndexExp>::kDim == 1 && ExpInfo<SrcExp>::kDim == 2,
                "mask takes a vector and a matrix");
  return MaskRowsExp<IndexExp, SrcExp, DType>(index.self(), src.self());
}

/// These expressions are on the device of data and indices, which must be one.
template <typename SrcExp, typename IndexExp, typename DType>
struct ExpInfo<MatChooseRowElementExp<SrcExp, IndexExp, DType>>
    : detail::DevicesOf<SrcExp, IndexExp> {
  static constexpr int kDim = 1;
};
template <typename SrcExp, typename ValExp, typename IndexExp, typename DType>
struct ExpInfo<MatFillRowElementExp<SrcExp, ValExp, IndexExp, DType>>
    : detail::DevicesOf<SrcExp, ValExp, IndexExp> {
  static constexpr int kDim = 2;
};
template <typename IndexExp, typename SrcExp, typename DType>
struct ExpInfo<TakeExp<IndexExp, SrcExp, DType>> : detail::DevicesOf<SrcExp, IndexExp> {
  static constexpr int kDim = 2;
};
template <typename IndexExp, typename SrcExp, typename DType>
struct ExpInfo<TakeGradExp<IndexExp, SrcExp, DType>> : detail::DevicesOf<SrcExp, IndexExp> {
  static constexpr int kDim = 2;
};
template <typename IndexExp, typename SrcExp, typename DType>
struct ExpInfo<MaskRowsExp<IndexExp, SrcExp, DType>> : detail::DevicesOf<SrcExp, IndexExp> {
  static constexpr int kDim = 2;
};

MSHADOW_VERSION_END

/// The original mshadow's name. It is outside of the inline namespace: Clang looks there before it
/// looks at the parameters of a user's specialisation of Plan, and users give a parameter this
/// name.
template <typename IndexExp, typename SrcExp, typename DType>
using MaskExp = MaskRowsExp<IndexExp, SrcExp, DType>;
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_INDEX_H_
