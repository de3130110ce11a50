/// {{rule}} on the GPU of the stream: a launch for each phase.
{{template}}
{{signature}}
  {{launch}}
  {{launches}}
}
