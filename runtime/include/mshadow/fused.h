// SPDX-License-Identifier: Apache-2.0
/// \file fused.h
/// What emitted headers include: tensors, the launch checks, Plans, one formula's scalar region.
#ifndef MSHADOW_FUSED_H_
#define MSHADOW_FUSED_H_

#include "mshadow/base.h"
#include "mshadow/channels.h"
#include "mshadow/choose.h"
#include "mshadow/float_environment.h"
#include "mshadow/functions.h"
#include "mshadow/isa.h"
#include "mshadow/launch.h"
#include "mshadow/launch_memory.h"
#include "mshadow/parallel.h"
#include "mshadow/parts.h"
#include "mshadow/plan.h"
#include "mshadow/row_fold.h"
#include "mshadow/rule_info.h"
#include "mshadow/stream.h"
#include "mshadow/streaming.h"
#include "mshadow/tensor_view.h"
#include "mshadow/types.h"

#endif  // MSHADOW_FUSED_H_
