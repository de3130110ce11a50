// SPDX-License-Identifier: Apache-2.0
#include "mshadow/streaming.h"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <limits>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#if defined(__linux__)
#include <fcntl.h>
#include <unistd.h>
#endif

namespace mshadow {
namespace {

constexpr int64_t kLeast = int64_t{32} << 20;
constexpr int64_t kOfProcessor = kLeast;  // no processor has more of a shared cache as its part

/// What the first core's cache of the third level holds, as Linux says it ("32768K"); 0 if it says
/// nothing. (What sysconf has is that of all cores together on some machines.) Read without memory
/// from the heap, since a launch may ask.
int64_t LastLevelCache() {
  char text[32] = {};
#if defined(__linux__)
  const int file = open("/sys/devices/system/cpu/cpu0/cache/index3/size", O_RDONLY | O_CLOEXEC);
  if (file < 0) return 0;
  const ssize_t count = read(file, text, sizeof(text) - 1);
  close(file);
  if (count < 0) return 0;
#endif
  char *unit = text;
  const int64_t size = std::strtoll(text, &unit, 10);
  return *unit == 'K' ? size << 10 : *unit == 'M' ? size << 20 : 0;
}

/// As much of a last-level cache as the processors of this machine use. A virtual machine has few,
/// and shares the cache that it sees with others. (Which of them a thread may run on says less: a
/// thread that is bound to one asks for all.)
int64_t MostForProcessors() {
#if defined(__linux__)
  const int64_t processors = sysconf(_SC_NPROCESSORS_ONLN);
  if (processors > 0) return kOfProcessor * processors;
#endif
  return std::numeric_limits<int64_t>::max();
}

std::atomic<int64_t> set_bytes{-1};

}  // namespace

int64_t least_streaming_bytes = kLeast;

int64_t StreamingBytes() {
  static const int64_t cache = std::max(kLeast, std::min(LastLevelCache(), MostForProcessors()));
  const int64_t set = set_bytes.load(std::memory_order_relaxed);
  return set < 0 ? cache : set;
}

void StoreLines(void *to, const void *from, int64_t bytes) {
#if defined(__SSE2__)
  __m128i *const lines = static_cast<__m128i *>(to);
  const __m128i *const values = static_cast<const __m128i *>(from);
  for (int64_t i = 0; i < bytes / 16; i += 4) {  // a line at once
    for (int k = 0; k < 4; ++k) _mm_stream_si128(lines + i + k, _mm_loadu_si128(values + i + k));
  }
#else
  std::memcpy(to, from, static_cast<size_t>(bytes));
#endif
}

void SetStreamingBytes(int64_t bytes) {
  set_bytes.store(bytes, std::memory_order_relaxed);
  __atomic_store_n(&least_streaming_bytes, bytes < 0 ? kLeast : bytes, __ATOMIC_RELAXED);
}

}  // namespace mshadow
