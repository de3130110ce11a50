// SPDX-License-Identifier: Apache-2.0
#include "passes/traffic.h"

#include <algorithm>
#include <optional>

#include "ir/view_call.h"
#include "passes/view_table.h"

namespace mgen {
namespace {

bool IsBroadcast(const ViewCall &call) {
  return std::any_of(ViewRepeats().begin(), ViewRepeats().end(), [&call](const ViewRow &row) {
    return row.is_broadcast && call.name == row.name;
  });
}

/// Whether a part of a view reads tensors only within broadcasts.
bool OnlyBroadcasts(const View &view, const ViewCall &part) {
  if (part.operand >= 0) {
    const View::Operand &operand = view.operands.at(static_cast<size_t>(part.operand));
    return operand.kind != View::Operand::kTensor;
  }
  if (IsBroadcast(part)) return true;
  return std::all_of(part.args.begin(), part.args.end(),
                     [&view](const ViewCall &arg) { return OnlyBroadcasts(view, arg); });
}

}  // namespace

bool IsTraffic(const Param &param) {
  if (!param.view) return true;
  const std::optional<ViewCall> call = ParseViewCall(*param.view);
  return !param.is_drawn() && !(call && OnlyBroadcasts(*param.view, *call));
}

}  // namespace mgen
