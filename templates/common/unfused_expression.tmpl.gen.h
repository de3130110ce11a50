{{template}}
{{signature}}
  {{call}}
}
