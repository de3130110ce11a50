{{banner}}

#undef MSHADOW_UNFUSED  // this file is the fused side, whatever its users choose
#include "{{stem}}.gen.h"

{{#calls_libm}}
#include <math.h>
{{/calls_libm}}
{{#reduces_channels}}
#include <mshadow/cuda/channel_team.cuh>
{{/reduces_channels}}
{{#reduces_columns}}
#include <mshadow/cuda/column_team.cuh>
{{/reduces_columns}}
#include <mshadow/cuda/kernel.cuh>
{{#reduces_all}}
#include <mshadow/cuda/part_team.cuh>
{{/reduces_all}}
{{#reduces_rows}}
#include <mshadow/cuda/row_team.cuh>
{{/reduces_rows}}

{{body}}
