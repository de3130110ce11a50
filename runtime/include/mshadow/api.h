// SPDX-License-Identifier: Apache-2.0
/// \file api.h
/// All of the expression API. Code written for mshadow includes tensor.h, which brings more.
#ifndef MSHADOW_API_H_
#define MSHADOW_API_H_

#include "mshadow/base.h"
#include "mshadow/expression.h"
#include "mshadow/extension.h"
#include "mshadow/layout.h"
#include "mshadow/shape.h"
#include "mshadow/tensor_view.h"

#ifdef __MSHADOW_GEN__  // the generator reads what rules say, it does not run them
#include "mshadow/gen_functions.h"
#else
#include "mshadow/dot_engine.h"
#include "mshadow/exception.h"
#include "mshadow/expr_engine.h"
#include "mshadow/indexing.h"
#include "mshadow/io.h"
#include "mshadow/isnan.h"
#include "mshadow/logging.h"
#include "mshadow/packet_plan.h"
#include "mshadow/parallel.h"
#include "mshadow/products.h"
#include "mshadow/random.h"
#include "mshadow/random_gpu.h"
#include "mshadow/softmax.h"
#include "mshadow/sort.h"
#include "mshadow/stream.h"
#include "mshadow/stream_gpu.h"
#include "mshadow/tensor_blob.h"
#include "mshadow/tensor_container.h"
#include "mshadow/tensor_cpu.h"
#include "mshadow/tensor_gpu.h"
#endif

#endif  // MSHADOW_API_H_
