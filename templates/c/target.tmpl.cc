{{banner}}

#include "{{base}}_c.h"

{{includes}}
#include <mshadow/c_call.h>

{{functions}}
