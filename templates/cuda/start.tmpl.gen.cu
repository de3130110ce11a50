/// Launches {{rule}} with vectors of N elements.
{{template}}
{{signature}}
  {{launch}}
}
