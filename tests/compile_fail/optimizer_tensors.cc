// SPDX-License-Identifier: Apache-2.0
// expected: expected one tensor for each tensor parameter that the optimizer does not allocate
#include <mshadow/optim.h>
#include <mshadow/tensor.h>

using namespace mshadow;  // NOLINT

struct MomentumRule {
  using Instances = TypeList<Types<float>, Types<double>>;
  static constexpr ParamInfo kParams[] = {ParamInfo::Tensor("weight").OfParam(0).Parameter(),
                                          ParamInfo::Tensor("sum").OfParam(0).State().Value(0),
                                          ParamInfo::Tensor("grad").OfParam(0).Gradient()};
  static constexpr RuleInfo kInfo = RuleInfo::Of("Momentum", "toy", "toy.h", kParams);
  template <typename xpu, int dim, typename DType>
  static void Call(void *const *, const double *) {}
};

Tensor<cpu, 2> weight, grad;
Tensor<cpu, 1> vector;

void Run() {
  Optimizer optimizer;
#ifdef MUST_FAIL
  optimizer.Group<MomentumRule>().Add(weight, vector);
#else
  optimizer.Group<MomentumRule>().Add(weight, grad);
#endif
}
