// SPDX-License-Identifier: Apache-2.0
/// \file sort.cuh
/// A stable merge sort on a GPU. Sorted runs are merged two by two; each element finds its place by
/// counting, with a binary search, the elements of the other run that come before it.
#ifndef MSHADOW_CUDA_SORT_CUH_
#define MSHADOW_CUDA_SORT_CUH_

#include "mshadow/cuda/kernel.cuh"
#include "mshadow/detail/element_loop.h"

namespace mshadow {
namespace cuda {

/// Whether \p a comes before \p b; NaN comes last.
template <typename Key>
MSHADOW_XINLINE bool ComesBefore(Key a, Key b, bool ascend) {
  if (a != a || b != b) return a == a && b != b;
  return ascend ? a < b : b < a;
}

/// Merges the runs of `width` elements in pairs.
template <typename Key, typename Value>
struct MergePass {
  const Key *keys;
  const Value *values;
  Key *to_keys;
  Value *to_values;
  index_t width;
  bool ascend;
  index_t rows, cols;

  /// How many elements of [begin, end) come before \p key; of equal ones those of an earlier run.
  MSHADOW_XINLINE index_t Before(Key key, index_t begin, index_t end, bool is_earlier_run) const {
    index_t low = begin, high = end;
    while (low < high) {
      const index_t middle = low + (high - low) / 2;
      const bool before = is_earlier_run ? !ComesBefore(key, keys[middle], ascend)
                                         : ComesBefore(keys[middle], key, ascend);
      if (before) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - begin;
  }

  MSHADOW_XINLINE void operator()(index_t, index_t begin, index_t end) const {
    for (index_t i = begin; i < end; ++i) {
      const index_t left = i & ~(2 * width - 1);  // where the pair begins: widths are powers of 2
      const index_t right = left + width < cols ? left + width : cols;
      const index_t stop = left + 2 * width < cols ? left + 2 * width : cols;
      const index_t others = i < right ? Before(keys[i], right, stop, false)
                                       : Before(keys[i], left, right, true) - (right - left);
      const index_t place = i + others;
      to_keys[place] = keys[i];
      to_values[place] = values[i];
    }
  }
};

/// Device memory while it lives.
template <typename T>
class DeviceScratch {
 public:
  explicit DeviceScratch(index_t count)
      : data_(static_cast<T *>(Malloc(static_cast<size_t>(count) * sizeof(T)))) {}
  ~DeviceScratch() { Free(data_); }
  DeviceScratch(const DeviceScratch &) = delete;
  DeviceScratch &operator=(const DeviceScratch &) = delete;
  T *data() const { return data_; }

 private:
  T *data_;
};

template <typename Key, typename Value>
void SortByKey(const Tensor<gpu, 1, Key> &keys, const Tensor<gpu, 1, Value> &values, bool ascend) {
  const index_t count = keys.shape_[0];
  if (count < 2) return;
  Stream<gpu> *const stream = keys.stream_;
  const DeviceScope scope(stream == nullptr ? CurrentDevice() : stream->dev_id);
  const DeviceScratch<Key> other_keys(count);
  const DeviceScratch<Value> other_values(count);
  Key *from_keys = keys.dptr_, *to_keys = other_keys.data();
  Value *from_values = values.dptr_, *to_values = other_values.data();
  for (index_t width = 1; width < count; width *= 2) {
    ::mshadow::detail::RunBody(
        "SortByKey",
        MergePass<Key, Value>{from_keys, from_values, to_keys, to_values, width, ascend, 1, count},
        0, stream);
    Key *const merged_keys = to_keys;
    to_keys = from_keys;
    from_keys = merged_keys;
    Value *const merged_values = to_values;
    to_values = from_values;
    from_values = merged_values;
  }
  CUstream_st *const queue = Stream<gpu>::GetStream(stream);
  if (from_keys != keys.dptr_) {
    const size_t key_bytes = static_cast<size_t>(count) * sizeof(Key);
    const size_t value_bytes = static_cast<size_t>(count) * sizeof(Value);
    CopyRows(keys.dptr_, key_bytes, from_keys, key_bytes, key_bytes, 1, Direction::kDeviceToDevice,
             queue);
    CopyRows(values.dptr_, value_bytes, from_values, value_bytes, value_bytes, 1,
             Direction::kDeviceToDevice, queue);
  }
  Synchronize(queue);  // before the scratch memory goes
}

}  // namespace cuda
}  // namespace mshadow

#endif  // MSHADOW_CUDA_SORT_CUH_
