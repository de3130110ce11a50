// SPDX-License-Identifier: Apache-2.0
#include "mix.h"

#include <cstring>

#include "hand.h"

namespace mshadow_bench {

void MoveMix(const Mix &mix, int64_t begin, int64_t end) {
  const char *const from = static_cast<const char *>(mix.from);
  char *const to = static_cast<char *>(mix.to);
  const auto count = [=](int bytes) { return static_cast<size_t>(bytes * (end - begin)); };
  if (mix.copied > 0) {
    std::memcpy(to + mix.copied * begin, from + mix.copied * begin, count(mix.copied));
  }
  if (mix.written > 0) {
    std::memset(to + mix.copied * mix.size + mix.written * begin, 0, count(mix.written));
  }
  if (mix.read > 0) {
    const void *const rest = from + mix.copied * mix.size + mix.read * begin;
    Read floats = static_cast<const float *>(rest);
    // Stored where a compiler cannot see that nobody needs it.
    [[maybe_unused]] static thread_local volatile float sink;
    sink = Sum(static_cast<int64_t>(count(mix.read) / sizeof(float)),
               [=](int64_t i) { return floats[i]; });
  }
}

}  // namespace mshadow_bench
