// SPDX-License-Identifier: Apache-2.0
/// \file kept_scope.h
/// Memory of a GPU that lives as long as an assignment: for what its Plans evaluate first
/// (extension/kept.h).
#ifndef MSHADOW_KEPT_SCOPE_H_
#define MSHADOW_KEPT_SCOPE_H_

#include "mshadow/error.h"
#include "mshadow/stream_gpu.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// One for each assignment on a GPU, the innermost being the current one of its thread. Kernels
/// hold pointers to the memory; freeing it waits for them.
class KeptScope {
 public:
  KeptScope() : outer_(Current()) { Current() = this; }
  ~KeptScope() {
    while (blocks_ != nullptr) {
      const Node *const node = blocks_;
      blocks_ = node->next;
      cuda::Free(node->memory);
      delete node;
    }
    Current() = outer_;
  }
  KeptScope(const KeptScope &) = delete;
  KeptScope &operator=(const KeptScope &) = delete;

  /// Memory for \p count elements, freed at the end of the assignment after \p stream's work.
  /// \throws Error if there is no assignment
  template <typename DType>
  static DType *Allocate(index_t count, Stream<gpu> *stream) {
    KeptScope *const scope = Current();
    if (scope == nullptr) ThrowError("the Plan of a nested reduction is made by assigning it");
    Node *const node = new Node{nullptr, scope->blocks_};
    scope->blocks_ = node;
    const cuda::DeviceScope device(stream == nullptr ? cuda::CurrentDevice() : stream->dev_id);
    node->memory = cuda::Malloc(static_cast<size_t>(count) * sizeof(DType));
    return static_cast<DType *>(node->memory);
  }

 private:
  struct Node {
    void *memory;
    const Node *next;
  };
  static KeptScope *&Current() {
    static thread_local KeptScope *current = nullptr;
    return current;
  }

  KeptScope *outer_;
  const Node *blocks_ = nullptr;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_KEPT_SCOPE_H_
