using mshadow::index_t;

// The loops, once for each instruction set.

namespace baseline {
#include <mshadow/packet/baseline.inc>
{{#reduces_columns}}
#include <mshadow/packet/columns.inc>
{{/reduces_columns}}
{{#reduces_rows}}
#include <mshadow/packet/rows.inc>
{{/reduces_rows}}
{{#has_rows}}
#include <mshadow/packet/rows_in_packets.inc>
{{/has_rows}}
{{#reduces_all}}
#include <mshadow/packet/parts_in_packets.inc>
{{/reduces_all}}
{{#row_buffers}}
#include <mshadow/packet/row_buffer.inc>
{{/row_buffers}}
{{#views}}
#include <mshadow/packet/views.inc>
{{/views}}
#include "{{stem}}.map.inc"
#include "{{stem}}.loop.inc"
}  // namespace baseline
{{#isas}}

#if {{macro}}
#include <mshadow/packet/begin_{{isa}}.inc>
namespace {{isa}} {
#include <mshadow/packet/{{isa}}.inc>
{{#reduces_columns}}
#include <mshadow/packet/columns.inc>
{{/reduces_columns}}
{{#reduces_rows}}
#include <mshadow/packet/rows.inc>
{{/reduces_rows}}
{{#has_rows}}
#include <mshadow/packet/rows_in_packets.inc>
{{/has_rows}}
{{#reduces_all}}
#include <mshadow/packet/parts_in_packets.inc>
{{/reduces_all}}
{{#row_buffers}}
#include <mshadow/packet/row_buffer.inc>
{{/row_buffers}}
{{#views}}
#include <mshadow/packet/views.inc>
{{/views}}
#include "{{stem}}.map.inc"
#include "{{stem}}.loop.inc"
}  // namespace {{isa}}
#include <mshadow/packet/end_isa.inc>
#endif
{{/isas}}
