{{banner}}

#undef MSHADOW_UNFUSED  // this file always has the fused rules
#include "{{stem}}.gen.h"

{{#has_products}}
#include <mshadow/emitted/launch_product.h>
{{/has_products}}
{{#has_scatters}}
#include <mshadow/emitted/launch_scatter.h>
{{/has_scatters}}
{{#has_sorts}}
#include <mshadow/emitted/launch_sort.h>
{{/has_sorts}}
{{#has_leaves}}
#include <mshadow/emitted/leaves.h>
{{/has_leaves}}
{{#is_staged}}
#include <mshadow/emitted/stage_memory.h>
{{/is_staged}}
#include <mshadow/packet/{{begin}}.h>  // to the end of the file: no contraction, no fast math

{{body}}
