/// What {{rule}} is, for tools.
struct {{rule}}Rule {
  {{instances}}
  using Param = mshadow::ParamInfo;
  static constexpr Param kParams[] = {
      {{params}}
  };
  {{info}}

  /// Calls the rule: tensors[i] points to the Tensor that is the i-th tensor parameter, scalars[i]
  /// is the i-th scalar parameter.
  {{call_template}}
  static void Call(void *const *tensors, const double *{{scalars}}) {
    {{call}}
  }
};
