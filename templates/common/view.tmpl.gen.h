{{what}}
{{template}}
struct {{maker}} {
{{#for_any_rank}}
  template <int {{rank}}>
{{/for_any_rank}}
  {{signature}}
    {{sources}}
    {{expression}}
  }
};
