{{banner}}

#undef MSHADOW_UNFUSED  // this file always has the fused rules
#include "{{stem}}.blob.h"
#include "{{stem}}.gen.h"

{{entries}}
