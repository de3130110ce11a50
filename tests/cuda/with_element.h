// SPDX-License-Identifier: Apache-2.0
/// \file with_element.h
/// From an element type's flag to the type.
#ifndef MSHADOW_TESTS_CUDA_WITH_ELEMENT_H_
#define MSHADOW_TESTS_CUDA_WITH_ELEMENT_H_

#include <mshadow/base.h>

#include <stdexcept>
#include <string>

namespace mshadow_test {

/// Calls `make` with a value of the element type of a flag.
template <typename Make>
auto WithElement(int flag, Make make) {
  switch (flag) {
    case mshadow::kFloat32:
      return make(float());
    case mshadow::kFloat64:
      return make(double());
    case mshadow::kFloat16:
      return make(mshadow::half::half_t());
    case mshadow::kBfloat16:
      return make(mshadow::bfloat::bf16_t());
    case mshadow::kUint8:
      return make(uint8_t());
    case mshadow::kInt8:
      return make(int8_t());
    case mshadow::kInt16:
      return make(int16_t());
    case mshadow::kInt32:
      return make(int32_t());
    case mshadow::kInt64:
      return make(int64_t());
    case mshadow::kBool:
      return make(bool());
  }
  throw std::invalid_argument("no element type has flag " + std::to_string(flag));
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_CUDA_WITH_ELEMENT_H_
