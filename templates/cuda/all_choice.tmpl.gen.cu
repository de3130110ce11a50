/// {{rule}} on the GPU of the stream: a launch for each phase.
{{template}}
void {{start}}(const {{plan_type}} &plan, void *stream) {
  mshadow::cuda::PhaseLaunches<{{plan_type}}> launch("{{rule}}", plan, stream);
  {{launches}}
}
