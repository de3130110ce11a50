// SPDX-License-Identifier: Apache-2.0
/// \file results.h
/// What a region computed, by name of the case, as bytes in which every NaN is the same NaN.
#ifndef MSHADOW_TESTS_PACKET_RESULTS_H_
#define MSHADOW_TESTS_PACKET_RESULTS_H_

#include <gtest/gtest.h>
#include <mshadow/bfloat.h>
#include <mshadow/half.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <map>
#include <sstream>
#include <string>
#include <type_traits>
#include <vector>

namespace packet_test {

using mshadow::bfloat::bf16_t;
using mshadow::half::half_t;

/// One case: the size of an element, and all elements of the result.
struct Elements {
  size_t size;
  std::string bytes;
};
using Results = std::map<std::string, Elements>;

template <typename T>
T Canonical(T value) {
  if constexpr (std::is_integral<T>::value) {
    return value;
  } else {
    return std::isnan(static_cast<double>(value)) ? T(std::nanf("")) : value;
  }
}

/// `bool` results are kept as bytes.
template <typename T>
void Add(Results *results, const std::string &name, const T *values, size_t count) {
  std::string bytes(count * sizeof(T), '\0');
  for (size_t i = 0; i < count; ++i) {
    const T value = Canonical(values[i]);
    std::memcpy(&bytes[i * sizeof(T)], &value, sizeof(T));
  }
  ASSERT_TRUE(results->emplace(name, Elements{sizeof(T), bytes}).second) << "twice: " << name;
}

inline std::string Hex(const Elements &elements, size_t i) {
  uint64_t bits = 0;
  std::memcpy(&bits, &elements.bytes[i * elements.size], elements.size);
  std::ostringstream text;
  text << "0x" << std::hex << bits;
  return text.str();
}

/// Reports, for each case that differs, its first difference.
inline void ExpectSame(const Results &actual, const Results &expected) {
  ASSERT_EQ(actual.size(), expected.size());
  for (const auto &[name, want] : expected) {
    const auto found = actual.find(name);
    ASSERT_NE(found, actual.end()) << name;
    const Elements &got = found->second;
    ASSERT_EQ(got.bytes.size(), want.bytes.size()) << name;
    for (size_t i = 0; i * want.size < want.bytes.size(); ++i) {
      if (std::memcmp(&got.bytes[i * want.size], &want.bytes[i * want.size], want.size) != 0) {
        ADD_FAILURE() << name << ": element " << i << " is " << Hex(got, i)
                      << ", the scalar region gives " << Hex(want, i);
        break;
      }
    }
  }
}

}  // namespace packet_test

#endif  // MSHADOW_TESTS_PACKET_RESULTS_H_
