// SPDX-License-Identifier: Apache-2.0
/// \file moved_array.h
/// Arrays of the interpreter with their elements at other coordinates: what the views of the
/// runtime mean that only move elements.
#ifndef MSHADOW_TESTS_EXECUTION_MOVED_ARRAY_H_
#define MSHADOW_TESTS_EXECUTION_MOVED_ARRAY_H_

#include <functional>

#include "indexed_array.h"

namespace mshadow_test {

Estimate Zero(mgen::ScalarKind kind);

/// src[number]: without the first dimension.
Array Row(const Array &src, int64_t number);
/// Dimension d is dimension axes[d] of `src`.
Array Transposed(const Array &src, const Index &axes);
/// `src` with dimension d counted from `begin` on, `extent` of them.
Array Part(const Array &src, size_t d, int64_t begin, int64_t extent);
/// Dimension d in reverse.
Array Flipped(const Array &src, size_t d);
/// `b` behind `a`, along dimension d.
Array Joined(const Array &a, const Array &b, size_t d);
/// Images with zeros around them: y rows, and x columns.
Array Padded(const Array &src, int64_t y, int64_t x);
/// Windows of images, along both dimensions.
struct Windows {
  int64_t size[2], stride[2], dilation[2];
  /// \param number the numbers from `first` to before `end`: both sizes, a stride or both, and both
  ///     dilations, if there are any
  Windows(size_t first, size_t end, const std::function<int64_t(size_t)> &number);
  /// How many lie within so many elements along dimension `i`.
  int64_t Count(size_t i, int64_t extent) const {
    return (extent - (size[i] - 1) * dilation[i] - 1) / stride[i] + 1;
  }
};
/// The diagonal of a square matrix, or the matrix with that diagonal.
Array DiagonalOf(const Array &src);
/// Makes the elements of `to` from `begin` on, in each dimension, those of `from`.
void StoreSlice(const Array &from, const Index &begin, Array *to);
/// The rows of a matrix that indices name; zeros where an index is no row.
Array NamedRows(const Array &src, const Array &indices);
/// Makes them those of `from`. What an index that is no row names is lost.
void StoreNamedRows(const Array &from, const Array &indices, Array *to);
/// Rows of `count` columns, with the sums of the values for each column, 16-bit floats in float; 0
/// where there are none. A value whose column is none of them is lost.
Array Scattered(const Array &values, const Array &columns, int64_t count);
/// Dimensions of extent 1 as many times as `shape` says.
Array Repeated(const Array &src, const Index &shape);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_MOVED_ARRAY_H_
