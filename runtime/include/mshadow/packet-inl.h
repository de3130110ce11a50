// SPDX-License-Identifier: Apache-2.0
/// \file packet-inl.h
/// A header of the original mshadow, for code that includes it by this name. All of it is in
/// tensor.h.
#include "mshadow/tensor.h"
