// SPDX-License-Identifier: Apache-2.0
/// \file reduce_to_1d-inl.h
/// How reductions to a vector are evaluated on the CPU. Two cases, since memory is read in rows:
///  * the last dimension is kept: columns are reduced, many side by side, over blocks of rows;
///  * another one is kept: rows are reduced, each in kLanes interleaved parts.
/// Partial results of blocks (of rows) are combined pairwise in index order: PairwiseTree.
#ifndef MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_
#define MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_

#include "mshadow/extension/reduce_to_1d.h"
#include "mshadow/parallel.h"
#include "mshadow/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

/// What a sum of DType accumulates in.
template <typename DType>
struct Accumulator {
  using type = DType;
};
template <>
struct Accumulator<half::half_t> {
  using type = float;
};
template <>
struct Accumulator<bfloat::bf16_t> {
  using type = float;
};

/// Combines leaves 0, 1, 2, … as ((0 1) (2 3)) ((4 5) …: the tree depends on the count alone. Each
/// leaf is kWidth values that are reduced side by side.
template <typename Reducer, typename Acc, int kWidth>
class PairwiseTree {
 public:
  /// Adds the next leaf.
  void Push(const Acc *leaf) {
    Acc *top = level_[depth_];
    for (int i = 0; i < kWidth; ++i) top[i] = leaf[i];
    ++depth_;
    for (index_t n = count_++; (n & 1) != 0; n >>= 1) Merge();
  }

  /// The result; the initial value if there was no leaf.
  const Acc *Finish() {
    if (depth_ == 0) {
      for (int i = 0; i < kWidth; ++i) Reducer::SetInitValue(level_[0][i]);
      depth_ = 1;
    }
    while (depth_ > 1) Merge();
    return level_[0];
  }

 private:
  void Merge() {
    --depth_;
    for (int i = 0; i < kWidth; ++i) Reducer::Reduce(level_[depth_ - 1][i], level_[depth_][i]);
  }

  static constexpr int kMaxDepth = 64;  // more than the bits of any count
  Acc level_[kMaxDepth][kWidth];
  int depth_ = 0;
  index_t count_ = 0;
};

/// `dst saver scale * reduction` for every element of a vector.
template <typename Saver, typename Reducer, typename DType, typename Src>
struct ReduceLoop {
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

  MSHADOW_XINLINE void Store(index_t i, Acc value) const {
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
    PairwiseTree<Reducer, Acc, kColumns> tree;
    for (index_t y0 = 0; y0 < outer; y0 += kLeafRows) {
      Acc leaf[kColumns];
      for (Acc &value : leaf) Reducer::SetInitValue(value);
      const index_t y1 = y0 + kLeafRows < outer ? y0 + kLeafRows : outer;
      for (index_t y = y0; y < y1; ++y) {
        for (int i = 0; i < width; ++i) {
          Reducer::Reduce(leaf[i], static_cast<Acc>(src.Eval(y, begin + i)));
        }
      }
      tree.Push(leaf);
    }
    const Acc *const result = tree.Finish();
    for (int i = 0; i < width; ++i) Store(begin + i, result[i]);
  }

  /// Results [begin, end), each over whole rows; another dimension is kept.
  MSHADOW_NOINLINE static void Rows(const void *context, index_t begin, index_t end) {
    const ReduceLoop loop = *static_cast<const ReduceLoop *>(context);
    for (index_t k = begin; k < end; ++k) loop.Store(k, loop.ReduceRows(k));
  }

  Acc ReduceRows(index_t k) const {
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

}  // namespace detail

template <typename Saver, typename DType, typename SrcExp, typename Reducer, int dimkeep>
struct ExpComplexEngine<Saver, Tensor<cpu, 1, DType>,
                        ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep>, DType> {
  static constexpr int kDim = ExpInfo<SrcExp>::kDim;

  static void Eval(Tensor<cpu, 1, DType> *dst,
                   const ReduceTo1DExp<SrcExp, DType, Reducer, dimkeep> &exp) {
    const Shape<kDim> shape = ShapeCheck<kDim, SrcExp>::Check(exp.src_);
    const Shape<1> want = Shape1(shape[dimkeep]);
    if (dst->shape_ != want) {
      ::mshadow::detail::ThrowShapes("destination and reduction", dst->shape_.shape_, 1,
                                     want.shape_, 1);
    }
    detail::CheckAliasing(*dst, exp);
    using Loop = detail::ReduceLoop<Saver, Reducer, DType, Plan<SrcExp, DType>>;
    const index_t bytes = Operands<SrcExp>::Bytes(exp.src_);
    if constexpr (dimkeep == kDim - 1) {
      const index_t rows = shape.ProdShape(0, dimkeep);
      const Loop loop{dst->dptr_, MakePlan(exp.src_), exp.scale_, rows, 1, 1, shape[dimkeep]};
      ParallelFor(shape[dimkeep], rows * bytes, Loop::Columns, &loop);
    } else {
      const index_t outer = shape.ProdShape(0, dimkeep);
      const index_t inner = shape.ProdShape(dimkeep + 1, kDim - 1);
      const index_t cols = shape[kDim - 1];
      const Loop loop{dst->dptr_, MakePlan(exp.src_), exp.scale_, outer, shape[dimkeep], inner,
                      cols};
      ParallelFor(shape[dimkeep], outer * inner * cols * bytes, Loop::Rows, &loop);
    }
  }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/strict_pop.h"

#endif  // MSHADOW_EXTENSION_REDUCE_TO_1D_INL_H_
