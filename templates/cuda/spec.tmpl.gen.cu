{{banner}}

#undef MSHADOW_UNFUSED  // this file always has the fused rules
#include "{{stem}}.gen.h"

{{#calls_libm}}
#include <math.h>
{{/calls_libm}}
{{#channel_team}}
#include <mshadow/cuda/channel_team.cuh>
{{/channel_team}}
{{#column_team}}
#include <mshadow/cuda/column_team.cuh>
{{/column_team}}
#include <mshadow/cuda/kernel.cuh>
{{#part_team}}
#include <mshadow/cuda/part_team.cuh>
{{/part_team}}
{{#row_team}}
#include <mshadow/cuda/row_team.cuh>
{{/row_team}}

{{body}}
