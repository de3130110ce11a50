// {{stem}}.gen.cc: check the arguments, compute the scalars, run.
{{declarations}}

{{doc}}
{{template}}
{{signature}}
  {{assertion}}
  {{call}}
}
