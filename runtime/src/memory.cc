// SPDX-License-Identifier: Apache-2.0
#include "mshadow/memory.h"

#include <cstdlib>
#include <limits>
#include <string>

#include "mshadow/error.h"

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
                ": expected factors from 0 and a product below 2^" +
                std::to_string(std::numeric_limits<T>::digits));
  }
  return product;
}

}  // namespace

index_t CheckedProduct(index_t a, index_t b) { return Product<index_t>(a, b); }

void *Allocate(index_t count, index_t size) {
  const int64_t bytes = Product<int64_t>(count, size);
  if (bytes == 0) return nullptr;
  void *memory = nullptr;
  if (posix_memalign(&memory, kAlignment, static_cast<size_t>(bytes)) != 0) {
    throw Error("cannot allocate " + std::to_string(bytes) + " bytes");
  }
  return memory;
}

void Deallocate(void *memory) { std::free(memory); }

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
