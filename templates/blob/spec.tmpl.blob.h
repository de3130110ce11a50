{{banner}}
#ifndef {{guard}}
#define {{guard}}

#include <mshadow/emitted/revision.h>
#if MSHADOW_GEN_REVISION_MIN > {{revision}} || MSHADOW_GEN_REVISION_MAX < {{revision}}
#error "{{file}} has code revision {{revision}}, which these mshadow headers do not accept: generate it again with their mshadow-gen"
#endif
{{#needs_math_h}}
#include <math.h>
{{/needs_math_h}}
#include <mshadow/emitted/instances.h>

{{entries}}

#endif  // {{guard}}
