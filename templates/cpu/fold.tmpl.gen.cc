// Short rows: runs several as one row, with a copy for each of the values that all rows share.
{{call}}
if (fold > 1) {
  {{copies}}
  auto folded = plan;
  folded.cols = fold * plan.cols;
  {{strides}}
  {{assigned}}
  return {{work}}(plan).Run(&folded);
}
