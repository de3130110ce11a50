// SPDX-License-Identifier: Apache-2.0
#include "ir/view.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <string_view>
#include <utility>

#include "ir/view_call.h"

namespace mgen {

namespace {

constexpr char kMatrix[] = "$0.FlatTo2D()";

std::vector<int> ParamsOf(const View &view, bool (*counts)(View::Operand::Kind)) {
  std::vector<int> params;
  for (const View::Operand &operand : view.operands) {
    const bool is_known = std::find(params.begin(), params.end(), operand.param) != params.end();
    if (counts(operand.kind) && !is_known) params.push_back(operand.param);
  }
  return params;
}

}  // namespace

std::vector<int> View::Sources() const {
  return ParamsOf(*this, [](Operand::Kind kind) { return kind == Operand::kTensor; });
}

std::vector<int> View::Arguments() const {
  return ParamsOf(*this, [](Operand::Kind kind) {
    return kind == Operand::kTensor || kind == Operand::kShape;
  });
}

int View::LastRangeOf(int dim) const {
  for (size_t i = ranges.size(); i > 0; --i) {
    if (ranges[i - 1] == dim) return static_cast<int>(i - 1);
  }
  return -1;
}

std::string View::Drawn() const {
  constexpr std::string_view kPrefix = "random_";
  const std::optional<ViewCall> call = ParseViewCall(*this);
  const bool draws = call && call->name.rfind(kPrefix, 0) == 0 &&
                     std::all_of(call->args.begin(), call->args.end(),
                                 [](const ViewCall &argument) { return argument.operand >= 0; });
  const bool has_shape = std::any_of(operands.begin(), operands.end(), [](const Operand &operand) {
    return operand.kind == Operand::kShape;
  });
  return draws && has_shape ? call->name.substr(kPrefix.size()) : "";
}

bool View::Reshapes() const {
  const std::optional<ViewCall> diagonal = DiagonalIn(*this);
  const std::optional<ViewCall> call = diagonal ? diagonal : ParseViewCall(*this);
  const bool is_known = call && (diagonal || call->name == "reshape" ||
                                 call->name == ".FlatTo1D" || call->name == ".FlatTo2D");
  return is_known && call->args.front().operand == 0 && operands.front().kind == Operand::kTensor;
}

View View::PartOf(int tensor, const std::vector<Range> &ranges) {
  const std::string rank = "$" + std::to_string(2 * ranges.size() + 1);
  View part;
  part.text = "$0";
  part.operands = {{Operand::kTensor, tensor, nullptr, {}}};
  for (const Range &range : ranges) {
    const size_t begin = part.operands.size();
    part.text = "mshadow::expr::slice<" +
                (range.dim == Node::kLastDim ? rank : std::to_string(range.dim)) + ">(" +
                part.text + ", $" + std::to_string(begin) + ", $" + std::to_string(begin + 1) + ")";
    part.ranges.push_back(range.dim);
    part.operands.push_back({Operand::kIndex, -1, range.begin, {}});
    part.operands.push_back({Operand::kIndex, -1, range.end, {}});
  }
  if (part.LastRangeOf(Node::kLastDim) >= 0) {
    part.operands.push_back({Operand::kRank, -1, nullptr, {}, -1});
  }
  return part;
}

View View::RowsOf(int matrix, int indices) {
  View rows;
  rows.text = "mshadow::expr::rows($0, $1)";
  rows.operands = {{Operand::kTensor, matrix, nullptr, {}},
                   {Operand::kTensor, indices, nullptr, {}}};
  rows.names_rows = true;
  return rows;
}

View View::ElementsOf(int tensor) {
  View elements;
  elements.text = "$0.FlatTo1D()";
  elements.operands = {{Operand::kTensor, tensor, nullptr, {}}};
  elements.is_flat = true;
  return elements;
}

View View::MatrixOf(int tensor) {
  View matrix;
  matrix.text = kMatrix;
  matrix.operands = {{Operand::kTensor, tensor, nullptr, {}}};
  matrix.is_reshaped = true;
  return matrix;
}

int View::FlatTo2D() const { return is_reshaped && text == kMatrix ? Sources().front() : -1; }

View View::Within(const std::string &part) const {
  View within = *this;
  within.text = part;
  std::vector<Operand> used;
  within.text = within.Fill([&used](const Operand &operand) {
    used.push_back(operand);
    return "$" + std::to_string(used.size() - 1);
  });
  within.operands = std::move(used);
  return within;
}

std::string View::Fill(const std::function<std::string(const Operand &)> &name) const {
  std::string filled;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '$') {
      filled += text[i];
      continue;
    }
    size_t number = 0;
    while (i + 1 < text.size() && std::isdigit(static_cast<unsigned char>(text[i + 1]))) {
      number = 10 * number + static_cast<size_t>(text[++i] - '0');
    }
    filled += name(operands.at(number));
  }
  return filled;
}

std::string RankText(const std::string &rank, int offset) {
  if (offset == 0) return rank;
  return rank + (offset < 0 ? " - " : " + ") + std::to_string(std::abs(offset));
}

}  // namespace mgen
