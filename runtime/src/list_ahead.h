// SPDX-License-Identifier: Apache-2.0
/// \file list_ahead.h
/// Prefetches the tensors of a list's next entry while a loop runs this one. A processor's own
/// prefetches begin with the second or third line of a tensor and end with its page. So if tensors
/// have a page or two and lie apart, a loop waits for memory at each of them.
#ifndef MSHADOW_RUNTIME_LIST_AHEAD_H_
#define MSHADOW_RUNTIME_LIST_AHEAD_H_

#include <cstddef>
#include <cstdint>

#include "mshadow/emitted/listed.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The memory of a tensor; empty if its rows have gaps.
struct MemorySpan {
  const char *begin = nullptr;
  int64_t bytes = 0;
};

/// A list of fewer bytes mostly stays in the L2 cache of a core.
constexpr int64_t kFarBytes = int64_t{1} << 20;

/// Runs a loop for all of \p plan. If the tensors of both entries are short, the loop runs in
/// pieces. A part of the next entry's tensors is prefetched before each piece.
/// \param now the tensors of the entry: `count` of them
/// \param next those of an entry of the same rule, in the same order
void RunBesideNext(const LoopWork &work, const void *plan, const MemorySpan *now,
                   const MemorySpan *next, size_t count);

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_AHEAD_H_
