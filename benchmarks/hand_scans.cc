// SPDX-License-Identifier: Apache-2.0
// Recurrences and cumulative sums along rows, each as the loop that one writes by hand.
#include <numeric>

#include "hand.h"

namespace mshadow_bench {
namespace {

void ExponentialAverage(const Call &call, int64_t begin, int64_t end) {
  const float decay = Scalars(call)(), share = 1.0f - decay;
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written out = call.tensors[0] + at;
    Read in = call.tensors[1] + at;
    float average = 0.0f;
    for (int64_t i = 0; i < call.cols; ++i) {
      average = decay * average + share * in[i];
      out[i] = average;
    }
  });
}

void SelectiveScan(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Written out = call.tensors[0] + at, state = call.tensors[1] + at;
    Read in = call.tensors[2] + at, step = call.tensors[3] + at;
    Read b = call.tensors[4] + at, c = call.tensors[5] + at;
    const float rate = call.tensors[6][r];
    for (int64_t i = 0; i < call.cols; ++i) state[i] = std::exp(step[i] * rate);
    float h = 0.0f;
    for (int64_t i = 0; i < call.cols; ++i) {
      h = state[i] * h + step[i] * b[i] * in[i];
      state[i] = h;
      out[i] = c[i] * h;
    }
  });
}

void AdvantageEstimate(const Call &call, int64_t begin, int64_t end) {
  Scalars s(call);
  const float discount = s(), decay = discount * s();
  ForEachRow(call, begin, end, [&](int64_t, int64_t at) {
    Written advantage = call.tensors[0] + at;
    Read reward = call.tensors[1] + at, value = call.tensors[2] + at;
    Read next = call.tensors[3] + at, going = call.tensors[4] + at;
    float later = 0.0f;
    for (int64_t i = call.cols; i-- > 0;) {
      later = reward[i] + discount * going[i] * next[i] - value[i] + decay * going[i] * later;
      advantage[i] = later;
    }
  });
}

void SampleCategorical(const Call &call, int64_t begin, int64_t end) {
  ForEachRow(call, begin, end, [&](int64_t r, int64_t at) {
    Read logits = call.tensors[1] + at;
    const float top = Largest(logits, call.cols);
    Written sums = Scratch(call.cols);
    for (int64_t i = 0; i < call.cols; ++i) sums[i] = std::exp(logits[i] - top);
    std::inclusive_scan(sums, sums + call.cols, sums);
    const float level = sums[call.cols - 1] * call.tensors[2][r];
    int64_t sample = 0;
    while (sample < call.cols && sums[sample] <= level) ++sample;
    call.tensors[0][r] = static_cast<float>(sample);
  });
}

}  // namespace

std::vector<Contender> HandScans() {
  return {{"ExponentialAverage", ExponentialAverage},
          {"SelectiveScan", SelectiveScan},
          {"AdvantageEstimate", AdvantageEstimate},
          {"SampleCategorical", SampleCategorical}};
}

}  // namespace mshadow_bench
