// SPDX-License-Identifier: Apache-2.0
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "random.h"

namespace mshadow_bench {
namespace {

// States and gradients of ordinary training; inputs over the range where activations bend.
float Draw(mshadow::Role role, mshadow_test::SplitMix64 *random) {
  const float unit = static_cast<float>(random->Unit());
  switch (role) {
    case mshadow::Role::kState:
      return 0.01f + unit;
    case mshadow::Role::kGradient:
      return 0.1f * (unit - 0.5f);
    case mshadow::Role::kParameter:
      return unit - 0.5f;
    default:
      return 8.0f * (unit - 0.5f);
  }
}

/// Squares fit any product; those of more elements than this take seconds.
int64_t SideOf(int64_t size) {
  constexpr double kMaxSide = 2048;
  return static_cast<int64_t>(std::min(std::sqrt(static_cast<double>(size)), kMaxSide));
}

}  // namespace

bool Workload::Fits(const mshadow::RuleInfo &info) {
  return std::all_of(info.begin(), info.end(),
                     [](const mshadow::ParamInfo &param) { return param.rank <= 2; });
}

Workload::Workload(const mshadow_test::RuleEntry &rule, int64_t size) {
  mshadow_test::SplitMix64 random(1);
  if (rule.info->products > 0) {
    cols_ = SideOf(size);
    size = cols_ * cols_;
  }
  for (const mshadow::ParamInfo &param : *rule.info) {
    if (!param.is_tensor) {
      scalars_.push_back(param.has_value ? param.value : 1.0);
      if (param.role == mshadow::Role::kStep) scalars_.back() = 10;
      continue;
    }
    auto buffer = std::make_unique<Buffer>();
    buffer->count = param.is_single    ? 1
                    : param.is_per_row ? size / cols_
                    : param.rank == 1  ? cols_
                                       : size;
    buffer->written = param.is_written;
    const size_t count = static_cast<size_t>(buffer->count);
    buffer->now.Resize(mshadow::Shape1(buffer->count));
    buffer->first.resize(count);
    for (float &value : buffer->first) value = Draw(param.role, &random);
    for (size_t i = 0; param.is_index && i < count; ++i) {
      buffer->first[i] = static_cast<float>(i % cols_);
    }
    float *const now = buffer->now.dptr_;
    std::memcpy(now, buffer->first.data(), count * sizeof(float));
    buffer->matrix =
        mshadow::Tensor<mshadow::cpu, 2>(now, mshadow::Shape2(buffer->count / cols_, cols_));
    buffer->vector = mshadow::Tensor<mshadow::cpu, 1>(now, mshadow::Shape1(buffer->count));
    pointers_.push_back(now);
    handles_.push_back(param.rank == 1 ? static_cast<void *>(&buffer->vector) : &buffer->matrix);
    buffers_.push_back(std::move(buffer));
  }
}

void Workload::Reset() {
  for (const auto &buffer : buffers_) {
    if (!buffer->written) continue;
    std::memcpy(buffer->now.dptr_, buffer->first.data(), buffer->first.size() * sizeof(float));
  }
}

}  // namespace mshadow_bench
