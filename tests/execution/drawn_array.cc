// SPDX-License-Identifier: Apache-2.0
#include "drawn_array.h"

#include <cmath>
#include <stdexcept>

namespace mshadow_test {
namespace {

using mgen::Op;
using mgen::ScalarKind;

/// Word `number` of a sequence.
uint32_t WordOf(const Drawing &drawing, uint64_t number) {
  const auto half = [](uint64_t value, int which) {
    return static_cast<uint32_t>(value >> (32 * which));
  };
  const uint64_t block = number / 4;
  const auto words = PhiloxOf(
      {half(block, 0), half(block, 1), half(drawing.sequence, 0), half(drawing.sequence, 1)},
      {half(drawing.seed, 0), half(drawing.seed, 1)});
  return words[number % 4];
}

/// The first 53 digits of words 2 number and 2 number + 1, the second of which is the upper one.
uint64_t DigitsOf(const Drawing &drawing, uint64_t number) {
  const uint64_t high = WordOf(drawing, 2 * number + 1);
  return (high << 32 | WordOf(drawing, 2 * number)) >> 11;
}

Estimate Uniform(const Drawing &drawing, uint64_t i, ScalarKind kind) {
  const auto word = [&] { return WordOf(drawing, i); };
  switch (kind) {
    case ScalarKind::kFloat32:
      return ExactFloat(kind, std::ldexp(word() >> 8, -24));
    case ScalarKind::kFloat64:
      return ExactFloat(kind, std::ldexp(static_cast<double>(DigitsOf(drawing, i)), -53));
    case ScalarKind::kFloat16:
      return ExactFloat(kind, std::ldexp(word() >> 21, -11));
    case ScalarKind::kBFloat16:
      return ExactFloat(kind, std::ldexp(word() >> 24, -8));
    default:
      throw std::invalid_argument("a uniform number is a float");
  }
}

/// sqrt(-2 log u) times the cosine (even i) or sine (odd i) of 2 pi v.
Estimate Normal(const Drawing &drawing, uint64_t i, ScalarKind kind) {
  const ScalarKind real = kind == ScalarKind::kFloat64 ? kind : ScalarKind::kFloat32;
  const auto number = [real](double value) {  // rounded to the type
    return Convert(real, ExactFloat(ScalarKind::kFloat64, value));
  };
  const uint64_t pair = i / 2;
  Estimate u, v;
  double step = 0;
  if (real == ScalarKind::kFloat64) {
    u = number(std::ldexp(static_cast<double>(DigitsOf(drawing, 2 * pair)), -53));
    u = Apply(Op::kAdd, real, {u, number(std::ldexp(1, -54))});
    v = number(static_cast<double>(DigitsOf(drawing, 2 * pair + 1)));
    step = std::ldexp(2 * M_PI, -53);
  } else {
    u = number(std::ldexp(WordOf(drawing, 2 * pair) >> 1, -31));
    u = Apply(Op::kAdd, real, {u, number(std::ldexp(1, -32))});
    v = number(WordOf(drawing, 2 * pair + 1) >> 8);
    step = std::ldexp(2 * M_PI, -24);
  }
  const Estimate square = Apply(Op::kMul, real, {number(-2), Apply(Op::kLog, real, {u})});
  const Estimate radius = Apply(Op::kSqrt, real, {square});
  const Estimate angle = Apply(Op::kMul, real, {v, number(step)});
  const Estimate turn = Apply(i % 2 == 0 ? Op::kCos : Op::kSin, real, {angle});
  return Convert(kind, Apply(Op::kMul, real, {radius, turn}));
}

Estimate Bernoulli(const Drawing &drawing, uint64_t i, ScalarKind kind) {
  const double probability = drawing.probability;
  const double words = std::floor(probability * 4294967296.0 + 0.5);
  const bool is_drawn = probability > 0 && (probability >= 1 || WordOf(drawing, i) < words);
  return Convert(kind, ExactInteger(ScalarKind::kInt32, is_drawn ? 1 : 0));
}

}  // namespace

std::array<uint32_t, 4> PhiloxOf(std::array<uint32_t, 4> counter, std::array<uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const uint64_t left = counter[0] * uint64_t{0xD2511F53};
    const uint64_t right = counter[2] * uint64_t{0xCD9E8D57};
    counter = {
        static_cast<uint32_t>(right >> 32) ^ counter[1] ^ key[0], static_cast<uint32_t>(right),
        static_cast<uint32_t>(left >> 32) ^ counter[3] ^ key[1], static_cast<uint32_t>(left)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

Array DrawnArray(const std::string &name, const Index &shape, ScalarKind kind,
                 const Drawing &drawing) {
  Array array{shape, {}};
  for (uint64_t i = 0; i < static_cast<uint64_t>(SizeOf(shape)); ++i) {
    if (name == "random_bits") {
      array.elements.push_back(ExactInteger(kind, static_cast<int32_t>(WordOf(drawing, i))));
    } else if (name == "random_uniform") {
      array.elements.push_back(Uniform(drawing, i, kind));
    } else if (name == "random_normal") {
      array.elements.push_back(Normal(drawing, i, kind));
    } else if (name == "random_bernoulli") {
      array.elements.push_back(Bernoulli(drawing, i, kind));
    } else {
      throw std::invalid_argument("no meaning of '" + name + "'");
    }
  }
  return array;
}

}  // namespace mshadow_test
