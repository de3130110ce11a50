/// Runs two kernels of {{rule}}. If that is faster, the one over rows computes
/// the leaves of the other's reductions, while it has the elements in registers.
{{template}}
{{signature}}
  // Bytes that the kernel over rows moves for each element.
  constexpr index_t kBytes = {{bytes}};
  if (may_have_leaves && mshadow::LeavesPay(device, columns->columns, kBytes)) {
    columns->parts = mshadow::LeavesOf(columns->columns);
    const index_t size =
        columns->parts.count * mshadow::LeafWidth(device, columns->columns.size());
    mshadow::LaunchMemory memory = mshadow::MemoryForLeaves(device, stream);
    {{memory}}
    rows->has_leaves = true;
    {{run_rows}}
    {{run_columns}}
    return;
  }
  {{in_order}}
}

