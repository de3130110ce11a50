// SPDX-License-Identifier: Apache-2.0
#include "workload.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string_view>

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

/// What a recurrence multiplies by, or computes that from: with other numbers, values would grow
/// beyond all floats. 0: it is none of these; otherwise its sign.
int SignOfFactor(const mshadow::ParamInfo &param) {
  const std::string_view name = param.name;
  return name == "rate" ? -1 : name == "going" || name == "step" ? 1 : 0;
}

/// Squares fit any product; those of more elements than this take seconds.
int64_t SideOf(int64_t size) {
  constexpr double kMaxSide = 2048;
  return static_cast<int64_t>(std::min(std::sqrt(static_cast<double>(size)), kMaxSide));
}

/// Classes of rows: numbers of columns, whether the rule gathers by them or compares them.
bool IsClass(const mshadow::ParamInfo &param) {
  return param.is_index || (param.is_per_row && std::strcmp(param.name, "label") == 0);
}

bool HasImages(const mshadow::RuleInfo &info) {
  return std::any_of(info.begin(), info.end(),
                     [](const mshadow::ParamInfo &param) { return param.rank == 4; });
}

}  // namespace

bool Workload::Fits(const mshadow::RuleInfo &info) {
  const bool images = HasImages(info);
  return std::all_of(info.begin(), info.end(), [images](const mshadow::ParamInfo &param) {
    if (!images) return param.rank <= 2;
    return !param.is_tensor || param.rank == 4 || param.is_single || param.channel_dim == 1;
  });
}

Workload::Workload(const mshadow_test::RuleEntry &rule, int64_t size) : size_(size) {
  mshadow_test::SplitMix64 random(1);
  if (rule.info->products > 0) {
    cols_ = SideOf(size);
    size_ = cols_ * cols_;
  } else if (HasImages(*rule.info)) {
    channels_ = std::max<int64_t>(size / (kBatch * kPlane), 1);
    size_ = kBatch * channels_ * kPlane;
  } else {
    while (cols_ > std::max<int64_t>(size, kLeastCols)) cols_ /= 2;
    size_ = std::max<int64_t>(size / cols_, 1) * cols_;
  }
  for (const mshadow::ParamInfo &param : *rule.info) {
    if (param.is_tensor) {
      AddTensor(param, &random);
      continue;
    }
    scalars_.push_back(param.has_value ? param.value : 1.0);
    if (param.role == mshadow::Role::kStep) scalars_.back() = 10;
  }
}

int64_t Workload::CountOf(const mshadow::ParamInfo &param) const {
  if (param.is_single) return 1;
  if (param.channel_dim >= 0) return channels_;
  if (param.is_per_row) return size_ / cols_;
  return param.rank == 1 ? cols_ : size_;
}

void Workload::AddTensor(const mshadow::ParamInfo &param, mshadow_test::SplitMix64 *random) {
  using mshadow::cpu;
  auto buffer = std::make_unique<Buffer>();
  buffer->count = CountOf(param);
  buffer->written = param.is_written;
  const size_t count = static_cast<size_t>(buffer->count);
  buffer->now.Resize(mshadow::Shape1(buffer->count));
  buffer->first.resize(count);
  const int sign = SignOfFactor(param);
  for (float &value : buffer->first) {
    const float drawn = Draw(param.role, random);
    value = sign == 0 ? drawn : static_cast<float>(sign) * std::min(std::fabs(drawn), 1.0f);
  }
  for (size_t i = 0; IsClass(param) && i < count; ++i) {
    buffer->first[i] = static_cast<float>(i % cols_);
  }
  float *const now = buffer->now.dptr_;
  std::memcpy(now, buffer->first.data(), count * sizeof(float));
  buffer->images = mshadow::Tensor<cpu, 4>(now, mshadow::Shape4(kBatch, channels_, kSide, kSide));
  buffer->matrix = mshadow::Tensor<cpu, 2>(now, mshadow::Shape2(buffer->count / cols_, cols_));
  buffer->vector = mshadow::Tensor<cpu, 1>(now, mshadow::Shape1(buffer->count));
  pointers_.push_back(now);
  handles_.push_back(param.rank == 1   ? static_cast<void *>(&buffer->vector)
                     : param.rank == 4 ? static_cast<void *>(&buffer->images)
                                       : &buffer->matrix);
  buffers_.push_back(std::move(buffer));
}

int Workload::BytesOf(bool only_written) const {
  int bytes = 0;
  for (const auto &buffer : buffers_) {
    const bool counts = buffer->count == size_ && (buffer->written || !only_written);
    bytes += counts ? static_cast<int>(sizeof(float)) : 0;
  }
  return bytes;
}

void Workload::Reset() {
  for (const auto &buffer : buffers_) {
    if (!buffer->written) continue;
    std::memcpy(buffer->now.dptr_, buffer->first.data(), buffer->first.size() * sizeof(float));
  }
}

std::vector<float> Workload::Results() const {
  std::vector<float> results;
  for (const auto &buffer : buffers_) {
    const float *const now = buffer->now.dptr_;
    if (buffer->written) results.insert(results.end(), now, now + buffer->count);
  }
  return results;
}

}  // namespace mshadow_bench
