// SPDX-License-Identifier: Apache-2.0
/// \file extension.h
/// All expressions beyond the core's.
#ifndef MSHADOW_EXTENSION_H_
#define MSHADOW_EXTENSION_H_

#include "mshadow/extension/broadcast.h"
#ifndef __MSHADOW_GEN__
#include "mshadow/extension/reduce_to_1d.h"
#endif

#endif  // MSHADOW_EXTENSION_H_
