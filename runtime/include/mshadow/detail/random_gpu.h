// SPDX-License-Identifier: Apache-2.0
/// \file random_gpu.h
/// Random<gpu, DType> for the floating-point types: cuRAND's default generator. Those of 16 bits
/// are drawn as float and rounded by a kernel, where nvcc compiles.
#ifndef MSHADOW_RANDOM_GPU_H_
#define MSHADOW_RANDOM_GPU_H_

#include "mshadow/detail/tensor_gpu.h"
#include "mshadow/random.h"

struct curandGenerator_st;  // curandGenerator_t points to it

namespace mshadow {

namespace cuda {
/// A generator of the current device.
curandGenerator_st *CreateRandom(int seed);
void DestroyRandom(curandGenerator_st *generator) noexcept;
/// Starts the sequence of \p seed.
void SeedRandom(curandGenerator_st *generator, int seed);
/// Draws of a contiguous run of elements, queued on \p stream: uniform in (0, 1], normal (an even
/// number of them), 32 bits each.
void DrawUniform(curandGenerator_st *generator, CUstream_st *stream, float *dst, size_t count);
void DrawUniform(curandGenerator_st *generator, CUstream_st *stream, double *dst, size_t count);
void DrawGaussian(curandGenerator_st *generator, CUstream_st *stream, float *dst, size_t count,
                  float mu, float sigma);
void DrawGaussian(curandGenerator_st *generator, CUstream_st *stream, double *dst, size_t count,
                  double mu, double sigma);
void DrawBits(curandGenerator_st *generator, CUstream_st *stream, unsigned *dst, size_t count);
}  // namespace cuda

MSHADOW_VERSION_BEGIN

/// A generator of the device that is current when it is made; its work goes to the stream that was
/// set, else to the default stream. All functions throw Error if a CUDA call fails.
template <typename DType>
class Random<gpu, DType> {
  static_assert(TypeList<float, double, half::half_t, bfloat::bf16_t>::template Has<DType>(),
                "Random<gpu, DType> draws floating-point types: draw one and convert with tcast");
  /// What cuRAND draws.
  using Real = Promoted<DType>;

 public:
  explicit Random(int seed)
      : device_(cuda::CurrentDevice()), generator_(cuda::CreateRandom(seed)), seed_(seed) {}
  ~Random() { cuda::DestroyRandom(generator_); }
  Random(const Random &) = delete;
  Random &operator=(const Random &) = delete;

  void Seed(int seed) {
    cuda::SeedRandom(generator_, seed);
    seed_ = seed;
  }
  unsigned GetSeed() const { return static_cast<unsigned>(seed_); }
  /// The stream, of the generator's device, to which work goes; null: the default stream.
  void set_stream(Stream<gpu> *stream) { stream_ = stream; }

  /// 32 random bits for each element.
  void GetRandInt(const Tensor<gpu, 1, unsigned> &dst) {
    const cuda::DeviceScope scope(device_);
    cuda::DrawBits(generator_, queue(), dst.dptr_, static_cast<size_t>(dst.shape_[0]));
  }

  /// Uniform in (a, b]. Other bounds than 0 and 1 are set by a kernel, where nvcc compiles.
  template <int dim, typename T>
  void SampleUniform(Tensor<gpu, dim, T> *dst) {
    if constexpr (detail::Draws<T, DType>()) {
      Store(Uniform(dst->shape_), *dst);
    }
  }
  template <int dim, typename T, typename A, typename B = float>
  void SampleUniform(Tensor<gpu, dim, T> *dst, A a, B b = 1) {
    if constexpr (detail::Draws<T, DType>()) {
      const Real first = static_cast<Real>(a), last = static_cast<Real>(b);
      Tensor<gpu, dim, DType> here = *dst;
      here.set_stream(stream_);
      here = expr::tcast<DType>(Uniform(dst->shape_) * (last - first) + first);
    }
  }
  template <int dim, typename T, typename A = float, typename B = float>
  void SampleGaussian(Tensor<gpu, dim, T> *dst, A mu = 0, B sigma = 1) {
    if constexpr (detail::Draws<T, DType>()) {
      if (sigma <= 0) {
        dst->__assign(mu);
      } else {
        Store(Gaussian(dst->shape_, static_cast<Real>(mu), static_cast<Real>(sigma)), *dst);
      }
    }
  }

  /// An expression of fresh draws, which it owns: uniform in (0, 1], and standard normal.
  template <int dim>
  auto uniform(const Shape<dim> &shape) {
    return Rounded(Uniform(shape));
  }
  template <int dim>
  auto gaussian(const Shape<dim> &shape) {
    return Rounded(Gaussian(shape, Real(0), Real(1)));
  }

 private:
  CUstream_st *queue() const { return Stream<gpu>::GetStream(stream_); }

  /// Draws as an expression of DType.
  template <int dim>
  static auto Rounded(const expr::RandomExp<gpu, Real, dim> &exp) {
    if constexpr (detail::IsSame<Real, DType>::value) {
      return exp;
    } else {
      return expr::tcast<DType>(exp);
    }
  }

  template <int dim>
  expr::RandomExp<gpu, Real, dim> Uniform(const Shape<dim> &shape) {
    const cuda::DeviceScope scope(device_);
    expr::RandomExp<gpu, Real, dim> exp(shape, stream_);
    cuda::DrawUniform(generator_, queue(), exp.draws().dptr_, static_cast<size_t>(shape.Size()));
    return exp;
  }

  /// cuRAND makes normal draws in pairs.
  template <int dim>
  expr::RandomExp<gpu, Real, dim> Gaussian(const Shape<dim> &shape, Real mu, Real sigma) {
    const cuda::DeviceScope scope(device_);
    const index_t spare = shape.Size() % 2;
    expr::RandomExp<gpu, Real, dim> exp(shape, stream_, spare);
    cuda::DrawGaussian(generator_, queue(), exp.draws().dptr_,
                       static_cast<size_t>(shape.Size() + spare), mu, sigma);
    return exp;
  }

  /// The rows of dst may be padded. What need not be rounded is copied, without a kernel.
  template <int dim>
  void Store(const expr::RandomExp<gpu, Real, dim> &exp, Tensor<gpu, dim, DType> dst) {
    if constexpr (!detail::IsSame<Real, DType>::value) {
      dst.set_stream(stream_);
      dst = Rounded(exp);
    } else {
      CopyDraws(exp, dst);
    }
  }
  template <int dim>
  void CopyDraws(const expr::RandomExp<gpu, DType, dim> &exp, const Tensor<gpu, dim, DType> &dst) {
    const cuda::DeviceScope scope(device_);
    const Shape<2> shape = dst.shape_.FlatTo2D();
    const size_t width = static_cast<size_t>(shape[1]) * sizeof(DType);
    cuda::CopyRows(dst.dptr_, static_cast<size_t>(dst.stride_) * sizeof(DType), exp.draws().dptr_,
                   width, width, static_cast<size_t>(shape[0]), cuda::Direction::kDeviceToDevice,
                   queue());
  }

  int device_;
  curandGenerator_st *generator_;
  int seed_;
  Stream<gpu> *stream_ = nullptr;
};

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RANDOM_GPU_H_
