// SPDX-License-Identifier: Apache-2.0
#include "trainer.h"

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "optimizer.h"
#include "random.h"

namespace demo {
namespace {

using mshadow::Shape2;

const Rule &OptimizerRule(const Kernels &kernels, const std::string &name) {
  const Rule *rule = FindRule(kernels.rules, name);
  if (rule == nullptr || !IsOptimizer(*rule->info)) {
    throw std::invalid_argument("no optimizer is called '" + name + "'; --list names them all");
  }
  return *rule;
}

/// The class with the largest score in a row.
int Best(Matrix scores, mshadow::index_t row) {
  const float *values = scores[row].dptr_;
  return static_cast<int>(std::max_element(values, values + kClasses) - values);
}

}  // namespace

Trainer::Trainer(const Kernels &kernels, const Settings &settings, const Dataset &train)
    : settings_(settings),
      train_(train),
      network_(kernels, kBatch, settings.seed),
      average_(kernels, kBatch, settings.seed),
      order_(static_cast<size_t>(train.size())),
      images_(Shape2(kBatch, kPixels), 0.0f),
      one_hot_(Shape2(kBatch, kClasses), 0.0f) {
  if (settings.pipeline) {
    network_.AddTo([this](Matrix weight, Matrix grad) { pipeline_.Add(weight, grad); });
    kernels.add_pipeline(&pipeline_, &optimizer_);
  } else {
    const Rule &rule = OptimizerRule(kernels, settings.optimizer);
    network_.AddTo(MakeGroup(rule, settings.hyper, &optimizer_));
  }
  std::iota(order_.begin(), order_.end(), 0);
}

void Trainer::Step(int begin, int size, Progress *progress) {
  const Matrix images = images_.Slice(0, size), one_hot = one_hot_.Slice(0, size);
  train_.Batch(order_, begin, images, one_hot);
  const Matrix scores = network_.Forward(images);
  int right = 0;
  for (int row = 0; row < size; ++row) {
    const int label = train_.labels[static_cast<size_t>(order_[static_cast<size_t>(begin + row)])];
    right += Best(scores, row) == label;
  }
  const float scale = settings_.pipeline ? pipeline_.scale[0] : 1.0f;
  const Vector losses = network_.Backward(images, one_hot, scale);
  const double loss = std::accumulate(losses.dptr_, losses.dptr_ + size, 0.0);
  optimizer_.Step();
  const double seen = begin, all = begin + size;
  progress->loss = (progress->loss * seen + loss) / all;
  progress->accuracy = (progress->accuracy * seen + right) / all;
}

void Trainer::Average() {
  ++averaged_;
  average_.MoveTowards(&network_, 1.0f / static_cast<float>(averaged_));
}

void Trainer::Run(const std::function<bool(const Progress &)> &observe) {
  Random random(settings_.seed ^ 0x5eed);
  const int images =
      settings_.train_images > 0 ? std::min(settings_.train_images, train_.size()) : train_.size();
  const int steps = (images + kBatch - 1) / kBatch;
  int left = steps * settings_.epochs;
  const int first_averaged = static_cast<int>(left * kAveragedPart);
  for (int epoch = 1; epoch <= settings_.epochs; ++epoch) {
    random.Shuffle(&order_);
    Progress progress;
    progress.epoch = epoch;
    progress.steps = steps;
    for (progress.step = 1; progress.step <= progress.steps; ++progress.step) {
      const int begin = (progress.step - 1) * kBatch;
      Step(begin, std::min(kBatch, images - begin), &progress);
      if (left-- <= first_averaged) Average();
      if (!observe(progress)) return;
    }
  }
}

Confusion Trainer::Test(const Dataset &test) {
  std::vector<int> order(static_cast<size_t>(test.size()));
  std::iota(order.begin(), order.end(), 0);
  Confusion confusion{};
  for (int begin = 0; begin < test.size(); begin += kBatch) {
    const int size = std::min(kBatch, test.size() - begin);
    const Matrix images = images_.Slice(0, size);
    test.Batch(order, begin, images, one_hot_.Slice(0, size));
    const Matrix scores = average_.Forward(images);
    for (int row = 0; row < size; ++row) {
      ++confusion[test.labels[static_cast<size_t>(begin + row)]]
                 [static_cast<size_t>(Best(scores, row))];
    }
  }
  return confusion;
}

double Accuracy(const Confusion &confusion) {
  int right = 0, all = 0;
  for (int i = 0; i < kClasses; ++i) {
    right += confusion[i][i];
    all += std::accumulate(confusion[i].begin(), confusion[i].end(), 0);
  }
  return static_cast<double>(right) / all;
}

}  // namespace demo
