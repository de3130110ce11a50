{{signature}}
  {{start}}(plan, stream);
}
