// SPDX-License-Identifier: Apache-2.0
#include "mshadow/softmax.h"

#include "mshadow/expr_operands.h"
#include "mshadow/extension/reduce_to_1d.h"
#include "mshadow/math.h"
#include "mshadow/parallel.h"
#include "mshadow/strict_push.h"
#include "mshadow/tensor_cpu.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace {

template <typename DType>
struct SoftmaxLoop {
  using Acc = typename expr::detail::Accumulator<DType>::type;
  Tensor<cpu, 2, DType> dst;
  Tensor<cpu, 2, DType> energy;

  /// Rows [begin, end).
  static void Run(const void *context, index_t begin, index_t end) {
    const SoftmaxLoop &loop = *static_cast<const SoftmaxLoop *>(context);
    for (index_t y = begin; y < end; ++y) {
      loop.Row(loop.energy.dptr_ + y * loop.energy.stride_, loop.dst.dptr_ + y * loop.dst.stride_,
               loop.dst.shape_[1]);
    }
  }

  /// exp(x - max) cannot overflow, and the largest term is 1. Terms are added pairwise by 16s.
  void Row(const DType *x, DType *y, index_t n) const {
    Acc max = static_cast<Acc>(x[0]);
    for (index_t i = 1; i < n; ++i) red::maximum::Reduce(max, static_cast<Acc>(x[i]));
    expr::detail::PairwiseTree<red::sum, Acc, 1> sum;
    for (index_t begin = 0; begin < n; begin += 16) {
      Acc leaf = 0;
      for (index_t i = begin; i < n && i < begin + 16; ++i) {
        leaf += math::exp(static_cast<Acc>(x[i]) - max);
      }
      sum.Push(&leaf);
    }
    const Acc total = *sum.Finish();
    for (index_t i = 0; i < n; ++i) {
      y[i] = ScalarCast<DType>(math::exp(static_cast<Acc>(x[i]) - max) / total);
    }
  }
};

}  // namespace

template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy) {
  if (dst.shape_ != energy.shape_) {
    detail::ThrowShapes("Softmax: dst and energy", dst.shape_.shape_, 2, energy.shape_.shape_, 2);
  }
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  const SoftmaxLoop<DType> loop{dst, energy};
  // Exponentials are worth more than their bytes.
  ParallelFor(dst.shape_[0], dst.shape_[1] * 16 * static_cast<index_t>(sizeof(DType)),
              SoftmaxLoop<DType>::Run, &loop);
}

template void Softmax(Tensor<cpu, 2, float>, const Tensor<cpu, 2, float> &);
template void Softmax(Tensor<cpu, 2, double>, const Tensor<cpu, 2, double> &);
template void Softmax(Tensor<cpu, 2, half::half_t>, const Tensor<cpu, 2, half::half_t> &);
template void Softmax(Tensor<cpu, 2, bfloat::bf16_t>, const Tensor<cpu, 2, bfloat::bf16_t> &);

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/strict_pop.h"
