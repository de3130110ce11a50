{{doc}}
/// This is an expression: of tensors, or of whatever is made of them.
{{template}}
{{signature}}
  {{assertion}}
  {{plan_type}} plan{};
{{#has_scalars}}
  {{set_scalars}}
{{/has_scalars}}
  {{make}}
}
