/// Describes {{rule}} to programs that list rules or call them by name.
struct {{rule}}Rule {
  {{instances}}
  using Param = mshadow::ParamInfo;
  static constexpr Param kParams[] = {
      {{params}}
  };
  {{info}}

  /// Calls the rule with pointers to its Tensors and with its scalars, in the order of parameters.
  {{call_template}}
  static void Call(void *const *tensors, const double *{{scalars}}) {
    {{call}}
  }
};
