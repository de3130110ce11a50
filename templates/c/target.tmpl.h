{{banner}}
#ifndef {{guard}}
#define {{guard}}

#include <mshadow/c_api.h>

#ifdef __cplusplus
extern "C" {
#endif

{{functions}}

#ifdef __cplusplus
}
#endif

#endif  // {{guard}}
