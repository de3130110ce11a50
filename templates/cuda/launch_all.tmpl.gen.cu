{{launch}}
{{launches}}
