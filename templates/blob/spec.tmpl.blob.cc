{{banner}}

#undef MSHADOW_UNFUSED  // this file is the fused side, whatever its users choose
#include "{{stem}}.blob.h"
#include "{{stem}}.gen.h"

{{entries}}
