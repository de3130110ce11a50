// SPDX-License-Identifier: Apache-2.0
/// \file parallel.h
/// Independent work in threads.
#ifndef MSHADOW_GENERATOR_DRIVER_PARALLEL_H_
#define MSHADOW_GENERATOR_DRIVER_PARALLEL_H_

#include <cstddef>
#include <functional>

namespace mgen {

/// Calls work(i) for every i below n, in as many threads as the machine has processors, at most 8:
/// each holds a parse, and builds run several generators anyway.
/// \throws what the first work, counted from 0, has thrown, after all have ended
void ForEachIndex(size_t n, const std::function<void(size_t)> &work);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_PARALLEL_H_
