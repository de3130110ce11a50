// SPDX-License-Identifier: Apache-2.0
#include "mshadow/expr/half_plan.h"
