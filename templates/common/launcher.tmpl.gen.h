/// The arguments of {{rule}}.
{{args_template}}
struct {{rule}}Args {
  {{fields}}
};

/// In {{stem}}.gen.cc: checks the arguments and runs the kernels, on a cpu or gpu. For cpu_list it
/// adds the call to a list.
{{launch_template}}
{{declaration}}

{{doc}}
{{template}}
{{signature}}
  {{assertion}}
  {{call}}
}
