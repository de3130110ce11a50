/// One launch of {{rule}}: addresses, strides and scalars.
template <{{typenames}}>
class Plan<{{rule_type}}, {{types}}> {
 public:
{{#has_kept}}
  /// The workspace between the passes: {{what_kept}}.
  struct Kept {
    {{kept}}
  };

{{/has_kept}}
  {{members}}
{{#has_map}}

  /// Computes element (row, column), for the runtime's generic MapPlan.
  void Map(index_t row, index_t column) const {
    {{map}}
  }
{{/has_map}}
{{#is_expression}}

  {{expression}}
{{/is_expression}}
};
