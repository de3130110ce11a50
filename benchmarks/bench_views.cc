// SPDX-License-Identifier: Apache-2.0
// Rules that read and write at other places, in turn in this process, one thread: the time of a
// rule with its rank fixed over that of the same rule for any rank, and of a loop by hand over a
// rule's. Above 1 the rule for any rank, or the rule, is faster.
#include <bench_views_rules.h>
#include <mshadow/tensor.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <vector>

#include "hand_views.h"

namespace {

using namespace mshadow;
using Matrix = Tensor<cpu, 2, float>;

/// A rule, and what it is compared with.
struct Pair {
  const char *name;
  void (*rule)(Matrix, const Matrix &);
  void (*other)(Matrix, const Matrix &);
  bool sums = false;  ///< in another order
};

constexpr Pair kRanks[] = {
    {"flip", [](Matrix out, const Matrix &in) { views::FlipAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Flip(out, in); }},
    {"flip of the first", [](Matrix out, const Matrix &in) { views::FlipFirstAny(out, in); },
     [](Matrix out, const Matrix &in) { views::FlipFirst(out, in); }},
    {"concat of slices", [](Matrix out, const Matrix &in) { views::SwapAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Swap(out, in); }},
    {"pool of pad", [](Matrix out, const Matrix &in) { views::PoolAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Pool(out, in); }},
    {"halves, written and read", [](Matrix out, const Matrix &in) { views::GateAny(out, in); },
     [](Matrix out, const Matrix &in) { views::Gate(out, in); }},
};

void StencilByHand(Matrix out, const Matrix &in) {
  const index_t rows = in.size(0), cols = in.size(1);
  const auto at = [&](index_t y, index_t x) {
    const bool is_inside = 0 <= y && y < rows && 0 <= x && x < cols;
    return is_inside ? in.dptr_[y * in.stride_ + x] : 0.0f;
  };
  for (index_t y = 0; y < rows; ++y) {
    const float *const from = in.dptr_ + y * in.stride_;
    float *__restrict const to = out.dptr_ + y * out.stride_;
    const auto with_border = [&](index_t x) {
      to[x] = from[x] + 0.25f * (at(y - 1, x) + at(y + 1, x) + at(y, x - 1) + at(y, x + 1));
    };
    with_border(0);
    if (y == 0 || y == rows - 1) {
      for (index_t x = 1; x < cols - 1; ++x) with_border(x);
    } else {
      const float *const above = from - in.stride_, *const below = from + in.stride_;
      for (index_t x = 1; x < cols - 1; ++x) {
        to[x] = from[x] + 0.25f * (above[x] + below[x] + from[x - 1] + from[x + 1]);
      }
    }
    if (cols > 1) with_border(cols - 1);
  }
}

void FlipByHand(Matrix out, const Matrix &in) {
  for (index_t y = 0; y < in.size(0); ++y) {
    const float *const from = in.dptr_ + y * in.stride_;
    float *__restrict const to = out.dptr_ + y * out.stride_;
    const float *const last = from + in.size(1) - 1;
    for (index_t x = 0; x < in.size(1); ++x) to[x] = last[-x] * 2.0f + from[x];
  }
}

void SwapByHand(Matrix out, const Matrix &in) {
  const index_t cols = in.size(1), half = cols / 2;
  for (index_t y = 0; y < in.size(0); ++y) {
    const float *const from = in.dptr_ + y * in.stride_;
    float *__restrict const to = out.dptr_ + y * out.stride_;
    for (index_t x = 0; x < cols - half; ++x) to[x] = from[half + x] - from[x];
    for (index_t x = cols - half; x < cols; ++x) to[x] = from[x - (cols - half)] - from[x];
  }
}

/// In squares of elements, so that each cache line is read once.
void TransposedByHand(Matrix out, const Matrix &in) {
  constexpr index_t kSide = 16;
  const index_t rows = in.size(0), cols = in.size(1);
  for (index_t top = 0; top < rows; top += kSide) {
    for (index_t left = 0; left < cols; left += kSide) {
      for (index_t y = top; y < std::min(top + kSide, rows); ++y) {
        float *__restrict const to = out.dptr_ + y * out.stride_;
        for (index_t x = left; x < std::min(left + kSide, cols); ++x) {
          to[x] = in.dptr_[x * in.stride_ + y] * 2.0f + in.dptr_[y * in.stride_ + x];
        }
      }
    }
  }
}

/// The sums are those of the columns of the tensor, in which rows lie.
void ScaledRowsByHand(Matrix out, const Matrix &in) {
  constexpr index_t kSide = 16;
  const index_t side = in.size(0);
  static std::vector<float> sums;
  sums.assign(static_cast<size_t>(side), 0.0f);
  for (index_t x = 0; x < side; ++x) {
    const float *const from = in.dptr_ + x * in.stride_;
    for (index_t y = 0; y < side; ++y) sums[y] += from[y] * from[y];
  }
  for (index_t top = 0; top < side; top += kSide) {
    for (index_t left = 0; left < side; left += kSide) {
      for (index_t y = top; y < std::min(top + kSide, side); ++y) {
        float *__restrict const to = out.dptr_ + y * out.stride_;
        for (index_t x = left; x < std::min(left + kSide, side); ++x) {
          to[x] = in.dptr_[x * in.stride_ + y] / sums[y];
        }
      }
    }
  }
}

/// A square matrix of 8 rows or more as an image with 64 channels.
constexpr index_t kChannels = 64;
Tensor<cpu, 4, float> AsPixels(const Matrix &matrix) {
  const index_t side = matrix.size(0) / 8;
  return Tensor<cpu, 4, float>(matrix.dptr_, Shape4(1, side, side, kChannels));
}
Tensor<cpu, 4, float> AsPlanes(const Matrix &matrix) {
  const index_t side = matrix.size(0) / 8;
  return Tensor<cpu, 4, float>(matrix.dptr_, Shape4(1, kChannels, side, side));
}

/// The transpose of a matrix without gaps, times two, in squares.
void TwiceTransposed(float *__restrict to, const float *from, index_t rows, index_t cols) {
  constexpr index_t kSide = 16;
  for (index_t top = 0; top < rows; top += kSide) {
    for (index_t left = 0; left < cols; left += kSide) {
      for (index_t y = top; y < std::min(top + kSide, rows); ++y) {
        for (index_t x = left; x < std::min(left + kSide, cols); ++x) {
          to[y * cols + x] = from[x * rows + y] * 2.0f;
        }
      }
    }
  }
}
void ToChannelsByHand(Matrix out, const Matrix &in) {
  const index_t pixels = in.size(0) * in.size(1) / kChannels;
  TwiceTransposed(out.dptr_, in.dptr_, kChannels, pixels);
}
void ToPixelsByHand(Matrix out, const Matrix &in) {
  const index_t pixels = in.size(0) * in.size(1) / kChannels;
  TwiceTransposed(out.dptr_, in.dptr_, pixels, kChannels);
}

void ForcesByHand(Matrix out, const Matrix &in) {
  constexpr index_t kLanes = 16;  // sums that a compiler may keep in a register
  const index_t count = in.size(1);
  const float *const x = in.dptr_;
  for (index_t i = 0; i < count; ++i) {
    float sums[kLanes] = {};
    for (index_t j = 0; j < count; j += kLanes) {  // counts are multiples of kLanes, or less
      for (index_t lane = 0; lane < (count < kLanes ? count : kLanes); ++lane) {
        const float far = x[j + lane] - x[i];
        sums[lane] += far / (far * far + 1.0f);
      }
    }
    out.dptr_[i] = 0;
    for (const float sum : sums) out.dptr_[i] += sum;
  }
}

/// A square matrix of 8 rows or more as a tensor of five dimensions.
Tensor<cpu, 5, float> AsFive(const Matrix &matrix) {
  const index_t n = matrix.size(0);
  return Tensor<cpu, 5, float>(matrix.dptr_, Shape5(2, n / 4, 2, 2, n / 2));
}

void NormaliseByHand(Matrix out, const Matrix &in) {
  const Shape<5> shape = AsFive(in).shape_;
  const index_t cols = shape[4];
  const float share = 1.0f / static_cast<float>(shape[1] * shape[3]);
  static std::vector<float> mean, root;
  mean.assign(static_cast<size_t>(shape[0] * shape[2] * cols), 0.0f);
  root.assign(mean.size(), 0.0f);
  const auto for_each_row = [&](auto step) {
    index_t row = 0;
    for (index_t a = 0; a < shape[0]; ++a) {
      for (index_t b = 0; b < shape[1]; ++b) {
        for (index_t c = 0; c < shape[2]; ++c) {
          const size_t at = static_cast<size_t>((a * shape[2] + c) * cols);
          for (index_t d = 0; d < shape[3]; ++d, ++row) {
            step(in.dptr_ + row * cols, out.dptr_ + row * cols, &mean[at], &root[at]);
          }
        }
      }
    }
  };
  using Row = float *__restrict;
  for_each_row([cols](const float *x, Row, Row sum, Row) {
    for (index_t i = 0; i < cols; ++i) sum[i] += x[i];
  });
  for (float &value : mean) value *= share;
  for_each_row([cols](const float *x, Row, Row middle, Row sum) {
    for (index_t i = 0; i < cols; ++i) sum[i] += (x[i] - middle[i]) * (x[i] - middle[i]);
  });
  for (float &value : root) value = std::sqrt(value * share + 1.0f);
  for_each_row([cols](const float *x, Row y, Row middle, Row divisor) {
    for (index_t i = 0; i < cols; ++i) y[i] = (x[i] - middle[i]) / divisor[i];
  });
}

constexpr Pair kByHand[] = {
    {"flip", [](Matrix out, const Matrix &in) { views::Flip(out, in); }, FlipByHand},
    {"stencil of crops of a pad", [](Matrix out, const Matrix &in) { views::Stencil(out, in); },
     StencilByHand},
    {"concat of slices", [](Matrix out, const Matrix &in) { views::Swap(out, in); }, SwapByHand},
    {"transposed", [](Matrix out, const Matrix &in) { views::Transposed(out, in); },
     TransposedByHand},
    {"transposed, scaled rows", [](Matrix out, const Matrix &in) { views::ScaledRows(out, in); },
     ScaledRowsByHand, true},
    {"transposed, pixels to channels",
     [](Matrix out, const Matrix &in) { views::ToChannels(AsPlanes(out), AsPixels(in)); },
     ToChannelsByHand},
    {"transposed, channels to pixels",
     [](Matrix out, const Matrix &in) { views::ToPixels(AsPixels(out), AsPlanes(in)); },
     ToPixelsByHand},
    {"sums over all pairs", [](Matrix out, const Matrix &in) { views::Forces(out[0], in[0]); },
     ForcesByHand, true},
    {"two dimensions of five",
     [](Matrix out, const Matrix &in) { views::Normalise(AsFive(out), AsFive(in)); },
     NormaliseByHand, true},
    {"broadcast_to",
     [](Matrix out, const Matrix &in) {
       views::Spread(out, in, by_hand::Small(in, 1, in.size(1)));
     },
     by_hand::Spread},
    {"upsampling", [](Matrix out, const Matrix &in) { views::Upsample(out, by_hand::Half(in)); },
     by_hand::Upsample},
    {"reshape",
     [](Matrix out, const Matrix &in) {
       views::Reshape(by_hand::Small(out, 2 * out.size(0), out.size(1) / 2), in);
     },
     by_hand::Reshape},
    {"repeat, by a reshape",
     [](Matrix out, const Matrix &in) {
       views::Repeat(out, by_hand::Small(in, in.size(0), in.size(1) / 2));
     },
     by_hand::Repeat},
    {"take", [](Matrix out, const Matrix &in) { views::Take(out, in, by_hand::RowsOf(in)); },
     by_hand::Take},
    {"take of rows of eight",
     [](Matrix out, const Matrix &in) {
       const Matrix table = by_hand::Narrow(in);
       views::Take(by_hand::Narrow(out), table, by_hand::RowsOf(table));
     },
     [](Matrix out, const Matrix &in) {
       by_hand::Take(by_hand::Narrow(out), by_hand::Narrow(in));
     }},
    {"one-hot", [](Matrix out, const Matrix &in) { views::OneHot(out, in, by_hand::RowsOf(in)); },
     by_hand::OneHot},
    {"range", [](Matrix out, const Matrix &in) { views::Count(out, in); }, by_hand::Count},
    {"maxima of 2 x 2",
     [](Matrix out, const Matrix &in) { views::MaxOfFour(by_hand::Half(out), in); },
     by_hand::MaxOfFour},
    {"their gradient",
     [](Matrix out, const Matrix &in) {
       views::MaxOfFourGrad(out, in, by_hand::Pooled(in), by_hand::GradOf(in));
     },
     by_hand::MaxOfFourGrad},
    {"maxima of 3 x 3, a layer's",
     [](Matrix out, const Matrix &in) { views::KnownLayer(by_hand::Half(out), in); },
     by_hand::Layer},
    {"their gradient, a layer's",
     [](Matrix out, const Matrix &in) {
       views::KnownLayerGrad(out, in, by_hand::Pooled(in), by_hand::GradOf(in));
     },
     by_hand::LayerGrad, true},
    {"a layer's as the launch says",
     [](Matrix out, const Matrix &in) { views::Layer(by_hand::Half(out), in, 3, 2, 1); },
     by_hand::Layer},
    {"their gradient, a launch's",
     [](Matrix out, const Matrix &in) {
       views::LayerGrad(out, in, by_hand::Pooled(in), by_hand::GradOf(in), 3, 2, 1);
     },
     by_hand::LayerGrad, true},
    {"gradient of dilated windows",
     [](Matrix out, const Matrix &in) { views::DilatedGrad(out, in, in, in); },
     by_hand::DilatedGrad},
    {"the same, a launch's",
     [](Matrix out, const Matrix &in) {
       views::LaunchDilatedGrad(out, in, in, in, 3, 1, 2, 2);
     },
     by_hand::DilatedGrad},
    {"maxima of columns",
     [](Matrix out, const Matrix &in) { views::MaxOfColumns(by_hand::Half(out), in); },
     by_hand::MaxOfColumns},
    {"maxima of what is computed",
     [](Matrix out, const Matrix &in) { views::MaxOfComputed(by_hand::Half(out), in); },
     by_hand::MaxOfComputed},
    {"maxima in another shape",
     [](Matrix out, const Matrix &in) {
       views::ShapeOfMaxima(Matrix(out.dptr_, Shape2(in.size(0) / 4, in.size(1))), in);
     },
     by_hand::MaxOfFour},
    {"arithmetic in views", [](Matrix out, const Matrix &in) { views::Arithmetic(out, in); },
     by_hand::Arithmetic},
    {"sums of 3 x 3 of a pad", [](Matrix out, const Matrix &in) { views::SumOfNine(out, in); },
     by_hand::SumOfNine, true},
    {"sums over channels",
     [](Matrix out, const Matrix &in) {
       views::Channels(by_hand::AsChannels(out), by_hand::AsChannels(in));
     },
     by_hand::Channels, true},
    {"patches as columns",
     [](Matrix out, const Matrix &in) {
       views::Unpack(by_hand::AsPatches(out), by_hand::AsImage(in));
     },
     by_hand::Unpack},
    {"columns as patches",
     [](Matrix out, const Matrix &in) {
       views::Pack(by_hand::AsImage(out), by_hand::AsPatches(in));
     },
     by_hand::Pack, true},
};

double Seconds(void (*rule)(Matrix, const Matrix &), const Matrix &out, const Matrix &in,
               int calls) {
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) rule(out, in);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The median over the rounds; which of the two is first changes.
double Ratio(const Pair &pair, const Matrix &out, const Matrix &in) {
  constexpr int kRounds = 51;
  const int calls = std::max(1, (1 << 20) / static_cast<int>(in.shape_.Size()));
  std::vector<double> ratios;
  for (int round = 0; round < kRounds; ++round) {
    const bool rule_first = round % 2 == 0;
    const double first = Seconds(rule_first ? pair.rule : pair.other, out, in, calls);
    const double second = Seconds(rule_first ? pair.other : pair.rule, out, in, calls);
    ratios.push_back(rule_first ? second / first : first / second);
  }
  std::nth_element(ratios.begin(), ratios.begin() + kRounds / 2, ratios.end());
  return ratios[kRounds / 2];
}

std::vector<float> ResultOf(void (*rule)(Matrix, const Matrix &), const Matrix &out,
                            const Matrix &in) {
  std::fill(out.dptr_, out.dptr_ + out.shape_.Size(), 0.0f);
  rule(out, in);
  return std::vector<float>(out.dptr_, out.dptr_ + out.shape_.Size());
}

/// Whether the two give the same bits; where they sum in different orders, nearly the same.
bool Agree(const Pair &pair, const Matrix &out, const Matrix &in) {
  const std::vector<float> one = ResultOf(pair.rule, out, in),
                           other = ResultOf(pair.other, out, in);
  if (!pair.sums) return std::memcmp(one.data(), other.data(), one.size() * sizeof(float)) == 0;
  return std::equal(one.begin(), one.end(), other.begin(),
                    [](float a, float b) { return std::abs(a - b) <= 1e-3f * (1 + std::abs(a)); });
}

template <size_t kCount>
bool Compare(const char *title, const Pair (&pairs)[kCount], const char *filter) {
  std::printf("%-32s%10s\n", title, "rows");
  for (const Pair &pair : pairs) {
    if (std::strstr(pair.name, filter) == nullptr) continue;
    for (const index_t rows :
         {index_t{8}, index_t{64}, index_t{128}, index_t{1024}, index_t{4096}}) {
      std::vector<float> from(static_cast<size_t>(rows * rows)), to(from.size());
      for (size_t i = 0; i < from.size(); ++i) from[i] = static_cast<float>(i % 100) / 25 - 2;
      const Matrix in(from.data(), Shape2(rows, rows)), out(to.data(), in.shape_);
      if (!Agree(pair, out, in)) {
        std::printf("%s: the two differ\n", pair.name);
        return false;
      }
      std::printf("%-32s%10d%10.2f\n", pair.name, static_cast<int>(rows), Ratio(pair, out, in));
    }
  }
  return true;
}

}  // namespace

/// \param argv[1] a part of the names to compare; without it, all
int main(int argc, char **argv) {
  SetNumThreads(1);
  const char *const filter = argc > 1 ? argv[1] : "";
  const bool agree = Compare("fixed rank / any rank", kRanks, filter);
  return agree && Compare("loop by hand / rule", kByHand, filter) ? 0 : 1;
}
