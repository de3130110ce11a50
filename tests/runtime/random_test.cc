// SPDX-License-Identifier: Apache-2.0
// Random numbers of the CPU: the sequences of the C++ library, moments, expressions of draws.
#include <mshadow/expr/op_extra.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>
#include <type_traits>
#include <vector>

#include "testing.h"

namespace {
using namespace testing_runtime;

template <typename T>
class RandomCpu : public ::testing::Test {};
using FloatTypes = ::testing::Types<float, double, half::half_t, bfloat::bf16_t>;
TYPED_TEST_SUITE(RandomCpu, FloatTypes);

/// What a distribution of the C++ library gives, one object for the whole tensor.
template <typename T, typename Distribution>
void ExpectDraws(const Tensor<cpu, 2, T> &got, int seed, Distribution distribution) {
  std::mt19937 engine(static_cast<unsigned>(seed));
  ForEach(got.shape_, [&](index_t y, index_t x) {
    EXPECT_EQ(At(got, y, x), ScalarCast<T>(distribution(engine))) << y << ' ' << x;
  });
}

TYPED_TEST(RandomCpu, DrawsAreThoseOfTheLibrary) {
  using T = TypeParam;
  using Real = std::conditional_t<std::is_same<T, float>::value, float, double>;
  for (const bool pad : {false, true}) {
    Random<cpu, T> random(7);
    EXPECT_EQ(random.GetSeed(), 7u);
    TensorContainer<cpu, 2, T> t(Shape2(5, 7), 0, pad);
    random.SampleUniform(&t);
    ExpectDraws<T>(t, 7, std::uniform_real_distribution<Real>(0, 1));
    random.Seed(8);
    random.SampleUniform(&t, -2, 3.5f);
    ExpectDraws<T>(t, 8, std::uniform_real_distribution<Real>(-2, 3.5f));
    random.Seed(9);
    random.SampleGaussian(&t, 0, 0.01f);
    ExpectDraws<T>(t, 9, std::normal_distribution<Real>(0, 0.01f));
    random.Seed(10);
    random.SampleGamma(&t, 2.0f, 3);
    ExpectDraws<T>(t, 10, std::gamma_distribution<Real>(2, 3));
    random.Seed(11);
    random.SampleExponential(&t, 4.0f);
    ExpectDraws<T>(t, 11, std::exponential_distribution<Real>(4));
    random.Seed(12);
    random.SamplePoisson(&t, 5);
    ExpectDraws<T>(t, 12, std::poisson_distribution<int>(5));
    random.Seed(13);
    random.SampleNegativeBinomial(&t, 3, 0.25f);
    ExpectDraws<T>(t, 13, std::negative_binomial_distribution<int>(3, 0.25));
    random.Seed(13);
    random.SampleNegativeBinomial(&t, 2.5f, 0.25f);  // as the mixture that it is
    std::gamma_distribution<double> gamma(2.5, 3);
    const auto mixture = [&gamma](std::mt19937 &engine) {
      return std::poisson_distribution<int>(gamma(engine))(engine);
    };
    ExpectDraws<T>(t, 13, mixture);
    random.Seed(14);
    random.SampleGeneralizedNegativeBinomial(&t, 6.0f, 0.5f);
    gamma = std::gamma_distribution<double>(2, 3);
    ExpectDraws<T>(t, 14, mixture);
    random.Seed(14);
    random.SampleGeneralizedNegativeBinomial(&t, 6, 2);
    gamma = std::gamma_distribution<double>(0.5, 12);
    ExpectDraws<T>(t, 14, mixture);
    random.Seed(15);
    random.SampleGeneralizedNegativeBinomial(&t, 6.0f, 0.0f);
    ExpectDraws<T>(t, 15, std::poisson_distribution<int>(6));
  }
}

TEST(RandomInteger, IncludesBothEnds) {
  Random<cpu, int8_t> random(3);
  TensorContainer<cpu, 1, int8_t> t(Shape1(1000));
  random.SampleUniform(&t, -2, 2);
  std::vector<int> count(5);
  for (index_t i = 0; i < 1000; ++i) ++count.at(static_cast<size_t>(t[i] + 2));
  for (const int n : count) EXPECT_NEAR(n, 200, 60);
  Random<cpu, int64_t> wide(3);
  TensorContainer<cpu, 1, int64_t> u(Shape1(3));
  const int64_t limit = (int64_t{1} << 62) + 1;
  wide.SampleUniform(&u, limit, limit);
  EXPECT_EQ(u[2], limit);
  EXPECT_MESSAGE(wide.SampleUniform(&u, 2, 1), "expected a <= b, got 2 and 1");
  EXPECT_MESSAGE(random.SampleUniform(&t, 0, 200),
                 "SampleUniform: expected bounds that the elements can represent, got 200");
}

TEST(RandomMore, EngineAndOwnSamplers) {
  Random<cpu> random(5);
  std::mt19937 engine(5);
  EXPECT_EQ(random.GetRandInt(), engine());
  TensorContainer<cpu, 1, unsigned> ints(Shape1(3));
  random.GetRandInt(ints);
  EXPECT_EQ(ints[0], engine());
  EXPECT_EQ(ints[1], engine());
  TensorContainer<cpu, 1, int64_t> wide(Shape1(1));
  random.GetRandInt(wide);
  engine.discard(1);
  EXPECT_EQ(static_cast<uint32_t>(wide[0]), engine());
  EXPECT_EQ(static_cast<uint64_t>(wide[0]) >> 32, engine());
  TensorContainer<cpu, 2> t(Shape2(2, 3));
  int next = 0;
  random.SampleDistribution(&t, [&next] { return next++; });
  EXPECT_EQ(t[1][2], 5.0f);
  random.SampleGaussian(&t, 3, 0);
  EXPECT_EQ(t[1][1], 3.0f);
  Stream<cpu> stream;
  random.set_stream(&stream);
}

TEST(RandomMore, EngineIsTheLibrarysForLong) {
  for (const int seed : {0, 1, -1, 5489}) {
    Random<cpu> random(seed);
    std::mt19937 engine(static_cast<unsigned>(seed));
    for (int i = 0; i < 3000; ++i) ASSERT_EQ(random.GetRandInt(), engine()) << seed << ' ' << i;
  }
}

TEST(RandomMore, ParametersAreChecked) {
  Random<cpu> random(5);
  TensorContainer<cpu, 1> t(Shape1(3), 9.0f);
  EXPECT_MESSAGE(random.SampleGamma(&t, -1.0f, 1), "SampleGamma: expected a shape above 0, got -1");
  EXPECT_MESSAGE(random.SampleGamma(&t, 1, 0), "expected a scale above 0, got 0");
  EXPECT_MESSAGE(random.SampleExponential(&t, 0), "SampleExponential: expected a rate above 0");
  EXPECT_MESSAGE(random.SamplePoisson(&t, -2),
                 "SamplePoisson: expected a finite mean of at least 0, got -2");
  EXPECT_MESSAGE(random.SampleNegativeBinomial(&t, 3, 1.5), "expected 0 < p <= 1, got 1.5");
  EXPECT_MESSAGE(random.SampleUniform(&t, 2, 1),
                 "SampleUniform: expected a <= b and a finite b - a, got a = 2 and b = 1");
  EXPECT_MESSAGE(random.SampleUniform(&t, -3e38f, 3e38f), "expected a <= b and a finite b - a");
  const float infinity = std::numeric_limits<float>::infinity();
  EXPECT_MESSAGE(random.SampleGaussian(&t, 0, infinity),
                 "SampleGaussian: expected a finite standard deviation, got inf");
  EXPECT_MESSAGE(random.SampleNegativeBinomial(&t, infinity, 0.5f),
                 "expected a finite number of successes above 0, got inf");
  EXPECT_MESSAGE(random.SampleGeneralizedNegativeBinomial(&t, infinity, 0.5f),
                 "SampleGeneralizedNegativeBinomial: expected a finite mean of at least 0");
  EXPECT_MESSAGE(random.SampleGeneralizedNegativeBinomial(&t, 6.0f, infinity),
                 "expected a finite dispersion of at least 0, got inf");
  EXPECT_EQ(t[0], 9.0f);
}

TEST(RandomExpression, DrawsAreFreshInEachExpression) {
  Random<cpu> random(5);
  const Shape<2> shape = Shape2(100, 30);
  TensorContainer<cpu, 2> difference(shape), t(shape);
  difference = random.uniform(shape) - random.uniform(shape);
  int zeros = 0;
  double squares = 0;
  ForEach(shape, [&](index_t y, index_t x) {
    zeros += difference[y][x] == 0;
    squares += difference[y][x] * difference[y][x];
  });
  EXPECT_LT(zeros, 10);
  EXPECT_NEAR(squares / 3000, 1.0 / 6, 0.02);
  random.Seed(6);
  t = random.uniform(shape);
  ExpectDraws<float>(t, 6, std::uniform_real_distribution<float>(0, 1));
  random.Seed(6);
  t = random.gaussian(shape) * 2.0f + 1.0f;
  std::normal_distribution<float> normal(0, 1);
  ExpectDraws<float>(t, 6, [&normal](std::mt19937 &e) { return normal(e) * 2.0f + 1.0f; });
  t *= F<op::lt>(random.uniform(t.shape_), 0.5f);
}

TEST(RandomExpression, OutlivesTheGenerator) {
  TensorContainer<cpu, 3> t(Shape3(2, 3, 5)), u(Shape3(2, 3, 5));
  const auto kept = [] {
    Random<cpu> random(5);
    auto first = random.gaussian(Shape3(2, 3, 5));
    auto copy = first;
    return copy + 0.0f;
  }();
  t = kept;
  Random<cpu> random(5);
  u = random.gaussian(Shape3(2, 3, 5));
  ExpectSame<float>(t.FlatTo2D(), u.FlatTo2D());
  TensorContainer<cpu, 2> none(Shape2(0, 3));
  none = random.uniform(Shape2(0, 3));
  EXPECT_MESSAGE(none = random.uniform(Shape2(1, 3)), "shapes (0,3) and (1,3) differ");
}

TEST(RandomMore, TheEngineServesTheLibrarysDistributions) {
  Random<cpu> random(7);
  std::mt19937 engine(7);
  std::uniform_int_distribution<int> dice(1, 6), library(1, 6);
  std::vector<int> cards(40), want(40);
  std::iota(cards.begin(), cards.end(), 0);
  want = cards;
  for (int i = 0; i < 100; ++i) ASSERT_EQ(dice(random.GetRndEngine()), library(engine));
  std::shuffle(cards.begin(), cards.end(), random.GetRndEngine());
  std::shuffle(want.begin(), want.end(), engine);
  EXPECT_EQ(cards, want);
}

}  // namespace
