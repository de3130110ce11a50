/// Describes {{rule}} to programs that list rules or call them by name.
struct {{rule}}Rule {
  {{instances}}
  using Param = mshadow::ParamInfo;
  static constexpr Param kParams[] = {
      {{params}}
  };
  {{info}}

  /// Calls the rule. tensors[i] points to the Tensor for the i-th tensor parameter, scalars[i] has
  /// the value for the i-th scalar parameter.
  {{call_template}}
  static void Call(void *const *tensors, const double *{{scalars}}) {
    {{call}}
  }
};
