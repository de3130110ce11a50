// SPDX-License-Identifier: Apache-2.0
/// \file view_call.h
/// Parses the text of a view into the calls of which it consists.
#ifndef MSHADOW_GENERATOR_IR_VIEW_CALL_H_
#define MSHADOW_GENERATOR_IR_VIEW_CALL_H_

#include <optional>
#include <string>
#include <vector>

#include "ir/view.h"

namespace mgen {

/// A call, or an operand of the view.
struct ViewCall {
  int operand = -1;  ///< index into View::operands; -1: a call
  /// The name of the function: for mshadow's functions without namespaces, for others in full. For
  /// a member function it begins with "."; for an index it is "[]", for an operator "*" and so on.
  std::string name;
  std::vector<std::string> template_args;
  std::string text;            ///< as in the view
  std::vector<ViewCall> args;  ///< for a member function or an index, the object comes first
};

/// The calls of `view`; nothing if its text contains anything else.
std::optional<ViewCall> ParseViewCall(const View &view);

/// The diagonal of a matrix, `mshadow::expr::diag($0)`, if a part is that, as a matrix of one
/// column: `mshadow::expr::broadcast_with_axis(mshadow::expr::diag($0), 0, 1)`. Nothing of other
/// views.
std::optional<ViewCall> DiagonalIn(const View &view);

/// The view as the spec has it: a diagonal that is written without the broadcast that makes it a
/// column.
View AsInSpec(const View &view);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_VIEW_CALL_H_
