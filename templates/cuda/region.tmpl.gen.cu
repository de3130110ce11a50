#include <mshadow/packet/device_names.inc>
{{#row_buffers}}
#include <mshadow/packet/row_buffer.inc>
{{/row_buffers}}
{{#views}}
#include <mshadow/packet/device_views.inc>
{{/views}}
#include "{{stem}}.map.inc"
