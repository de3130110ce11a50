/// The arguments of {{rule}}.
{{args_template}}
struct {{rule}}Args {
  {{fields}}
};

/// In {{stem}}.gen.cc: runs a call on its device, cpu or gpu, or adds it to a list, cpu_list.
{{launch_template}}
{{declaration}}

{{doc}}
{{template}}
{{signature}}
  {{assertion}}
  {{call}}
}
