// SPDX-License-Identifier: Apache-2.0
#include "ir/view.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace mgen {

namespace {

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
