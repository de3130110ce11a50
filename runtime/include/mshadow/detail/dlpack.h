// SPDX-License-Identifier: Apache-2.0
/// \file dlpack.h
/// TBlobs and DLPack, by which tensors go from one library to another without being copied.
/// DLPack's header is the user's: everything here is a template over its DLTensor, of any of its
/// versions.
#ifndef MSHADOW_DLPACK_H_
#define MSHADOW_DLPACK_H_

#include <type_traits>
#include <utility>

#include "mshadow/detail/tensor_shape.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Whether T is a DLTensor.
template <typename T, typename = void>
constexpr bool kIsDLTensor = false;
template <typename T>
constexpr bool kIsDLTensor<
    T, std::void_t<decltype(std::declval<T>().byte_offset), decltype(std::declval<T>().strides),
                   decltype(std::declval<T>().dtype.bits)>> = true;

/// The device, which was called ctx before DLPack 0.5.
template <typename T>
auto DLDevice(T &tensor, int) -> decltype((tensor.device)) {
  return tensor.device;
}
template <typename T>
auto DLDevice(T &tensor, long) -> decltype((tensor.ctx)) {  // NOLINT: the worse match
  return tensor.ctx;
}

/// DLPack's numbers: kinds of elements and of devices.
enum DLCode {
  kDLIntCode = 0,
  kDLUIntCode = 1,
  kDLFloatCode = 2,
  kDLBfloatCode = 4,
  kDLBoolCode = 6
};
enum DLDeviceCode { kDLCpuCode = 1, kDLCudaCode = 2 };

/// The flag of an element type, and the type of a flag.
/// \throws Error if there is none
int FlagOfDLType(int code, int bits, int lanes);
void DLTypeOfFlag(int flag, int *code, int *bits);
/// The device mask of a device; what shape and strides say of a tensor's rows.
/// \throws Error if there is no such device here, or elements are not one behind the other in rows
///     of one distance
int DeviceMaskOfDL(int device);
index_t RowStrideOfDL(int ndim, const int64_t *shape, const int64_t *strides);

}  // namespace detail

/// A blob as a DLTensor, with the extents and strides that it points to: good as long as this and
/// the blob's memory.
template <typename DLTensor>
class DLView {
 public:
  DLView(void *dptr, const TShape &shape, index_t stride, int type_flag, int dev_mask, int dev_id) {
    int code = 0, bits = 0;
    detail::DLTypeOfFlag(type_flag, &code, &bits);
    int64_t step = 1;
    for (int i = shape.ndim() - 1; i >= 0; --i) {
      shape_[i] = static_cast<int64_t>(shape[i]);
      strides_[i] = step;
      step *= i == shape.ndim() - 1 ? static_cast<int64_t>(stride) : shape_[i];
    }
    tensor_.data = dptr;
    tensor_.ndim = shape.ndim();
    tensor_.shape = shape_;
    tensor_.strides = strides_;
    tensor_.byte_offset = 0;
    tensor_.dtype.code = static_cast<decltype(tensor_.dtype.code)>(code);
    tensor_.dtype.bits = static_cast<decltype(tensor_.dtype.bits)>(bits);
    tensor_.dtype.lanes = 1;
    auto &device = detail::DLDevice(tensor_, 0);
    device.device_type = static_cast<decltype(device.device_type)>(
        dev_mask == gpu::kDevMask ? detail::kDLCudaCode : detail::kDLCpuCode);
    device.device_id = dev_id < 0 ? 0 : dev_id;
  }
  DLView(const DLView &) = delete;
  DLView &operator=(const DLView &) = delete;

  const DLTensor &operator*() const { return tensor_; }
  const DLTensor *operator->() const { return &tensor_; }

 private:
  DLTensor tensor_;
  int64_t shape_[TShape::kMaxDim];
  int64_t strides_[TShape::kMaxDim];
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_DLPACK_H_
