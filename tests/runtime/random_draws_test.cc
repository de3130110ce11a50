// SPDX-License-Identifier: Apache-2.0
// Random numbers as expressions: the generator's published values, which words an element takes,
// and statistics. Each test uses fixed seeds, so that it always passes or always fails.
#include <mshadow/detail/normal_draw.h>
#include <mshadow/limit_isa.h>

#include <array>
#include <cmath>
#include <cstring>
#include <vector>

#include "extension_testing.h"

namespace {

using namespace mshadow;
using namespace mshadow::expr;
using namespace testing_runtime;
using mshadow::detail::FillDraws;
using mshadow::detail::Philox4x32;
using mshadow::detail::PhiloxBlock;

/// The known answers of the paper's library, Random123: counter, key, block.
TEST(Philox, HasThePublishedValues) {
  const auto expect = [](uint64_t low, uint64_t high, uint64_t key, std::array<uint32_t, 4> want) {
    const PhiloxBlock block = Philox4x32(low, high, key);
    const std::array<uint32_t, 4> got = {block.word0, block.word1, block.word2, block.word3};
    EXPECT_EQ(got, want);
    for (unsigned i = 0; i < 4; ++i) EXPECT_EQ(block.Word(i), want[i]);
    EXPECT_EQ(block.Pair(0), uint64_t{want[1]} << 32 | want[0]);
    EXPECT_EQ(block.Pair(1), uint64_t{want[3]} << 32 | want[2]);
  };
  expect(0, 0, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8});
  expect(~uint64_t{0}, ~uint64_t{0}, ~uint64_t{0},
         {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd});
  expect(0x85a308d3243f6a88, 0x0370734413198a2e, 0x299f31d0a4093822,
         {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1});
}

uint32_t WordOf(uint64_t seed, uint64_t sequence, uint64_t word) {
  return Philox4x32(word / 4, sequence, seed).Word(static_cast<unsigned>(word % 4));
}
uint64_t PairOf(uint64_t seed, uint64_t sequence, uint64_t pair) {
  return uint64_t{WordOf(seed, sequence, 2 * pair + 1)} << 32 | WordOf(seed, sequence, 2 * pair);
}

constexpr int64_t kSeed = 0x123456789abcdef;
constexpr uint64_t kSequence = 0xfedcba9876543210;

template <int dim>
uint64_t IndexIn(const Shape<dim> &shape, const Shape<dim> &index) {
  uint64_t number = 0;
  for (int d = 0; d < dim; ++d) {
    number = number * static_cast<uint64_t>(shape[d]) + static_cast<uint64_t>(index[d]);
  }
  return number;
}

/// Element i takes the words that the documentation says, at any rank.
template <int dim>
void ExpectWords() {
  for (const Shape<dim> &shape : SomeShapes<dim>()) {
    const auto word = [&](const Shape<dim> &index) {
      return WordOf(kSeed, kSequence, IndexIn(shape, index));
    };
    ExpectElements(random_bits(shape, kSeed, kSequence), shape,
                   [&](const Shape<dim> &i) { return static_cast<int32_t>(word(i)); });
    ExpectElements(random_uniform<float>(shape, kSeed, kSequence), shape,
                   [&](const Shape<dim> &i) { return std::ldexp(word(i) >> 8, -24); });
    ExpectElements(random_uniform<half::half_t>(shape, kSeed, kSequence), shape,
                   [&](const Shape<dim> &i) { return std::ldexp(word(i) >> 21, -11); });
    ExpectElements(random_uniform<bfloat::bf16_t>(shape, kSeed, kSequence), shape,
                   [&](const Shape<dim> &i) { return std::ldexp(word(i) >> 24, -8); });
    ExpectElements(random_uniform<double>(shape, kSeed, kSequence), shape,
                   [&](const Shape<dim> &i) {
                     const uint64_t pair = PairOf(kSeed, kSequence, IndexIn(shape, i));
                     return std::ldexp(static_cast<double>(pair >> 11), -53);
                   });
    const auto coin = [&](const Shape<dim> &i) { return word(i) < 0x40000000u ? 1 : 0; };
    ExpectElements(random_bernoulli<float>(shape, 0.25, kSeed, kSequence), shape, coin);
    ExpectElements(random_bernoulli<double>(shape, 0.25, kSeed, kSequence), shape, coin);
    ExpectElements(random_bernoulli<half::half_t>(shape, 0.25, kSeed, kSequence), shape, coin);
    ExpectElements(random_bernoulli<int32_t>(shape, 0.25, kSeed, kSequence), shape, coin);
    ExpectElements(random_bernoulli<uint8_t>(shape, 0.25, kSeed, kSequence), shape, coin);
  }
}
TEST(Draws, TakeTheirWordsAtEveryRank) {
  ExpectWords<1>();
  ExpectWords<2>();
  ExpectWords<4>();
}

/// The formula of Box and Muller, in double.
TEST(Draws, NormalNumbersAreThoseOfBoxAndMuller) {
  for (const Shape<2> &shape : SomeShapes<2>()) {
    ExpectElements(
        random_normal<double>(shape, kSeed, kSequence), shape,
        [&](const Shape<2> &index) {
          const uint64_t i = IndexIn(shape, index);
          const double u = std::ldexp(PairOf(kSeed, kSequence, i / 2 * 2) >> 11, -53);
          const double v = std::ldexp(PairOf(kSeed, kSequence, i / 2 * 2 + 1) >> 11, -53);
          const double radius = std::sqrt(-2 * std::log(u + std::ldexp(1, -54)));
          return radius * (i % 2 == 0 ? std::cos(2 * M_PI * v) : std::sin(2 * M_PI * v));
        },
        1e-14);
    const auto of_float = [&](const Shape<2> &index) {
      const uint64_t i = IndexIn(shape, index);
      const double u = std::ldexp(WordOf(kSeed, kSequence, i / 2 * 2) >> 1, -31);
      const double v = std::ldexp(WordOf(kSeed, kSequence, i / 2 * 2 + 1) >> 8, -24);
      const double radius = std::sqrt(-2 * std::log(u + std::ldexp(1, -32)));
      return radius * (i % 2 == 0 ? std::cos(2 * M_PI * v) : std::sin(2 * M_PI * v));
    };
    ExpectElements(random_normal<float>(shape, kSeed, kSequence), shape, of_float, 2e-6);
    ExpectElements(random_normal<half::half_t>(shape, kSeed, kSequence), shape, of_float, 1e-3);
    ExpectElements(random_normal<bfloat::bf16_t>(shape, kSeed, kSequence), shape, of_float, 8e-3);
  }
}

/// Any chunk of the elements has the bits that they have one by one, with each instruction set, and
/// also where the index has more than 32 bits.
template <DrawKind kDraw, typename DType>
void ExpectChunks() {
  const DrawKey key = {7, 11, uint64_t{1} << 31};
  for (const uint64_t begin : {uint64_t{0}, (uint64_t{1} << 34) - 301}) {
    std::vector<DType> want(700), chunks(700);
    mshadow::detail::DrawCursor<kDraw, DType> cursor(key);
    for (uint64_t i = 0; i < want.size(); ++i) want[i] = cursor.Element(begin + i);
    for (const Isa isa : {Isa::kBaseline, Isa::kAvx2, Isa::kAvx512}) {
      LimitIsa(isa);
      for (int64_t i = 0, n = 1; i < 700; i += n, n = n % 37 + 2) {
        FillDraws<kDraw>(key, begin + static_cast<uint64_t>(i), std::min<int64_t>(n, 700 - i),
                         &chunks[static_cast<size_t>(i)]);
      }
      EXPECT_EQ(std::memcmp(want.data(), chunks.data(), want.size() * sizeof(DType)), 0);
      FillDraws<kDraw>(key, begin, 700, chunks.data());
      EXPECT_EQ(std::memcmp(want.data(), chunks.data(), want.size() * sizeof(DType)), 0);
    }
    LimitIsa(Isa::kAvx512);
  }
}
TEST(Draws, AreTheSameInEveryChunkAndInstructionSet) {
  ExpectChunks<DrawKind::kBits, int32_t>();
  ExpectChunks<DrawKind::kUniform, float>();
  ExpectChunks<DrawKind::kUniform, double>();
  ExpectChunks<DrawKind::kUniform, half::half_t>();
  ExpectChunks<DrawKind::kNormal, float>();
  ExpectChunks<DrawKind::kNormal, double>();
  ExpectChunks<DrawKind::kNormal, bfloat::bf16_t>();
  ExpectChunks<DrawKind::kBernoulli, float>();
  ExpectChunks<DrawKind::kBernoulli, int8_t>();
  ExpectChunks<DrawKind::kBernoulli, int64_t>();
}

TEST(Draws, OfImpossibleAndCertainEvents) {
  const auto count = [](double probability) {
    TensorContainer<cpu, 1, int32_t> ones(Shape1(1000));
    ones = random_bernoulli<int32_t>(ones.shape_, probability, 1, 2);
    int sum = 0;
    for (index_t i = 0; i < 1000; ++i) sum += ones[i];
    return sum;
  };
  for (const double never :
       {0.0, -0.0, -1.0, 1e-20, std::nan(""), -static_cast<double>(INFINITY)}) {
    EXPECT_EQ(count(never), 0) << never;
  }
  for (const double always : {1.0, 1 - 1e-15, 2.0, static_cast<double>(INFINITY)}) {
    EXPECT_EQ(count(always), 1000) << always;
  }
}

constexpr index_t kDraws = 1 << 20;
/// A standard normal variable is farther away than this once in 1.7 million times.
constexpr double kSigmas = 5;

template <DrawKind kDraw, typename DType>
std::vector<double> Sample(const DrawExp<kDraw, 1, DType> &exp) {
  TensorContainer<cpu, 1, DType> drawn(Shape1(kDraws));
  drawn = exp;
  std::vector<double> sample;
  for (index_t i = 0; i < kDraws; ++i) sample.push_back(static_cast<double>(drawn[i]));
  return sample;
}

/// The sum of (count - expected)^2 / expected is near its degrees of freedom, n - 1, with variance
/// 2 (n - 1).
void ExpectChiSquare(const std::vector<double> &counts, double expected) {
  double chi = 0;
  for (const double count : counts) chi += (count - expected) * (count - expected) / expected;
  const auto freedom = static_cast<double>(counts.size() - 1);
  EXPECT_LT(std::abs(chi - freedom), kSigmas * std::sqrt(2 * freedom));
}

double Mean(const std::vector<double> &sample, double (*of)(double)) {
  double sum = 0;
  for (const double x : sample) sum += of(x);
  return sum / static_cast<double>(sample.size());
}

/// Neighbours at a distance are not correlated; sigma is the standard deviation of the numbers.
void ExpectUncorrelated(const std::vector<double> &sample, double mean, double sigma) {
  for (const size_t distance : std::vector<size_t>{1, 2, 3, 4, 16, 128, 1000}) {
    double sum = 0;
    for (size_t i = distance; i < sample.size(); ++i) {
      sum += (sample[i] - mean) * (sample[i - distance] - mean);
    }
    const auto n = static_cast<double>(sample.size() - distance);
    EXPECT_LT(std::abs(sum) / (sigma * sigma), kSigmas * std::sqrt(n)) << distance;
  }
}

template <typename DType>
void ExpectUniform(double step) {
  const std::vector<double> sample = Sample(random_uniform<DType>(Shape1(kDraws), 42, 1));
  std::vector<double> counts(256);
  for (const double x : sample) {
    ASSERT_TRUE(0 <= x && x < 1);
    ++counts[static_cast<size_t>(x * 256)];
  }
  ExpectChiSquare(counts, kDraws / 256.0);
  const double n = std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(Mean(sample, [](double x) { return x; }), 0.5 - step / 2, kSigmas * 0.289 / n);
  EXPECT_NEAR(Mean(sample, [](double x) { return x * x; }), 1.0 / 3 - step / 2,
              kSigmas * 0.298 / n + step * step);
  ExpectUncorrelated(sample, 0.5 - step / 2, std::sqrt(1.0 / 12));
}
TEST(Statistics, OfUniformNumbers) {
  ExpectUniform<float>(0);
  ExpectUniform<double>(0);
  ExpectUniform<half::half_t>(std::ldexp(1, -11));
  ExpectUniform<bfloat::bf16_t>(std::ldexp(1, -8));
}

TEST(Statistics, OfEachBit) {
  TensorContainer<cpu, 1, int32_t> bits(Shape1(kDraws));
  bits = random_bits(bits.shape_, 5, 6);
  for (int bit = 0; bit < 32; ++bit) {
    double ones = 0;
    for (index_t i = 0; i < kDraws; ++i) ones += static_cast<uint32_t>(bits[i]) >> bit & 1u;
    EXPECT_NEAR(ones, kDraws / 2.0, kSigmas * std::sqrt(kDraws / 4.0)) << bit;
  }
}

/// The first four moments, and the parts in 64 intervals of the same probability.
template <typename DType>
void ExpectNormal(double slack) {
  const std::vector<double> sample = Sample(random_normal<DType>(Shape1(kDraws), 42, 2));
  const double n = std::sqrt(static_cast<double>(kDraws));
  EXPECT_NEAR(Mean(sample, [](double x) { return x; }), 0, kSigmas / n);
  EXPECT_NEAR(Mean(sample, [](double x) { return x * x; }), 1, kSigmas * std::sqrt(2) / n + slack);
  EXPECT_NEAR(Mean(sample, [](double x) { return x * x * x; }), 0, kSigmas * std::sqrt(15) / n);
  EXPECT_NEAR(Mean(sample, [](double x) { return x * x * x * x; }), 3,
              kSigmas * std::sqrt(96) / n + 6 * slack);
  ExpectUncorrelated(sample, 0, 1);
  if (slack > 0) return;  // a rounded number may be on the other side of a border
  std::vector<double> counts(64);
  for (const double x : sample) {
    const double below = 0.5 * std::erfc(-x / std::sqrt(2));
    ++counts[std::min<size_t>(static_cast<size_t>(below * 64), 63)];
  }
  ExpectChiSquare(counts, kDraws / 64.0);
}
TEST(Statistics, OfNormalNumbers) {
  ExpectNormal<float>(0);
  ExpectNormal<double>(0);
  ExpectNormal<half::half_t>(1e-4);
  ExpectNormal<bfloat::bf16_t>(1e-3);
}

TEST(Statistics, OfBernoulliNumbers) {
  for (const double probability : {0.001, 0.1, 0.5, 0.9}) {
    const std::vector<double> sample =
        Sample(random_bernoulli<float>(Shape1(kDraws), probability, 42, 3));
    const double sigma = std::sqrt(probability * (1 - probability));
    EXPECT_NEAR(Mean(sample, [](double x) { return x; }), probability,
                kSigmas * sigma / std::sqrt(static_cast<double>(kDraws)));
    ExpectUncorrelated(sample, probability, sigma);
  }
}

/// Neighbouring sequences and seeds, as steps of a training run have them.
TEST(Statistics, OfNeighbouringSequencesAndSeeds) {
  const std::vector<double> a = Sample(random_uniform<float>(Shape1(kDraws), 1, 1));
  const std::vector<double> of_sequence = Sample(random_uniform<float>(Shape1(kDraws), 1, 2));
  const std::vector<double> of_seed = Sample(random_uniform<float>(Shape1(kDraws), 2, 1));
  for (const std::vector<double> *b : {&of_sequence, &of_seed}) {
    double sum = 0;
    for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - 0.5) * ((*b)[i] - 0.5);
    EXPECT_LT(std::abs(sum) * 12, kSigmas * std::sqrt(static_cast<double>(kDraws)));
  }
}

}  // namespace
