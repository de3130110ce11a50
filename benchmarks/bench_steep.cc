// SPDX-License-Identifier: Apache-2.0
// Rules that were many times slower than loops by hand, one thread: the fused rule, the unfused one
// and a loop by hand in turn in this process. Medians in microseconds, and the times of the other
// two over that of the fused rule: above 1 the rule is faster.
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <functional>
#include <vector>

#include "steep_calls.h"

namespace {

using namespace mshadow;
using Row = float *__restrict;

void OverByHand(const SteepTensors &t) {
  const index_t pixels = t.bytes.size(0);
  const uint8_t *from = t.bytes.dptr_;
  uint8_t *__restrict to = t.bytes_out.dptr_;
  for (index_t i = 0; i < pixels; ++i, from += 4, to += 3) {
    const int alpha = from[3];
    for (int c = 0; c < 3; ++c) {
      to[c] = static_cast<uint8_t>((from[c] * alpha + to[c] * (255 - alpha)) / 255);
    }
  }
}

void UnitByHand(const SteepTensors &t) {
  const index_t cols = t.in.size(1);
  for (index_t y = 0; y < t.in.size(0); ++y) {
    const float *const from = t.in.dptr_ + y * cols;
    const Row to = t.out.dptr_ + y * cols;
    float total = 0;
    for (index_t x = 0; x < cols; ++x) total += from[x] * from[x];
    const float length = std::sqrt(total + 1.0f);
    for (index_t x = 0; x < cols; ++x) to[x] = from[x] / length;
  }
}

void ChannelByHand(const SteepTensors &t) {
  const float *from = t.in.dptr_;
  float *__restrict to = t.out.dptr_;
  for (index_t y = 0; y < t.in.size(0); ++y, from += 4, to += 4) to[3] = from[0] * from[1];
}

void ComplexByHand(const SteepTensors &t) {
  const float *const from = t.in.dptr_, *const factor = t.gain.dptr_;
  const Row to = t.out.dptr_;
  for (index_t i = 0; i < t.gain.size(0); ++i) {
    to[2 * i] = from[2 * i] * factor[i];
    to[2 * i + 1] = from[2 * i + 1] * factor[i];
  }
}

constexpr index_t kLanes = 16;  ///< sums that a compiler keeps in a register; rows are multiples

template <typename Term>
float Sum(index_t count, const Term &term) {
  float sums[kLanes] = {}, total = 0;
  for (index_t x = 0; x < count; x += kLanes) {
    for (index_t lane = 0; lane < kLanes; ++lane) sums[lane] += term(x + lane);
  }
  for (const float sum : sums) total += sum;
  return total;
}

void ForcesByHand(const SteepTensors &t) {
  const float *const from = t.in.dptr_;
  for (index_t i = 0; i < t.in.size(1); ++i) {
    const float own = from[i];
    t.out.dptr_[i] = Sum(t.in.size(1), [=](index_t j) {
      const float far = from[j] - own;
      return far / (far * far + 1.0f);
    });
  }
}

void SharesByHand(const SteepTensors &t) {
  const uint8_t *const a = t.bytes.dptr_, *const b = t.more_bytes.dptr_;
  uint8_t *__restrict const to = t.bytes_out.dptr_;
  for (size_t i = 0; i < t.bytes.shape_.Size(); ++i)
    to[i] = static_cast<uint8_t>(a[i] * b[i] / 255);
}

void ToBytesByHand(const SteepTensors &t) {
  const float *const from = t.in.dptr_;
  uint8_t *__restrict const to = t.bytes_out.dptr_;
  for (size_t i = 0; i < t.in.shape_.Size(); ++i) {
    const float value = from[i] * 60.0f + 128.5f, above = value > 0 ? value : 0;
    to[i] = static_cast<uint8_t>(above < 255 ? above : 255);
  }
}

void FromBytesByHand(const SteepTensors &t) {
  const uint8_t *const from = t.bytes.dptr_;
  const Row to = t.out.dptr_;
  for (size_t i = 0; i < t.bytes.shape_.Size(); ++i) {
    to[i] = (static_cast<float>(from[i]) - 128.0f) * 0.0166f;
  }
}

void WaveByHand(const SteepTensors &t) {
  const int rows = static_cast<int>(t.in.size(0)), cols = static_cast<int>(t.in.size(1));
  for (int y = 0; y < rows; ++y) {
    const float *const now = t.in.dptr_ + y * cols;
    const Row to = t.out.dptr_ + y * cols;
    const auto at = [&](int i, int x) {
      return 0 <= i && i < rows && 0 <= x && x < cols ? t.in.dptr_[i * cols + x] : 0.0f;
    };
    const auto with_border = [&](int x) {
      const float near = at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1);
      to[x] = 2.0f * now[x] - to[x] + 0.25f * (near - 4.0f * now[x]);
    };
    with_border(0);
    if (y == 0 || y == rows - 1) {
      for (int x = 1; x < cols - 1; ++x) with_border(x);
    } else {
      const float *const above = now - cols, *const below = now + cols;
      for (int x = 1; x < cols - 1; ++x) {
        const float near = above[x] + below[x] + now[x - 1] + now[x + 1];
        to[x] = 2.0f * now[x] - to[x] + 0.25f * (near - 4.0f * now[x]);
      }
    }
    with_border(cols - 1);
  }
}

void GroupNormByHand(const SteepTensors &t) {
  const index_t cols = t.in.size(1), channels = cols / t.plane;
  const float share = 1.0f / static_cast<float>(cols);
  for (index_t y = 0; y < t.in.size(0); ++y) {
    const float *const from = t.in.dptr_ + y * cols;
    const float mean = share * Sum(cols, [=](index_t x) { return from[x]; });
    const float variance =
        share * Sum(cols, [=](index_t x) { return (from[x] - mean) * (from[x] - mean); });
    const float scale = 1.0f / std::sqrt(variance + 1e-5f);
    const float *const gain = t.gain.dptr_ + y * channels % t.gain.size(0);
    for (index_t c = 0; c < channels; ++c) {
      const float *const x = from + c * t.plane;
      const Row to = t.out.dptr_ + y * cols + c * t.plane;
      for (index_t i = 0; i < t.plane; ++i) to[i] = (x[i] - mean) * scale * gain[c];
    }
  }
}

void ScatterByHand(const SteepTensors &t) {
  const index_t cols = t.out.size(1), places = t.chosen.size(1);
  for (index_t y = 0; y < t.out.size(0); ++y) {
    const Row to = t.out.dptr_ + y * cols;
    std::memset(to, 0, static_cast<size_t>(cols) * sizeof(float));
    const float *const values = t.weights.dptr_ + y * places;
    const int64_t *const columns = t.chosen.dptr_ + y * places;
    for (index_t i = 0; i < places; ++i) to[columns[i]] += values[i];
  }
}

void GateByHand(const SteepTensors &t) {
  const index_t experts = t.in.size(1), places = t.out.size(1);
  std::vector<float> gates(static_cast<size_t>(experts));
  for (index_t y = 0; y < t.in.size(0); ++y) {
    const float *const logits = t.in.dptr_ + y * experts;
    const float top = *std::max_element(logits, logits + experts);
    float total = 0, sum = 0;
    for (index_t x = 0; x < experts; ++x) total += gates[x] = std::exp(logits[x] - top);
    const Row best = t.out.dptr_ + y * places;
    int64_t *const chosen = t.chosen.dptr_ + y * places;
    std::fill(best, best + places, -1.0f);
    for (index_t x = 0; x < experts; ++x) {
      if (gates[x] <= best[places - 1]) continue;
      index_t i = places - 1;
      for (; i > 0 && best[i - 1] < gates[x]; --i) {
        best[i] = best[i - 1];
        chosen[i] = chosen[i - 1];
      }
      best[i] = gates[x];
      chosen[i] = x;
    }
    for (index_t i = 0; i < places; ++i) sum += best[i] /= total;
    for (index_t i = 0; i < places; ++i) best[i] /= sum;
  }
}

void GateGradByHand(const SteepTensors &t) {
  const index_t experts = t.out.size(1), places = t.chosen.size(1);
  for (index_t y = 0; y < t.out.size(0); ++y) {
    const float *const grad = t.weights_grad.dptr_ + y * places;
    const float *const weights = t.weights.dptr_ + y * places;
    const int64_t *const chosen = t.chosen.dptr_ + y * places;
    float sum = 0;
    for (index_t i = 0; i < places; ++i) sum += grad[i] * weights[i];
    const Row to = t.out.dptr_ + y * experts;
    std::memset(to, 0, static_cast<size_t>(experts) * sizeof(float));
    for (index_t i = 0; i < places; ++i) to[chosen[i]] = weights[i] * (grad[i] - sum);
  }
}

void PixelsByHand(const SteepTensors &t) {
  const index_t pixels = t.in.shape_.Size() / kImageChannels;
  const Row to = t.out.dptr_;
  for (index_t i = 0; i < pixels; ++i) {
    for (index_t c = 0; c < kImageChannels; ++c) {
      to[i * kImageChannels + c] = t.in.dptr_[c * pixels + i] * 2.0f;
    }
  }
}

void FlipByHand(const SteepTensors &t) {
  const index_t cols = t.in.size(1) / kImageChannels;
  for (index_t y = 0; y < t.in.size(0); ++y) {
    const float *const from = t.in.dptr_ + y * t.in.size(1);
    const Row to = t.out.dptr_ + y * t.in.size(1);
    for (index_t x = 0; x < cols; ++x) {
      for (index_t c = 0; c < kImageChannels; ++c) {
        to[x * kImageChannels + c] = from[(cols - 1 - x) * kImageChannels + c] * 2.0f;
      }
    }
  }
}

/// The elements of a case, and its tensors over them.
class Case {
 public:
  using Loop = void (*)(const SteepTensors &);

  /// A rule of matrices of floats.
  Case(const char *name, Steep rule, Loop loop, index_t rows, index_t cols)
      : name_(name), rule_(rule), loop_(loop) {
    AddFloats(rows, cols);
  }
  /// A rule of bytes, which writes `out_cols` for each row.
  static Case OfBytes(const char *name, Steep rule, Loop loop, index_t rows, index_t cols,
                      index_t out_cols) {
    Case bytes(name, rule, loop, 1, 1);
    bytes.bytes_.resize(2 * rows * cols);
    bytes.bytes_out_.resize(rows * out_cols);
    for (size_t i = 0; i < bytes.bytes_.size(); ++i) {
      bytes.bytes_[i] = static_cast<uint8_t>(i * 2654435761u >> 13);
    }
    uint8_t *const from = bytes.bytes_.data();
    bytes.t.bytes = {from, Shape2(rows, cols)};
    bytes.t.more_bytes = {from + rows * cols, Shape2(rows, cols)};
    bytes.t.bytes_out = {bytes.bytes_out_.data(), Shape2(rows, out_cols)};
    return bytes;
  }
  /// A rule of matrices of bytes and of floats.
  static Case OfBytesAndFloats(const char *name, Steep rule, Loop loop, index_t rows,
                               index_t cols) {
    Case both = OfBytes(name, rule, loop, rows, cols, cols);
    both.AddFloats(rows, cols);
    return both;
  }
  /// The gate of a mixture, or its gradient: of `experts` each of 4,096 tokens chooses `places`.
  static Case OfExperts(const char *name, Steep rule, Loop loop, index_t experts, index_t places) {
    constexpr index_t kTokens = 4096;
    Case gate(name, rule, loop, kTokens, experts);
    gate.weights_.resize(kTokens * places);
    gate.chosen_.resize(kTokens * places);
    for (size_t i = 0; i < gate.in_.size(); ++i) {
      gate.in_[i] = static_cast<float>(i * 2654435761u >> 12 & 0xFFFFF) / 131072 - 4;
    }
    for (index_t i = 0; i < kTokens * places; ++i) {
      const index_t token = i / places, n = i % places;
      gate.weights_[i] = static_cast<float>(n + 1) / static_cast<float>(places * places);
      gate.chosen_[i] = (token * 37 + n * (token % 5 + 1)) % experts;  // different ones
    }
    gate.t.weights = {gate.weights_.data(), Shape2(kTokens, places)};
    gate.t.weights_grad = {gate.in_.data(), Shape2(kTokens, places)};
    gate.t.chosen = {gate.chosen_.data(), Shape2(kTokens, places)};
    if (rule == Steep::kGate) gate.t.out = gate.t.weights;
    return gate;
  }
  Case(Case &&) = default;

  /// Rows are the queries of several heads.
  Case &Heads(int queries) {
    t.queries = queries;
    for (index_t y = 0; y < t.in.size(0); ++y) query_.push_back(static_cast<int32_t>(y) % queries);
    t.query = {query_.data(), Shape1(t.in.size(0))};
    return *this;
  }
  /// Rows are groups of channels of several samples.
  Case &Gains(index_t channels, index_t plane) {
    for (index_t c = 0; c < channels; ++c) gain_.push_back(static_cast<float>(c % 7) + 0.5f);
    t.gain = {gain_.data(), Shape1(channels)};
    t.plane = plane;
    t.samples = static_cast<index_t>(in_.size()) / (channels * plane);
    return *this;
  }

  /// Prints the times; false if the results differ.
  bool Run() const {
    using Call = std::function<void()>;
    const Call calls[] = {[this] { CallFused(rule_, t); }, [this] { CallUnfused(rule_, t); },
                          [this] { loop_(t); }};
    std::vector<float> results[3];
    for (int i = 0; i < 3; ++i) results[i] = ResultOf(calls[i]);
    if (results[0] != results[1]) {
      std::printf("%s: the fused rule has other bits\n", name_);
      return false;
    }
    for (size_t i = 0; i < results[0].size(); ++i) {
      const float rule = results[0][i], hand = results[2][i];
      if (std::abs(rule - hand) <= 1e-3f * (1 + std::abs(rule))) continue;
      std::printf("%s: the loop by hand computes %g, the rule %g\n", name_, hand, rule);
      return false;
    }
    constexpr int kRounds = 31;
    std::vector<double> times[3];
    for (int round = 0; round < kRounds; ++round) {
      for (int i = 0; i < 3; ++i) times[(round + i) % 3].push_back(Seconds(calls[(round + i) % 3]));
    }
    double median[3];
    for (int i = 0; i < 3; ++i) {
      std::nth_element(times[i].begin(), times[i].begin() + kRounds / 2, times[i].end());
      median[i] = 1e6 * times[i][kRounds / 2];
    }
    std::printf("%-34s%10.1f%10.1f%10.1f%10.2f%10.2f\n", name_, median[0], median[1], median[2],
                median[1] / median[0], median[2] / median[0]);
    return true;
  }

  const char *name() const { return name_; }

 private:
  void AddFloats(index_t rows, index_t cols) {
    in_.resize(rows * cols);
    out_.resize(rows * cols);
    for (size_t i = 0; i < in_.size(); ++i) in_[i] = static_cast<float>(i % 101) / 25 - 2;
    t.in = {in_.data(), Shape2(rows, cols)};
    t.out = {out_.data(), Shape2(rows, cols)};
  }

  std::vector<float> ResultOf(const std::function<void()> &call) const {
    std::fill(t.out.dptr_, t.out.dptr_ + t.out.shape_.Size(), 0.5f);
    std::fill(t.bytes_out.dptr_, t.bytes_out.dptr_ + bytes_out_.size(), uint8_t{77});
    call();
    std::vector<float> result(t.out.dptr_, t.out.dptr_ + t.out.shape_.Size());
    result.insert(result.end(), bytes_out_.begin(), bytes_out_.end());
    result.insert(result.end(), chosen_.begin(), chosen_.end());
    return result;
  }

  static double Seconds(const std::function<void()> &call) {
    const auto begin = std::chrono::steady_clock::now();
    call();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }

  const char *name_;
  Steep rule_;
  Loop loop_;
  SteepTensors t;
  std::vector<float> in_, out_, gain_, weights_;
  std::vector<uint8_t> bytes_, bytes_out_;
  std::vector<int32_t> query_;
  std::vector<int64_t> chosen_;
};

}  // namespace

/// \param argv[1] a part of the names to time; without it, all
int main(int argc, char **argv) {
  SetNumThreads(1);
  const char *const filter = argc > 1 ? argv[1] : "";
  // A softmax by hand would time its exponentials: the same rule with a vector stands beside it.
  const auto causal = [](const SteepTensors &t) { CallFused(Steep::kCausalByVector, t); };
  Case cases[] = {
      Case::OfBytes("RGBA over RGB, a million pixels", Steep::kOver, OverByHand, 1000000, 4, 3),
      Case("100,000 rows of 1 column", Steep::kUnit, UnitByHand, 100000, 1),
      Case("a channel of 100,000 pixels", Steep::kChannel, ChannelByHand, 100000, 4),
      Case("complex numbers times a matrix", Steep::kComplex, ComplexByHand, 128, 512),
      Case("forces between 512 bodies", Steep::kForces, ForcesByHand, 1, 512),
      Case("causal softmax, row % queries", Steep::kCausal, causal, 1024, 128),
      Case::OfBytes("bytes times bytes over 255", Steep::kShares, SharesByHand, 1024, 1024, 1024),
      Case::OfBytesAndFloats("a million floats to bytes", Steep::kToBytes, ToBytesByHand, 1024,
                             1024),
      Case::OfBytesAndFloats("a million bytes to floats", Steep::kFromBytes, FromBytesByHand, 1024,
                             1024),
      Case("wave step of crops of a pad", Steep::kWave, WaveByHand, 512, 512),
      Case("group norm, gain a view", Steep::kGroupNorm, GroupNormByHand, 64, 4096),
      Case("instance norm, gain a view", Steep::kGroupNorm, GroupNormByHand, 256, 1024),
      Case::OfExperts("2 values in rows of 8", Steep::kScatter, ScatterByHand, 8, 2),
      Case::OfExperts("8 values in rows of 64", Steep::kScatter, ScatterByHand, 64, 8),
      Case::OfExperts("8 values in rows of 256", Steep::kScatter, ScatterByHand, 256, 8),
      Case::OfExperts("gate, 2 of 8 experts", Steep::kGate, GateByHand, 8, 2),
      Case::OfExperts("gate, 8 of 64 experts", Steep::kGate, GateByHand, 64, 8),
      Case::OfExperts("gate, 8 of 256 experts", Steep::kGate, GateByHand, 256, 8),
      Case::OfExperts("gate gradient, 2 of 8 experts", Steep::kGateGrad, GateGradByHand, 8, 2),
      Case::OfExperts("gate gradient, 8 of 64 experts", Steep::kGateGrad, GateGradByHand, 64, 8),
      Case::OfExperts("gate gradient, 8 of 256 experts", Steep::kGateGrad, GateGradByHand, 256, 8),
      Case("pixels from planes", Steep::kPixels, PixelsByHand, 256, 384 * kImageChannels),
      Case("pixels in reverse", Steep::kFlip, FlipByHand, 256, 384 * kImageChannels),
  };
  cases[3].Gains(128 * 256, 2);
  cases[5].Heads(128);
  cases[10].Gains(64, 512);
  cases[11].Gains(32, 1024);
  std::printf("%-34s%10s%10s%10s%10s%10s\n", "microseconds", "fused", "unfused", "by hand",
              "unfused /", "by hand /");
  for (const Case &each : cases) {
    if (std::strstr(each.name(), filter) != nullptr && !each.Run()) return 1;
  }
  return 0;
}
