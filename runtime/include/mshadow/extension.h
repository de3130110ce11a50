// SPDX-License-Identifier: Apache-2.0
/// \file extension.h
/// All expressions beyond the core's, but rows (extension/rows.h), which mshadow does not have.
#ifndef MSHADOW_EXTENSION_H_
#define MSHADOW_EXTENSION_H_

#include "mshadow/extension/broadcast.h"
#include "mshadow/extension/broadcast_scalar.h"
#include "mshadow/extension/reduce_all.h"
#include "mshadow/extension/reduce_to_1d.h"
#include "mshadow/extension/scan.h"
#ifdef __MSHADOW_GEN__
#include "mshadow/spec/index.h"
#include "mshadow/spec/views.h"
#else
#include "mshadow/extension/broadcast_with_axis.h"
#include "mshadow/extension/channel_pool.h"
#include "mshadow/extension/complex.h"
#include "mshadow/extension/concat.h"
#include "mshadow/extension/crop_pad.h"
#include "mshadow/extension/flip.h"
#include "mshadow/extension/implicit_dot.h"
#include "mshadow/extension/index.h"
#include "mshadow/extension/patch2col.h"
#include "mshadow/extension/pool.h"
#include "mshadow/extension/random.h"
#include "mshadow/extension/range.h"
#include "mshadow/extension/reduce_with_axis.h"
#include "mshadow/extension/reshape.h"
#include "mshadow/extension/slice.h"
#include "mshadow/extension/transpose.h"
#endif

#endif  // MSHADOW_EXTENSION_H_
