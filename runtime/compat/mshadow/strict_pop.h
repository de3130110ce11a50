// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/strict_pop.h"
