{{banner}}

#include "{{base}}_c.h"

{{includes}}
#include <mshadow/emitted/c_call.h>

{{functions}}
