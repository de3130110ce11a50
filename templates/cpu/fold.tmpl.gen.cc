// Short rows: several at a time, beside as many copies of what is the same for all.
{{call}}
if (fold > 1) {
  {{copies}}
  auto folded = plan;
  folded.cols = fold * plan.cols;
  {{strides}}
  {{assigned}}
  return mshadow::ParallelFor(plan.rows * plan.cols, kBytes, loop, &folded);
}
