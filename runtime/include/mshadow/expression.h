// SPDX-License-Identifier: Apache-2.0
/// \file expression.h
/// What the statements of a rule consist of: expressions, the functions and operators that make
/// them, and assignments.
#ifndef MSHADOW_EXPRESSION_H_
#define MSHADOW_EXPRESSION_H_

#include "mshadow/expr/compare.h"
#include "mshadow/expr/info.h"
#include "mshadow/expr/nodes.h"
#include "mshadow/expr/operators.h"
#include "mshadow/expr/rvalue.h"

#endif  // MSHADOW_EXPRESSION_H_
