{{banner}}

#undef MSHADOW_UNFUSED  // this file always has the fused rules
#include "{{stem}}.gen.h"

{{#calls_libm}}
#include <math.h>
{{/calls_libm}}
{{words}}

{{body}}
