// SPDX-License-Identifier: Apache-2.0
// Losses of elements, of pairs of rows and of classes, each as the loop that one writes by hand.
#include "hand.h"

namespace mshadow_bench {
namespace {

float Softplus(float x) { return Max(x, 0.0f) + std::log1p(std::exp(-std::fabs(x))); }
float Sigmoid(float x) { return 1.0f / (1.0f + std::exp(-x)); }

/// Tensor 0 by f(x, y) of tensors 1 and 2.
template <typename F>
void Elements(const Call &call, int64_t begin, int64_t end, const F &f) {
  Written out = call.tensors[0];
  Read x = call.tensors[1], y = call.tensors[2];
  for (int64_t i = begin; i < end; ++i) out[i] = f(x[i], y[i]);
}

void BinaryCrossEntropyWithLogits(const Call &call, int64_t begin, int64_t end) {
  const float more = Scalars(call)() - 1.0f;
  Elements(call, begin, end,
           [=](float x, float y) { return (1.0f - y) * x + (1.0f + more * y) * Softplus(-x); });
}

void BinaryCrossEntropyWithLogitsGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float weight = s(), scale = s();
  Elements(call, begin, end, [=](float x, float y) {
    return scale * ((1.0f + (weight - 1.0f) * y) * Sigmoid(x) - weight * y);
  });
}

void SigmoidFocalLoss(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float alpha = s(), gamma = s();
  Elements(call, begin, end, [=](float x, float y) {
    const float z = x * (2.0f * y - 1.0f), weight = (1.0f - alpha) + (2.0f * alpha - 1.0f) * y;
    return weight * std::pow(Sigmoid(-z), gamma) * Softplus(-z);
  });
}

void SigmoidFocalLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float alpha = s(), gamma = s(), scale = s();
  Elements(call, begin, end, [=](float x, float y) {
    const float sign = 2.0f * y - 1.0f, weight = (1.0f - alpha) + (2.0f * alpha - 1.0f) * y;
    const float q = Sigmoid(-x * sign);
    return -scale * sign * weight * std::pow(q, gamma) *
           (q + gamma * (1.0f - q) * Softplus(-x * sign));
  });
}

void HingeLoss(const Call &call, int64_t begin, int64_t end) {
  const float margin = Scalars(call)();
  Elements(call, begin, end, [=](float x, float y) { return Max(margin - y * x, 0.0f); });
}

void HingeLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), scale = s();
  Elements(call, begin, end, [=](float x, float y) { return y * x < margin ? -scale * y : 0.0f; });
}

void KlDiv(const Call &call, int64_t begin, int64_t end) {
  Elements(call, begin, end,
           [](float x, float y) { return y == 0.0f ? 0.0f : y * (std::log(y) - x); });
}

void KlDivGrad(const Call &call, int64_t begin, int64_t end) {
  const float scale = Scalars(call)();
  Written out = call.tensors[0];
  Read label = call.tensors[1];
  for (int64_t i = begin; i < end; ++i) out[i] = -scale * label[i];
}

void QuantileLoss(const Call &call, int64_t begin, int64_t end) {
  const float quantile = Scalars(call)();
  Elements(call, begin, end,
           [=](float x, float y) { return Max(quantile * (y - x), (quantile - 1.0f) * (y - x)); });
}

void QuantileLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float quantile = s(), scale = s();
  Elements(call, begin, end, [=](float x, float y) {
    return y < x ? scale * (1.0f - quantile) : y > x ? -scale * quantile : 0.0f;
  });
}

/// Sums of the row's probabilities and labels: of products and of both.
struct Overlap {
  float both, total;
};
Overlap OverlapOf(Read x, Read y, Written p, int64_t cols) {
  for (int64_t i = 0; i < cols; ++i) p[i] = Sigmoid(x[i]);
  return {Sum(cols, [&](int64_t i) { return p[i] * y[i]; }),
          Sum(cols, [&](int64_t i) { return p[i] + y[i]; })};
}

void DiceLoss(const Call &call, int64_t begin, int64_t end) {
  const float smooth = Scalars(call)();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    const Overlap o =
        OverlapOf(call.tensors[1] + at, call.tensors[2] + at, Scratch(call.cols), call.cols);
    call.tensors[0][r] = 1.0f - (2.0f * o.both + smooth) / (o.total + smooth);
  });
}

void DiceLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float smooth = s(), scale = s();
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read y = call.tensors[2] + at;
    const Overlap o = OverlapOf(call.tensors[1] + at, y, dx, call.cols);
    const float inverse = 1.0f / (o.total + smooth), share = (2.0f * o.both + smooth) * inverse;
    for (int64_t i = 0; i < call.cols; ++i) {
      dx[i] = dx[i] * (1.0f - dx[i]) * (share - 2.0f * y[i]) * (scale * inverse);
    }
  });
}

void DistillationTrain(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float temperature = s(), scale = s(), inverse = 1.0f / temperature;
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[1] + at, e = Scratch(call.cols);
    Read x = call.tensors[2] + at, t = call.tensors[3] + at;
    const float top = Largest(x, call.cols), top_t = Largest(t, call.cols);
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = std::exp(inverse * (x[i] - top));
    for (int64_t i = 0; i < call.cols; ++i) e[i] = std::exp(inverse * (t[i] - top_t));
    const float sum = Sum(call.cols, [&](int64_t i) { return dx[i]; });
    const float sum_t = Sum(call.cols, [&](int64_t i) { return e[i]; });
    const float mean = Sum(call.cols, [&](int64_t i) {
      return e[i] * (inverse * (t[i] - top_t) - inverse * (x[i] - top));
    });
    call.tensors[0][r] =
        temperature * temperature * (mean / sum_t + std::log(sum) - std::log(sum_t));
    for (int64_t i = 0; i < call.cols; ++i) {
      dx[i] = scale * temperature * (dx[i] / sum - e[i] / sum_t);
    }
  });
}

float SquaredDistance(Read a, Read b, float eps, int64_t cols) {
  return Sum(cols, [&](int64_t i) { return Square(a[i] - b[i] + eps); });
}

void ContrastiveLoss(const Call &call, int64_t begin, int64_t end) {
  const float margin = Scalars(call)();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    const float square =
        SquaredDistance(call.tensors[1] + at, call.tensors[2] + at, 0.0f, call.cols);
    const float y = call.tensors[3][r], missing = Max(margin - std::sqrt(square), 0.0f);
    call.tensors[0][r] = 0.5f * (y * square + (1.0f - y) * missing * missing);
  });
}

void ContrastiveLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), scale = s();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written da = call.tensors[0] + at, db = call.tensors[1] + at;
    Read a = call.tensors[2] + at, b = call.tensors[3] + at;
    const float d = std::sqrt(SquaredDistance(a, b, 0.0f, call.cols)), y = call.tensors[4][r];
    const float push = d == 0.0f ? 0.0f : Max(margin - d, 0.0f) / d;
    const float factor = scale * (y - (1.0f - y) * push);
    for (int64_t i = 0; i < call.cols; ++i) {
      da[i] = factor * (a[i] - b[i]);
      db[i] = -da[i];
    }
  });
}

void TripletMarginLoss(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), eps = s();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read a = call.tensors[1] + at;
    const float near = std::sqrt(SquaredDistance(a, call.tensors[2] + at, eps, call.cols));
    const float far = std::sqrt(SquaredDistance(a, call.tensors[3] + at, eps, call.cols));
    call.tensors[0][r] = Max(near - far + margin, 0.0f);
  });
}

void TripletMarginLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), eps = s(), scale = s();
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written da = call.tensors[0] + at, dp = call.tensors[1] + at, dn = call.tensors[2] + at;
    Read a = call.tensors[3] + at, p = call.tensors[4] + at, n = call.tensors[5] + at;
    const float near = std::sqrt(SquaredDistance(a, p, eps, call.cols));
    const float far = std::sqrt(SquaredDistance(a, n, eps, call.cols));
    const float counts = near - far + margin > 0.0f ? scale : 0.0f;
    const float to_p = near == 0.0f ? 0.0f : counts / near;
    const float to_n = far == 0.0f ? 0.0f : counts / far;
    for (int64_t i = 0; i < call.cols; ++i) {
      const float u = (a[i] - p[i] + eps) * to_p, v = (a[i] - n[i] + eps) * to_n;
      da[i] = u - v;
      dp[i] = -u;
      dn[i] = v;
    }
  });
}

/// Products of two rows with each other and with themselves.
struct Products {
  float ab, aa, bb;
};
Products ProductsOf(Read a, Read b, int64_t cols) {
  return {Sum(cols, [&](int64_t i) { return a[i] * b[i]; }),
          Sum(cols, [&](int64_t i) { return a[i] * a[i]; }),
          Sum(cols, [&](int64_t i) { return b[i] * b[i]; })};
}

void CosineEmbeddingLoss(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), eps = s();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    const Products p = ProductsOf(call.tensors[1] + at, call.tensors[2] + at, call.cols);
    const float cosine = p.ab / std::sqrt((p.aa + eps) * (p.bb + eps));
    call.tensors[0][r] = call.tensors[3][r] > 0.0f ? 1.0f - cosine : Max(cosine - margin, 0.0f);
  });
}

void CosineEmbeddingLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), eps = s(), scale = s();
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written da = call.tensors[0] + at, db = call.tensors[1] + at;
    Read a = call.tensors[2] + at, b = call.tensors[3] + at;
    const Products p = ProductsOf(a, b, call.cols);
    const float inverse = 1.0f / std::sqrt((p.aa + eps) * (p.bb + eps)), cosine = p.ab * inverse;
    const float sign = call.tensors[4][r] > 0.0f ? -scale : cosine > margin ? scale : 0.0f;
    const float of_a = sign * cosine / (p.aa + eps), of_b = sign * cosine / (p.bb + eps);
    for (int64_t i = 0; i < call.cols; ++i) {
      da[i] = b[i] * (sign * inverse) - a[i] * of_a;
      db[i] = a[i] * (sign * inverse) - b[i] * of_b;
    }
  });
}

void SmoothedSparseSoftmaxCrossEntropy(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float ignored = s(), smoothing = s(), share = smoothing / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read x = call.tensors[1] + at;
    const float label = call.tensors[2][r], top = Largest(x, call.cols);
    const float total = Sum(call.cols, [&](int64_t i) { return std::exp(x[i] - top); });
    const float all = Sum(call.cols, [&](int64_t i) { return x[i] - top; });
    const float own = x[static_cast<int64_t>(label)] - top;
    call.tensors[0][r] =
        label == ignored ? 0.0f : std::log(total) - (1.0f - smoothing) * own - share * all;
  });
}

void SmoothedSparseSoftmaxCrossEntropyGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float ignored = s(), smoothing = s(), scale = s();
  const float share = smoothing / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read x = call.tensors[1] + at;
    const float label = call.tensors[2][r], top = Largest(x, call.cols);
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = std::exp(x[i] - top);
    const float total = Sum(call.cols, [&](int64_t i) { return dx[i]; });
    const float factor = label == ignored ? 0.0f : scale;
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = factor * (dx[i] / total - share);
    if (factor != 0.0f) dx[static_cast<int64_t>(label)] -= factor * (1.0f - smoothing);
  });
}

void MultiMarginLoss(const Call &call, int64_t begin, int64_t end) {
  const float margin = Scalars(call)(), share = 1.0f / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read x = call.tensors[1] + at;
    const float own = margin - x[static_cast<int64_t>(call.tensors[2][r])];
    const float all = Sum(call.cols, [&](int64_t i) { return Max(x[i] + own, 0.0f); });
    call.tensors[0][r] = share * (all - Max(margin, 0.0f));
  });
}

void MultiMarginLossGrad(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float margin = s(), share = s() / static_cast<float>(call.cols);
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written dx = call.tensors[0] + at;
    Read x = call.tensors[1] + at;
    const auto label = static_cast<int64_t>(call.tensors[2][r]);
    const float own = margin - x[label];
    for (int64_t i = 0; i < call.cols; ++i) dx[i] = x[i] + own > 0.0f ? 1.0f : 0.0f;
    dx[label] = 0.0f;
    const float count = Sum(call.cols, [&](int64_t i) { return dx[i]; });
    for (int64_t i = 0; i < call.cols; ++i) dx[i] *= share;
    dx[label] = -share * count;
  });
}

}  // namespace

std::vector<Contender> HandLosses() {
  return {{"BinaryCrossEntropyWithLogits", BinaryCrossEntropyWithLogits},
          {"BinaryCrossEntropyWithLogitsGrad", BinaryCrossEntropyWithLogitsGrad},
          {"SigmoidFocalLoss", SigmoidFocalLoss},
          {"SigmoidFocalLossGrad", SigmoidFocalLossGrad},
          {"HingeLoss", HingeLoss},
          {"HingeLossGrad", HingeLossGrad},
          {"KlDiv", KlDiv},
          {"KlDivGrad", KlDivGrad},
          {"QuantileLoss", QuantileLoss},
          {"QuantileLossGrad", QuantileLossGrad},
          {"DiceLoss", DiceLoss},
          {"DiceLossGrad", DiceLossGrad},
          {"DistillationTrain", DistillationTrain},
          {"ContrastiveLoss", ContrastiveLoss},
          {"ContrastiveLossGrad", ContrastiveLossGrad},
          {"TripletMarginLoss", TripletMarginLoss},
          {"TripletMarginLossGrad", TripletMarginLossGrad},
          {"CosineEmbeddingLoss", CosineEmbeddingLoss},
          {"CosineEmbeddingLossGrad", CosineEmbeddingLossGrad},
          {"SmoothedSparseSoftmaxCrossEntropy", SmoothedSparseSoftmaxCrossEntropy},
          {"SmoothedSparseSoftmaxCrossEntropyGrad", SmoothedSparseSoftmaxCrossEntropyGrad},
          {"MultiMarginLoss", MultiMarginLoss},
          {"MultiMarginLossGrad", MultiMarginLossGrad}};
}

}  // namespace mshadow_bench
