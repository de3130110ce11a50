{{template}}
{{signature}}
  {{start}}
}
{{instances}}
