/// Launches {{rule}} on the stream's GPU.
{{template}}
{{signature}}
  {{kernel}}
  mshadow::cuda::{{launch}}("{{rule}}", kernel, plan, stream);
}
