// SPDX-License-Identifier: Apache-2.0
#define MSHADOW_ELEMENT float
#include "functions_of_type.inc"
