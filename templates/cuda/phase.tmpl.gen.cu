{{#takes}}
if (team.does_only({{phase}})) {
  {{parts}}
}
{{/takes}}
if (team.does({{phase}})) {
  {{body}}
}
{{#leaves}}
if (team.does_only({{phase}})) {
  {{parts}}
}
{{/leaves}}
