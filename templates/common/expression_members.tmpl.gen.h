/// The formula for one element of each operand.
{{eval}}
  {{element}} {{result}};
  Plan one;
  {{one_fields}}
  {{one_element}}
  return {{result}};
}

/// The same for n elements that follow each other in memory, in packets; CPUs only.
{{run}}
  Plan run;
  {{fields}}
  run.rows = 1;
  run.cols = n;
  {{function}}(run);
}
