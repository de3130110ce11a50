/// Launches {{rule}} on the stream's GPU.
{{template}}
{{signature}}
  {{kernel}}
{{#keeps}}
  using Kept = typename {{plan_type}}::Kept;
{{/keeps}}
  {{launch}}
}
