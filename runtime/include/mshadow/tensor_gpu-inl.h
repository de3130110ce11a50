// SPDX-License-Identifier: Apache-2.0
/// \file tensor_gpu-inl.h
/// Code written for mshadow includes this file for a part of tensor.h. Here it includes all of it.
#include "mshadow/tensor.h"
