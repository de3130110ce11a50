// SPDX-License-Identifier: Apache-2.0
/// \file expression.h
/// What can be written: expressions, the functions and operators that make them, assignments.
#ifndef MSHADOW_EXPRESSION_H_
#define MSHADOW_EXPRESSION_H_

#include "mshadow/expr_compare.h"
#include "mshadow/expr_info.h"
#include "mshadow/expr_nodes.h"
#include "mshadow/expr_operators.h"
#include "mshadow/expr_rvalue.h"

#endif  // MSHADOW_EXPRESSION_H_
