// SPDX-License-Identifier: Apache-2.0
/// \file unpack_patch2col.h
/// Code written for mshadow includes this file for a part of tensor.h. Here it includes all of it.
#include "mshadow/tensor.h"
