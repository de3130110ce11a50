/// The arguments of {{rule}}.
{{args_template}}
struct {{rule}}Args {
  {{fields}}
};

// {{stem}}.gen.cc: check the arguments, compute the scalars, run.
{{declarations}}

{{doc}}
{{template}}
{{signature}}
  {{assertion}}
  {{call}}
}
