// SPDX-License-Identifier: Apache-2.0
// Quotients by a Divisor, bit for bit those of the scalar region, which divides: of numbers of
// every size, of those whose quotients are nearest to where roundings change, and beside what has
// to be divided.
#define MSHADOW_TEST_CASES "divisor_cases.inc"
#define MSHADOW_TEST_SUITE Divisor
#include <sstream>

#include "dividends.h"
#include "regions.inc"
