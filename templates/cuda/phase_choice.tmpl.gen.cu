/// {{rule}} on the GPU of the stream.
{{template}}
void {{start}}(const {{plan_type}} &plan, void *stream) {
  {{kernel}}
{{#keeps}}
  using Kept = typename {{plan_type}}::Kept;
{{/keeps}}
  {{launch}}
}
