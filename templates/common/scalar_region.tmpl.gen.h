// The formulas, compiled for one element at a time.
namespace {{scalar_namespace}} {
#include <mshadow/packet/scalar_names.inc>
{{#row_buffers}}
#include <mshadow/packet/row_buffer.inc>
{{/row_buffers}}
{{#views}}
#include <mshadow/packet/scalar_views.inc>
{{/views}}
#include "{{stem}}.map.inc"
}  // namespace {{scalar_namespace}}
