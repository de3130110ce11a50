// The formulas, here for one element at a time.
namespace {{scalar_namespace}} {
using namespace mshadow::packet::scalar;
{{#views}}
#include <mshadow/packet/scalar_views.inc>
{{/views}}
#include "{{stem}}.map.inc"
}  // namespace {{scalar_namespace}}
