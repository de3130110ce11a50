{{#is_tuned}}
constexpr int V = {{tuning}}.vectors;
{{/is_tuned}}
{{kernel}}
{{#keeps}}
using Kept = typename {{plan_type}}::Kept;
{{/keeps}}
{{#takes_leaves}}
if ({{for_leaves}}) {
  {{after_leaves}}
}
{{/takes_leaves}}
{{launch}}
