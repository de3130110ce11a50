{{signature}} {
  return mshadow::CallFromC("{{rule}}", [&] {
    {{call}}
  });
}
