{{banner}}

#undef MSHADOW_UNFUSED  // this file is the fused side, whatever its users choose
#include "{{stem}}.gen.h"

#include <mshadow/packet/begin_strict.h>  // to the end of the file: no contraction, no fast math

{{body}}
