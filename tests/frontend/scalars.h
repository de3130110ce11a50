// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace specs {
using namespace mshadow;
using namespace mshadow::expr;

inline float Decayed(float rate, int step) {
  if (step > 10) return rate * 0.5f;
  return rate;
}

/// What is computed once per launch.
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Scalars(Tensor<xpu, dim, DType> out, float lr, const double &momentum, int step,
                            bool nesterov, int64_t count) {
  float rate = Decayed(lr, step);
  if (nesterov) {
    rate *= 1.0f - static_cast<float>(momentum);
    const float unused = rate;
    rate += unused;
  } else if (step == 0) {
    rate = 0.0f;
  }
  lr = rate * math::pow(0.9f, step);
  const index_t n = out.size(0) * out.shape_[0] + out.shape_.Size() - out.size(dim - 2);
  auto shape = out.shape_;
  int half = step / 2;
  half += 1;
  ++half;
  const int ratio = count != 0 ? static_cast<int>(shape.Size() / count) : 0;
  const DType scale = DType(0.1) * static_cast<DType>(n);
  out += rate * static_cast<float>(half) + lr;
  out *= scale + static_cast<DType>(ratio);
}
MSHADOW_INSTANTIATE(Scalars, float, double);
}  // namespace specs
