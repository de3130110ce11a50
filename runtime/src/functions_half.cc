// SPDX-License-Identifier: Apache-2.0
#define MSHADOW_ELEMENT half::half_t
#include "functions_of_type.inc"
