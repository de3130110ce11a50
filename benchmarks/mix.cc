// SPDX-License-Identifier: Apache-2.0
#include "mix.h"

#include <algorithm>
#include <cstring>

#include "hand.h"

namespace mshadow_bench {
namespace {

void Update(void *memory, int64_t count, float factor) {
  const Written floats = static_cast<float *>(memory);
  for (int64_t i = 0; i < count; ++i) floats[i] *= factor;
}

float SumOf(const void *memory, int64_t count) {
  const Read floats = static_cast<const float *>(memory);
  return Sum(count, [=](int64_t i) { return floats[i]; });
}

}  // namespace

Mix MixOf(int64_t size, int bytes, int written, int held) {
  Mix mix = {nullptr, nullptr, size, 0, 0, 0, 0};
  // What is moved and not held twice is read and written in place.
  mix.updated = std::clamp(bytes - held, 0, written);
  const int only_read = bytes - written - mix.updated, only_written = written - mix.updated;
  mix.copied = std::min(only_read, only_written);
  mix.read = only_read - mix.copied;
  mix.written = only_written - mix.copied;
  return mix;
}

void MoveMix(const Mix &mix, int64_t begin, int64_t end) {
  const auto count = [=](int bytes) { return static_cast<size_t>(bytes * (end - begin)); };
  const auto floats = [=](int bytes) { return static_cast<int64_t>(count(bytes) / sizeof(float)); };
  if (mix.updated > 0) {
    const float factor = mix.size < 0 ? -1.0f : 1.0f;  // a compiler does not know that it is 1
    Update(mix.to + mix.updated * begin, floats(mix.updated), factor);
  }
  char *const to = mix.to + mix.updated * mix.size;
  if (mix.copied > 0) {
    std::memcpy(to + mix.copied * begin, mix.from + mix.copied * begin, count(mix.copied));
  }
  if (mix.written > 0) {
    std::memset(to + mix.copied * mix.size + mix.written * begin, 0, count(mix.written));
  }
  if (mix.read > 0) {
    // Stored where a compiler cannot see that nobody needs it.
    [[maybe_unused]] static thread_local volatile float sink;
    sink = SumOf(mix.from + mix.copied * mix.size + mix.read * begin, floats(mix.read));
  }
}

}  // namespace mshadow_bench
