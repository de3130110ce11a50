// SPDX-License-Identifier: Apache-2.0
#include "mshadow/softmax.h"

#include "mshadow/softmax_sum.h"
#include "mshadow/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace {

/// Exponentials are worth more than their bytes.
constexpr index_t kWork = 16;

/// Rows of classes. Counted in rows, so that none is cut in two.
template <typename DType>
struct Rows {
  Tensor<cpu, 2, DType> dst, energy;

  static void Run(const void *context, index_t begin, index_t end) {
    const Rows &task = *static_cast<const Rows *>(context);
    for (index_t y = begin; y < end; ++y) {
      detail::SoftmaxVector<DType, true>{task.energy.dptr_ + y * task.energy.stride_, 1,
                                         task.dst.dptr_ + y * task.dst.stride_, 1,
                                         task.dst.shape_[1]}
          .Run();
    }
  }
};

}  // namespace

template <typename DType>
void Softmax(Tensor<cpu, 2, DType> dst, const Tensor<cpu, 2, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  const Rows<DType> task{dst, energy};
  ParallelFor(dst.shape_[0], dst.shape_[1] * kWork * static_cast<index_t>(sizeof(DType)),
              Rows<DType>::Run, &task);
}

template <typename DType>
void Softmax(Tensor<cpu, 3, DType> dst, const Tensor<cpu, 3, DType> &energy) {
  detail::CheckSameShape("Softmax: dst and energy", dst.shape_, energy.shape_);
  expr::detail::CheckAliasing(dst, energy);
  if (dst.shape_[1] == 0) return;
  detail::RunBody("Softmax",
                  detail::SoftmaxColumn<cpu, DType>{dst, energy, dst.shape_[0], dst.shape_[2]},
                  dst.shape_[1] * kWork * static_cast<index_t>(sizeof(DType)), dst.stream_);
}

#define MSHADOW_SOFTMAX(T)                                             \
  template void Softmax(Tensor<cpu, 2, T>, const Tensor<cpu, 2, T> &); \
  template void Softmax(Tensor<cpu, 3, T>, const Tensor<cpu, 3, T> &);
MSHADOW_SOFTMAX(float)
MSHADOW_SOFTMAX(double)
MSHADOW_SOFTMAX(half::half_t)
MSHADOW_SOFTMAX(bfloat::bf16_t)
#undef MSHADOW_SOFTMAX

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/strict_pop.h"
