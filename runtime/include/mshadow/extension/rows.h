// SPDX-License-Identifier: Apache-2.0
/// \file rows.h
/// rows(matrix, index): the rows of a matrix that indices name, which can be read and assigned.
#ifndef MSHADOW_EXTENSION_ROWS_H_
#define MSHADOW_EXTENSION_ROWS_H_

#include "mshadow/detail/row_indices.h"
#include "mshadow/extension/index.h"
#include "mshadow/extension/slice.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

namespace detail {
/// \throws Error if two of \p count indices are the same row
template <typename IType>
void CheckEachOnce(const char *what, const IType *index, index_t count) {
  const auto repeat = ::mshadow::detail::FindRepeat(index, static_cast<int64_t>(count));
  if (repeat) {
    ThrowRepeat(what, repeat.first, repeat.second, ScalarCast<int64_t>(index[repeat.first]));
  }
}

/// A base of RowsExp, so that functions of this namespace are found for it.
struct NamesRows {};
}  // namespace detail

/// Rows of a matrix in the order of indices: row y is row index[y].
template <typename Device, typename DType, typename IType>
struct RowsExp : TRValue<RowsExp<Device, DType, IType>, Device, 2, DType>, detail::NamesRows {
  Tensor<Device, 2, DType> src_;
  Tensor<Device, 1, IType> index_;
  Shape<2> shape_;

  RowsExp(const Tensor<Device, 2, DType> &src, const Tensor<Device, 1, IType> &index)
      : src_(src), index_(index), shape_(Shape2(index.shape_[0], src.shape_[1])) {}
  /// \throws Error if an index is no row
  void CheckElements() const { detail::CheckIndices("rows", index_, src_.shape_[0]); }
  /// \throws Error if an index is no row, if two are the same row, or if the indices lie in the
  ///     memory of the matrix
  void CheckDestination() const {
    if constexpr (Device::kDevCPU) {
      CheckElements();
      detail::CheckEachOnce("rows", index_.dptr_, index_.shape_[0]);
    }
    const auto span = detail::CheckedSpan(index_);
    if (span.Meets(detail::CheckedSpan(src_))) detail::ThrowPartialOverlap(shape_.shape_, 2);
  }
  MSHADOW_VIEW_ASSIGNMENT(RowsExp)
};

namespace detail {
/// Stands for the element of an index that is no row, which a GPU cannot report: what is written to
/// it is lost.
template <typename Device, typename DType>
struct ElementOfNoRow {
  mutable DType element = DType(0);
  MSHADOW_XINLINE DType &Get() const { return element; }
};
/// On a CPU each index is a row, which was checked.
template <typename DType>
struct ElementOfNoRow<cpu, DType> {};
}  // namespace detail

template <typename Device, typename DType, typename IType>
class Plan<RowsExp<Device, DType, IType>, DType> {
 public:
  explicit Plan(const RowsExp<Device, DType, IType> &exp)
      : dptr_(exp.src_.dptr_),
        stride_(exp.src_.stride_),
        index_(exp.index_.dptr_),
        rows_(exp.src_.shape_[0]) {}
  /// A view of a kernel evaluates rows of the CPU's type on a GPU, too, so this tests the index.
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const {
    const bool is_row = detail::HasElement(ScalarCast<int64_t>(index_[y]), rows_);
    return is_row ? REval(y, x) : DType(0);
  }
  MSHADOW_XINLINE DType &REval(index_t y, index_t x) const {
    const int64_t row = ScalarCast<int64_t>(index_[y]);
    if constexpr (!Device::kDevCPU) {
      if (!detail::HasElement(row, rows_)) return none_.Get();
    }
    return dptr_[row * static_cast<int64_t>(stride_) + static_cast<int64_t>(x)];
  }

  static constexpr bool kRuns = true;
  static constexpr bool kRowsInMemory = true;
  const DType *FindRun(index_t y, index_t x, int, DType *) const { return &REval(y, x); }
  const DType *FindInPlace(index_t y, index_t x, int64_t *) const { return &REval(y, x); }

 private:
  DType *dptr_;
  index_t stride_;
  const IType *index_;
  index_t rows_;
  detail::ElementOfNoRow<Device, DType> none_;
};

namespace detail {

template <typename Device, typename DType, typename IType>
::mshadow::detail::Block BlockOf(const RowsExp<Device, DType, IType> &rows) {
  return BlockOf(rows.src_);
}
template <typename Device, typename DType, typename IType>
::mshadow::detail::Box BoxOf(const RowsExp<Device, DType, IType> &rows) {
  return BoxOf(rows.src_);
}
template <typename Device, typename DType, typename IType>
constexpr bool kPicksRows<RowsExp<Device, DType, IType>> = true;

template <typename Device, typename DType, typename IType>
bool AreSameRows(const RowsExp<Device, DType, IType> &a, const RowsExp<Device, DType, IType> &b) {
  return a.src_.dptr_ == b.src_.dptr_ && a.src_.stride_ == b.src_.stride_ && a.shape_ == b.shape_ &&
         a.index_.dptr_ == b.index_.dptr_;
}

}  // namespace detail

template <typename Device, typename DType, typename IType>
struct Operands<RowsExp<Device, DType, IType>> {
  using Rows = RowsExp<Device, DType, IType>;
  template <typename Function>
  static void Visit(const Rows &rows, detail::Path moved, Function &&f) {
    if constexpr (std::is_invocable_v<Function &, const Rows &>) f(rows);
    f(rows, moved);
  }
  static index_t Bytes(const Rows &) { return sizeof(DType); }
  static constexpr bool kKnown = true;
  static constexpr bool kIsMap = false;
};

/// Rows index[y] of \p src, a matrix with a row for each index. They can be assigned: then each
/// index must be another row.
/// \throws Error, when it is read or assigned on the CPU, if an index is no row; when it is
///     assigned there, if two indices are the same row. On a GPU an index that is no row reads 0
///     and writes nothing; if two indices are the same row, either is written
template <typename Device, typename DType, typename IType>
RowsExp<Device, DType, IType> rows(const Tensor<Device, 2, DType> &src,
                                   const Tensor<Device, 1, IType> &index) {
  return RowsExp<Device, DType, IType>(src, index);
}

/// Of other expressions, rows is refused.
template <typename E, typename DType, int e1, typename IndexExp, typename IType, int e2>
const E &rows(const Exp<E, DType, e1> &src, const Exp<IndexExp, IType, e2> &) {
  static_assert(::mshadow::detail::AlwaysFalse<E>::value,
                "rows takes a matrix and a vector of indices, both tensors of one device; to read "
                "rows of an expression, call take(index, expression)");
  return src.self();
}

template <typename Device, typename DType, typename IType>
struct StreamInfo<Device, RowsExp<Device, DType, IType>> {
  static Stream<Device> *Get(const RowsExp<Device, DType, IType> &rows) {
    return StreamInfo<Device, Tensor<Device, 2, DType>>::Get(rows.src_);
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXTENSION_ROWS_H_
