/// Launches {{what}} on the stream's GPU.
{{template}}
{{signature}}
  {{launch}}
}
{{instances}}
