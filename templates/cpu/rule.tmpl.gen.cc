{{#has_scalars}}
/// The scalars of one launch of {{rule}}.
{{prepare_template}}
{{prepare_signature}}
  {{prepare_body}}
  return s;
}

{{/has_scalars}}
/// The loop of {{rule}} for this processor.
{{loop_template}}
auto {{rule}}LoopFor() {
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
  {{chosen_loop}}
  mshadow::ParallelFor(plan.rows * plan.cols, kBytes, loop, &plan);
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
  if (shape.Size() == 0) return;

  {{plan_type}} plan;
  {{plan_fields}}
  RunPlan(device, plan, shape.stream);
}
