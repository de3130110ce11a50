// SPDX-License-Identifier: Apache-2.0
#include "mshadow/expr/kept_scope.h"
