/// The arguments of {{rule}}.
{{args_template}}
struct {{rule}}Args {
  {{fields}}
};

/// In {{stem}}.gen.cc: checks and runs a call. For cpu_list it adds the call to a list.
{{launch_template}}
{{declaration}}

{{doc}}
{{template}}
{{signature}}
  {{assertion}}
  {{call}}
}
