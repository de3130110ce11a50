// SPDX-License-Identifier: Apache-2.0
/// \file sort.h
/// Stable sorts: SortByKey, VectorizedSort. Keys are in the order of <; NaN comes last.
#ifndef MSHADOW_SORT_H_
#define MSHADOW_SORT_H_

#include "mshadow/detail/allocation.h"
#include "mshadow/detail/element_loop.h"
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
#include "mshadow/cuda/sort.cuh"
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// order[i] becomes the index of the key that comes i-th. For every element type.
template <typename Key>
void StableOrder(const Key *keys, index_t count, bool ascend, index_t *order);

/// Memory of the CPU while it lives; a little is its own.
template <typename T>
class Scratch {
 public:
  explicit Scratch(index_t count)
      : data_(count <= kOwn ? reinterpret_cast<T *>(own_)
                            : static_cast<T *>(Allocate(count, static_cast<index_t>(sizeof(T))))) {}
  ~Scratch() {
    if (data_ != reinterpret_cast<T *>(own_)) Deallocate(data_);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  T *data() const { return data_; }

 private:
  static constexpr index_t kOwn = 256;
  alignas(T) unsigned char own_[kOwn * sizeof(T)];
  T *data_;
};

/// values[i] = old values[order[i]].
template <typename T>
void Permute(T *values, const index_t *order, index_t count) {
  const Scratch<T> old(count);
  for (index_t i = 0; i < count; ++i) old.data()[i] = values[i];
  for (index_t i = 0; i < count; ++i) values[i] = old.data()[order[i]];
}

}  // namespace detail

/// Sorts \p keys, and \p values in the same way. Equal keys keep their order.
/// \throws Error unless there are as many values as keys
template <typename KDType, typename VDType>
void SortByKey(Tensor<cpu, 1, KDType> keys, Tensor<cpu, 1, VDType> values, bool is_ascend = true) {
  detail::CheckSameShape("SortByKey: keys and values", keys.shape_, values.shape_);
  const index_t count = keys.shape_[0];
  const detail::Scratch<index_t> order(count);
  detail::StableOrder(keys.dptr_, count, is_ascend, order.data());
  detail::Permute(keys.dptr_, order.data(), count);
  detail::Permute(values.dptr_, order.data(), count);
}
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
/// Queued on the keys' stream; uses as much device memory again while it runs, and waits for it.
template <typename KDType, typename VDType>
void SortByKey(Tensor<gpu, 1, KDType> keys, Tensor<gpu, 1, VDType> values, bool is_ascend = true) {
  detail::CheckSameShape("SortByKey: keys and values", keys.shape_, values.shape_);
  cuda::SortByKey(keys, values, is_ascend);
}
#endif

/// Sorts \p values within each segment: a run of equal numbers in \p segments, which are ascending.
/// \throws Error unless there are as many segments as values
template <typename Device, typename VDType, typename SDType>
void VectorizedSort(Tensor<Device, 1, VDType> values, Tensor<Device, 1, SDType> segments) {
  SortByKey(values, segments, true);
  SortByKey(segments, values, true);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_SORT_H_
