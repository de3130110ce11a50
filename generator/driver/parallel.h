// SPDX-License-Identifier: Apache-2.0
/// \file parallel.h
/// Runs independent work in threads.
#ifndef MSHADOW_GENERATOR_DRIVER_PARALLEL_H_
#define MSHADOW_GENERATOR_DRIVER_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace mgen {

/// Calls work(i) for every i below n, in as many threads as the machine has processors, but at most
/// 8: each thread may hold a parse in memory, and builds run several generators anyway. If calls
/// throw, all others are still made.
/// \throws what the call with the least i has thrown
void ForEachIndex(size_t n, const std::function<void(size_t)> &work);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_PARALLEL_H_
