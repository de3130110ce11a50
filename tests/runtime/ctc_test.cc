// SPDX-License-Identifier: Apache-2.0
// Connectionist temporal classification (Graves, Fernandez, Gomez and Schmidhuber 2006), as one
// would write it with mshadow: tensors in one workspace, the softmax over the alphabet by
// expressions that reduce and broadcast, the recursion over time by rows. Held against the sum over
// all alignments.
#include <algorithm>
#include <cmath>
#include <vector>

#include "testing.h"

namespace {
using namespace testing_runtime;

struct exponential {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    return DType(expf(static_cast<float>(a)));
  }
};
struct logarithm {
  template <typename DType>
  MSHADOW_XINLINE static DType Map(DType a) {
    return DType(logf(static_cast<float>(a)));
  }
};

constexpr float kNever = -1e30f;  // a probability of 0, as a logarithm
float LogPlus(float a, float b) {
  const float top = std::max(a, b);
  return top <= kNever ? kNever : top + std::log(std::exp(a - top) + std::exp(b - top));
}

/// Loss and gradient of activations of shape (time, batch, alphabet); symbol 0 is the blank.
template <typename xpu>
class CtcLoss {
 public:
  CtcLoss(const Tensor<xpu, 3> &acts, std::vector<float> *workspace) : shape_(acts.shape_) {
    workspace->resize(2 * acts.shape_.Size());
    float *at = workspace->data();
    log_probs_ = Tensor<xpu, 3>(at, shape_, acts.stream_);
    grad_ = Tensor<xpu, 3>(at + shape_.Size(), shape_, acts.stream_);
    const index_t alphabet = shape_[2];
    // An expression may not reduce what it is assigned to: the gradient's memory serves first.
    grad_ = acts - broadcast_with_axis(reduce_with_axis<red::maximum, false>(acts, 2), 1, alphabet);
    log_probs_ =
        grad_ -
        broadcast_with_axis(
            F<logarithm>(reduce_with_axis<red::sum, false>(F<exponential>(grad_), 2)), 1, alphabet);
    grad_ = F<exponential>(log_probs_);
  }

  /// -log of the probability of \p labels in sequence \p n; its derivatives go into gradient().
  float Run(index_t n, const std::vector<int> &labels) {
    std::vector<int> path(1, 0);  // blanks around and between the labels
    for (const int label : labels) path.insert(path.end(), {label, 0});
    const index_t length = static_cast<index_t>(path.size());
    TensorContainer<xpu, 2> alpha(Shape2(shape_[0], length), kNever), beta(alpha);
    Sweep(n, path, alpha, [](index_t t) { return t; });
    std::reverse(path.begin(), path.end());
    Sweep(n, path, beta, [this](index_t t) { return shape_[0] - 1 - t; });
    std::reverse(path.begin(), path.end());
    beta = flip(flip(TensorContainer<xpu, 2>(beta), 0), 1);
    const Tensor<xpu, 1> last = alpha[shape_[0] - 1];
    const float total = length > 1 ? LogPlus(last[length - 1], last[length - 2]) : last[length - 1];
    for (index_t t = 0; t < shape_[0]; ++t) {
      TensorContainer<xpu, 1> share(Shape1(shape_[2]), kNever);
      for (index_t s = 0; s < length; ++s) {
        share[path[s]] = LogPlus(share[path[s]], alpha[t][s] + beta[t][s]);
      }
      grad_[t][n] -= F<exponential>(share - log_probs_[t][n] - total);
    }
    return -total;
  }
  const Tensor<xpu, 3> &gradient() const { return grad_; }

 private:
  /// Row t: log of the probability of the path's first symbols in the first frames, in \p frame's
  /// order.
  template <typename Frame>
  void Sweep(index_t n, const std::vector<int> &path, Tensor<xpu, 2> log_prob, Frame frame) {
    for (index_t t = 0; t < shape_[0]; ++t) {
      const Tensor<xpu, 1> emitted = log_probs_[frame(t)][n];
      Tensor<xpu, 1> row = log_prob[t];
      for (index_t s = 0; s < row.size(0); ++s) {
        float before = s < 2 && t == 0 ? 0.0f : kNever;
        if (t > 0) {
          const Tensor<xpu, 1> last = log_prob[t - 1];
          before = last[s];
          if (s > 0) before = LogPlus(before, last[s - 1]);
          if (s > 1 && path[s] != 0 && path[s] != path[s - 2])
            before = LogPlus(before, last[s - 2]);
        }
        row[s] = before <= kNever ? kNever : before + emitted[path[s]];
      }
    }
  }

  Shape<3> shape_;
  Tensor<xpu, 3> log_probs_, grad_;
};

/// The probability of \p labels: of all strings of a symbol for each frame that become them when
/// equal neighbours are merged and blanks left out.
double SumOfAlignments(const Tensor<cpu, 2> &acts, const std::vector<int> &labels) {
  const index_t frames = acts.size(0), alphabet = acts.size(1);
  std::vector<int> symbols(static_cast<size_t>(frames), 0);
  double sum = 0;
  for (;;) {
    std::vector<int> merged;
    double probability = 1;
    for (index_t t = 0; t < frames; ++t) {
      const int symbol = symbols[static_cast<size_t>(t)];
      if (symbol != 0 && (t == 0 || symbol != symbols[static_cast<size_t>(t) - 1])) {
        merged.push_back(symbol);
      }
      double total = 0;
      for (index_t a = 0; a < alphabet; ++a) total += std::exp(static_cast<double>(acts[t][a]));
      probability *= std::exp(static_cast<double>(acts[t][symbol])) / total;
    }
    if (merged == labels) sum += probability;
    size_t t = 0;
    while (t < symbols.size() && ++symbols[t] == alphabet) symbols[t++] = 0;
    if (t == symbols.size()) return sum;
  }
}

TEST(Ctc, LossAndGradientAreThoseOfAllAlignments) {
  const index_t frames = 5, batch = 3, alphabet = 3;
  TensorContainer<cpu, 3> acts(Shape3(frames, batch, alphabet));
  Random<cpu> random(1);
  random.SampleGaussian(&acts, 0, 1.5f);
  const std::vector<std::vector<int>> labels = {{1, 2}, {2, 2}, {}};
  std::vector<float> workspace;
  CtcLoss<cpu> ctc(acts, &workspace);
  const auto loss = [&](index_t n) {
    TensorContainer<cpu, 2> one(Shape2(frames, alphabet));
    for (index_t t = 0; t < frames; ++t) Copy(one[t], acts[t][n]);
    return -std::log(SumOfAlignments(one, labels[static_cast<size_t>(n)]));
  };
  for (index_t n = 0; n < batch; ++n) {
    EXPECT_NEAR(ctc.Run(n, labels[static_cast<size_t>(n)]), loss(n), 1e-5) << n;
    for (index_t t = 0; t < frames; ++t) {
      for (index_t a = 0; a < alphabet; ++a) {
        const float was = acts[t][n][a], step = 1e-2f;
        acts[t][n][a] = was + step;
        double slope = loss(n);
        acts[t][n][a] = was - step;
        slope -= loss(n);
        acts[t][n][a] = was;
        EXPECT_NEAR(ctc.gradient()[t][n][a], slope / (2 * static_cast<double>(step)), 1e-4)
            << n << ' ' << t << ' ' << a;
      }
    }
  }
}

}  // namespace
