{{banner}}
#ifndef {{guard}}
#define {{guard}}

#include <mshadow/emitted/revision.h>
#if MSHADOW_GEN_REVISION_MIN > {{revision}} || MSHADOW_GEN_REVISION_MAX < {{revision}}
#error "{{file}} has code revision {{revision}}, which these mshadow headers do not accept: generate it again with their mshadow-gen"
#endif
#include <mshadow/emitted/types.h>
#include <mshadow/rule_info.h>

#ifdef MSHADOW_UNFUSED  // for debugging: the unfused rules, under the same names
#include "{{spec}}"
{{unfused_names}}
{{#expressions}}

{{unfused_expressions}}

{{/expressions}}
#else
{{#needs_math_h}}
#include <math.h>
{{/needs_math_h}}
{{#expressions}}
#include <mshadow/emitted/formula_exp.h>
{{/expressions}}
#include <mshadow/emitted/fused.h>
{{#ranked_views}}
#include <mshadow/emitted/ranked_view.h>
{{/ranked_views}}
{{#views}}
#include <mshadow/emitted/view.h>
{{headers}}
{{/views}}

{{fused}}

#endif  // MSHADOW_UNFUSED

{{rules}}

#endif  // {{guard}}
