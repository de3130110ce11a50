// SPDX-License-Identifier: Apache-2.0
// expected: expected one tensor for each tensor parameter of the rule, in the rule's order
#include <mshadow/list.h>
#include <mshadow/tensor.h>

using namespace mshadow;  // NOLINT

struct ScaleRule {
  using Instances = TypeList<Types<float>, Types<double>>;
  static constexpr ParamInfo kParams[] = {ParamInfo::Tensor("out").OfParam(0),
                                          ParamInfo::Tensor("in").OfParam(0)};
  static constexpr RuleInfo kInfo = RuleInfo::Of("Scale", "toy", "toy.h", kParams);
  template <typename xpu, int dim, typename DType>
  static void Call(void *const *, const double *) {}
};

Tensor<cpu, 2> a, b;
Tensor<cpu, 2, double> c;

void Run() {
  RuleList list;
#ifdef MUST_FAIL
  list.Group<ScaleRule>().Add(a, c);
#else
  list.Group<ScaleRule>().Add(a, b);
#endif
}
