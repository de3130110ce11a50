/// Launches the kernels of {{rule}} on the stream's GPU, one for each pass or epilogue.
{{template}}
{{signature}}
  {{launch}}
  {{launches}}
}
