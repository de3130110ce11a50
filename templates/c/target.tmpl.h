{{banner}}
#ifndef {{guard}}
#define {{guard}}

#include <mshadow/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

// A function whose name ends in _packed is the one above it, with the arguments in an array.

{{functions}}

#ifdef __cplusplus
}
#endif

#endif  // {{guard}}
