// SPDX-License-Identifier: Apache-2.0
/// \file indexed_array.h
/// Arrays of the interpreter, element by element by their indices.
#ifndef MSHADOW_TESTS_EXECUTION_INDEXED_ARRAY_H_
#define MSHADOW_TESTS_EXECUTION_INDEXED_ARRAY_H_

#include <functional>
#include <vector>

#include "interpreter.h"

namespace mshadow_test {

using Index = std::vector<int64_t>;

inline int64_t SizeOf(const Index &shape) {
  int64_t size = 1;
  for (int64_t extent : shape) size *= extent;
  return size;
}

inline const Estimate &At(const Array &array, const Index &index) {
  int64_t number = 0;
  for (size_t d = 0; d < index.size(); ++d) number = number * array.shape[d] + index[d];
  return array.elements.at(static_cast<size_t>(number));
}

/// What a kDim says of an array: an extent, or the number of elements or of rows.
/// \throws std::out_of_range if the array has no such dimension
inline int64_t ExtentOf(const Array &array, int dim) {
  if (dim == -1) return static_cast<int64_t>(array.elements.size());
  if (dim == mgen::Node::kLastDim) return array.shape.back();
  if (dim == mgen::Node::kRows || dim <= mgen::Node::kRest) {
    const int but = dim == mgen::Node::kRows ? static_cast<int>(array.shape.size()) - 1
                                             : mgen::Node::kRest - dim;
    int64_t product = 1;
    for (int d = 0; d < static_cast<int>(array.shape.size()); ++d) {
      if (d != but) product *= array.shape[static_cast<size_t>(d)];
    }
    return product;
  }
  if (dim >= mgen::Node::kFromLast) {
    const auto count = static_cast<size_t>(dim - mgen::Node::kFromLast);
    return array.shape.at(array.shape.size() - 1 - count);
  }
  return array.shape.at(static_cast<size_t>(dim));
}

/// The array of that shape whose elements `element` gives.
inline Array Make(const Index &shape, const std::function<Estimate(const Index &)> &element) {
  Array array;
  array.shape = shape;
  Index index(shape.size(), 0);
  for (int64_t i = 0; i < SizeOf(shape); ++i) {
    int64_t rest = i;
    for (size_t d = shape.size(); d-- > 0; rest /= shape[d]) index[d] = rest % shape[d];
    array.elements.push_back(element(index));
  }
  return array;
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_INDEXED_ARRAY_H_
