{{#has_scalars}}
{{prepare}}

{{/has_scalars}}
{{#in_one}}
/// The loop that runs a Plan, and how much work it does.
{{template}}
{{work_signature}}
  constexpr index_t kBytes = {{bytes}};  // moved for each element
  {{set_elements}}
{{#names_isa}}
  const mshadow::Isa isa = {{chosen_isa}};
{{/names_isa}}
  {{chosen_loop}}
  {{work_return}}
}

{{/in_one}}
{{#runs}}
/// Runs a Plan on a CPU.
{{template}}
{{cpu_signature}}
{{#folds}}
  {{fold}}
  {{work}}(plan).Run(&plan);
{{/folds}}
{{#in_chunks}}
{{#names_isa}}
  const mshadow::Isa isa = {{chosen_isa}};
{{/names_isa}}
  {{chosen_loop}}
  auto run = plan;
  {{set_parts}}
  mshadow::LaunchMemory memory;
  {{kept}}
  {{run_chunks}}
{{/in_chunks}}
{{#by_phase}}
  auto run = plan;
  typename {{plan_type}}::Kept kept;
  run.kept = &kept;
{{#names_isa}}
  const mshadow::Isa isa = {{chosen_isa}};
{{/names_isa}}
  {{run_phases}}
{{/by_phase}}
}

{{/runs}}
{{#is_expression}}
/// Runs the loop on the calling thread, for the few elements that a larger expression asks for.
{{template}}
{{here_signature}}
{{#names_isa}}
  const mshadow::Isa isa = mshadow::ActiveIsa();
{{/names_isa}}
  {{chosen_loop}}
  mshadow::expr::CallLoop(loop, plan);
}

{{/is_expression}}
{{#is_stage}}
/// Checks the arguments and fills the Plan. If the shape is empty, there is nothing to run.
{{run_template}}
{{plan_signature}}
{{#has_parts}}
  {{parts}}
{{/has_parts}}
{{#compares_shapes}}
  {{shape_checks}}
{{/compares_shapes}}
  mshadow::LaunchCheck check("{{title}}", device);
  {{checks}}
{{#views}}
  {{view_checks}}
{{/views}}
  const mshadow::LaunchShape shape = {{run_call}};
{{#names_rows}}
  {{row_checks}}
{{/names_rows}}
{{#gathers}}
  {{column_checks}}
{{/gathers}}
  {{plan_type}} plan;
  {{plan_fields}}
  *to = plan;
  return shape;
}
{{/is_stage}}
{{#is_whole}}
/// Checks the arguments, and runs the kernel unless the tensors are empty.
{{run_template}}
{{run_signature}}
  {{arguments}}
{{#takes_scalars}}
  {{takes}}
{{/takes_scalars}}
{{#has_parts}}
  {{parts}}
{{/has_parts}}
{{#compares_shapes}}
  {{shape_checks}}
{{/compares_shapes}}
  mshadow::LaunchCheck check("{{rule}}", device);
  {{checks}}
{{#views}}
  {{view_checks}}
{{/views}}
  const mshadow::LaunchShape shape = {{run_call}};
{{#names_rows}}
  {{row_checks}}
{{/names_rows}}
{{#asks_for_shape}}
  if (shape{{count}} == 0) return;
{{/asks_for_shape}}
{{#gathers}}
  {{column_checks}}
{{/gathers}}

  // In as few cache lines as possible: other threads read the Plan.
  alignas(64) {{plan_type}} plan;
  {{plan_fields}}
{{#plan_counts}}
  if (plan{{plan_count}} == 0) return;
{{/plan_counts}}
  {{run_plan}}
}
{{/is_whole}}
