/// What {{rule}} reads as {{what}}.
{{template}}
struct {{maker}} {
  {{signature}}
    {{sources}}
    return {{expression}};
  }
};
