// SPDX-License-Identifier: Apache-2.0
#include "gpu_time.h"

#include <cuda_runtime_api.h>
#include <mshadow/detail/tensor_gpu.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

#include "values.h"
#include "with_element.h"

namespace mshadow_test {
namespace {

using mshadow::gpu;
namespace cuda = mshadow::cuda;

constexpr int64_t kPattern = 1 << 16;  // elements until values repeat
constexpr int64_t kWindow = 4096;

void Check(cudaError_t status, const char *call) {
  if (status != cudaSuccess) {
    throw std::runtime_error(std::string(call) + ": " + cudaGetErrorName(status));
  }
}

void CopyBytes(void *to, const void *from, size_t bytes, cuda::Direction direction,
               CUstream_st *stream) {
  cuda::CopyRows(to, bytes, from, bytes, bytes, 1, direction, stream);
}

}  // namespace

/// One tensor on the device, and a window of it on the host.
struct DeviceBench::Operand {
  virtual ~Operand() = default;
  /// The Tensor<gpu, dim, T>.
  virtual void *tensor() = 0;
  virtual void Fill(CUstream_st *stream) = 0;
  /// The Tensor<cpu, dim, T> of the first values of some rows; of a vector with an element for each
  /// column, all of it.
  virtual void *OpenWindow(int64_t first, int64_t rows) = 0;
  /// Whether the device has in those rows what the window has now.
  virtual bool SameAsWindow(CUstream_st *stream) = 0;
};

namespace {

template <typename T, int dim>
class TypedOperand : public DeviceBench::Operand {
 public:
  /// \param cols of a vector: 1 if it has an element for each row; with 1 row if it has but one
  TypedOperand(int64_t rows, int64_t cols, mshadow::Stream<gpu> *stream, uint64_t seed)
      : rows_(rows),
        cols_(cols),
        count_(rows * cols),
        data_(static_cast<T *>(cuda::Malloc(static_cast<size_t>(count_) * sizeof(T)))),
        device_(data_.get(), MakeShape(rows), stream),
        pattern_(kPattern) {
    SplitMix64 random(seed);
    for (Holder &value : pattern_) value.v = RandomValue<T>(Data::kTame, &random);
  }

  void *tensor() override { return &device_; }

  void Fill(CUstream_st *stream) override {
    int64_t done = std::min(count_, kPattern);
    CopyBytes(data_.get(), pattern_.data(), Bytes(done), cuda::Direction::kHostToDevice, stream);
    for (; done < count_; done += std::min(done, count_ - done)) {
      CopyBytes(data_.get() + done, data_.get(), Bytes(std::min(done, count_ - done)),
                cuda::Direction::kDeviceToDevice, stream);
    }
  }

  void *OpenWindow(int64_t first, int64_t rows) override {
    first = std::min(first, rows_ - 1);
    rows = std::min(rows, rows_);
    begin_ = first * cols_;
    window_.resize(static_cast<size_t>(rows * cols_));
    // Doubling keeps the pattern's phase: kPattern is a power of two.
    for (size_t i = 0; i < window_.size(); ++i) {
      window_[i] = pattern_[static_cast<size_t>((begin_ + static_cast<int64_t>(i)) % kPattern)];
    }
    host_ = mshadow::Tensor<mshadow::cpu, dim, T>(&window_[0].v, MakeShape(rows));
    return &host_;
  }

  bool SameAsWindow(CUstream_st *stream) override {
    std::vector<Holder> got(window_.size());
    CopyBytes(got.data(), data_.get() + begin_, Bytes(static_cast<int64_t>(got.size())),
              cuda::Direction::kDeviceToHost, stream);
    cuda::Synchronize(stream);
    const auto same = [](const Holder &a, const Holder &b) { return SameBits(a.v, b.v); };
    return std::equal(got.begin(), got.end(), window_.begin(), same);
  }

 private:
  /// A vector of these has elements in memory, of bool too.
  struct Holder {
    T v;
  };
  struct Free {
    void operator()(T *memory) const { cuda::Free(memory); }
  };

  static size_t Bytes(int64_t elements) { return static_cast<size_t>(elements) * sizeof(T); }
  mshadow::Shape<dim> MakeShape(int64_t rows) const {
    if constexpr (dim == 1) {
      return mshadow::Shape1(rows * cols_);
    } else {
      return mshadow::Shape2(rows, cols_);
    }
  }

  int64_t rows_, cols_;
  int64_t count_;
  std::unique_ptr<T, Free> data_;
  mshadow::Tensor<gpu, dim, T> device_;
  std::vector<Holder> pattern_;
  int64_t begin_ = 0;
  std::vector<Holder> window_;
  mshadow::Tensor<mshadow::cpu, dim, T> host_;
};

}  // namespace

DeviceBench::DeviceBench(const RuleEntry &rule, int64_t rows, int64_t cols)
    : rule_(rule), rows_(rows), cols_(cols), stream_(mshadow::NewStream<gpu>(false, false)) {
  for (const mshadow::ParamInfo &param : *rule.info) {
    if (!param.is_tensor) {
      scalars_.push_back(param.has_value ? param.value : 1.0);
      continue;
    }
    const int flag = param.TypeIn(rule.types.data());
    operands_.push_back(WithElement(flag, [&](auto zero) -> std::unique_ptr<Operand> {
      using T = decltype(zero);
      const uint64_t seed = operands_.size() + 1;
      if (param.rank != 1) return std::make_unique<TypedOperand<T, 2>>(rows, cols, stream_, seed);
      const bool has_rows = param.is_per_row, has_cols = !has_rows && !param.is_single;
      return std::make_unique<TypedOperand<T, 1>>(has_rows ? rows : 1, has_cols ? cols : 1, stream_,
                                                  seed);
    }));
  }
}

DeviceBench::~DeviceBench() {
  operands_.clear();
  mshadow::DeleteStream(stream_);
}

void DeviceBench::Reset() {
  for (const auto &operand : operands_) operand->Fill(stream_->stream_);
}

void DeviceBench::Launch() {
  std::vector<void *> arguments;
  for (const auto &operand : operands_) arguments.push_back(operand->tensor());
  rule_.call[2](arguments.data(), scalars_.data());
}

void DeviceBench::Wait() { stream_->Wait(); }

std::string DeviceBench::CompareWindows(const RuleEntry &cpu_rule) {
  Reset();
  Launch();
  Wait();
  // Windows are whole rows, so that a vector's elements stand where they stood.
  const int64_t rows = std::min(rows_, std::max<int64_t>(1, kWindow / cols_));
  for (const int64_t first : {int64_t{0}, (rows_ - rows) / 2, rows_ - rows}) {
    std::vector<void *> arguments;
    for (const auto &operand : operands_) arguments.push_back(operand->OpenWindow(first, rows));
    cpu_rule.call[2](arguments.data(), scalars_.data());
    for (size_t i = 0; i < operands_.size(); ++i) {
      if (operands_[i]->SameAsWindow(stream_->stream_)) continue;
      return "tensor " + std::to_string(i) + " differs in rows " + std::to_string(first) + " to " +
             std::to_string(first + rows) + " of " + std::to_string(rows_);
    }
  }
  return "";
}

namespace {

class Timer {
 public:
  Timer() {
    Check(cudaEventCreate(&begin_), "cudaEventCreate");
    Check(cudaEventCreate(&end_), "cudaEventCreate");
  }
  ~Timer() {
    cudaEventDestroy(begin_);
    cudaEventDestroy(end_);
  }
  template <typename Work>
  double Milliseconds(CUstream_st *stream, Work work) {
    Check(cudaEventRecord(begin_, stream), "cudaEventRecord");
    work();
    Check(cudaEventRecord(end_, stream), "cudaEventRecord");
    Check(cudaEventSynchronize(end_), "cudaEventSynchronize");
    float milliseconds = 0;
    Check(cudaEventElapsedTime(&milliseconds, begin_, end_), "cudaEventElapsedTime");
    return milliseconds;
  }

 private:
  cudaEvent_t begin_, end_;
};

double Median(std::vector<double> values) {
  std::nth_element(values.begin(), values.begin() + values.size() / 2, values.end());
  return values[values.size() / 2];
}

}  // namespace

DeviceBench::Times DeviceBench::Measure(int64_t bytes, int rounds) {
  const size_t half = static_cast<size_t>(bytes) / 2;
  struct Free {
    void operator()(void *memory) const { cuda::Free(memory); }
  };
  const std::unique_ptr<void, Free> from(cuda::Malloc(half)), to(cuda::Malloc(half));
  cuda::FillRows(from.get(), half, half, 1, "\x3f", 1, stream_->stream_);
  Timer timer;
  std::vector<double> rule_ms, copy_ms;
  for (int round = 0; round < rounds + 2; ++round) {
    Reset();
    const double rule = timer.Milliseconds(stream_->stream_, [&] { Launch(); });
    const double copy = timer.Milliseconds(stream_->stream_, [&] {
      cuda::CopyRows(to.get(), half, from.get(), half, half, 1, cuda::Direction::kDeviceToDevice,
                     stream_->stream_);
    });
    if (round < 2) continue;  // the device warms up
    rule_ms.push_back(rule);
    copy_ms.push_back(copy);
  }
  return {Median(rule_ms), Median(copy_ms)};
}

}  // namespace mshadow_test
