// SPDX-License-Identifier: Apache-2.0
#include "gpu_call.h"

#include <cuda_runtime_api.h>
#include <mshadow/detail/tensor_gpu.h>

#include <cstring>
#include <stdexcept>
#include <string>

#include "with_element.h"

namespace mshadow_test {
namespace {

using mshadow::gpu;
using mshadow::index_t;
using mshadow::Stream;
namespace cuda = mshadow::cuda;

constexpr unsigned char kFill = 0xff;  // of memory that no kernel should write

template <typename T, int dim>
class TypedTensor : public DeviceTensor {
 public:
  TypedTensor(void *host, Stream<gpu> *stream)
      : host_(*static_cast<mshadow::Tensor<mshadow::cpu, dim, T> *>(host)), stream_(stream) {
    device_ = mshadow::Tensor<gpu, dim, T>(nullptr, host_.shape_, host_.stride_, stream);
    if (host_.shape_.Size() == 0) return;
    const mshadow::Shape<2> shape = host_.shape_.FlatTo2D();
    offset_ = reinterpret_cast<uintptr_t>(host_.dptr_) % 256;
    bytes_ = offset_ + static_cast<size_t>((shape[0] - 1) * host_.stride_ + shape[1]) * sizeof(T);
    memory_.reset(cuda::Malloc(bytes_));
    cuda::FillRows(memory_.get(), bytes_, bytes_, 1, &kFill, 1, stream->stream_);
    device_.dptr_ = reinterpret_cast<T *>(static_cast<char *>(memory_.get()) + offset_);
    mshadow::Copy(device_, host_, stream);
    stream->Wait();
  }

  void *tensor() override { return &device_; }

  void CopyBack() override {
    if (memory_ == nullptr) return;
    std::vector<unsigned char> all(bytes_);
    cuda::CopyRows(all.data(), bytes_, memory_.get(), bytes_, bytes_, 1,
                   cuda::Direction::kDeviceToHost, stream_->stream_);
    stream_->Wait();
    const auto host = host_.FlatTo2D();
    for (index_t y = 0; y < host.size(0); ++y) {
      unsigned char *row =
          all.data() + offset_ + static_cast<size_t>(y * host_.stride_) * sizeof(T);
      const size_t bytes = static_cast<size_t>(host.size(1)) * sizeof(T);
      std::memcpy(static_cast<void *>(host.dptr_ + y * host.stride_), row, bytes);
      std::memset(row, kFill, bytes);
    }
    for (unsigned char byte : all) {
      if (byte != kFill) throw std::runtime_error("a kernel wrote outside its tensor");
    }
  }

 private:
  struct Free {
    void operator()(void *memory) const { cuda::Free(memory); }
  };

  mshadow::Tensor<mshadow::cpu, dim, T> host_;
  Stream<gpu> *stream_;
  size_t offset_ = 0;
  size_t bytes_ = 0;
  std::unique_ptr<void, Free> memory_;
  mshadow::Tensor<gpu, dim, T> device_;
};

}  // namespace

std::unique_ptr<DeviceTensor> CopyToDevice(int flag, int dim, void *host, Stream<gpu> *stream) {
  return WithElement(flag, [&](auto zero) -> std::unique_ptr<DeviceTensor> {
    using T = decltype(zero);
    if (dim == 1) return std::make_unique<TypedTensor<T, 1>>(host, stream);
    if (dim == 2) return std::make_unique<TypedTensor<T, 2>>(host, stream);
    if (dim == 3) return std::make_unique<TypedTensor<T, 3>>(host, stream);
    if (dim == 4) return std::make_unique<TypedTensor<T, 4>>(host, stream);
    throw std::invalid_argument("GPU tests call rules of rank 1 to 4, not " + std::to_string(dim));
  });
}

DeviceArguments::DeviceArguments(const mshadow::RuleInfo &info, const std::vector<int> &types,
                                 int dim, void *const *tensors, Stream<gpu> *stream)
    : own_stream_(stream == nullptr ? mshadow::NewStream<gpu>(info.products > 0, false) : nullptr),
      stream_(stream == nullptr ? own_stream_.get() : stream) {
  for (const mshadow::ParamInfo &param : info) {
    if (!param.is_tensor) continue;
    const int flag = param.TypeIn(types.data());
    const int rank = param.rank == mshadow::kRankParam ? dim : param.rank;
    tensors_.push_back(CopyToDevice(flag, rank, tensors[tensors_.size()], stream_));
    pointers_.push_back(tensors_.back()->tensor());
  }
}

void DeviceArguments::CopyBack() {
  for (const auto &tensor : tensors_) tensor->CopyBack();
}

std::string CompareTwice(const RuleEntry &reference, const RuleEntry &twice, const char *way,
                         const Layout &layout) {
  Arguments want(reference, layout);
  want.Fill(Data::kTame, 5);
  want.PickScalars(5);
  Arguments got = want.Clone();
  want.Call(reference);
  want.Call(reference);
  got.Call(twice);
  const std::string difference = got.Difference(want);
  return difference.empty() ? "" : std::string(way) + ": " + difference;
}

}  // namespace mshadow_test
