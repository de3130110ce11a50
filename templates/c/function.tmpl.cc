{{signature}} {
  return mshadow::CallFromC("{{rule}}", [&] {
    {{call}}
  });
}
{{packed}} {
  return mshadow::CallPacked({{name}}, arguments);
}
