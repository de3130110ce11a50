using namespace mshadow::packet::device;
#include "{{stem}}.map.inc"
