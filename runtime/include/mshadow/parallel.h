// SPDX-License-Identifier: Apache-2.0
/// \file parallel.h
/// Threads of the CPU: one loop over elements that every evaluation and every kernel goes through.
#ifndef MSHADOW_PARALLEL_H_
#define MSHADOW_PARALLEL_H_

#include "mshadow/base.h"

namespace mshadow {

/// Calls body(context, begin, end) for ranges that together are [0, n), in threads if that pays.
/// Ranges begin at multiples of \p grain elements, 64 for packets and cache lines. Results of
/// element-wise bodies do not depend on the split. Each call runs under the strict floating-point
/// environment: round to nearest, subnormals kept, traps off; the caller's is restored. Exception
/// flags stay raised, as after any arithmetic.
///
/// Runs in the calling thread alone when n * bytes_per_element is small, inside a parallel region
/// of OpenMP, and in a process forked from this one until it calls SetNumThreads: a pool of threads
/// does not survive a fork.
/// \param bytes_per_element memory that one element moves, the measure of how heavy the body is
/// \param body must not throw
void ParallelFor(index_t n, index_t bytes_per_element,
                 void (*body)(const void *context, index_t begin, index_t end), const void *context,
                 index_t grain = 64);

/// How many threads ParallelFor would take for \p n elements; at least 1.
index_t WorthwhileThreads(index_t n, index_t bytes_per_element);

/// How many threads ParallelFor may use, from now on and in every thread; 0: the default, which is
/// MSHADOW_NUM_THREADS in the environment, else OpenMP's.
void SetNumThreads(int count);
int NumThreads();

}  // namespace mshadow

#endif  // MSHADOW_PARALLEL_H_
