{{signature}}
  {{start_widest}}(plan, stream);
}
