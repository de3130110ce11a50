// SPDX-License-Identifier: Apache-2.0
#include "mshadow/tensor.h"
