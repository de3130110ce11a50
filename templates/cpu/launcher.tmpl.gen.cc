{{signature}}
  {{body}}
}
