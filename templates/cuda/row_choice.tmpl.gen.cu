/// {{rule}} on the GPU of the stream.
{{template}}
{{signature}}
  {{kernel}}
  mshadow::cuda::{{launch}}("{{rule}}", kernel, plan, stream);
}
