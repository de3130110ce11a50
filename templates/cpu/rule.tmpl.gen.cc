{{#has_scalars}}
/// The scalars of one launch of {{rule}}.
{{prepare_template}}
{{prepare_signature}}
  {{prepare_body}}
  return s;
}

{{/has_scalars}}
/// The loop of {{rule}} for an instruction set.
{{loop_template}}
auto {{rule}}LoopFor([[maybe_unused]] mshadow::Isa isa) {
{{#isas}}
#if {{macro}}
  {{isa_return}}
#endif
{{/isas}}
  return {{baseline_loop}};
}

{{template}}
{{cpu_signature}}
  // Memory that one element moves.
  constexpr index_t kBytes = {{bytes}};
  const mshadow::Isa isa = {{chosen_isa}};
  {{chosen_loop}}
{{#by_element}}
  mshadow::ParallelFor(plan.rows * plan.cols, kBytes, loop, &plan);
{{/by_element}}
{{#row_wise}}
  mshadow::ParallelFor(plan.rows, plan.cols * kBytes, loop, &plan);
{{/row_wise}}
}

{{#cuda}}
#if MSHADOW_USE_CUDA
{{template}}
{{gpu_signature}}
  Launch{{rule}}Kernel(plan, stream);
}
#else
{{/cuda}}
{{template}}
{{no_gpu_signature}}
  mshadow::NoCuda("{{rule}}");
}
{{#cuda}}
#endif
{{/cuda}}

/// Checks the arguments, and if there is anything to do does it.
{{run_template}}
{{run_signature}}
  mshadow::LaunchCheck check("{{rule}}", device);
  {{checks}}
  const mshadow::LaunchShape shape = check.Run();
{{#by_element}}
  if (shape.Size() == 0) return;
{{/by_element}}
{{#row_wise}}
  if (shape.rows == 0) return;
{{/row_wise}}

  // In as few cache lines as can be: other threads fetch them.
  alignas(64) {{plan_type}} plan;
  {{plan_fields}}
  RunPlan(device, plan, shape.stream);
}
