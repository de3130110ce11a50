/// {{rule}} on the GPU of the stream.
{{template}}
void {{start}}(const {{plan_type}} &plan, void *stream) {
  {{kernel}}
  mshadow::cuda::{{launch}}("{{rule}}", kernel, plan, stream);
}
