// SPDX-License-Identifier: Apache-2.0
#include "passes/view_ranks.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace mgen {
namespace {

using Moved = IndexedRead::Moved;

/// A row for each function: what it does to what its first argument reads.
struct MoveRow {
  const char *function;
  Moved (*moved)(const Arguments &args);
};

/// The arguments from number \p first on, which are all numbers.
std::vector<Affine> NumbersFrom(const Arguments &args, size_t first) {
  std::vector<Affine> numbers;
  for (size_t i = first; i < args.count(); ++i) numbers.push_back(args.Number(i));
  return numbers;
}

/// Height and width, and unless it is cut from the middle, the first row and column.
Moved Crop(const Arguments &args) {
  Moved moved = {"Crop", {}, args.Shape(1).of};
  if (moved.numbers.size() != 2) throw Unknown();
  for (Affine &number : NumbersFrom(args, 2)) moved.numbers.push_back(std::move(number));
  return moved;
}

Moved Pad(const Arguments &args) {
  return {"Pad", {}, {args.Number(1), args.Number(args.Has(2) ? 2 : 1)}};
}

Moved Slice(const Arguments &args) {
  return {"Slice", {args.NamedTemplateDim(0)}, {args.Number(1), args.Number(2)}};
}

Moved BroadcastTo(const Arguments &args) {
  if (!args.Shape(1).is_for_any_rank) return {"BroadcastTo", {}, args.Shape(1).of};
  Moved moved = {"BroadcastTo", {}, {}};
  moved.shape = args.TensorOfShape(1);
  return moved;
}

const std::vector<MoveRow> &Moves() {
  static const std::vector<MoveRow> kRows = {
      {"flip",
       [](const Arguments &args) {
         return Moved{"Flip", {args.NamedDim(1)}, {}};
       }},
      {"mirror",
       [](const Arguments &) {
         return Moved{"Flip", {-1}, {}};
       }},
      {"slice", Slice},
      {".Slice",
       [](const Arguments &args) {
         return Moved{"Slice", {0}, NumbersFrom(args, 1)};
       }},
      {"crop", Crop},
      {"pad", Pad},
      {"swapaxis",
       [](const Arguments &args) {
         return Moved{"Swap", {args.NamedTemplateDim(0), args.NamedTemplateDim(1)}, {}};
       }},
      {"broadcast_keepdim",
       [](const Arguments &args) {
         return Moved{"Repeat", {args.NamedDim(1)}, {args.Number(2)}};
       }},
      {"broadcast_to", BroadcastTo},
      {"concat",
       [](const Arguments &args) {
         return Moved{"Joined", {args.NamedTemplateDim(0)}, {}};
       }},
  };
  return kRows;
}

Moved MovedOf(const ViewSource &source, const ViewCall &call) {
  const Arguments args(source, call);
  if (call.operand >= 0) {
    const View::Operand &operand = source.view.operands.at(static_cast<size_t>(call.operand));
    if (operand.kind != View::Operand::kTensor) throw Unknown();
    return {"", {}, {}, {}, operand.param};
  }
  const auto row = std::find_if(Moves().begin(), Moves().end(),
                                [&call](const MoveRow &r) { return call.name == r.function; });
  if (row == Moves().end()) throw Unknown();
  Moved moved = row->moved(args);
  const size_t sources = moved.move == "Joined" ? 2 : 1;
  for (size_t i = 0; i < sources; ++i) {
    if (i >= call.args.size()) throw Unknown();
    moved.of.push_back(MovedOf(source, call.args[i]));
  }
  return moved;
}

void AddSources(const Moved &moved, std::vector<IndexedRead::Source> *sources) {
  if (moved.tensor >= 0) sources->push_back({moved.tensor, {}, {}});
  for (const Moved &source : moved.of) AddSources(source, sources);
}

}  // namespace

IndexedRead MovedReadOf(const ViewSource &source, const ViewCall &call) {
  IndexedRead read;
  read.moved = MovedOf(source, call);
  AddSources(*read.moved, &read.sources);
  return read;
}

}  // namespace mgen
