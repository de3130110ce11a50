/// Computes the scalars of one launch of {{rule}}.
{{template}}
{{signature}}
  {{body}}
  return s;
}
