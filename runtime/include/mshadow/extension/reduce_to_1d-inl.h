// SPDX-License-Identifier: Apache-2.0
/// \file reduce_to_1d-inl.h
/// How reductions to a vector are evaluated. Two cases, since memory is read in rows:
///  * the last dimension is kept: columns are reduced, many side by side, over blocks of rows;
///  * another one is kept: rows are reduced, each in kLanes interleaved parts.
/// Partial results of blocks (of rows) are combined pairwise in index order: PairwiseTree. A GPU
/// does the same with a thread for each result.
#ifndef MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_
#define MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_

#include "mshadow/extension/pairwise_tree.h"
#include "mshadow/extension/reduce_to_1d.h"
#include "mshadow/parallel.h"
#include "mshadow/stream_gpu.h"
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
#include "mshadow/cuda/map_plan.cuh"
#endif
#include "mshadow/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// `dst saver scale * reduction` for every element of a vector.
template <typename Saver, typename Reducer, typename DType, typename Src>
struct ReduceLoop {
  using ReducerType = Reducer;
  using Acc = typename Accumulator<DType>::type;
  static constexpr int kLanes = 16;    ///< interleaved parts of a row
  static constexpr int kColumns = 64;  ///< columns reduced side by side
  static constexpr index_t kLeafRows = 32;

  DType *dst;
  Src src;
  DType scale;
  // The source as (outer, kept, inner) rows; the last dimension as columns.
  index_t outer;
  index_t kept;
  index_t inner;
  index_t cols;

  MSHADOW_XINLINE DType Scaled(Acc value) const {
    return ScalarCast<DType>(op::mul::Map(value, static_cast<Acc>(scale)));
  }
  MSHADOW_XINLINE void Store(index_t i, Acc value) const {
    Saver::template Save<DType>(dst[i], Scaled(value));
  }

  /// Columns [begin, end) of all rows; the last dimension is kept.
  MSHADOW_NOINLINE static void Columns(const void *context, index_t begin, index_t end) {
    const ReduceLoop loop = *static_cast<const ReduceLoop *>(context);
    for (index_t x = begin; x < end; x += kColumns) {
      const int width = static_cast<int>(end - x < kColumns ? end - x : kColumns);
      PairwiseTree<Reducer, Acc, kColumns> tree;
      const Acc *const result = loop.ReduceColumns(&tree, x, width);
      for (int i = 0; i < width; ++i) loop.Store(x + i, result[i]);
    }
  }

  /// The results of columns [begin, begin + width); they live in the tree.
  template <int kWidth>
  MSHADOW_XINLINE const Acc *ReduceColumns(PairwiseTree<Reducer, Acc, kWidth> *tree, index_t begin,
                                           int width) const {
    for (index_t y0 = 0; y0 < outer; y0 += kLeafRows) {
      Acc leaf[kWidth];
      for (Acc &value : leaf) Reducer::SetInitValue(value);
      const index_t y1 = y0 + kLeafRows < outer ? y0 + kLeafRows : outer;
      for (index_t y = y0; y < y1; ++y) {
        for (int i = 0; i < width; ++i) {
          Reducer::Reduce(leaf[i], static_cast<Acc>(src.Eval(y, begin + i)));
        }
      }
      tree->Push(leaf);
    }
    return tree->Finish();
  }

  /// Results [begin, end), each over whole rows; another dimension is kept.
  MSHADOW_NOINLINE static void Rows(const void *context, index_t begin, index_t end) {
    const ReduceLoop loop = *static_cast<const ReduceLoop *>(context);
    for (index_t k = begin; k < end; ++k) loop.Store(k, loop.ReduceRows(k));
  }

  MSHADOW_XINLINE Acc ReduceRows(index_t k) const {
    PairwiseTree<Reducer, Acc, kLanes> tree;
    for (index_t o = 0; o < outer; ++o) {
      for (index_t i = 0; i < inner; ++i) {
        Acc lanes[kLanes];
        for (Acc &value : lanes) Reducer::SetInitValue(value);
        const index_t y = (o * kept + k) * inner + i;
        index_t x = 0;
        for (; x + kLanes <= cols; x += kLanes) {
          for (int l = 0; l < kLanes; ++l) {
            Reducer::Reduce(lanes[l], static_cast<Acc>(src.Eval(y, x + l)));
          }
        }
        for (int l = 0; x + l < cols; ++l) {
          Reducer::Reduce(lanes[l], static_cast<Acc>(src.Eval(y, x + l)));
        }
        tree.Push(lanes);
      }
    }
    PairwiseTree<Reducer, Acc, 1> across;
    const Acc *const result = tree.Finish();
    for (int l = 0; l < kLanes; ++l) across.Push(result + l);
    return *across.Finish();
  }
};

/// One result, for a kernel with a thread for each.
template <typename Loop, typename DType, bool kColumn>
struct ReducePlan {
  Loop loop;
  MSHADOW_XINLINE DType Eval(index_t, index_t i) const {
    if constexpr (kColumn) {
      PairwiseTree<typename Loop::ReducerType, typename Loop::Acc, 1> tree;
      return loop.Scaled(*loop.ReduceColumns(&tree, i, 1));
    } else {
      return loop.Scaled(loop.ReduceRows(i));
    }
  }
};

/// Runs \p loop for every element of \p dst.
template <bool kColumn, typename Saver, typename DType, typename Loop>
void RunReduction(Tensor<cpu, 1, DType> *dst, const Loop &loop, index_t bytes_per_result) {
  ParallelFor(dst->shape_[0], bytes_per_result, kColumn ? Loop::Columns : Loop::Rows, &loop);
}
template <bool kColumn, typename Saver, typename DType, typename Loop>
void RunReduction(Tensor<gpu, 1, DType> *dst, const Loop &loop, index_t) {
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
  if (dst->shape_[0] == 0) return;
  cuda::RunMap<Saver, DType>(MakePlan(*dst), ReducePlan<Loop, DType, kColumn>{loop},
                             Shape2(1, dst->shape_[0]), dst->stream_);
#else
  static_cast<void>(dst);
  static_cast<void>(loop);
  static_assert(::mshadow::detail::AlwaysFalse<Loop>::value,
                "a reduction of gpu tensors is evaluated by a kernel: compile this file with nvcc");
#endif
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
    using Loop = detail::ReduceLoop<Saver, Reducer, DType, Plan<SrcExp, DType>>;
    const index_t bytes = Operands<SrcExp>::Bytes(exp.src_);
    if constexpr (dimkeep == kDim - 1) {
      const index_t rows = shape.ProdShape(0, dimkeep);
      const Loop loop{dst->dptr_, MakePlan(exp.src_), exp.scale_, rows, 1, 1, shape[dimkeep]};
      detail::RunReduction<true, Saver>(dst, loop, rows * bytes);
    } else {
      const index_t outer = shape.ProdShape(0, dimkeep);
      const index_t inner = shape.ProdShape(dimkeep + 1, kDim - 1);
      const index_t cols = shape[kDim - 1];
      const Loop loop{dst->dptr_, MakePlan(exp.src_), exp.scale_, outer, shape[dimkeep], inner,
                      cols};
      detail::RunReduction<false, Saver>(dst, loop, outer * inner * cols * bytes);
    }
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_
