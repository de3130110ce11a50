/// {{rule}} over one set of tensors: views, and apart from them the scalars.
template <{{typenames}}>
class Plan<{{rule_type}}, {{types}}> {
 public:
{{#has_kept}}
  /// What is kept from one sweep to the next: {{what_kept}}.
  struct Kept {
    {{kept}}
  };

{{/has_kept}}
  {{members}}
{{#has_map}}

  /// Element (row, column), for the runtime's generic MapPlan.
  void Map(index_t row, index_t column) const {
    {{map}}
  }
{{/has_map}}
{{#is_expression}}

  {{expression}}
{{/is_expression}}
};
