// SPDX-License-Identifier: Apache-2.0
/// \file device_shards.h
/// Shards in the memory of a CPU or a GPU: the same code for both.
#ifndef EXAMPLES_RANKS_DEVICE_SHARDS_H_
#define EXAMPLES_RANKS_DEVICE_SHARDS_H_

#include <adamw.gen.h>
#include <axpby.gen.h>
#include <mshadow/list.h>
#include <mshadow/tensor.h>
#include <mshadow/tensor_container.h>

#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "shards.h"

namespace demo {

/// Floats in memory of the host and of the device. On a CPU both are the same memory.
template <typename xpu>
class Mirror {
 public:
  Mirror(mshadow::index_t size, mshadow::Stream<xpu> *stream) : host_(mshadow::Shape1(size)) {
    mshadow::AllocHost<xpu>(&host_);
    host_ = 0.0f;
    device_.stream_ = stream;
    if constexpr (!xpu::kDevCPU) device_.Resize(host_.shape_, 0.0f);
  }
  ~Mirror() { mshadow::FreeHost<xpu>(&host_); }
  Mirror(const Mirror &) = delete;
  Mirror &operator=(const Mirror &) = delete;

  float *host() const { return host_.dptr_; }
  float *device() const {
    if constexpr (xpu::kDevCPU) return host_.dptr_;
    return device_.dptr_;
  }
  void ToDevice() {
    if constexpr (!xpu::kDevCPU) Copy(device_, host_, device_.stream_);
  }
  void ToHost() {
    if constexpr (!xpu::kDevCPU) Copy(host_, device_, device_.stream_);
  }

 private:
  mshadow::Tensor<mshadow::cpu, 1, float> host_;
  mshadow::TensorContainer<xpu, 1, float> device_;  ///< empty on a CPU
};

/// \tparam Exchange Ranks or NcclExchange
template <typename xpu, typename Exchange>
class DeviceShards : public Shards {
 public:
  using index_t = mshadow::index_t;

  /// \param stream of the device, on which all work is queued; null: a CPU
  /// \param exchange what sends blocks of the device's memory
  DeviceShards(const char *name, const Model &model, PartRange parts, int ranks,
               mshadow::Stream<xpu> *stream, Exchange *exchange)
      : name_(name),
        parts_(parts),
        ranks_(ranks),
        part_(model.part()),
        stream_(stream),
        exchange_(exchange),
        weights_(kParts * part_, stream),
        gradients_(parts.count * kParts * part_, stream),
        mean_(parts.count * part_, stream),
        variance_(parts.count * part_, stream),
        adam_(list_.Group<optim::AdamWRule>()) {
    room_.stream_ = stream;
    room_.Resize(mshadow::Shape1(kParts * part_));
    model.CopyWeights(weights_.host());
    weights_.ToDevice();
    for (int i = 0; i < parts.count; ++i) AddPart(model, i);
    Wait();
  }

  const char *exchange() const override { return name_; }
  float *gradients(int micro) override { return gradients_.host() + micro * kParts * part_; }
  const float *weights() const override { return weights_.host(); }
  int64_t sent() const override { return exchange_->sent(); }

  void AddMicroBatches() override {
    gradients_.ToDevice();
    AddInPairs(parts_.count, kParts * part_);
    Wait();
  }

  /// A reduce-scatter that adds in an order of its own. Those of MPI and NCCL choose an order by
  /// the number of ranks, and so the last bits. Here the micro-batches are the leaves of one tree.
  /// A rank has added its own, neighbours in the tree, and sends one sum for each part. So it sends
  /// as many bytes as a ring does.
  void ShareGradients() override {
    exchange_->Scatter(gradients_.device(), room_.dptr_, BlockBytes(), "gradients");
    AddInPairs(ranks_, parts_.count * part_);
    Wait();
  }

  void Update(int64_t step) override {
    adam_.Set("step", static_cast<double>(step));
    list_.Run();
    Wait();
  }

  void ShareWeights() override {
    exchange_->Gather(weights_.device(), BlockBytes(), "weights");
    weights_.ToHost();
    Wait();
  }

  std::string Save(int i) const override {
    std::string text;
    ForEachVector(i, [&](const Mirror<xpu> &vector, index_t begin) {
      std::vector<float> host(static_cast<size_t>(part_));
      Copy(View<mshadow::cpu>(host.data()), View<xpu>(vector.device() + begin));
      text.append(reinterpret_cast<const char *>(host.data()), PartBytes());
    });
    return text;
  }

  void Load(int i, const std::string &text) override {
    if (text.size() != kVectors * PartBytes()) {
      throw std::runtime_error("the checkpoint has a part of " + std::to_string(text.size()) +
                               " bytes, expected " + std::to_string(kVectors * PartBytes()));
    }
    const char *at = text.data();
    ForEachVector(i, [&](const Mirror<xpu> &vector, index_t begin) {
      std::vector<float> host(static_cast<size_t>(part_));
      std::memcpy(host.data(), at, PartBytes());
      Copy(View<xpu>(vector.device() + begin), View<mshadow::cpu>(host.data()));
      at += PartBytes();
    });
  }

 private:
  static constexpr size_t kVectors = 3;  ///< weights, means and variances

  size_t PartBytes() const { return static_cast<size_t>(part_) * sizeof(float); }
  size_t BlockBytes() const { return static_cast<size_t>(parts_.count) * PartBytes(); }
  void Wait() {
    if (stream_ != nullptr) stream_->Wait();
  }

  mshadow::Tensor<xpu, 2, float> Row(float *data, index_t size) const {
    return mshadow::Tensor<xpu, 2, float>(data, mshadow::Shape2(1, size), stream_);
  }
  template <typename Device>
  mshadow::Tensor<Device, 1, float> View(float *part) const {
    return mshadow::Tensor<Device, 1, float>(part, mshadow::Shape1(part_));
  }

  /// Calls visit(vector, begin) for the vectors of a checkpoint, where part \p i begins in each.
  template <typename Visit>
  void ForEachVector(int i, const Visit &visit) const {
    visit(weights_, (parts_.first + i) * part_);
    visit(mean_, i * part_);
    visit(variance_, i * part_);
  }

  /// The pieces of weights that lie in a part are entries of the list. The sums of gradients for
  /// this rank's parts are where ShareGradients leaves them: at the front of the gradients.
  void AddPart(const Model &model, int i) {
    for (const Model::Piece &piece : model.Pieces(parts_.first + i)) {
      const index_t size = piece.end - piece.begin, at = piece.begin - parts_.first * part_;
      adam_.Add(Row(weights_.device() + piece.begin, size), Row(mean_.device() + at, size),
                Row(variance_.device() + at, size), Row(gradients_.device() + at, size));
    }
  }

  /// Adds \p count vectors at the front of the gradients into the first one, in pairs: (0 + 1) +
  /// (2 + 3). Overwrites the others.
  void AddInPairs(int count, index_t size) {
    float *const vectors = gradients_.device();
    for (int distance = 1; distance < count; distance *= 2) {
      for (int i = 0; i < count; i += 2 * distance) {
        blas1::Axpby(Row(vectors + i * size, size), Row(vectors + (i + distance) * size, size),
                     1.0f, 1.0f);
      }
    }
  }

  const char *const name_;
  const PartRange parts_;
  const int ranks_;
  const index_t part_;
  mshadow::Stream<xpu> *const stream_;
  Exchange *const exchange_;
  Mirror<xpu> weights_;
  Mirror<xpu> gradients_;  ///< a row of all parts for each micro-batch of this rank
  Mirror<xpu> mean_, variance_;
  mshadow::TensorContainer<xpu, 1, float> room_;  ///< for the gradients of other ranks
  mshadow::RuleList list_;
  mshadow::RuleGroup<optim::AdamWRule> adam_;
};

}  // namespace demo

#endif  // EXAMPLES_RANKS_DEVICE_SHARDS_H_
