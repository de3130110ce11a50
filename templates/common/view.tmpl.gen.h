{{what}}
{{template}}
struct {{maker}} {
  {{signature}}
    {{sources}}
    {{expression}}
  }
};
