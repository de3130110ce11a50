/// The formula, of an element of each operand.
{{eval}}
  {{element}} {{result}};
  Plan one;
  {{one_fields}}
  {{one_element}}
  return {{result}};
}

/// The same of n neighbours in memory, in packets. Only the CPU does this.
{{run}}
  Plan run;
  {{fields}}
  run.rows = 1;
  run.cols = n;
  {{function}}(run);
}
