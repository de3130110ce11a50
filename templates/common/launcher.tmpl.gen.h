/// The arguments of {{rule}}.
{{args_template}}
struct {{rule}}Args {
  {{fields}}
};

// In {{stem}}.gen.cc. They check the arguments, compute the scalars and run the kernels.
{{declarations}}

{{doc}}
{{template}}
{{signature}}
  {{assertion}}
  {{call}}
}
