// SPDX-License-Identifier: Apache-2.0
/// \file pad.h
/// mshadow's name for a part of tensor.h, for code that includes it.
#include "mshadow/tensor.h"
