// SPDX-License-Identifier: Apache-2.0
/// \file testing.h
/// Tensors with known contents, in every layout.
#ifndef MSHADOW_TESTS_RUNTIME_TESTING_H_
#define MSHADOW_TESTS_RUNTIME_TESTING_H_

#include <gtest/gtest.h>
#include <mshadow/tensor.h>

#include <string>
#include <vector>

namespace testing_runtime {

using namespace mshadow;        // NOLINT: tests read better
using namespace mshadow::expr;  // NOLINT

/// Element (y, x) of a tensor seen as a matrix.
template <int dim, typename DType>
DType &At(const Tensor<cpu, dim, DType> &t, index_t y, index_t x) {
  return t.dptr_[y * t.stride_ + x];
}

/// Calls f(y, x) for every element of \p shape seen as a matrix.
template <int dim, typename Function>
void ForEach(const Shape<dim> &shape, Function &&f) {
  const Shape<2> flat = shape.FlatTo2D();
  for (index_t y = 0; y < flat[0]; ++y) {
    for (index_t x = 0; x < flat[1]; ++x) f(y, x);
  }
}

/// A tensor with small numbers that differ from element to element and from \p seed to seed, never
/// 0, exact in every element type. Padded or contiguous.
template <typename DType, int dim>
TensorContainer<cpu, dim, DType> Make(const Shape<dim> &shape, int seed, bool pad = true) {
  TensorContainer<cpu, dim, DType> t(shape, 0, pad);
  int next = seed * 7 + 1;
  ForEach(shape, [&](index_t y, index_t x) {
    At(t, y, x) = ScalarCast<DType>(next % 11 + 1);
    next += 3;
  });
  return t;
}

/// Every element of \p got is that of \p want, NaN apart.
template <typename DType>
MSHADOW_NOINLINE void ExpectSame(const Tensor<cpu, 2, DType> &got,
                                 const Tensor<cpu, 2, DType> &want) {
  ASSERT_EQ(got.shape_, want.shape_);
  ForEach(got.shape_,
          [&](index_t y, index_t x) { EXPECT_EQ(At(got, y, x), At(want, y, x)) << y << ' ' << x; });
}

/// Compares `dst = make(a, b)` with `expected` of each pair of elements.
template <typename T, int dim, typename Build, typename Expected>
void Compare(const Shape<dim> &shape, bool pad, Build build, Expected expected) {
  auto a = Make<T>(shape, 1, pad);
  auto b = Make<T>(shape, 2, !pad);
  TensorContainer<cpu, dim, T> dst(shape, 0, pad), want(shape, 0, pad);
  dst = build(a, b);
  ForEach(shape,
          [&](index_t y, index_t x) { At(want, y, x) = expected(At(a, y, x), At(b, y, x)); });
  ExpectSame<T>(dst.FlatTo2D(), want.FlatTo2D());
}

template <typename T, typename Build, typename Expected>
void CompareEverywhere(Build build, Expected expected) {
  for (const bool pad : {false, true}) {
    for (const Shape<2> &shape : {Shape2(1, 133), Shape2(3, 5), Shape2(0, 5), Shape2(5, 0)}) {
      Compare<T>(shape, pad, build, expected);
    }
  }
}

/// The message of the Error that \p f throws; fails if it throws none.
template <typename Function>
std::string MessageOf(Function &&f) {
  try {
    f();
  } catch (const Error &error) {
    return error.what();
  }
  ADD_FAILURE() << "no Error was thrown";
  return "";
}

#define EXPECT_MESSAGE(statement, part)                                                 \
  do {                                                                                  \
    const std::string message = testing_runtime::MessageOf([&] { statement; });         \
    EXPECT_NE(message.find(part), std::string::npos) << "the message was: " << message; \
  } while (false)

}  // namespace testing_runtime

#endif  // MSHADOW_TESTS_RUNTIME_TESTING_H_
