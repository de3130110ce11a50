// SPDX-License-Identifier: Apache-2.0
// expected: must leave MSHADOW_XINLINE as config.h defines it
#ifdef MUST_FAIL
#define MSHADOW_XINLINE inline
#endif
#include <mshadow/packet/begin_strict.h>
