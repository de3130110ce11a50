/// {{rule}} on the GPU of the stream.
{{template}}
{{signature}}
  {{kernel}}
{{#keeps}}
  using Kept = typename {{plan_type}}::Kept;
{{/keeps}}
  {{launch}}
}
