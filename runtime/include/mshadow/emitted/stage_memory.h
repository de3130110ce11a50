// SPDX-License-Identifier: Apache-2.0
/// \file stage_memory.h
/// Memory for the tensors that a rule of several stages keeps from one to the next.
#ifndef MSHADOW_STAGE_MEMORY_H_
#define MSHADOW_STAGE_MEMORY_H_

#include <cstddef>
#include <initializer_list>

#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/launch_memory.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
/// \throws Error that names the rule and the temporary, if an extent is below 0
void CheckTemporary(const char *rule, const char *name, const int64_t *shape, int dim);
/// Memory of a stream, which its kernels do not take for themselves; for null the default stream's,
/// which is the caller's until it is given back.
void *BorrowStageMemory(void *stream, size_t bytes);
void ReturnStageMemory(void *stream) noexcept;
}  // namespace detail
MSHADOW_VERSION_END

/// A tensor without memory.
/// \throws Error that names the rule and the tensor, if an extent is below 0
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> Shaped(const char *rule, const char *name,
                                        std::initializer_list<int64_t> extents) {
  TensorArg<DType> arg = {};
  for (const int64_t extent : extents) arg.shape[arg.dim++] = extent;
  detail::CheckTemporary(rule, name, arg.shape, arg.dim);
  arg.stride = arg.cols();
  return arg;
}
/// The same with the shape of another tensor.
template <typename DType, typename Other>
MSHADOW_CINLINE TensorArg<DType> ShapedAs(const TensorArg<Other> &other) {
  TensorArg<DType> arg = {};
  arg.dim = other.dim;
  for (int i = 0; i < other.dim; ++i) arg.shape[i] = other.shape[i];
  arg.stride = arg.cols();
  return arg;
}

/// Gives tensors memory, uninitialised, while it lives: of the calling thread for the CPU, of the
/// stream for a GPU. Either grows with the first launches and stays for later ones.
///
///     TensorArg<float> hidden = Shaped<float>("Mlp", "hidden", {rows, cols});
///     const StageMemory memory(device, stream, hidden);
class StageMemory {
 public:
  /// \throws std::bad_alloc, or Error if a GPU has no such memory
  template <typename... DType>
  MSHADOW_CINLINE StageMemory(cpu, void *stream, TensorArg<DType> &...tensors) {
    char *next = memory_.Take<char>(static_cast<index_t>((BytesOf(tensors) + ...)));
    (Place(stream, &tensors, &next), ...);
  }
#if MSHADOW_USE_CUDA
  template <typename... DType>
  MSHADOW_CINLINE StageMemory(gpu, void *stream, TensorArg<DType> &...tensors)
      : is_of_gpu_(true), stream_(stream) {
    char *next = static_cast<char *>(detail::BorrowStageMemory(stream, (BytesOf(tensors) + ...)));
    (Place(stream, &tensors, &next), ...);
  }
  MSHADOW_CINLINE ~StageMemory() {
    if (is_of_gpu_) detail::ReturnStageMemory(stream_);
  }
#else
  template <typename... DType>
  MSHADOW_CINLINE StageMemory(gpu, void *, TensorArg<DType> &...) {
    NoCuda("memory of a GPU");
  }
#endif
  StageMemory(const StageMemory &) = delete;
  StageMemory &operator=(const StageMemory &) = delete;

 private:
  static constexpr size_t kAlign = 256;  // bytes

  template <typename DType>
  MSHADOW_CINLINE static size_t BytesOf(const TensorArg<DType> &tensor) {
    return (static_cast<size_t>(tensor.Size()) * sizeof(DType) + kAlign - 1) / kAlign * kAlign;
  }
  template <typename DType>
  MSHADOW_CINLINE static void Place(void *stream, TensorArg<DType> *tensor, char **next) {
    tensor->dptr = reinterpret_cast<DType *>(*next);
    tensor->stream = stream;
    *next += BytesOf(*tensor);
  }

  LaunchMemory memory_;
#if MSHADOW_USE_CUDA
  bool is_of_gpu_ = false;
  void *stream_ = nullptr;
#endif
};

}  // namespace mshadow

#endif  // MSHADOW_STAGE_MEMORY_H_
