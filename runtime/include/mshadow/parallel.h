// SPDX-License-Identifier: Apache-2.0
/// \file parallel.h
/// Threads of the CPU. Every evaluation and every kernel runs its elements through ParallelFor.
#ifndef MSHADOW_PARALLEL_H_
#define MSHADOW_PARALLEL_H_

#include "mshadow/base.h"

namespace mshadow {

/// Splits [0, n) into ranges and calls body(context, begin, end) for each, in several threads if
/// that is faster. Ranges begin at multiples of \p grain elements. The default, 64, keeps ranges
/// aligned to packets and cache lines. Results of element-wise bodies do not depend on the split.
/// Each call of \p body runs with the strict floating-point environment: round to nearest,
/// subnormals kept, traps off. The thread's own environment is restored. Exception flags stay
/// raised, as after any arithmetic.
///
/// Equal arguments and an equal number of threads give equal ranges. Range i runs in thread i of
/// OpenMP, or of the runtime's own threads without OpenMP. So if one thread makes all calls, the
/// same memory is used by the same thread at every call. In a pool of the application
/// (thread_pool.h) range i is task i.
///
/// Even if it may use more, ParallelFor uses the calling thread alone in four cases: if
/// n * bytes_per_element is small, or n is below 2 * grain; inside a parallel region, whether
/// OpenMP's or that of another ParallelFor; without OpenMP, while the runtime's own threads run a
/// call of another thread; and in a forked process until it calls SetNumThreads or SetThreadPool,
/// since threads do not survive a fork.
/// \param bytes_per_element bytes that \p body loads and stores for each element; with n, they
///     decide how many threads are worthwhile
/// \param body must not throw
void ParallelFor(index_t n, index_t bytes_per_element,
                 void (*body)(const void *context, index_t begin, index_t end), const void *context,
                 index_t grain = 64);

/// How many threads ParallelFor would use for \p n elements with a grain of 1; at least 1.
index_t WorthwhileThreads(index_t n, index_t bytes_per_element);

/// Sets how many threads ParallelFor may use, from now on and in every thread. 0: the default,
/// which is MSHADOW_NUM_THREADS in the environment; else the threads of SetThreadPool; else the
/// number that OpenMP uses, or without OpenMP the number of hardware threads. The last two are
/// limited to the processors that control groups (cgroup, versions 1 and 2) allow, rounded up,
/// unless the program or OMP_NUM_THREADS chose OpenMP's number. A forked process may use threads
/// again after this call.
void SetNumThreads(int count);
/// How many threads ParallelFor may use when this thread calls it; at least 1.
int NumThreads();

}  // namespace mshadow

#endif  // MSHADOW_PARALLEL_H_
