// SPDX-License-Identifier: Apache-2.0
/// \file element_loop.h
/// One loop for functions that are no expressions: a body that handles a piece of a row runs in
/// threads of the CPU and, where nvcc compiles, in a kernel.
#ifndef MSHADOW_ELEMENT_LOOP_H_
#define MSHADOW_ELEMENT_LOOP_H_

#include "mshadow/detail/element_loop_cpu.h"
#include "mshadow/detail/stream_gpu.h"

#include "mshadow/detail/strict_push.h"
#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
#include "mshadow/cuda/map_plan.cuh"
#endif

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

#if defined(__CUDACC__) || defined(MSHADOW_FAKE_CUDA)
template <typename Body>
__global__ void __launch_bounds__(cuda::kMapTuning.threads) BodyKernel(const Body body) {
  for (cuda::RowLoop row(body.rows); !row.done(); row.next()) {
    for (cuda::ColumnLoop<1, 1> at(body.cols); at.has_all(); at.next_all()) {
      body(row.y(), at.x(), at.x() + 1);
    }
  }
}
template <typename Body>
void RunBody(const char *what, const Body &body, index_t, Stream<gpu> *stream) {
  if (body.rows == 0 || body.cols == 0) return;
  cuda::LaunchBody(what, BodyKernel<Body>, cuda::kMapTuning, 1, body, stream);
}
#else
template <typename Body>
void RunBody(const char *, const Body &, index_t, Stream<gpu> *) {
  static_assert(AlwaysFalse<Body>::value,
                "a function of gpu tensors is evaluated by a kernel: compile this file with nvcc");
}
#endif

/// \throws Error unless the shapes are the same
template <int dim>
void CheckSameShape(const char *what, const Shape<dim> &a, const Shape<dim> &b) {
  if (a != b) ThrowShapes(what, a, b);
}
/// "<what>: expected <expected>, got shapes (2,3) and (2,4)".
[[noreturn]] void ThrowExpected(const char *what, const char *expected, const index_t *a, int a_dim,
                                const index_t *b, int b_dim);
template <int a_dim, int b_dim>
[[noreturn]] MSHADOW_NOINLINE void ThrowExpected(const char *what, const char *expected,
                                                 Shape<a_dim> a, Shape<b_dim> b) {
  ThrowExpected(what, expected, a.shape_, a_dim, b.shape_, b_dim);
}
template <int a_dim, int b_dim>
void CheckExpected(bool holds, const char *what, const char *expected, const Shape<a_dim> &a,
                   const Shape<b_dim> &b) {
  if (!holds) ThrowExpected(what, expected, a, b);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_ELEMENT_LOOP_H_
