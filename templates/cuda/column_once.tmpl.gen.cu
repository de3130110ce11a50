{{#reduces}}
if (team.does_only({{phase}})) {
  {{parts}}
}
{{/reduces}}
if (team.does({{phase}})) {
  {{call}}
}
