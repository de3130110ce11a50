// SPDX-License-Identifier: Apache-2.0
/// \file block.h
/// Blocks: several rows of a transpose, evaluated together. Neighbours in such a row are far apart
/// in memory, each in another row of the source. The neighbours of an element in memory are in
/// another row of the transpose. A Plan says by
///
///     index_t RowPeriod() const;
///
/// how many rows further that row is; 0 if the Plan reads along rows. The CPU then evaluates these
/// rows one after the other, while what was read is in the cache. A Plan whose source is a tensor
/// evaluates several of them at once:
///
///     int EvalBlock(index_t y, index_t x, int rows, int n, DType *out) const;
///
/// stores elements (y + k RowPeriod(), x + i) in out[k n + i], for i < n <= kBlockCols and all k
/// below the number that it returns, which is from 1 to \p rows. Only the CPU uses blocks.
#ifndef MSHADOW_EXPR_BLOCK_H_
#define MSHADOW_EXPR_BLOCK_H_

#include <cstddef>
#include <cstring>
#include <type_traits>
#include <utility>

#include "mshadow/base.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN
namespace detail {

template <typename P, typename = void>
constexpr bool kHasRowPeriod = false;
template <typename P>
constexpr bool kHasRowPeriod<P, std::void_t<decltype(std::declval<const P &>().RowPeriod())>> =
    true;
/// The first period of several Plans that is not 0.
MSHADOW_CINLINE index_t RowPeriodOf() { return 0; }
template <typename P, typename... More>
MSHADOW_CINLINE index_t RowPeriodOf(const P &plan, const More &...more) {
  if constexpr (kHasRowPeriod<P>) {
    const index_t period = plan.RowPeriod();
    if (period != 0) return period;
  }
  return RowPeriodOf(more...);
}

/// Whether P evaluates blocks.
template <typename P, typename = void>
constexpr bool kHasBlocks = false;
template <typename P>
constexpr bool
    kHasBlocks<P, std::void_t<decltype(std::declval<const P &>().EvalBlock(0, 0, 0, 0, nullptr))>> =
        true;

/// The most elements of a block, and of a row of it.
inline constexpr int kBlockSize = 1024;
inline constexpr int kBlockCols = 16;

#if defined(__GNUC__) && !defined(__CUDACC__)
/// Four words of 32 bits: every processor has vectors of this width. They are only moved, whatever
/// their type is.
typedef uint32_t Words __attribute__((vector_size(16)));
#if defined(__clang__)
#define MSHADOW_SHUFFLE(a, b, ...) __builtin_shufflevector(a, b, __VA_ARGS__)
#else
#define MSHADOW_SHUFFLE(a, b, ...) __builtin_shuffle(a, b, Words{__VA_ARGS__})
#endif

/// out[k n + i] = from[i apart + k] for i and k below 4, words.
template <typename DType>
MSHADOW_CINLINE void TransposeWords(const DType *from, std::ptrdiff_t apart, int n, DType *out) {
  Words a, b, c, d;
  std::memcpy(&a, from, sizeof(a));
  std::memcpy(&b, from + apart, sizeof(b));
  std::memcpy(&c, from + 2 * apart, sizeof(c));
  std::memcpy(&d, from + 3 * apart, sizeof(d));
  const Words ac_low = MSHADOW_SHUFFLE(a, c, 0, 4, 1, 5);
  const Words ac_high = MSHADOW_SHUFFLE(a, c, 2, 6, 3, 7);
  const Words bd_low = MSHADOW_SHUFFLE(b, d, 0, 4, 1, 5);
  const Words bd_high = MSHADOW_SHUFFLE(b, d, 2, 6, 3, 7);
  a = MSHADOW_SHUFFLE(ac_low, bd_low, 0, 4, 1, 5);
  b = MSHADOW_SHUFFLE(ac_low, bd_low, 2, 6, 3, 7);
  c = MSHADOW_SHUFFLE(ac_high, bd_high, 0, 4, 1, 5);
  d = MSHADOW_SHUFFLE(ac_high, bd_high, 2, 6, 3, 7);
  std::memcpy(out, &a, sizeof(a));
  std::memcpy(out + n, &b, sizeof(b));
  std::memcpy(out + 2 * n, &c, sizeof(c));
  std::memcpy(out + 3 * n, &d, sizeof(d));
}
#undef MSHADOW_SHUFFLE
template <typename DType>
constexpr bool kIsWord = sizeof(DType) == sizeof(uint32_t) && std::is_arithmetic_v<DType>;
#else
template <typename DType>
MSHADOW_CINLINE void TransposeWords(const DType *, std::ptrdiff_t, int, DType *) {}
template <typename DType>
constexpr bool kIsWord = false;
#endif

/// out[k n + i] = from[i apart + k step] for i < n and k < rows.
template <typename DType>
MSHADOW_CINLINE void TransposeBlock(const DType *from, std::ptrdiff_t apart, std::ptrdiff_t step,
                                    int rows, int n, DType *out) {
  int done = 0;  // rows
  if (kIsWord<DType> && step == 1 && n % 4 == 0) {
    for (; done + 4 <= rows; done += 4) {
      for (int i = 0; i < n; i += 4) {
        TransposeWords(from + i * apart + done, apart, n, out + done * n + i);
      }
    }
  }
  for (int i = 0; i < n; ++i, from += apart) {
    for (int k = done; k < rows; ++k) out[k * n + i] = from[k * step];
  }
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_EXPR_BLOCK_H_
