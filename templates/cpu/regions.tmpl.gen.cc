using mshadow::index_t;

// The loops, compiled once for each instruction set.

namespace baseline {
#include <mshadow/packet/baseline.inc>
{{words}}
#include "{{stem}}.map.inc"
#include "{{stem}}.loop.inc"
}  // namespace baseline
{{#isas}}

#if {{macro}}
#include <mshadow/packet/begin_{{isa}}.inc>
namespace {{isa}} {
#include <mshadow/packet/{{isa}}.inc>
{{words}}
#include "{{stem}}.map.inc"
#include "{{stem}}.loop.inc"
}  // namespace {{isa}}
#include <mshadow/packet/end_isa.inc>
#else
namespace {{isa}} = baseline;
#endif
{{/isas}}
