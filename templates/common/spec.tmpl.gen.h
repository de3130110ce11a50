{{banner}}
#ifndef {{guard}}
#define {{guard}}

#include <mshadow/gen_revision.h>
#if MSHADOW_GEN_REVISION_MIN > {{revision}} || MSHADOW_GEN_REVISION_MAX < {{revision}}
#error "{{file}} has code revision {{revision}}, which these mshadow headers do not accept: generate it anew"
#endif
#include <mshadow/rule_info.h>
#include <mshadow/types.h>

#ifdef MSHADOW_UNFUSED  // for debugging: the rules run unfused, under their own names
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
#include <mshadow/formula_exp.h>
{{/expressions}}
#include <mshadow/fused.h>
{{#ranked_views}}
#include <mshadow/ranked_view.h>
{{/ranked_views}}
{{#views}}
#include <mshadow/view.h>
{{headers}}
{{/views}}

{{fused}}

#endif  // MSHADOW_UNFUSED

{{rules}}

#endif  // {{guard}}
