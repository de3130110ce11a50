// SPDX-License-Identifier: Apache-2.0
/// \file api.h
/// The whole expression API. Code for the original mshadow includes tensor.h, which adds standard
/// headers.
#ifndef MSHADOW_API_H_
#define MSHADOW_API_H_

#include "mshadow/base.h"
#include "mshadow/detail/layout.h"
#include "mshadow/detail/shape.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/expression.h"
#include "mshadow/extension.h"

#ifdef __MSHADOW_GEN__  // the generator reads rules, but does not run them
#include "mshadow/spec/functions.h"
#else
#include "mshadow/detail/exception.h"
#include "mshadow/detail/indexing.h"
#include "mshadow/detail/isnan.h"
#include "mshadow/detail/products.h"
#include "mshadow/detail/random_gpu.h"
#include "mshadow/detail/softmax.h"
#include "mshadow/detail/sort.h"
#include "mshadow/detail/stream.h"
#include "mshadow/detail/stream_gpu.h"
#include "mshadow/detail/tensor_cpu.h"
#include "mshadow/detail/tensor_gpu.h"
#include "mshadow/expr/dot_engine.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/packet_plan.h"
#include "mshadow/io.h"
#include "mshadow/logging.h"
#include "mshadow/parallel.h"
#include "mshadow/random.h"
#include "mshadow/tensor_blob.h"
#include "mshadow/tensor_container.h"
#endif

#endif  // MSHADOW_API_H_
