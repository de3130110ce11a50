// SPDX-License-Identifier: Apache-2.0
/// \file element_loop_cpu.h
/// The loop of element_loop.h on a CPU.
#ifndef MSHADOW_ELEMENT_LOOP_CPU_H_
#define MSHADOW_ELEMENT_LOOP_CPU_H_

#include "mshadow/detail/tensor_view.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/parallel.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

template <typename Body>
MSHADOW_NOINLINE void RunPieces(const void *context, index_t begin, index_t end) {
  const Body body = *static_cast<const Body *>(context);
  for (RowRange r(begin, end, body.cols); !r.done(); r.next()) body(r.y(), r.begin(), r.end());
}

/// Calls body(y, begin, end) for pieces that together are all of body.rows x body.cols elements.
/// \param bytes what one element moves, the measure of how heavy it is
template <typename Body>
void RunBody(const char *, const Body &body, index_t bytes, Stream<cpu> *) {
  ::mshadow::ParallelFor(body.rows * body.cols, bytes, RunPieces<Body>, &body);
}

/// Whether work is best done where it is asked for: making a body, finding threads and the piece's
/// place takes longer than sixteen numbers do.
inline bool IsLittle(int64_t elements, int64_t bytes) {
  constexpr int64_t kLittle = 4096;
  return elements < kLittle && bytes < kLittle && elements * bytes < kLittle;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_ELEMENT_LOOP_CPU_H_
