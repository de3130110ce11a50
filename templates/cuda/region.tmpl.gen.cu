using namespace mshadow::packet::device;
{{#views}}
#include <mshadow/packet/device_views.inc>
{{/views}}
#include "{{stem}}.map.inc"
