// SPDX-License-Identifier: Apache-2.0
/// \file gpu_layer.h
/// Tensors of a GPU for tests of lists. To be included after the rules.
#ifndef MSHADOW_TESTS_CUDA_GPU_LAYER_H_
#define MSHADOW_TESTS_CUDA_GPU_LAYER_H_

#include <mshadow/list.h>
#include <mshadow/tensor.h>

#include <cstring>
#include <functional>
#include <string>
#include <vector>

namespace cuda_test {

using mshadow::gpu;
using mshadow::index_t;
using mshadow::Shape2;
using mshadow::Stream;
using mshadow::Tensor;

/// The message of the Error that \p f throws; "" if it throws none.
inline std::string MessageOf(const std::function<void()> &f) {
  try {
    f();
  } catch (const mshadow::Error &error) {
    return error.what();
  }
  return "";
}

/// A matrix of a GPU with small numbers, whose rows may be padded.
template <typename T = float>
class Matrix {
 public:
  Matrix(Stream<gpu> *stream, index_t rows, index_t cols, int seed, index_t pad = 0,
         index_t offset = 0)
      : elements_(static_cast<size_t>(rows * (cols + pad) + offset)) {
    std::vector<T> host(elements_);
    for (size_t i = 0; i < elements_; ++i) {
      host[i] = T(static_cast<float>((seed * 7 + static_cast<int>(i) * 5 + 3) % 23 - 8) / 8);
    }
    const size_t bytes = elements_ * sizeof(T);
    memory_ = static_cast<T *>(mshadow::cuda::Malloc(bytes));
    Copy(memory_, host.data(), mshadow::cuda::Direction::kHostToDevice, stream);
    view = Tensor<gpu, 2, T>(memory_ + offset, Shape2(rows, cols), cols + pad, stream);
  }
  Matrix(const Matrix &) = delete;
  Matrix &operator=(const Matrix &) = delete;
  ~Matrix() { mshadow::cuda::Free(memory_); }

  /// All of its memory, after the work of its stream.
  std::vector<T> Bits() const {
    std::vector<T> host(elements_);
    Copy(host.data(), memory_, mshadow::cuda::Direction::kDeviceToHost, view.stream_);
    return host;
  }
  bool operator==(const Matrix &other) const {
    const std::vector<T> own = Bits(), others = other.Bits();
    return own.size() == others.size() &&
           std::memcmp(own.data(), others.data(), own.size() * sizeof(T)) == 0;
  }

  Tensor<gpu, 2, T> view;

 private:
  void Copy(void *to, const void *from, mshadow::cuda::Direction direction,
            Stream<gpu> *stream) const {
    const size_t bytes = elements_ * sizeof(T);
    mshadow::cuda::CopyRows(to, bytes, from, bytes, bytes, 1, direction,
                            Stream<gpu>::GetStream(stream));
    mshadow::cuda::Synchronize(Stream<gpu>::GetStream(stream));
  }

  size_t elements_;
  T *memory_ = nullptr;
};

/// What an optimizer updates of one layer.
template <typename T = float>
struct Layer {
  Matrix<T> weight;
  Matrix<> mean, variance;
  Matrix<T> grad;

  Layer(Stream<gpu> *stream, index_t rows, index_t cols, int seed, index_t pad = 0,
        index_t offset = 0)
      : weight(stream, rows, cols, seed, pad, offset),
        mean(stream, rows, cols, seed + 1),
        variance(stream, rows, cols, 4),
        grad(stream, rows, cols, seed + 3, 0, offset) {}
  template <typename Group>
  int64_t AddTo(Group *group) {
    return group->Add(weight.view, mean.view, variance.view, grad.view);
  }
  void Update(float lr, float decay, int64_t step) {
    optim::AdamW(weight.view, mean.view, variance.view, grad.view, lr, 0.9f, 0.999f, 1e-8f, decay,
                 step);
  }
  void UpdateByLamb(double lr, int64_t step) {
    optim::Lamb(weight.view, mean.view, variance.view, grad.view, lr, 0.9, 0.999, 1e-6, 0.01, 0.0,
                10.0, step);
  }
  bool operator==(const Layer &other) const {
    return weight == other.weight && mean == other.mean && variance == other.variance;
  }
};

}  // namespace cuda_test

#endif  // MSHADOW_TESTS_CUDA_GPU_LAYER_H_
