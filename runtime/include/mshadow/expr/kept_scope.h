// SPDX-License-Identifier: Apache-2.0
/// \file kept_scope.h
/// Memory of a GPU that lives as long as an assignment: for what its Plans evaluate first
/// (extension/kept.h), and for reductions in parts (extension/intermediate.h).
#ifndef MSHADOW_KEPT_SCOPE_H_
#define MSHADOW_KEPT_SCOPE_H_

#include "mshadow/detail/exception.h"
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/detail/tensor_view.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// One for each assignment on a GPU, the innermost being the current one of its thread. Kernels
/// hold pointers to the memory. It stays with the stream for later assignments, so that nothing
/// waits and a stream may be captured; the default stream's, which cannot be, is freed after them.
class KeptScope {
 public:
  /// \param stream of what is assigned to
  explicit KeptScope(Stream<gpu> *stream) : outer_(Current()), stream_(stream) { Current() = this; }
  ~KeptScope() {
    while (blocks_ != nullptr) {
      const Node *const node = blocks_;
      blocks_ = node->next;
      if (node->stream == nullptr) {
        cuda::Free(node->memory);
      } else {
        node->stream->PopWorkspace();
      }
      delete node;
    }
    Current() = outer_;
  }
  KeptScope(const KeptScope &) = delete;
  KeptScope &operator=(const KeptScope &) = delete;

  /// A tensor, not initialised, until the end of the assignment.
  /// \param stream null: the assignment's
  /// \throws Error if there is no assignment, or no memory
  template <typename DType, int dim>
  static Tensor<gpu, dim, DType> Allocate(const Shape<dim> &shape, Stream<gpu> *stream) {
    KeptScope *const scope = Current();
    if (scope == nullptr) ThrowError("the Plan of a nested reduction is made by assigning it");
    if (stream == nullptr) stream = scope->stream_;
    void *const memory = scope->Take(static_cast<size_t>(shape.Size()) * sizeof(DType), stream);
    return Tensor<gpu, dim, DType>(static_cast<DType *>(memory), shape, stream);
  }

 private:
  struct Node {
    void *memory;
    Stream<gpu> *stream;
    const Node *next;
  };
  void *Take(size_t bytes, Stream<gpu> *stream) {
    Node *const node = new Node{nullptr, nullptr, blocks_};
    blocks_ = node;
    node->memory = stream == nullptr ? cuda::Malloc(bytes) : stream->PushWorkspace(bytes);
    node->stream = stream;
    return node->memory;
  }
  static KeptScope *&Current() {
    static thread_local KeptScope *current = nullptr;
    return current;
  }

  KeptScope *outer_;
  Stream<gpu> *stream_;
  const Node *blocks_ = nullptr;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_KEPT_SCOPE_H_
