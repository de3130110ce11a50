// SPDX-License-Identifier: Apache-2.0
/// \file random.h
/// Random<Device, DType>: pseudo-random numbers. On the CPU they are those of the original mshadow
/// for the same seed and calls: std::mt19937, and for each call a new distribution of the C++
/// library.
#ifndef MSHADOW_RANDOM_H_
#define MSHADOW_RANDOM_H_

#include "mshadow/detail/blas.h"
#include "mshadow/detail/stream.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/expr/random_exp.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// A generator of random elements of DType. The CPU's is below, the GPU's in detail/random_gpu.h.
/// Only one thread at a time may use a generator.
template <typename Device, typename DType MSHADOW_DEFAULT_DTYPE>
class Random;

namespace detail {

/// The engine, which draws the numbers of std::mt19937. random.cc defines it, beside the functions
/// that need <random>, which is slow to parse.
struct MersenneTwister;
MersenneTwister *NewEngine(int seed);
void DeleteEngine(MersenneTwister *engine) noexcept;
void SeedEngine(MersenneTwister *engine, int seed);
uint32_t NextDraw(MersenneTwister *engine);

/// The CPU's engine in the form that the C++ library's distributions and std::shuffle take.
class RandomEngine {
 public:
  using result_type = uint32_t;
  explicit RandomEngine(MersenneTwister *engine) : engine_(engine) {}
  static constexpr result_type min() { return 0; }
  static constexpr result_type max() { return UINT32_MAX; }
  result_type operator()() { return NextDraw(engine_); }

 private:
  MersenneTwister *engine_;
};

/// Distributions, and what their parameters a and b are.
enum class Distribution {
  kUniform,      ///< [a, b), before rounding to DType; integers use DrawIntegers instead
  kGaussian,     ///< mean, standard deviation
  kGamma,        ///< a: shape, b: scale
  kExponential,  ///< rate
  kPoisson,      ///< mean
  kGammaPoisson  ///< a Poisson distribution; each element's mean is drawn from kGamma(a, b)
};

/// Sets each element of \p dst to a draw, row by row. kPoisson and kGammaPoisson draw an int from
/// parameters in double. The other distributions compute in float if DType is float, else in
/// double. DType may be any element type but bool.
/// \throws Error if a parameter is outside the distribution's domain
template <typename DType>
void Draw(MersenneTwister *engine, const char *what, Distribution distribution, double a, double b,
          const blas::Matrix<DType> &dst);
/// Sets each element of \p dst to an integer from \p a to \p b, both included.
/// \throws Error if a > b, or if DType cannot represent a or b
template <typename DType>
void DrawIntegers(MersenneTwister *engine, int64_t a, int64_t b, const blas::Matrix<DType> &dst);

[[noreturn]] void ThrowParameter(const char *what, const char *expected, double got);

template <typename Device, int dim, typename DType>
blas::Matrix<DType> MatrixOf(const Tensor<Device, dim, DType> &t) {
  const Shape<2> shape = t.shape_.FlatTo2D();
  return {t.dptr_, shape[0], shape[1], t.stride_};
}

/// Whether T is DType; if not, a static_assert says so.
template <typename T, typename DType>
constexpr bool Draws() {
  static_assert(IsSame<T, DType>::value,
                "Random<Device, DType> draws numbers of DType: make one of the tensor's element "
                "type");
  return IsSame<T, DType>::value;
}

}  // namespace detail

/// The CPU's generator. Parameters of distributions may have any arithmetic type.
template <typename DType>
class Random<cpu, DType> {
 public:
  explicit Random(int seed) : engine_(detail::NewEngine(seed)), draws_(engine_), seed_(seed) {}
  ~Random() { detail::DeleteEngine(engine_); }
  Random(const Random &) = delete;
  Random &operator=(const Random &) = delete;

  /// Restarts the generator with \p seed.
  void Seed(int seed) {
    detail::SeedEngine(engine_, seed);
    seed_ = seed;
  }
  unsigned GetSeed() const { return static_cast<unsigned>(seed_); }
  /// Does nothing: on the CPU a call has done its work when it returns.
  void set_stream(Stream<cpu> *) {}

  /// The next 32 bits of the engine.
  uint32_t GetRandInt() { return detail::NextDraw(engine_); }
  /// The engine, for distributions of the C++ library. It lives as long as this object.
  detail::RandomEngine &GetRndEngine() { return draws_; }
  /// Sets each element to random bits, as many as its type has. A 64-bit element takes two draws,
  /// the lower half first.
  template <typename Integer>
  void GetRandInt(const Tensor<cpu, 1, Integer> &dst) {
    for (index_t i = 0; i < dst.shape_[0]; ++i) {
      uint64_t bits = GetRandInt();
      if (sizeof(Integer) > sizeof(uint32_t)) bits |= uint64_t{GetRandInt()} << 32;
      dst.dptr_[i] = static_cast<Integer>(bits);
    }
  }

  /// Sets each element of \p dst to \p sampler(), converted to DType, row by row.
  template <int dim, typename T, typename Sampler>
  void SampleDistribution(Tensor<cpu, dim, T> *dst, Sampler sampler) {
    if constexpr (detail::Draws<T, DType>()) {
      const blas::Matrix<DType> m = detail::MatrixOf(*dst);
      for (index_t y = 0; y < m.rows; ++y) {
        for (index_t x = 0; x < m.cols; ++x) m.dptr[y * m.stride + x] = Convert(sampler());
      }
    }
  }

  /// Uniform in [a, b), where rounding to DType may give b; for integers from a to b, both
  /// included.
  /// \throws Error unless a <= b. For floats: unless b - a is finite, computed in float if DType is
  ///     float, else in double. For integers: unless DType can represent a and b, which are first
  ///     converted to int64_t
  template <int dim, typename T, typename A = float, typename B = float>
  void SampleUniform(Tensor<cpu, dim, T> *dst, A a = 0, B b = 1) {
    if constexpr (detail::Draws<T, DType>()) {
      if constexpr (detail::ClassOf<DType>() == detail::ScalarClass::kInteger) {
        detail::DrawIntegers(engine_, ScalarCast<int64_t>(a), ScalarCast<int64_t>(b),
                             detail::MatrixOf(*dst));
      } else {
        Draw("SampleUniform", detail::Distribution::kUniform, a, b, *dst);
      }
    }
  }
  /// The normal distribution with mean \p mu and standard deviation \p sigma. If \p sigma is 0 or
  /// less, every element becomes \p mu.
  /// \throws Error if \p sigma is NaN or +infinity
  template <int dim, typename T, typename A = float, typename B = float>
  void SampleGaussian(Tensor<cpu, dim, T> *dst, A mu = 0, B sigma = 1) {
    if constexpr (detail::Draws<T, DType>()) {
      if (sigma <= 0) {
        dst->__assign(mu);
      } else {
        Draw("SampleGaussian", detail::Distribution::kGaussian, mu, sigma, *dst);
      }
    }
  }
  /// The gamma distribution with shape \p alpha and scale \p beta.
  /// \throws Error unless both are above 0
  template <int dim, typename T, typename A, typename B>
  void SampleGamma(Tensor<cpu, dim, T> *dst, A alpha, B beta) {
    if constexpr (detail::Draws<T, DType>()) {
      Draw("SampleGamma", detail::Distribution::kGamma, alpha, beta, *dst);
    }
  }
  /// The exponential distribution with rate \p lambda.
  /// \throws Error unless \p lambda is above 0
  template <int dim, typename T, typename A>
  void SampleExponential(Tensor<cpu, dim, T> *dst, A lambda) {
    if constexpr (detail::Draws<T, DType>()) {
      Draw("SampleExponential", detail::Distribution::kExponential, lambda, 0, *dst);
    }
  }
  /// The Poisson distribution with mean \p lambda.
  /// \throws Error unless \p lambda is at least 0 and finite
  template <int dim, typename T, typename A>
  void SamplePoisson(Tensor<cpu, dim, T> *dst, A lambda) {
    if constexpr (detail::Draws<T, DType>()) {
      Draw("SamplePoisson", detail::Distribution::kPoisson, lambda, 0, *dst);
    }
  }
  /// The number of failures before the \p k-th success, if each trial succeeds with probability
  /// \p p.
  /// \throws Error unless k is above 0 and finite, and 0 < p <= 1
  template <int dim, typename T, typename A, typename B>
  void SampleNegativeBinomial(Tensor<cpu, dim, T> *dst, A k, B p) {
    if constexpr (detail::Draws<T, DType>()) {
      const double success = static_cast<double>(p);
      if (!(success > 0 && success <= 1)) {
        detail::ThrowParameter("SampleNegativeBinomial", "0 < p <= 1", success);
      }
      Draw("SampleNegativeBinomial", detail::Distribution::kGammaPoisson, k,
           (1 - success) / success, *dst);
    }
  }
  /// The negative binomial distribution with mean \p mu and dispersion \p alpha. If \p alpha is 0,
  /// it is the Poisson distribution with mean \p mu.
  /// \throws Error unless both are at least 0 and finite
  template <int dim, typename T, typename A, typename B>
  void SampleGeneralizedNegativeBinomial(Tensor<cpu, dim, T> *dst, A mu, B alpha) {
    if constexpr (detail::Draws<T, DType>()) {
      const auto check = [](const char *expected, double got) {
        if (got >= 0 && got < __builtin_huge_val()) return;
        detail::ThrowParameter("SampleGeneralizedNegativeBinomial", expected, got);
      };
      check("a finite mean of at least 0", static_cast<double>(mu));
      check("a finite dispersion of at least 0", static_cast<double>(alpha));
      if (alpha == 0) {
        SamplePoisson(dst, mu);
      } else {
        using Real = decltype(1.0f * alpha);  // an integer 1 / alpha would be 0
        Draw("SampleGeneralizedNegativeBinomial", detail::Distribution::kGammaPoisson,
             static_cast<Real>(1) / static_cast<Real>(alpha), mu * alpha, *dst);
      }
    }
  }

  /// An expression of new draws, those of SampleUniform with a = 0 and b = 1. The expression owns
  /// the memory of the draws.
  template <int dim>
  expr::RandomExp<cpu, DType, dim> uniform(const Shape<dim> &shape) {
    expr::RandomExp<cpu, DType, dim> exp(shape, nullptr);
    Tensor<cpu, 1, DType> draws = exp.draws();
    SampleUniform(&draws);
    return exp;
  }
  /// An expression of new draws from the standard normal distribution.
  template <int dim>
  expr::RandomExp<cpu, DType, dim> gaussian(const Shape<dim> &shape) {
    expr::RandomExp<cpu, DType, dim> exp(shape, nullptr);
    Tensor<cpu, 1, DType> draws = exp.draws();
    SampleGaussian(&draws);
    return exp;
  }

 private:
  template <typename S>
  static DType Convert(S value) {
    return ScalarCast<DType>(value);
  }
  template <int dim, typename A, typename B>
  void Draw(const char *what, detail::Distribution distribution, A a, B b,
            const Tensor<cpu, dim, DType> &dst) {
    detail::Draw(engine_, what, distribution, static_cast<double>(a), static_cast<double>(b),
                 detail::MatrixOf(dst));
  }

  detail::MersenneTwister *engine_;
  detail::RandomEngine draws_;
  int seed_;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RANDOM_H_
