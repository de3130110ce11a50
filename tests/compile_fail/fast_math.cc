// SPDX-License-Identifier: Apache-2.0
// expected: which -ffast-math
#ifdef MUST_FAIL
#define __FAST_MATH__ 1
#endif
#include <mshadow/tensor.h>
