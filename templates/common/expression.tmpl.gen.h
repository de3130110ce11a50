{{doc}}
/// This is an expression, whose operands are tensors or expressions.
{{template}}
{{signature}}
  {{assertion}}
  {{plan_type}} plan{};
{{#has_scalars}}
  {{set_scalars}}
{{/has_scalars}}
  {{make}}
}
