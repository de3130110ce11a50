// SPDX-License-Identifier: Apache-2.0
/// \file fused.h
/// The header that emitted headers include: tensors, launch checks, Plans, and functions of single
/// elements.
#ifndef MSHADOW_FUSED_H_
#define MSHADOW_FUSED_H_

#include "mshadow/base.h"
#include "mshadow/detail/stream.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/detail/workspace.h"
#include "mshadow/emitted/channels.h"
#include "mshadow/emitted/choose.h"
#include "mshadow/emitted/float_environment.h"
#include "mshadow/emitted/launch.h"
#include "mshadow/emitted/listed.h"
#include "mshadow/emitted/named_rows.h"
#include "mshadow/emitted/parts.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/emitted/reshaped.h"
#include "mshadow/emitted/row_fold.h"
#include "mshadow/emitted/run_plan.h"
#include "mshadow/emitted/types.h"
#include "mshadow/functions.h"
#include "mshadow/isa.h"
#include "mshadow/parallel.h"
#include "mshadow/rule_info.h"
#include "mshadow/streaming.h"

#endif  // MSHADOW_FUSED_H_
