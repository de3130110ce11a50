// SPDX-License-Identifier: Apache-2.0
/// \file indexing.h
/// Functions that choose rows by a tensor of indices, of any element type: AddTakeGrad,
/// AddTakeGradLargeBatch, IndexFill.
#ifndef MSHADOW_INDEXING_H_
#define MSHADOW_INDEXING_H_

#include <cstring>
#include <type_traits>

#include "mshadow/detail/add_rows.h"
#include "mshadow/detail/element_loop.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/overlap.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The exact check, for tensors whose address ranges meet. \throws Error if they share memory
template <int a_dim, int b_dim>
MSHADOW_NOINLINE void CheckDisjointBlocks(const char *what, Block a, Block b, Shape<a_dim> a_shape,
                                          Shape<b_dim> b_shape) {
  CheckExpected(Compare(a, b) == Overlap::kNone, what, "tensors that share no memory", a_shape,
                b_shape);
}
/// \throws Error if two tensors share memory
template <typename A, typename B>
MSHADOW_CINLINE void CheckDisjoint(const char *what, const A &a, const B &b) {
  using expr::detail::BlockOf;
  if (!SpanOf(BlockOf(a)).Meets(SpanOf(BlockOf(b)))) return;
  CheckDisjointBlocks(what, BlockOf(a), BlockOf(b), a.shape_, b.shape_);
}

/// Rows with the same value of `sorted` follow each other. The thread of the first adds them all.
template <typename Device, typename IndexType, typename DType>
struct AddSortedRows {
  Tensor<Device, 2, DType> dst;
  Tensor<Device, 1, IndexType> sorted, index;
  Tensor<Device, 2, DType> src;
  index_t rows, cols;

  MSHADOW_XINLINE int64_t at(index_t y) const { return IndexOf(sorted.dptr_[y]); }
  MSHADOW_XINLINE void operator()(index_t first, index_t begin, index_t end) const {
    const int64_t j = at(first);
    if (j < 0 || j >= static_cast<int64_t>(dst.shape_[0]) || (first > 0 && at(first - 1) == j))
      return;
    DType *const to = dst.dptr_ + j * dst.stride_;
    for (index_t y = first; y < rows && at(y) == j; ++y) {
      const int64_t i = ScalarCast<int64_t>(index.dptr_[y]);
      if (i < 0 || i >= static_cast<int64_t>(src.shape_[0])) continue;
      const DType *const from = src.dptr_ + i * src.stride_;
      for (index_t x = begin; x < end; ++x) to[x] = op::plus::Map(to[x], from[x]);
    }
  }
};

/// Copies \p count elements, which must not overlap their destination. A few are copied four at a
/// time: a loop over longer vectors takes longer to begin and end.
template <typename DType>
MSHADOW_XINLINE void CopyRow(DType *to, const DType *from, index_t count) {
#if !defined(__CUDA_ARCH__)
  if constexpr (std::is_trivially_copyable_v<DType>) {
    if (count >= 64) {
      std::memcpy(to, from, static_cast<size_t>(count) * sizeof(DType));
      return;
    }
#if !defined(__CUDACC__)
#pragma GCC unroll 1
#endif
    for (; count >= 4; count -= 4, to += 4, from += 4) std::memcpy(to, from, 4 * sizeof(DType));
  }
#endif
  for (index_t x = 0; x < count; ++x) to[x] = from[x];
}

template <typename Device, typename IndexType, typename DType>
struct FillRows {
  Tensor<Device, 2, DType> dst;
  Tensor<Device, 1, IndexType> index;
  Tensor<Device, 2, DType> src;
  index_t rows, cols;

  /// Fills columns [begin, end) of all rows, so that of two rows with one index the later one
  /// stays.
  MSHADOW_XINLINE void operator()(index_t, index_t begin, index_t end) const {
    Run(dst.dptr_, dst.stride_, dst.shape_[0], index.dptr_, index.shape_[0], src.dptr_, src.stride_,
        begin, end);
  }
  MSHADOW_XINLINE static void Run(DType *dst, index_t dst_stride, index_t dst_rows,
                                  const IndexType *index, index_t count, const DType *src,
                                  index_t src_stride, index_t begin, index_t end) {
    for (index_t y = 0; y < count; ++y) {
      const int64_t j = IndexOf(index[y]);
      if (static_cast<uint64_t>(j) >= static_cast<uint64_t>(dst_rows)) continue;
      CopyRow(dst + j * dst_stride + begin, src + y * src_stride + begin, end - begin);
    }
  }
  /// For few elements, on the calling thread.
  MSHADOW_CINLINE static void RunHere(DType *dst, index_t dst_stride, index_t dst_rows,
                                      const IndexType *index, index_t count, const DType *src,
                                      index_t src_stride, index_t cols) {
    Run(dst, dst_stride, dst_rows, index, count, src, src_stride, 0, cols);
  }
};

[[noreturn]] void ThrowIndex(const char *what, int64_t at, int64_t index, int64_t rows);

/// Checks indices on the CPU, before anything is written. A GPU checks none.
template <typename IndexType>
void CheckIndices(const char *what, const Tensor<cpu, 1, IndexType> &index, int64_t rows) {
  for (index_t y = 0; y < index.shape_[0]; ++y) {
    const int64_t i = IndexOf(index.dptr_[y]);
    if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(rows)) ThrowIndex(what, y, i, rows);
  }
}
template <typename IndexType>
void CheckIndices(const char *, const Tensor<gpu, 1, IndexType> &, int64_t) {}

/// Fills few rows. Finds their places while it checks their indices. Not inlined, so that counts
/// stay in registers.
template <typename IndexType, typename DType>
MSHADOW_NOINLINE void FillFewRows(const char *what, const Tensor<cpu, 2, DType> &dst,
                                  const Tensor<cpu, 1, IndexType> &index,
                                  const Tensor<cpu, 2, DType> &src) {
  const index_t count = index.shape_[0], cols = src.shape_[1], rows = dst.shape_[0];
  index_t at[kFewRows];
  for (index_t y = 0; y < count; ++y) {
    const int64_t i = IndexOf(index.dptr_[y]);
    if (static_cast<uint64_t>(i) >= static_cast<uint64_t>(rows)) {
      ThrowIndex(what, static_cast<int64_t>(y), i, static_cast<int64_t>(rows));
    }
    at[y] = static_cast<index_t>(i) * dst.stride_;
  }
  DType *const to = dst.dptr_;
  const DType *from = src.dptr_;
  for (index_t y = 0; y < count; ++y, from += src.stride_) CopyRow(to + at[y], from, cols);
}
template <typename Device, typename IndexType, typename DType>
MSHADOW_NOINLINE void FillManyRows(const char *what, const Tensor<Device, 2, DType> &dst,
                                   const Tensor<Device, 1, IndexType> &index,
                                   const Tensor<Device, 2, DType> &src) {
  CheckIndices(what, index, dst.shape_[0]);
  RunRows<FillRows<Device, IndexType, DType>>(what, dst, index, src,
                                              2 * static_cast<index_t>(sizeof(DType)));
}

template <bool clip, typename Device, typename Acc, typename IndexType, typename DType>
void RunAddTakeGrad(const Tensor<Device, 2, Acc> &dst, const Tensor<Device, 1, IndexType> &index,
                    const Tensor<Device, 2, DType> &src) {
  const char *const what = "AddTakeGrad";
  CheckExpected(dst.shape_[1] == src.shape_[1], what, "rows of one length", dst.shape_, src.shape_);
  CheckExpected(index.shape_[0] == src.shape_[0], what, "an index for each row", index.shape_,
                src.shape_);
  CheckExpected(dst.shape_[0] > 0 || index.shape_[0] == 0, what, "rows to add to", dst.shape_,
                src.shape_);
  CheckDisjoint(what, dst, src);
  CheckDisjoint(what, dst, index);
  RunRows<AddRows<clip, Device, Acc, IndexType, DType>>(what, dst, index, src,
                                                        3 * static_cast<index_t>(sizeof(DType)));
}

}  // namespace detail

/// dst[index[y]] += src[y] for each row y in order: the gradient with respect to take's weights. An
/// index out of range names the nearest row, or with clip = false the row of index modulo rows.
/// \param dst (rows, columns) \param index (batch) \param src (batch, columns)
/// \throws Error if the shapes do not match, or dst shares memory with another tensor
template <bool clip = true, typename Device, typename IndexType, typename DType>
void AddTakeGrad(Tensor<Device, 2, DType> dst, const Tensor<Device, 1, IndexType> &index,
                 const Tensor<Device, 2, DType> &src) {
  detail::RunAddTakeGrad<clip>(dst, index, src);
}
/// The same, but added up in \p temp, which has dst's shape and a type of more bits, and rounded
/// once.
template <bool clip = true, typename Device, typename IndexType, typename DType, typename AType>
void AddTakeGrad(Tensor<Device, 2, DType> dst, Tensor<Device, 2, AType> temp,
                 const Tensor<Device, 1, IndexType> &index, const Tensor<Device, 2, DType> &src) {
  detail::CheckSameShape("AddTakeGrad: dst and temp", dst.shape_, temp.shape_);
  detail::CheckDisjoint("AddTakeGrad", temp, dst);
  temp.stream_ = dst.stream_;
  temp = expr::tcast<AType>(dst);
  detail::RunAddTakeGrad<clip>(temp, index, src);
  dst = expr::tcast<DType>(temp);
}

/// dst[sorted[y]] += src[index[y]], where sorted is ascending. For large batches: SortByKey sorts
/// the indices together with their positions.
/// \throws Error if the shapes do not match or dst shares memory with src; on the CPU also if an
///     index is out of range; a GPU leaves such a row out
template <typename Device, typename IndexType, typename DType>
void AddTakeGradLargeBatch(Tensor<Device, 2, DType> dst, const Tensor<Device, 1, IndexType> &sorted,
                           const Tensor<Device, 1, IndexType> &index,
                           const Tensor<Device, 2, DType> &src) {
  const char *const what = "AddTakeGradLargeBatch";
  detail::CheckExpected(dst.shape_[1] == src.shape_[1], what, "rows of one length", dst.shape_,
                        src.shape_);
  detail::CheckSameShape("AddTakeGradLargeBatch: sorted and index", sorted.shape_, index.shape_);
  detail::CheckDisjoint(what, dst, src);
  detail::CheckIndices(what, sorted, dst.shape_[0]);
  detail::CheckIndices(what, index, src.shape_[0]);
  detail::RunBody(what,
                  detail::AddSortedRows<Device, IndexType, DType>{dst, sorted, index, src,
                                                                  sorted.shape_[0], dst.shape_[1]},
                  3 * static_cast<index_t>(sizeof(DType)), dst.stream_);
}

/// dst[index[y]] = src[y] for each row y in order.
/// \param dst (rows, columns) \param index (batch) \param src (batch, columns)
/// \throws Error if the shapes do not match or dst shares memory with src; on the CPU also if an
///     index is out of range; a GPU leaves such a row out
template <typename Device, typename IndexType, typename DType>
void IndexFill(Tensor<Device, 2, DType> dst, const Tensor<Device, 1, IndexType> &index,
               const Tensor<Device, 2, DType> &src) {
  const char *const what = "IndexFill";
  detail::CheckExpected(dst.shape_[1] == src.shape_[1], what, "rows of one length", dst.shape_,
                        src.shape_);
  detail::CheckExpected(index.shape_[0] == src.shape_[0], what, "an index for each row",
                        index.shape_, src.shape_);
  detail::CheckDisjoint(what, dst, src);
  if constexpr (Device::kDevCPU) {
    const index_t count = index.shape_[0], bytes = 2 * count * static_cast<index_t>(sizeof(DType));
    if (count <= detail::kFewRows && detail::IsLittle(src.shape_[1], bytes)) {
      return detail::FillFewRows(what, dst, index, src);
    }
  }
  detail::FillManyRows(what, dst, index, src);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_INDEXING_H_
