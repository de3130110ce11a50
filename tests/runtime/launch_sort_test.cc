// SPDX-License-Identifier: Apache-2.0
// Sorts of a rule's stages: what TopK does, with a launcher's arguments.
#include <gtest/gtest.h>
#include <mshadow/emitted/launch_sort.h>
#include <mshadow/extension/top_k.h>
#include <mshadow/tensor.h>

#include <string>

#include "testing.h"

namespace {

using namespace mshadow;

template <typename DType, typename IType>
void Sort(Tensor<cpu, 2, DType> values, Tensor<cpu, 2, IType> columns, Tensor<cpu, 2, DType> src,
          bool takes_all, bool ascends) {
  const TensorArg<DType> to = Arg(values), from = Arg(src);
  const TensorArg<IType> at = Arg(columns);
  const LaunchSort<DType, IType> sort{{"out", &to}, {"at", &at}, {"in", &from}, takes_all, ascends};
  CheckSort(cpu(), "Rule", sort);
  RunSort(cpu(), "Rule", sort, nullptr, nullptr);
}

TEST(LaunchSort, SortsAsTopKDoes) {
  TensorContainer<cpu, 2, float> src(Shape2(9, 50)), out(Shape2(9, 4)), want(out.shape_);
  TensorContainer<cpu, 2, int32_t> at(out.shape_), want_at(out.shape_);
  for (index_t y = 0; y < 9; ++y) {
    for (index_t x = 0; x < 50; ++x) src[y][x] = static_cast<float>((x * (y + 7)) % 23);
  }
  for (const bool ascends : {false, true}) {
    TopK(want, want_at, src, ascends);
    Sort<float, int32_t>(out, at, src, false, ascends);
    for (index_t y = 0; y < 9; ++y) {
      for (index_t x = 0; x < 4; ++x) {
        EXPECT_EQ(out[y][x], want[y][x]);
        EXPECT_EQ(at[y][x], want_at[y][x]);
      }
    }
  }
}

/// What CheckSort says of tensors of these shapes.
template <typename IType = int32_t>
std::string Message(const Shape<2> &out, const Shape<2> &at, const Shape<2> &in,
                    bool takes_all = false) {
  TensorContainer<cpu, 2, float> values(out), src(in, 0);
  TensorContainer<cpu, 2, IType> columns(at);
  try {
    Sort<float, IType>(values, columns, src, takes_all, false);
  } catch (const Error &error) {
    return error.what();
  }
  return "";
}

TEST(CheckSort, SaysWhatDoesNotFit) {
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 3), Shape2(2, 9)), "");
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 3), Shape2(2, 2)),
            "Rule: argument 'out': expected at most 2 columns, as 'in' has, got 3");
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 3), Shape2(2, 9), true),
            "Rule: argument 'out': expected 9 columns, as 'in' has, got 3");
  EXPECT_EQ(Message(Shape2(3, 3), Shape2(2, 3), Shape2(2, 9)),
            "Rule: argument 'out': expected 2 rows, as 'in' has, got 3");
  EXPECT_EQ(Message(Shape2(2, 3), Shape2(2, 4), Shape2(2, 9)),
            "Rule: argument 'at': expected 3 columns, as 'out' has, got 4");
  EXPECT_NE(Message<int8_t>(Shape2(2, 3), Shape2(2, 3), Shape2(2, 129)).find("argument 'at'"),
            std::string::npos);
  EXPECT_EQ(Message<int8_t>(Shape2(2, 3), Shape2(2, 3), Shape2(2, 128)), "");
}

TEST(CheckSort, RefusesOtherRanksAndOverlap) {
  TensorContainer<cpu, 2, float> matrix(Shape2(3, 3));
  TensorContainer<cpu, 1, float> vector(Shape1(3));
  const TensorArg<float> two = Arg(matrix), one = Arg(vector);
  using Of = LaunchSort<float, int32_t>;
  EXPECT_MESSAGE(CheckSort(cpu(), "Rule", Of{{"out", &two}, {}, {"in", &one}, false, false}),
                 "argument 'in': expected rank 2, got 1");
  EXPECT_MESSAGE(CheckSort(cpu(), "Rule", Of{{"out", &two}, {}, {"in", &two}, false, false}),
                 "argument 'in': expected a tensor other than 'out', which the rule writes");
}

}  // namespace
