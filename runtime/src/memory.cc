// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <cstring>
#include <limits>
#include <string>

#include "mshadow/detail/allocation.h"

#if defined(__linux__)
#include <sys/mman.h>
#include <unistd.h>
#endif

#include "mshadow/detail/exception.h"
#include "mshadow/parallel.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

index_t RowStride(index_t cols, index_t size, bool pad) {
  const index_t per_pitch = kPitch / size;
  if (!pad || per_pitch <= 1) return cols;
  return (cols + per_pitch - 1) / per_pitch * per_pitch;
}

namespace {

/// \throws Error if a factor is negative or the product overflows T
template <typename T>
T Product(int64_t a, int64_t b) {
  T product = 0;
  if (a < 0 || b < 0 || __builtin_mul_overflow(a, b, &product)) {
    throw Error("cannot allocate " + std::to_string(a) + " times " + std::to_string(b) +
                ": expected factors of at least 0 and a product below 2^" +
                std::to_string(std::numeric_limits<T>::digits));
  }
  return product;
}

}  // namespace

void AskForHugePages([[maybe_unused]] void *memory, [[maybe_unused]] int64_t bytes) {
#if defined(__linux__)
  constexpr int64_t kWorthwhile = 4 << 20;
  if (bytes < kWorthwhile) return;
  const int64_t page = sysconf(_SC_PAGESIZE);
  char *const begin = static_cast<char *>(memory);
  const int64_t before = (page - reinterpret_cast<intptr_t>(begin) % page) % page;
  madvise(begin + before, static_cast<size_t>(bytes - before), MADV_HUGEPAGE);  // else small ones
#endif
}

index_t CheckedProduct(index_t a, index_t b) { return Product<index_t>(a, b); }

void *Allocate(index_t count, index_t size) {
  const int64_t bytes = Product<int64_t>(count, size);
  if (bytes == 0) return nullptr;
  void *memory = nullptr;
  if (posix_memalign(&memory, kAlignment, static_cast<size_t>(bytes)) != 0) {
    throw Error("cannot allocate " + std::to_string(bytes) + " bytes");
  }
  AskForHugePages(memory, bytes);
  return memory;
}

void Deallocate(void *memory) { std::free(memory); }

namespace {

/// Rows of a copy; a single long one is taken as many of one cache line, and the rest.
struct RowCopy {
  char *dst;
  int64_t dst_pitch;
  const char *src;
  int64_t src_pitch;
  int64_t bytes;  ///< of each row but the last
  int64_t last;   ///< bytes of the last
  int64_t rows;

  static void Run(const void *context, index_t begin, index_t end) {
    static_cast<const RowCopy *>(context)->Rows(begin, end);
  }
  void Rows(int64_t begin, int64_t end) const {
    if (dst_pitch == bytes && src_pitch == bytes) {
      const int64_t size = (end - begin) * bytes - (end == rows ? bytes - last : 0);
      std::memcpy(dst + begin * bytes, src + begin * bytes, static_cast<size_t>(size));
      return;
    }
    for (int64_t y = begin; y < end; ++y) {
      std::memcpy(dst + y * dst_pitch, src + y * src_pitch, static_cast<size_t>(bytes));
    }
  }
};

}  // namespace

void CopyRows(void *dst, int64_t dst_pitch, const void *src, int64_t src_pitch, int64_t bytes,
              int64_t rows) {
  constexpr int64_t kLine = 64, kSmall = 1 << 16;
  if (dst == src || bytes == 0 || rows == 0) return;
  if (rows == 1 && bytes <= kSmall) {
    std::memcpy(dst, src, static_cast<size_t>(bytes));
    return;
  }
  RowCopy copy{static_cast<char *>(dst),
               dst_pitch,
               static_cast<const char *>(src),
               src_pitch,
               bytes,
               bytes,
               rows};
  if (bytes * rows <= kSmall) return copy.Rows(0, rows);
  if (rows == 1) {
    copy.rows = (bytes + kLine - 1) / kLine;
    copy.last = bytes - (copy.rows - 1) * kLine;
    copy.bytes = copy.dst_pitch = copy.src_pitch = kLine;
  }
  ParallelFor(static_cast<index_t>(copy.rows), static_cast<index_t>(2 * copy.bytes), RowCopy::Run,
              &copy, 1);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
