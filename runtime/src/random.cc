// SPDX-License-Identifier: Apache-2.0
#include "mshadow/random.h"

#include <cmath>
#include <random>
#include <sstream>
#include <string>
#include <type_traits>

#include "mshadow/detail/exception.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// std::mt19937 (Matsumoto and Nishimura 1998), a block at a time: the library's keeps its words in
/// 64 bits, which takes four times as long.
struct MersenneTwister {
  using result_type = uint32_t;
  static constexpr int kSize = 624;   ///< words of the state
  static constexpr int kShift = 397;  ///< how far away the word is that a new one is made of

  explicit MersenneTwister(uint32_t seed) { Seed(seed); }
  static constexpr uint32_t min() { return 0; }
  static constexpr uint32_t max() { return UINT32_MAX; }

  void Seed(uint32_t seed) {
    state[0] = seed;
    for (uint32_t i = 1; i < kSize; ++i) {
      state[i] = 1812433253u * (state[i - 1] ^ state[i - 1] >> 30) + i;
    }
    next = kSize;
  }
  uint32_t operator()() {
    if (next == kSize) Refill();
    return draws[next++];
  }

 private:
  static uint32_t Twist(uint32_t word, uint32_t following, uint32_t far) {
    const uint32_t mixed = (word & 0x80000000u) | (following & 0x7fffffffu);
    return far ^ mixed >> 1 ^ ((0u - (mixed & 1)) & 0x9908b0dfu);
  }
  static uint32_t Temper(uint32_t x) {
    x ^= x >> 11;
    x ^= (x << 7) & 0x9d2c5680u;
    x ^= (x << 15) & 0xefc60000u;
    return x ^ x >> 18;
  }
  void Refill() {
    for (int i = 0; i < kSize - kShift; ++i) {
      state[i] = Twist(state[i], state[i + 1], state[i + kShift]);
    }
    for (int i = kSize - kShift; i < kSize - 1; ++i) {
      state[i] = Twist(state[i], state[i + 1], state[i + kShift - kSize]);
    }
    state[kSize - 1] = Twist(state[kSize - 1], state[0], state[kShift - 1]);
    for (int i = 0; i < kSize; ++i) draws[i] = Temper(state[i]);
    next = 0;
  }

  uint32_t state[kSize];
  uint32_t draws[kSize];
  int next;
};

MersenneTwister *NewEngine(int seed) { return new MersenneTwister(static_cast<uint32_t>(seed)); }
void DeleteEngine(MersenneTwister *engine) noexcept { delete engine; }
void SeedEngine(MersenneTwister *engine, int seed) { engine->Seed(static_cast<uint32_t>(seed)); }
uint32_t NextDraw(MersenneTwister *engine) { return (*engine)(); }

void ThrowParameter(const char *what, const char *expected, double got) {
  std::ostringstream text;
  text << what << ": expected " << expected << ", got " << got;
  throw Error(text.str());
}

namespace {

[[noreturn]] void ThrowBounds(const char *what, double a, double b) {
  std::ostringstream text;
  text << what << ": expected a <= b and a finite b - a, got a = " << a << " and b = " << b;
  throw Error(text.str());
}

/// One distribution for the whole of dst: some keep a value from one draw to the next.
template <typename DType, typename Sampler>
void Fill(const blas::Matrix<DType> &dst, Sampler sampler) {
  for (index_t y = 0; y < dst.rows; ++y) {
    DType *const row = dst.dptr + y * dst.stride;
    for (index_t x = 0; x < dst.cols; ++x) row[x] = ScalarCast<DType>(sampler());
  }
}

template <typename Real, typename DType>
void DrawAs(MersenneTwister &engine, Distribution distribution, double a, double b,
            const blas::Matrix<DType> &dst) {
  const Real p = static_cast<Real>(a), q = static_cast<Real>(b);
  switch (distribution) {
    case Distribution::kUniform: {
      std::uniform_real_distribution<Real> uniform(p, q);
      return Fill(dst, [&] { return uniform(engine); });
    }
    case Distribution::kGaussian: {
      std::normal_distribution<Real> normal(p, q);
      return Fill(dst, [&] { return normal(engine); });
    }
    case Distribution::kGamma: {
      std::gamma_distribution<Real> gamma(p, q);
      return Fill(dst, [&] { return gamma(engine); });
    }
    case Distribution::kExponential: {
      std::exponential_distribution<Real> exponential(p);
      return Fill(dst, [&] { return exponential(engine); });
    }
    case Distribution::kPoisson: {
      std::poisson_distribution<int> poisson(a);
      return Fill(dst, [&] { return poisson(engine); });
    }
    case Distribution::kGammaPoisson: {
      std::gamma_distribution<double> gamma(a, b);  // as std::negative_binomial_distribution
      return Fill(dst, [&] { return std::poisson_distribution<int>(gamma(engine))(engine); });
    }
  }
}

/// \tparam Real the type in which the distribution computes
template <typename Real>
void CheckParameters(const char *what, Distribution distribution, double a, double b) {
  const auto check = [what](bool holds, const char *expected, double got) {
    if (!holds) ThrowParameter(what, expected, got);
  };
  switch (distribution) {
    case Distribution::kUniform:
      if (a <= b && std::isfinite(static_cast<Real>(b) - static_cast<Real>(a))) return;
      return ThrowBounds(what, a, b);
    case Distribution::kGaussian:
      return check(b > 0 && std::isfinite(b), "a finite standard deviation", b);
    case Distribution::kGamma:
      check(b > 0, "a scale above 0", b);
      return check(a > 0, "a shape above 0", a);
    case Distribution::kExponential:
      return check(a > 0, "a rate above 0", a);
    case Distribution::kPoisson:
      return check(a >= 0 && std::isfinite(a), "a finite mean of at least 0", a);
    case Distribution::kGammaPoisson:
      check(b >= 0 && std::isfinite(b), "a finite scale of at least 0", b);
      return check(a > 0 && std::isfinite(a), "a finite number of successes above 0", a);
  }
}

}  // namespace

template <typename DType>
void Draw(MersenneTwister *engine, const char *what, Distribution distribution, double a, double b,
          const blas::Matrix<DType> &dst) {
  using Real = std::conditional_t<std::is_same_v<DType, float>, float, double>;
  CheckParameters<Real>(what, distribution, a, b);
  DrawAs<Real>(*engine, distribution, a, b, dst);
}

template <typename DType>
void DrawIntegers(MersenneTwister *engine, int64_t a, int64_t b, const blas::Matrix<DType> &dst) {
  if (a > b) {
    throw Error("SampleUniform: expected a <= b, got " + std::to_string(a) + " and " +
                std::to_string(b));
  }
  const auto fits = [](int64_t bound) {
    return (bound >= 0 || std::is_signed_v<DType>) &&
           static_cast<int64_t>(static_cast<DType>(bound)) == bound;
  };
  for (const int64_t bound : {a, b}) {
    if (fits(bound)) continue;
    throw Error("SampleUniform: expected bounds that the elements can represent, got " +
                std::to_string(bound));
  }
  std::uniform_int_distribution<DType> uniform(static_cast<DType>(a), static_cast<DType>(b));
  Fill(dst, [&] { return uniform(*engine); });
}

#define MSHADOW_DRAW(T)                                                             \
  template void Draw(MersenneTwister *, const char *, Distribution, double, double, \
                     const blas::Matrix<T> &);
#define MSHADOW_DRAW_INTEGERS(T) \
  MSHADOW_DRAW(T)                \
  template void DrawIntegers(MersenneTwister *, int64_t, int64_t, const blas::Matrix<T> &);
MSHADOW_DRAW(float)
MSHADOW_DRAW(double)
MSHADOW_DRAW(half::half_t)
MSHADOW_DRAW(bfloat::bf16_t)
MSHADOW_DRAW_INTEGERS(int8_t)
MSHADOW_DRAW_INTEGERS(uint8_t)
MSHADOW_DRAW_INTEGERS(int16_t)
MSHADOW_DRAW_INTEGERS(uint16_t)
MSHADOW_DRAW_INTEGERS(int32_t)
MSHADOW_DRAW_INTEGERS(uint32_t)
MSHADOW_DRAW_INTEGERS(int64_t)
MSHADOW_DRAW_INTEGERS(uint64_t)
#undef MSHADOW_DRAW_INTEGERS
#undef MSHADOW_DRAW

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
