/// The formula, of an element of each operand.
{{eval}}
  {{element}} {{result}};
  {{step}}
  return {{result}};
}

/// The same of n neighbours in memory, in packets. Only the CPU does this, and only where the
/// formula takes longer than a call.
static constexpr bool kInPackets = {{in_packets}};
{{run}}
  Plan run;
  {{fields}}
  run.rows = 1;
  run.cols = n;
  {{function}}(run);
}
