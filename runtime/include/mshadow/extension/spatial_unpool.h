// SPDX-License-Identifier: Apache-2.0
/// \file spatial_unpool.h
/// Code written for mshadow includes this file for a part of tensor.h. Here it includes all of it.
#include "mshadow/tensor.h"
