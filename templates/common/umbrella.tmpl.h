{{banner}}
#ifndef {{guard}}
#define {{guard}}

{{includes}}

{{#wrap}}
namespace {{wrap_path}} {

{{/wrap}}
/// The rules of this target, in the order of its specs.
{{rules}}

{{#wrap}}
}  // namespace {{wrap_path}}

{{/wrap}}
#endif  // {{guard}}
