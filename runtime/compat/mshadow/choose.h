// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/choose.h"
