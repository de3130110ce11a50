// SPDX-License-Identifier: Apache-2.0
/// \file view_reader.h
/// The meaning of a view for the interpreter: its text is read, each function is a loop over
/// indices.
#ifndef MSHADOW_TESTS_EXECUTION_VIEW_READER_H_
#define MSHADOW_TESTS_EXECUTION_VIEW_READER_H_

#include <functional>

#include "interpreter.h"
#include "ir/view.h"

namespace mshadow_test {

/// What a view is made of.
struct ViewOperands {
  std::function<const Array &(int param)> array;
  std::function<Estimate(const mgen::Expr &value)> scalar;
  std::function<mgen::ScalarKind(mgen::Type type)> kind;
  int rank;  ///< of the tensors of a rule for any
};

/// \throws std::invalid_argument for a function that is not known here
Array ReadView(const mgen::View &view, const ViewOperands &operands);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_VIEW_READER_H_
