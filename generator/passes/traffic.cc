// SPDX-License-Identifier: Apache-2.0
#include "passes/traffic.h"

#include <cctype>
#include <set>
#include <string>
#include <vector>

namespace mgen {
namespace {

/// The name of the function whose arguments begin at \p open: "slice" in "expr::slice<1>(".
std::string FunctionAt(const std::string &text, size_t open) {
  size_t end = open;
  for (int depth = 0; end > 0 && (depth > 0 || text[end - 1] == '>'); --end) {
    depth += text[end - 1] == '>' ? 1 : text[end - 1] == '<' ? -1 : 0;
  }
  size_t begin = end;
  while (begin > 0 && (std::isalnum(text[begin - 1]) != 0 || text[begin - 1] == '_')) --begin;
  return text.substr(begin, end - begin);
}

bool RepeatsElements(const std::string &function) {
  static const std::set<std::string> kFunctions = {"broadcast",
                                                   "broadcast_keepdim",
                                                   "broadcast_multi_axes",
                                                   "broadcast_scalar",
                                                   "broadcast_with_axis",
                                                   "repmat"};
  return kFunctions.count(function) != 0;
}

/// Whether a view reads every one of its tensors within a function that repeats elements.
bool OnlyRepeats(const View &view) {
  std::vector<bool> is_repeated = {false};  // within each open parenthesis
  bool reads = false;
  for (size_t i = 0; i < view.text.size(); ++i) {
    const char c = view.text[i];
    if (c == '(') {
      is_repeated.push_back(is_repeated.back() || RepeatsElements(FunctionAt(view.text, i)));
    } else if (c == ')') {
      is_repeated.pop_back();
    } else if (c == '$') {
      const size_t operand = std::stoul(view.text.substr(i + 1));
      if (view.operands[operand].kind != View::Operand::kTensor) continue;
      if (!is_repeated.back()) return false;
      reads = true;
    }
  }
  return reads;
}

}  // namespace

bool IsTraffic(const Param &param) {
  return !param.is_drawn() && !(param.view && OnlyRepeats(*param.view));
}

}  // namespace mgen
