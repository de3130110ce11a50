// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/mixed_min_max.h"
