// SPDX-License-Identifier: Apache-2.0
/// \file stage_memory.h
/// Memory for the tensors that a rule of several stages keeps from one stage to the next.
#ifndef MSHADOW_STAGE_MEMORY_H_
#define MSHADOW_STAGE_MEMORY_H_

#include <initializer_list>

#include "mshadow/detail/workspace.h"
#include "mshadow/emitted/launch.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
/// \throws Error that names the rule and the temporary, if an extent is below 0
void CheckTemporary(const char *rule, const char *name, const int64_t *shape, int dim);
}  // namespace detail
MSHADOW_VERSION_END

/// A tensor with these extents and without memory, which StageMemory then provides.
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

/// Provides uninitialised memory for tensors, for as long as this object lives. The memory is from
/// the workspace of the calling thread or, on a GPU, of the stream.
///
///     TensorArg<float> hidden = Shaped<float>("Mlp", "hidden", {rows, cols});
///     const StageMemory memory(device, stream, hidden);
class StageMemory {
 public:
  /// \throws std::bad_alloc, or Error if a GPU has no such memory
  template <typename... DType>
  MSHADOW_CINLINE StageMemory(cpu, void *stream, TensorArg<DType> &...tensors) {
    (Place(stream, &tensors), ...);
  }
#if MSHADOW_USE_CUDA
  template <typename... DType>
  MSHADOW_CINLINE StageMemory(gpu, void *stream, TensorArg<DType> &...tensors)
      : workspace_(detail::WorkspaceOfStream, stream) {
    (Place(stream, &tensors), ...);
  }
#else
  template <typename... DType>
  MSHADOW_CINLINE StageMemory(gpu, void *, TensorArg<DType> &...) {
    NoCuda("memory of a GPU");
  }
#endif

 private:
  template <typename DType>
  MSHADOW_CINLINE void Place(void *stream, TensorArg<DType> *tensor) {
    tensor->dptr = workspace_.Take<DType>(tensor->Size());
    tensor->stream = stream;
  }

  detail::Workspace workspace_;
};

}  // namespace mshadow

#endif  // MSHADOW_STAGE_MEMORY_H_
