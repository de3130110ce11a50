/// Runs two kernels of {{rule}}. On a CPU the one over rows may also compute
/// the leaves of the other's reductions, while it has the elements in registers.
{{template}}
{{cpu_signature}}
  // Bytes that the kernel over rows moves for each element.
  constexpr index_t kBytes = {{bytes}};
  if (may_have_leaves && mshadow::LeavesPay(columns->columns, kBytes)) {
    columns->parts = mshadow::LeavesOf(columns->columns);
    const index_t size = columns->parts.count * columns->columns.size();
    mshadow::LaunchMemory memory;
    {{memory}}
    rows->has_leaves = true;
    RunPlan(device, *rows, stream);
    RunPlan(device, *columns, stream);
    return;
  }
  {{in_order}}
}
{{template}}
{{gpu_signature}}
  {{in_order}}
}

