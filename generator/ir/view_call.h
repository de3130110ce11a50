// SPDX-License-Identifier: Apache-2.0
/// \file view_call.h
/// The text of a view as the calls that it is made of.
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
  /// Of a function of mshadow's its name without namespaces, of any other function its whole name;
  /// "." in front of a member's; "[]" of an index; "*" and so on of an operator.
  std::string name;
  std::vector<std::string> template_args;
  std::vector<ViewCall> args;  ///< of a member, and an index, the object first
};

/// The calls of `view`; nothing if there is something else in it, such as an operator.
std::optional<ViewCall> ParseViewCall(const View &view);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_VIEW_CALL_H_
