// SPDX-License-Identifier: Apache-2.0
/// \file reduce_to_1d-inl.h
/// How reductions to a vector are evaluated. Two cases, since memory is read in rows:
///  * the last dimension is kept: columns are reduced, many side by side, over blocks of rows;
///  * another one is kept: rows are reduced, each by ReduceRow, or planes (reduce_planes.h).
/// Partial results of blocks (of rows) are combined pairwise in index order: PairwiseTree. GPUs,
/// and CPUs for short vectors, do the same in two passes: reduce_parts.h.
#ifndef MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_
#define MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_

#include "mshadow/expr/materialised.h"
#include "mshadow/extension/reduce_blocks.h"
#include "mshadow/extension/reduce_parts.h"
#include "mshadow/extension/reduce_to_1d.h"
#include "mshadow/parallel.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// `dst saver scale * reduction` for every element of a vector.
template <typename Saver, typename Reducer, typename DType, typename Src>
struct ReduceLoop {
  using Acc = typename Accumulator<DType>::type;
  /// Columns reduced side by side: what a page holds of a row.
  static constexpr int kColumns = 4096 / static_cast<int>(sizeof(Acc));
  static constexpr index_t kLeafRows = kReduceLeafRows;

  DType *dst;
  Src src;
  DType scale;
  ChannelShape shape;  ///< of the source; where the last dimension is kept (rows, 1, 1, columns)
  bool one_row;        ///< IsOneRow

  void Store(index_t i, Acc value) const {
    const Acc scaled = op::mul::Map(value, static_cast<Acc>(scale));
    Saver::template Save<DType>(dst[i], ScalarCast<DType>(scaled));
  }

  /// Columns [begin, end) of all rows; the last dimension is kept.
  MSHADOW_NOINLINE static void Columns(const void *context, index_t begin, index_t end) {
    const ReduceLoop loop = *static_cast<const ReduceLoop *>(context);
    for (index_t x = begin; x < end; x += kColumns) {
      loop.ColumnBlock(x, static_cast<int>(end - x < kColumns ? end - x : kColumns));
    }
  }

  void ColumnBlock(index_t begin, int width) const {
    PairwiseTree<Reducer, Acc, kColumns, true> tree(width);
    Acc leaf[static_cast<size_t>(kColumns)];
    for (index_t y = 0; y < shape.outer; y += kLeafRows) {
      for (int i = 0; i < width; ++i) Reducer::SetInitValue(leaf[i]);
      const index_t end = ColumnLeafEnd(y, shape.outer);
      for (index_t r = y; r < end; r += 4) {
        RowsOfBlock(r, end - r < 4 ? end - r : 4, begin, width, leaf);
      }
      tree.Push(leaf);
    }
    const Acc *const result = tree.Finish();
    for (int i = 0; i < width; ++i) Store(begin + i, result[i]);
  }
  /// Takes \p width elements of \p count rows into \p leaf, along the rows, as they lie in memory.
  MSHADOW_CINLINE void RowsOfBlock(index_t y, index_t count, index_t begin, int width,
                                   Acc *leaf) const {
    for (int x = 0; x < width; x += kMaxRun) {
      const int n = width - x < kMaxRun ? width - x : kMaxRun;
      ReduceRun<Reducer, Acc, DType>(src, y, index_t{1}, count, begin + x, n, leaf + x);
    }
  }

  /// Results [begin, end), each over whole rows; another dimension is kept.
  MSHADOW_NOINLINE static void Rows(const void *context, index_t begin, index_t end) {
    const ReduceLoop loop = *static_cast<const ReduceLoop *>(context);
    if (loop.shape.outer != 1 || loop.shape.inner != 1) return loop.Planes(begin, end);
    for (index_t k = begin; k < end; k += kRowBlock) {
      loop.RowBlock(k, static_cast<int>(end - k < kRowBlock ? end - k : kRowBlock));
    }
  }
  void RowBlock(index_t begin, int count) const {
    Acc results[kRowBlock];
    ReduceRowBlock<Reducer>(src, begin, index_t{1}, count, shape.cols, results);
    for (int i = 0; i < count; ++i) Store(begin + i, results[i]);
  }

  void Planes(index_t begin, index_t end) const {
    const PlaneSource<Src, DType> planes(src, shape, one_row);
    for (index_t k = begin; k < end; ++k) {
      Acc lanes[kReduceLanes];
      ReduceLeavesToLanes<Reducer>(planes, ChannelLeaves(shape, k), shape.leaves(), lanes);
      Store(k, ReduceAcross<Reducer>(lanes));
    }
  }
};

/// `dst saver scale * reduction of parts`: a ColumnPartsExp or a PlanePartsExp, evaluated first.
/// Where there are results enough for a GPU's threads, each thread goes through all parts of one.
template <typename Saver, typename Reducer, bool kColumns, typename Device, typename DType,
          typename PartsExp, typename Acc>
void ReduceInParts(Tensor<Device, 1, DType> *dst, const Exp<PartsExp, Acc, type::kChainer> &parts,
                   DType scale) {
  if constexpr (!Device::kDevCPU) {
    if (dst->shape_[0] >= 65536) {
      return FinishParts<Saver, Reducer, kColumns, Acc>(dst, parts.self(), scale);
    }
  }
  const MaterialisedTemporary<Device, 2, Acc> memory(parts.self().shape_, dst->stream_);
  Tensor<Device, 2, Acc> results = memory.view();
  results = parts;
  FinishParts<Saver, Reducer, kColumns, Acc>(dst, results, scale);
}

/// Whether a CPU is to reduce \p elements to \p results in parts: one pass has not enough results
/// for the threads. Columns go to threads in cache lines, rows one by one.
inline bool ArePartsBetter(bool columns, index_t results, index_t elements) {
  const index_t threads = NumThreads();
  return threads > 1 && results < (columns ? 512 : 8 * threads) && elements > 65536;
}

}  // namespace detail

template <typename Saver, typename Device, typename DType, typename SrcExp, typename Reducer,
          int dimkeep>
struct ExpComplexEngine<Saver, Tensor<Device, 1, DType>,
                        ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>, DType> {
  static constexpr int kDim = ExpInfo<SrcExp>::kDim;

  static void Eval(Tensor<Device, 1, DType> *dst,
                   const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp) {
    const Shape<kDim> shape = ShapeCheck<kDim, SrcExp>::Check(exp.src_);
    const Shape<1> want = Shape1(shape[dimkeep]);
    if (dst->shape_ != want) {
      ::mshadow::detail::ThrowShapes("destination and reduction", dst->shape_.shape_, 1,
                                     want.shape_, 1);
    }
    detail::CheckAliasing(*dst, exp);
    detail::CheckElements(exp.src_);
    constexpr bool kColumns = dimkeep == kDim - 1;
    const index_t outer = shape.ProdShape(0, dimkeep);
    const index_t kept = shape[dimkeep];
    const ChannelShape source =
        kColumns
            ? ChannelShape{outer, 1, 1, kept}
            : ChannelShape{outer, kept, shape.ProdShape(dimkeep + 1, kDim - 1), shape[kDim - 1]};
    const bool one_row = detail::IsOneRow(*dst, exp.src_);
    const bool in_parts = !Device::kDevCPU || detail::ArePartsBetter(kColumns, kept, shape.Size());
    using Acc = typename detail::Accumulator<DType>::type;
    if (!in_parts) {
      if constexpr (Device::kDevCPU) Run<kColumns>(dst, exp, source, one_row);
    } else if constexpr (kColumns) {
      using Parts = detail::ColumnPartsExp<Reducer, SrcExp, DType, Acc>;
      detail::ReduceInParts<Saver, Reducer, true>(dst, Parts(exp.src_, Shape2(outer, kept)),
                                                  exp.scale_);
    } else {
      using Parts = detail::PlanePartsExp<Reducer, SrcExp, DType, Acc>;
      detail::ReduceInParts<Saver, Reducer, false>(dst, Parts(exp.src_, source, one_row),
                                                   exp.scale_);
    }
  }

 private:
  /// One pass on the CPU.
  template <bool kColumns>
  static void Run(Tensor<Device, 1, DType> *dst,
                  const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp,
                  const ChannelShape &source, bool one_row) {
    using Loop = detail::ReduceLoop<Saver, Reducer, DType, Plan<SrcExp, DType>>;
    const Loop loop{dst->dptr_, MakePlan(exp.src_), exp.scale_, source, one_row};
    const index_t elements = source.outer * (kColumns ? 1 : source.plane());
    const index_t grain = kColumns || source.outer * source.inner == 1 ? 64 : 1;
    ::mshadow::ParallelFor(dst->shape_[0], elements * Operands<SrcExp>::Bytes(exp.src_),
                           kColumns ? Loop::Columns : Loop::Rows, &loop, grain);
  }
};

MSHADOW_VERSION_END
}  // namespace expr

MSHADOW_VERSION_BEGIN

/// `dst saver scale * reduce_except_dim<dimkeep, Reducer>(exp)`, and the same with the last
/// dimension kept: the functions under mshadow's reductions.
template <typename Saver, typename Reducer, int dimkeep, typename Device, typename DType,
          typename E, int etype>
void MapReduceKeepHighDim(Tensor<Device, 1, DType> *dst, const expr::Exp<E, DType, etype> &exp,
                          DType scale = 1) {
  expr::ExpEngine<Saver, Tensor<Device, 1, DType>, DType>::Eval(
      dst, expr::reduce_except_dim<dimkeep, Reducer>(exp) * scale);
}
template <typename Saver, typename Reducer, typename Device, typename DType, typename E, int etype>
void MapReduceKeepLowest(Tensor<Device, 1, DType> *dst, const expr::Exp<E, DType, etype> &exp,
                         DType scale = 1) {
  MapReduceKeepHighDim<Saver, Reducer, expr::ExpInfo<E>::kDim - 1>(dst, exp, scale);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"
#include "mshadow/extension/arg_reduce.h"

#endif  // MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_
