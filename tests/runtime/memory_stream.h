// SPDX-License-Identifier: Apache-2.0
/// \file memory_stream.h
#ifndef MSHADOW_TESTS_MEMORY_STREAM_H_
#define MSHADOW_TESTS_MEMORY_STREAM_H_

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <string>

namespace mshadow_test {

/// A stream in memory; no IStream, as user classes need not be.
struct Memory {
  std::string bytes;
  size_t at = 0;
  size_t largest = 0;  ///< the largest piece that was asked for

  void Write(const void *from, size_t size) { bytes.append(static_cast<const char *>(from), size); }
  size_t Read(void *to, size_t size) {
    largest = std::max(largest, size);
    size = std::min(size, bytes.size() - at);
    std::memcpy(to, bytes.data() + at, size);
    at += size;
    return size;
  }
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_MEMORY_STREAM_H_
