{{banner}}
#ifndef {{guard}}
#define {{guard}}

{{includes}}

{{#wrap}}
namespace {{wrap_path}} {

{{/wrap}}
/// The rules of all specs, in the order of the specs.
{{rules}}

{{#wrap}}
}  // namespace {{wrap_path}}

{{/wrap}}
#endif  // {{guard}}
