// SPDX-License-Identifier: Apache-2.0
/// \file add_rows.h
/// Adds rows of a matrix to those rows of another one that indices name: AddTakeGrad, unfused and
/// as a stage of a rule.
#ifndef MSHADOW_ADD_ROWS_H_
#define MSHADOW_ADD_ROWS_H_

#include <cstring>
#include <type_traits>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/element_loop_cpu.h"
#include "mshadow/emitted/float_environment.h"
#include "mshadow/expr/op.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// An index as an integer, converted by ScalarCast. Nearly all are floats from 0 to 2^31: one
/// comparison of bits tells, and these are converted without another test.
template <typename IndexType>
MSHADOW_XINLINE int64_t IndexOf(IndexType i) {
#if !defined(__CUDA_ARCH__)
  if constexpr (std::is_same_v<IndexType, float>) {
    constexpr uint32_t kTwoTo31 = 0x4f000000;
    uint32_t bits;
    std::memcpy(&bits, &i, sizeof bits);
    if (__builtin_expect(bits < kTwoTo31, 1)) return static_cast<int32_t>(i);
  }
#endif
  return ScalarCast<int64_t>(i);
}

/// The row, of \p rows, that index \p i names: the nearest one if clip, else i modulo rows.
template <bool clip>
MSHADOW_XINLINE int64_t RowOf(int64_t i, int64_t rows) {
  if constexpr (clip) {
    return i < 0 ? 0 : i >= rows ? rows - 1 : i;
  } else {
    const int64_t rest = i % rows;
    return rest < 0 ? rest + rows : rest;
  }
}

/// Adds \p count elements to others, four at a time. The compiler must not make longer vectors of
/// them: a loop over those takes longer to begin and end than it saves on a few elements.
template <typename DType>
MSHADOW_CINLINE void AddFew(DType *to, const DType *from, index_t count) {
  index_t rest = count;
#if defined(__GNUC__) && !defined(__CUDACC__)
  typedef DType Four __attribute__((vector_size(4 * sizeof(DType))));
#pragma GCC unroll 1
  for (index_t fours = count >> 2; fours > 0; --fours, to += 4, from += 4) {
    Four sum, more;
    std::memcpy(&sum, to, sizeof sum);
    std::memcpy(&more, from, sizeof more);
    sum += more;
    std::memcpy(to, &sum, sizeof sum);
  }
  rest = count & 3;
#endif
  for (index_t x = 0; x < rest; ++x) to[x] += from[x];
}

/// The most rows whose places a call finds before it moves anything.
constexpr index_t kFewRows = 64;

/// to[at[y] + x] += from[y * stride + x] for each row y in order and its \p cols elements, in
/// vectors of the instruction set.
template <typename DType>
void AddRowsAt(DType *to, const index_t *at, index_t count, const DType *from, index_t stride,
               index_t cols);
extern template void AddRowsAt(float *, const index_t *, index_t, const float *, index_t, index_t);
extern template void AddRowsAt(double *, const index_t *, index_t, const double *, index_t,
                               index_t);

/// dst[row(index[y])] += src[y]. One thread has all of a column, and adds rows in order.
template <bool clip, typename Device, typename Acc, typename IndexType, typename DType>
struct AddRows {
  static constexpr bool kInVectors =
      std::is_same_v<Acc, DType> && (std::is_same_v<DType, float> || std::is_same_v<DType, double>);
  Tensor<Device, 2, Acc> dst;
  Tensor<Device, 1, IndexType> index;
  Tensor<Device, 2, DType> src;
  index_t rows, cols;

  MSHADOW_XINLINE void operator()(index_t, index_t begin, index_t end) const {
    Run(dst.dptr_, dst.stride_, dst.shape_[0], index.dptr_, index.shape_[0], src.dptr_, src.stride_,
        begin, end);
  }
  MSHADOW_XINLINE static void Run(Acc *dst, index_t dst_stride, index_t dst_rows,
                                  const IndexType *index, index_t count, const DType *src,
                                  index_t src_stride, index_t begin, index_t end) {
#if !defined(__CUDACC__)
    if constexpr (Device::kDevCPU && kInVectors) {
      return RunInVectors(dst + begin, dst_stride, dst_rows, index, count, src + begin, src_stride,
                          end - begin);
    }
#endif
    for (index_t y = 0; y < count; ++y) {
      const int64_t j = RowOf<clip>(IndexOf(index[y]), dst_rows);
      Acc *const __restrict to = dst + j * dst_stride;
      const DType *const __restrict from = src + y * src_stride;
      for (index_t x = begin; x < end; ++x) to[x] = op::plus::Map(to[x], ScalarCast<Acc>(from[x]));
    }
  }
  MSHADOW_NOINLINE static void RunInVectors(DType *dst, index_t dst_stride, index_t dst_rows,
                                            const IndexType *index, index_t count, const DType *src,
                                            index_t src_stride, index_t cols) {
    index_t at[kFewRows];
    while (count > 0) {
      const index_t rows = count < kFewRows ? count : kFewRows;
      for (index_t y = 0; y < rows; ++y) {
        at[y] = static_cast<index_t>(RowOf<clip>(IndexOf(index[y]), dst_rows)) * dst_stride;
      }
      AddRowsAt(dst, at, rows, src, src_stride, cols);
      count -= rows;
      index += rows;
      src += rows * src_stride;
    }
  }
  /// For few elements, on the calling thread. The functions that add them are not inlined here, so
  /// that their counts stay in registers.
  static void RunHere(Acc *dst, index_t dst_stride, index_t dst_rows, const IndexType *index,
                      index_t count, const DType *src, index_t src_stride, index_t cols) {
    if constexpr (kInVectors) {
      constexpr index_t kFour = 4, kShort = 64;
      if (count * cols <= kShort) {
        const auto run = cols == kFour ? RunShort<kFour> : RunShort<0>;
        return run(dst, dst_stride, dst_rows, index, count, src, src_stride, cols);
      }
    }
    const StrictFloatEnvironment strict;
    Run(dst, dst_stride, dst_rows, index, count, src, src_stride, 0, cols);
  }
  /// \tparam kCols the number of columns, if the compiler may know it; else 0
  template <index_t kCols>
  MSHADOW_NOINLINE static void RunShort(DType *dst, index_t dst_stride, index_t dst_rows,
                                        const IndexType *index, index_t count, const DType *src,
                                        index_t src_stride, index_t cols) {
    const StrictFloatEnvironment strict;
    for (; count > 0; --count, ++index, src += src_stride) {
      AddFew(dst + RowOf<clip>(IndexOf(*index), dst_rows) * dst_stride, src,
             kCols > 0 ? kCols : cols);
    }
  }
};

/// Each thread has some columns of every row. The rows are in the caches of other threads, which
/// had them row by row. So another thread pays only for this many times as much work.
constexpr index_t kApart = 8;

/// Runs Body, which adds or fills rows. \param bytes_each bytes that an element moves
template <typename Body, typename Device, typename Acc, typename IndexType, typename DType>
void RunRows(const char *what, const Tensor<Device, 2, Acc> &dst,
             const Tensor<Device, 1, IndexType> &index, const Tensor<Device, 2, DType> &src,
             index_t bytes_each) {
  const index_t cols = dst.shape_[1], bytes = index.shape_[0] * bytes_each;
  if constexpr (Device::kDevCPU) {
    if (IsLittle(cols, bytes)) {
      return Body::RunHere(dst.dptr_, dst.stride_, dst.shape_[0], index.dptr_, index.shape_[0],
                           src.dptr_, src.stride_, cols);
    }
  }
  RunBody(what, Body{dst, index, src, 1, cols}, bytes / kApart, dst.stream_);
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

#endif  // MSHADOW_ADD_ROWS_H_
