// SPDX-License-Identifier: Apache-2.0
#include <utility>

#include "interpreter.h"

namespace mshadow_test {
namespace {

using mgen::ScalarKind;

template <typename Value, typename Make>
Array MakeArray(std::vector<int64_t> shape, const std::vector<Value> &elements, Make make) {
  Array array;
  array.shape = std::move(shape);
  for (Value element : elements) array.elements.push_back(make(element));
  return array;
}

}  // namespace

Array FloatArray(ScalarKind kind, std::vector<int64_t> shape, const std::vector<double> &elements) {
  return MakeArray(std::move(shape), elements, [kind](double v) { return ExactFloat(kind, v); });
}

Array IntegerArray(ScalarKind kind, std::vector<int64_t> shape,
                   const std::vector<int64_t> &elements) {
  return MakeArray(std::move(shape), elements, [kind](int64_t v) { return ExactInteger(kind, v); });
}

}  // namespace mshadow_test
