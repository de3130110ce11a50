// SPDX-License-Identifier: Apache-2.0
// Reductions of dimensions, and of everything.
#include <cstring>
#include <limits>

#include "extension_testing.h"

namespace {
using namespace testing_runtime;

/// Values of src along \p axis, with the index \p at (of the reduced shape) elsewhere.
template <typename DType, int dim>
std::vector<double> Along(const Tensor<cpu, dim, DType> &src, Shape<dim> at, int axis) {
  std::vector<double> values;
  for (at[axis] = 0; at[axis] < src.shape_[axis]; ++at[axis]) values.push_back(Number(At(src, at)));
  return values;
}

double Sum(const std::vector<double> &values) {
  double sum = 0;
  for (const double v : values) sum += v;
  return sum;
}
double Largest(const std::vector<double> &values) {
  double largest = -std::numeric_limits<double>::infinity();
  for (const double v : values) largest = std::max(largest, v);
  return largest;
}
double IndexOfSmallest(const std::vector<double> &values) {
  size_t found = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    if (values[i] < values[found]) found = i;
  }
  return static_cast<double>(found);
}

/// A reducer of a user's, in mshadow's manner.
struct sum_of_squares {
  template <typename DType>
  static void Reduce(volatile DType &dst, volatile DType src) {  // NOLINT
    dst = dst + src * src;
  }
  template <typename DType>
  static void SetInitValue(DType &initv) {  // NOLINT
    initv = DType(0);
  }
  template <typename DType>
  static void Merge(volatile DType &dst, volatile DType src) {  // NOLINT
    dst = dst + src;
  }
};
/// One that depends on the order: the last value.
struct last {
  template <typename DType>
  static void Reduce(DType &dst, DType src) {  // NOLINT
    dst = src;
  }
  template <typename DType>
  static void SetInitValue(DType &initv) {  // NOLINT
    initv = DType(-1);
  }
};

double SumOfSquares(const std::vector<double> &values) {
  double sum = 0;
  for (const double v : values) sum += v * v;
  return sum;
}
double Last(const std::vector<double> &values) { return values.empty() ? -1 : values.back(); }

template <typename Reducer, bool mask, typename DType, typename Want>
void CheckAxes(const std::vector<Shape<3>> &shapes, Want want) {
  for (const Shape<3> &shape : shapes) {
    auto t = Make<DType>(shape, 1);
    for (int axis = 0; axis < 3; ++axis) {
      Shape<3> keep = shape;
      keep[axis] = 1;
      Shape<2> drop;
      for (int d = 0; d < 2; ++d) drop[d] = shape[d < axis ? d : d + 1];
      if (mask && shape[axis] == 0) continue;
      ExpectElements(reduce_keepdim<Reducer, mask>(t, axis), keep,
                     [&](const Shape<3> &i) { return want(Along(t, i, axis)); });
      ExpectElements(reduce_with_axis<Reducer, mask>(t, axis), drop, [&](const Shape<2> &i) {
        Shape<3> from;
        for (int d = 0; d < 3; ++d) from[d] = d == axis ? 0 : i[d < axis ? d : d - 1];
        return want(Along(t, from, axis));
      });
    }
  }
}

std::vector<Shape<3>> ReducedShapes() {
  auto shapes = SomeShapes<3>();
  shapes.push_back(Shape3(2, 3, 1200));   // more than a leaf of lanes, and a rest
  shapes.push_back(Shape3(2, 100, 130));  // leaves of rows, two runs
  shapes.push_back(Shape3(70, 2, 3));
  return shapes;
}

TEST(ExtensionReduce, AlongAnAxis) {
  CheckAxes<red::sum, false, double>(ReducedShapes(), Sum);
  CheckAxes<red::sum, false, float>(ReducedShapes(), Sum);  // small integers: exact
  CheckAxes<red::sum, false, half::half_t>(SomeShapes<3>(), Sum);
  CheckAxes<red::sum, false, int32_t>(ReducedShapes(), Sum);
  CheckAxes<red::maximum, false, float>(ReducedShapes(), Largest);
  CheckAxes<red::minimum, true, float>(ReducedShapes(), IndexOfSmallest);
  CheckAxes<sum_of_squares, false, float>(ReducedShapes(), SumOfSquares);
  CheckAxes<last, false, float>(ReducedShapes(), Last);
}

TEST(ExtensionReduce, AVector) {
  auto v = Make<float>(Shape1(1000), 1);
  ExpectElements(reduce_keepdim<red::sum, false>(v, 0), Shape1(1),
                 [&](const Shape<1> &i) { return Sum(Along(v, i, 0)); });
}

TEST(ExtensionReduce, JoinsOtherExpressions) {
  auto t = Make<double>(Shape2(5, 150), 1);
  const auto row_sum = [&](index_t y) { return Sum(Along(t, Shape2(y, 0), 1)); };
  TensorContainer<cpu, 2, double> mean(Shape2(5, 1));
  mean = reduce_keepdim<red::sum, false>(t * 2, 1) / 300;
  EXPECT_EQ(mean[4][0], row_sum(4) / 150);
  ExpectElements(t - broadcast_keepdim(reduce_keepdim<red::sum, false>(t, 1), 1, 150), t.shape_,
                 [&](const Shape<2> &i) { return At(t, i) - row_sum(i[0]); });
  const TensorContainer<cpu, 2, double> old(t);
  t = t - broadcast_keepdim(reduce_keepdim<red::sum, false>(t, 1), 1, 150);  // which is done first
  ExpectElements(t - 0, t.shape_, [&](const Shape<2> &i) {
    return At(old, i) - Sum(Along(old, Shape2(i[0], 0), 1));
  });
}

TEST(ExtensionReduce, IndicesOfNaNAndOfEqualValues) {
  auto t = Make<float>(Shape2(4, 5), 1);
  t = 2;
  t[0][3] = 1;
  t[1][2] = t[1][4] = std::nanf("");
  t[2] = std::numeric_limits<float>::infinity();
  TensorContainer<cpu, 1> found(Shape1(4));
  found = reduce_with_axis<red::minimum, true>(t, 1);
  EXPECT_EQ(found[0], 3.0f);
  EXPECT_EQ(found[1], 2.0f) << "the first NaN";
  EXPECT_EQ(found[2], 0.0f);
  EXPECT_EQ(found[3], 0.0f) << "the first of equal values";
}

TEST(ExtensionReduce, RefusesIndicesThatDoNotFit) {
  TensorContainer<cpu, 2, int8_t> small(Shape2(2, 128), 1), large(Shape2(2, 129), 1);
  TensorContainer<cpu, 1, int8_t> dst(Shape1(2));
  dst = reduce_with_axis<red::maximum, true>(small, 1);
  EXPECT_MESSAGE((dst = reduce_with_axis<red::maximum, true>(large, 1)), "does not hold index 128");
  TensorContainer<cpu, 2, half::half_t> h(Shape2(1, 2050), 1);
  EXPECT_MESSAGE((reduce_with_axis<red::maximum, true>(h, 1)), "does not hold index 2049");
  auto t = Make<float>(Shape2(4, 5), 1);
  EXPECT_MESSAGE((reduce_with_axis<red::sum, false>(t, 2)),
                 "reduce_with_axis: axis 2 is not within [0,1]");
  EXPECT_MESSAGE((reduce_keepdim<red::sum, false>(t, -1)), "reduce_keepdim: axis -1");
}

TEST(ExtensionReduce, SeveralAxes) {
  for (const Shape<4> &shape : SomeShapes<4>()) {
    auto t = Make<double>(shape, 1);
    const auto check = [&](auto axes, auto exp, auto want) {
      Shape<4> keep = shape;
      for (int i = 0; i < axes.kDimension; ++i) keep[axes[i]] = 1;
      ExpectElements(exp, keep, [&](const Shape<4> &at) {
        std::vector<double> values;
        ForEachIndex(shape, [&](const Shape<4> &i) {
          for (int d = 0; d < 4; ++d) {
            if (keep[d] != 1 && i[d] != at[d]) return;
          }
          values.push_back(At(t, i));
        });
        return want(values);
      });
    };
    check(Shape2(0, 3), reduce_multi_axes<red::sum>(t, Shape2(0, 3)), Sum);
    check(Shape3(1, 2, 3), reduce_multi_axes<red::maximum>(t, Shape3(1, 2, 3)), Largest);
    check(Shape1(2), reduce_multi_axes<red::sum>(t, Shape1(2)), Sum);
    check(Shape4(0, 1, 2, 3), reduce_multi_axes<sum_of_squares>(t, Shape4(0, 1, 2, 3)),
          SumOfSquares);
  }
  TensorContainer<cpu, 2, half::half_t> ones(Shape2(60, 60), 1), sum(Shape2(1, 1));
  sum = reduce_multi_axes<red::sum>(ones * 0.01f, Shape2(0, 1));
  EXPECT_NEAR(Number(sum[0][0]), 36, 0.1) << "accumulated in float, rounded once";
  EXPECT_MESSAGE(reduce_multi_axes<red::sum>(ones, Shape2(1, 0)), "axis 0 is not within [2,1]");
}

TEST(ExtensionReduce, Everything) {
  for (const Shape<3> &shape : {Shape3(1, 1, 1), Shape3(2, 0, 3), Shape3(3, 5, 7),
                                Shape3(7, 11, 150), Shape3(40, 50, 70)}) {
    for (const bool pad : {true, false}) {
      auto t = Make<double>(shape, 1, pad);
      double sum = 0, squares = 0, largest = -std::numeric_limits<double>::infinity();
      ForEachIndex(shape, [&](const Shape<3> &i) {
        sum += At(t, i);
        squares += At(t, i) * At(t, i);
        largest = std::max(largest, At(t, i));
      });
      EXPECT_EQ(reduce_scalar<red::sum>(t * 2), 2 * sum);
      EXPECT_EQ(reduce_scalar<red::maximum>(t), largest);
      EXPECT_EQ(reduce_scalar<sum_of_squares>(t), squares);
      TensorContainer<cpu, 1, double> v(Shape1(1), 10);
      v += 0.5 * reduce_all<red::sum>(t);
      EXPECT_EQ(v[0], 10 + sum / 2);
      v = reduce_all<red::sum>(t) * 2;
      EXPECT_EQ(v[0], 2 * sum);
    }
  }
  TensorContainer<cpu, 2, half::half_t> ones(Shape2(300, 100), 1);
  EXPECT_EQ(Number(reduce_scalar<red::sum>(ones)), 30000) << "adding halves stops at 2048";
  TensorContainer<cpu, 1> v(Shape1(2));
  EXPECT_MESSAGE(v = reduce_all<red::sum>(tcast<float>(ones)), "shapes (2,) and (1,) differ");
}

/// The sum of leaves as the documents say: neighbours first, that is, split at the largest power of
/// two.
float Tree(const std::vector<float> &leaves, size_t begin, size_t end) {
  if (end - begin == 1) return leaves[begin];
  size_t half = 1;
  while (2 * half < end - begin) half *= 2;
  return Tree(leaves, begin, begin + half) + Tree(leaves, begin + half, end);
}
float Tree(const std::vector<float> &leaves) { return Tree(leaves, 0, leaves.size()); }

TEST(ExtensionReduce, ToAVectorInPartsOrNotTheOrderIsTheSame) {
  for (const Shape<3> &shape : {Shape3(67, 5, 210), Shape3(2900, 3, 9), Shape3(70, 30, 33),
                                Shape3(3, 600, 40), Shape3(9, 5, 530)}) {
    TensorContainer<cpu, 3> t(shape);
    std::mt19937 random(1);
    ForEachIndex(shape, [&](const Shape<3> &i) {
      At(t, i) = std::ldexp(static_cast<float>(random() >> 8), static_cast<int>(random() % 30));
    });
    TensorContainer<cpu, 1> columns(Shape1(shape[2])), rows(Shape1(shape[1]));
    columns = sumall_except_dim<2>(t);
    rows = sumall_except_dim<1>(t);
    for (const int threads : {1, 2, 9}) {  // with one there are no parts
      SetNumThreads(threads);
      TensorContainer<cpu, 1> same_columns(columns.shape_), same_rows(rows.shape_);
      same_columns = sumall_except_dim<2>(t);
      same_rows = sumall_except_dim<1>(t);
      ExpectSame<float>(same_columns.FlatTo2D(), columns.FlatTo2D());
      ExpectSame<float>(same_rows.FlatTo2D(), rows.FlatTo2D());
    }
    SetNumThreads(0);
    for (index_t x = 0; x < shape[2]; ++x) {
      std::vector<float> leaves;
      for (index_t y = 0; y < shape[0] * shape[1]; ++y) {
        if (y % 32 == 0) leaves.push_back(0);
        leaves.back() += t.FlatTo2D()[y][x];
      }
      ASSERT_EQ(columns[x], Tree(leaves)) << "column " << x << " of " << shape;
    }
    for (index_t k = 0; k < shape[1]; ++k) {
      std::vector<float> lanes;
      for (index_t lane = 0; lane < 16; ++lane) {
        std::vector<float> leaves;
        for (index_t o = 0; o < shape[0]; ++o) {
          leaves.push_back(0);
          for (index_t x = lane; x < shape[2]; x += 16) leaves.back() += t[o][k][x];
        }
        lanes.push_back(Tree(leaves));
      }
      ASSERT_EQ(rows[k], Tree(lanes)) << "row " << k << " of " << shape;
    }
  }
}

/// Numbers of all magnitudes, with infinities, NaN and both zeros among them.
template <typename DType, int dim>
TensorContainer<cpu, dim, DType> AnyNumbers(const Shape<dim> &shape) {
  TensorContainer<cpu, dim, DType> t(shape);
  std::mt19937 random(1);
  const double special[] = {std::nan(""), HUGE_VAL, -HUGE_VAL, 0.0, -0.0};
  ForEachIndex(shape, [&](const Shape<dim> &i) {
    const unsigned which = static_cast<unsigned>(random() % 2000);
    const double number =
        std::ldexp(static_cast<double>(random()) - 0x1p31, static_cast<int>(random() % 30));
    At(t, i) = ScalarCast<DType>(which < 5 ? special[which] : number);
  });
  return t;
}
/// Assigned, an expression's elements have the bits that they have one by one; NaN is a class.
template <typename E, typename DType, int etype, int dim>
void ExpectSameBits(const Exp<E, DType, etype> &exp, const Shape<dim> &shape) {
  TensorContainer<cpu, dim, DType> got(shape), one(shape);
  got = exp;
  const auto plan = MakePlan(exp.self());
  ForEach(shape, [&](index_t y, index_t x) { At(one, y, x) = plan.Eval(y, x); });
  ForEachIndex(shape, [&](const Shape<dim> &i) {
    const DType a = At(got, i), b = At(one, i);
    if (a != a && b != b) return;
    ASSERT_EQ(std::memcmp(&a, &b, sizeof(a)), 0) << a << " and " << b << " at " << i;
  });
}
template <typename Reducer, typename DType>
void CheckManyAtATime() {
  for (const index_t cols : {1, 15, 16, 17, 64, 130, 512, 513, 1100}) {
    for (const index_t rows : {1, 4, 31, 33, 70}) {
      const auto t = AnyNumbers<DType>(Shape3(2, rows, cols));
      ExpectSameBits(reduce_with_axis<Reducer, false>(t, 2), Shape2(2, rows));
      ExpectSameBits(reduce_with_axis<Reducer, false>(t * t, 2), Shape2(2, rows));
      ExpectSameBits(reduce_with_axis<Reducer, false>(mirror(t), 1), Shape2(2, cols));
    }
  }
}

TEST(ExtensionReduce, ManyAtATimeHaveTheOrderOfOne) {
  CheckManyAtATime<red::sum, float>();
  CheckManyAtATime<red::maximum, float>();
  CheckManyAtATime<red::minimum, double>();
  CheckManyAtATime<red::sum, double>();
  CheckManyAtATime<red::sum, int32_t>();
  CheckManyAtATime<sum_of_squares, float>();
}

TEST(ExtensionReduce, TheOrderDoesNotDependOnThreads) {
  TensorContainer<cpu, 2> t(Shape2(1000, 517));
  std::mt19937 random(1);
  ForEach(t.shape_, [&](index_t y, index_t x) {
    At(t, y, x) = std::ldexp(static_cast<float>(random() >> 8), static_cast<int>(random() % 30));
  });
  const auto all = [&] {
    TensorContainer<cpu, 1> columns(Shape1(517)), rows(Shape1(1000));
    columns = reduce_with_axis<red::sum, false>(t, 0);
    rows = reduce_with_axis<red::sum, false>(t, 1);
    std::vector<float> results(columns.dptr_, columns.dptr_ + 517);
    results.insert(results.end(), rows.dptr_, rows.dptr_ + 1000);
    results.push_back(reduce_scalar<red::sum>(t));
    return results;
  };
  SetNumThreads(1);
  const std::vector<float> one = all();
  for (const int threads : {2, 3, 8}) {
    SetNumThreads(threads);
    EXPECT_EQ(all(), one);
  }
  SetNumThreads(0);
}

TEST(Reducers, HaveMshadowsForms) {
  float dst = 0, residual = 0;
  red::sum::SetInitValue(dst, residual);
  red::sum::Reduce(dst, 1e8f, residual);
  for (int i = 0; i < 100; ++i) red::sum::Reduce(dst, 1.0f, residual);
  EXPECT_NEAR(dst, 1e8f + 100, 8) << "nothing is lost but the last rounding";
  volatile float v = 2;
  red::sum::Reduce(v, static_cast<volatile float &>(v));
  EXPECT_EQ(v, 4.0f);
  red::maximum::Merge(dst, 2e8f);
  EXPECT_EQ(dst, 2e8f);
  red::minimum::Reduce(dst, 3.0f, residual);
  EXPECT_EQ(dst, 3.0f);
  red::sum::Finalize(dst);
  red::sum::Finalize(dst, residual);
  EXPECT_EQ(red::maximum::PartialGrad(2.0f, 2.0f), 1.0f);
  EXPECT_EQ(red::minimum::PartialGrad(2.0f, 1.0f), 0.0f);
  EXPECT_EQ(red::sum::PartialGrad(2.0f, 1.0f), 1.0f);
  EXPECT_EQ(red::limits::MinValue<half::half_t>(), -std::numeric_limits<float>::infinity());
  EXPECT_EQ(red::limits::MinValue<int8_t>(), -128);
  EXPECT_EQ(red::limits::MaxValue<int64_t>(), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(red::limits::MinValue<bool>(), false);
}

}  // namespace
