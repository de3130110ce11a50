// SPDX-License-Identifier: Apache-2.0
/// \file shared_block.h
/// Memory that expressions and Plans own together with their copies.
#ifndef MSHADOW_SHARED_BLOCK_H_
#define MSHADOW_SHARED_BLOCK_H_

#include "mshadow/detail/tensor_cpu.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Memory of a device that several owners share; the last one frees it.
template <typename Device, typename DType>
class SharedBlock {
 public:
  SharedBlock(index_t count, Stream<Device> *stream) : block_(new Block) {
    struct Guard {  // should there be no memory
      Block *block;
      ~Guard() { delete block; }
    } guard{block_};
    block_->tensor = Tensor<Device, 1, DType>(Shape1(count));
    block_->tensor.set_stream(stream);
    AllocSpace(&block_->tensor, false);
    guard.block = nullptr;
  }
  // Nodes are copied by functions of host and device; kernels never see one.
  MSHADOW_XINLINE SharedBlock(const SharedBlock &other) : block_(other.block_) { Count(1); }
  MSHADOW_XINLINE ~SharedBlock() { Count(-1); }
  SharedBlock &operator=(const SharedBlock &) = delete;

  MSHADOW_XINLINE const Tensor<Device, 1, DType> &tensor() const { return block_->tensor; }

 private:
  struct Block {
    Tensor<Device, 1, DType> tensor;
    int owners = 1;
  };

  MSHADOW_XINLINE void Count(int change) {
#ifndef __CUDA_ARCH__
    if (__atomic_add_fetch(&block_->owners, change, __ATOMIC_ACQ_REL) == 0) {
      FreeSpace(&block_->tensor);
      delete block_;
    }
#else
    static_cast<void>(change);
#endif
  }

  Block *block_;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_SHARED_BLOCK_H_
