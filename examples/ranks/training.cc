// SPDX-License-Identifier: Apache-2.0
#include "training.h"

#include <chrono>
#include <numeric>
#include <stdexcept>

#include "../fashion_mnist/random.h"
#include "checkpoint.h"

namespace demo {
namespace {

using mshadow::Shape2;

constexpr int kGlobalBatch = kParts * kMicroBatch;

PartRange PartsOf(const Ranks &ranks) {
  if (kParts % ranks.size() != 0) {
    throw std::invalid_argument("expected 1, 2 or 4 ranks, got " + std::to_string(ranks.size()));
  }
  const int count = kParts / ranks.size();
  return {ranks.rank() * count, count};
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

Training::Training(const RankSettings &settings, const Dataset &data, Ranks *ranks)
    : settings_(settings),
      data_(data),
      ranks_(ranks),
      parts_(PartsOf(*ranks)),
      model_(settings.seed),
      shards_(MakeShards(model_, parts_, ranks)),
      order_(static_cast<size_t>(data.size())),
      images_(Shape2(kMicroBatch, kPixels), 0.0f),
      one_hot_(Shape2(kMicroBatch, kClasses), 0.0f) {
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
  for (int i = 0; i < parts_.count; ++i) {
    const int micro = parts_.first + i;
    data_.Batch(order_, batch * kGlobalBatch + micro * kMicroBatch, images_, one_hot_);
    losses_[static_cast<size_t>(micro)] =
        model_.FindGradients(images_, one_hot_, shards_->gradients(i));
  }
  shards_->AddMicroBatches();
}

void Training::ShareGradients() {
  const Timer timer(&seconds_.scatter);
  const int64_t sent = shards_->sent();
  shards_->ShareGradients();
  gradient_bytes_ += shards_->sent() - sent;
}

void Training::ShareWeights() {
  const Timer timer(&seconds_.gather);
  const int64_t sent = shards_->sent();
  shards_->ShareWeights();
  weight_bytes_ += shards_->sent() - sent;
  model_.SetWeights(shards_->weights());
}

void Training::Step() {
  FindOrder();
  FindGradients();
  ShareGradients();
  {
    const Timer timer(&seconds_.update);
    shards_->Update(step_ + 1);
  }
  ShareWeights();
  ranks_->Gather(losses_.data(), static_cast<size_t>(parts_.count) * sizeof(float), "losses");
  loss_ = std::accumulate(losses_.begin(), losses_.end(), 0.0f) / kGlobalBatch;
  ++step_;
}

void Training::Save(const std::string &path) {
  // A rank's parts in one text: each has its length before it.
  std::string mine;
  for (int i = 0; i < parts_.count; ++i) AppendPart(shards_->Save(i), &mine);
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
  for (int i = 0; i < parts_.count; ++i) {
    shards_->Load(i, checkpoint.parts[static_cast<size_t>(parts_.first + i)]);
  }
  step_ = header.step;
  ShareWeights();
  weight_bytes_ = 0;
}

}  // namespace demo
