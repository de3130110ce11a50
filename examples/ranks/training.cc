// SPDX-License-Identifier: Apache-2.0
#include "training.h"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "../fashion_mnist/random.h"
#include "checkpoint.h"

namespace demo {
namespace {

using mshadow::index_t;
using mshadow::Shape2;

constexpr int kGlobalBatch = kParts * kMicroBatch;

int PartsPerRank(const Ranks &ranks) {
  if (kParts % ranks.size() != 0) {
    throw std::invalid_argument("expected 1, 2 or 4 ranks, got " + std::to_string(ranks.size()));
  }
  return kParts / ranks.size();
}

/// Takes the time until its end, if it is the shortest so far.
class Timer {
 public:
  explicit Timer(double *shortest) : shortest_(shortest), begin_(Clock::now()) {}
  ~Timer() {
    const double seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (*shortest_ == 0.0 || seconds < *shortest_) *shortest_ = seconds;
  }
  Timer(const Timer &) = delete;
  Timer &operator=(const Timer &) = delete;

 private:
  using Clock = std::chrono::steady_clock;
  double *shortest_;
  Clock::time_point begin_;
};

}  // namespace

Dataset MakeDataset(int images, uint64_t seed) {
  Random random(seed);
  std::vector<uint8_t> patterns(static_cast<size_t>(kClasses) * kPixels);
  for (uint8_t &pixel : patterns) pixel = static_cast<uint8_t>(random.Next() >> 57);
  Dataset data;
  for (int i = 0; i < images; ++i) {
    const size_t label = random.Next() % kClasses;
    data.labels.push_back(static_cast<uint8_t>(label));
    for (size_t x = 0; x < kPixels; ++x) {
      const uint64_t noise = random.Next() >> 57;
      data.pixels.push_back(static_cast<uint8_t>(patterns[label * kPixels + x] + noise));
    }
  }
  return data;
}

Training::Training(const Kernels &kernels, const RankSettings &settings, const Dataset &data,
                   Ranks *ranks)
    : kernels_(kernels),
      settings_(settings),
      data_(data),
      ranks_(ranks),
      count_(PartsPerRank(*ranks)),
      first_(ranks->rank() * count_),
      model_(kernels, settings.seed, first_, count_),
      order_(static_cast<size_t>(data.size())),
      images_(Shape2(kMicroBatch, kPixels), 0.0f),
      one_hot_(Shape2(kMicroBatch, kClasses), 0.0f),
      room_(Shape2(kParts, model_.part()), 0.0f) {
  if (data.size() < kGlobalBatch) {
    throw std::invalid_argument("expected at least " + std::to_string(kGlobalBatch) +
                                " images, got " + std::to_string(data.size()));
  }
}

/// The order of an epoch depends on the seed and the epoch alone: a resumed training needs no
/// other.
void Training::FindOrder() {
  const int64_t epoch = step_ / (data_.size() / kGlobalBatch);
  if (epoch == epoch_) return;
  epoch_ = epoch;
  std::iota(order_.begin(), order_.end(), 0);
  Random(settings_.seed + 0x5eed * static_cast<uint64_t>(epoch + 1)).Shuffle(&order_);
}

void Training::FindGradients() {
  const Timer timer(&seconds_.compute);
  const int batch = static_cast<int>(step_ % (data_.size() / kGlobalBatch));
  for (int i = 0; i < count_; ++i) {
    const int micro = first_ + i;
    data_.Batch(order_, batch * kGlobalBatch + micro * kMicroBatch, images_, one_hot_);
    losses_[static_cast<size_t>(micro)] = model_.FindGradients(i, images_, one_hot_);
  }
  AddInPairs(kernels_, model_.gradients(0), count_, kParts * model_.part());
}

/// A reduce-scatter that adds in an order of its own. MPI_Reduce_scatter chooses an order by the
/// number of ranks, and so the last bits. Here the micro-batches are the leaves of one tree. A rank
/// has added its own, neighbours in the tree, and sends one sum for each part. So it sends as many
/// bytes as a ring does.
void Training::ShareGradients() {
  const Timer timer(&seconds_.scatter);
  const int64_t sent = ranks_->sent();
  float *const blocks = model_.gradients(0);
  const index_t block = count_ * model_.part();
  const size_t bytes = static_cast<size_t>(block) * sizeof(float);
  ranks_->Scatter(blocks, room_.dptr_, bytes, "gradients");
  gradient_bytes_ += ranks_->sent() - sent;
  AddInPairs(kernels_, blocks, ranks_->size(), block);
  std::copy_n(blocks, block, model_.sums());
}

void Training::ShareWeights() {
  const Timer timer(&seconds_.gather);
  const int64_t sent = ranks_->sent();
  ranks_->Gather(model_.weights(), static_cast<size_t>(count_ * model_.part()) * sizeof(float),
                 "weights");
  weight_bytes_ += ranks_->sent() - sent;
  model_.UseWeights();
}

void Training::Step() {
  FindOrder();
  FindGradients();
  ShareGradients();
  {
    const Timer timer(&seconds_.update);
    model_.Update();
  }
  ShareWeights();
  ranks_->Gather(losses_.data(), static_cast<size_t>(count_) * sizeof(float), "losses");
  loss_ = std::accumulate(losses_.begin(), losses_.end(), 0.0f) / kGlobalBatch;
  ++step_;
}

void Training::Save(const std::string &path) {
  // A rank's parts in one text: each has its length before it.
  std::string mine;
  for (const std::string &part : model_.Save()) AppendPart(part, &mine);
  const std::vector<std::string> all = ranks_->Collect(mine, "checkpoints");
  if (ranks_->rank() == 0) WriteCheckpoint(path, {step_, settings_.seed, data_.size()}, all);
  std::array<char, kParts> written{};  // from here on every rank may rely on the file
  ranks_->Gather(written.data(), 1, "the end of a checkpoint");
}

void Training::Load(const std::string &path) {
  const Checkpoint checkpoint = ReadCheckpoint(path, kParts);
  const CheckpointHeader &header = checkpoint.header;
  if (header.seed != settings_.seed || header.images != data_.size()) {
    throw std::runtime_error("checkpoint '" + path + "' is of seed " + std::to_string(header.seed) +
                             " and " + std::to_string(header.images) + " images, expected " +
                             std::to_string(settings_.seed) + " and " +
                             std::to_string(data_.size()));
  }
  for (int i = 0; i < count_; ++i) {
    model_.Load(i, checkpoint.parts[static_cast<size_t>(first_ + i)]);
  }
  step_ = header.step;
  ShareWeights();
  weight_bytes_ = 0;
}

}  // namespace demo
