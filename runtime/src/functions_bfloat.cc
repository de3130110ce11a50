// SPDX-License-Identifier: Apache-2.0
#define MSHADOW_ELEMENT bfloat::bf16_t
#include "functions_of_type.inc"
