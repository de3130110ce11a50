// SPDX-License-Identifier: Apache-2.0
#include "ir/view_call.h"

#include <algorithm>
#include <cctype>
#include <string_view>
#include <utility>

namespace mgen {
namespace {

class CallParser {
 public:
  explicit CallParser(std::string_view text) : rest_(text) {}

  std::optional<ViewCall> Parse() {
    ViewCall call = Call();
    if (failed_ || !rest_.empty()) return std::nullopt;
    return call;
  }

 private:
  ViewCall Call() {
    const std::string_view from = rest_;
    ViewCall call;
    if (Take("$")) {
      call.operand = Number();
    } else if (Take("(")) {
      call = Operator();
    } else {
      call.name = Name();
      if (Take("<")) call.template_args = TemplateArgs();
      if (Expect("(")) call.args = Args(")");
    }
    while (!failed_ && !rest_.empty()) {
      if (Take(".")) {
        call = Member("." + Name(), "(", ")", std::move(call));
      } else if (rest_.front() == '[') {
        call = Member("[]", "[", "]", std::move(call));
      } else {
        break;
      }
    }
    call.text = from.substr(0, from.size() - rest_.size());
    return call;
  }

  /// `a * b)`.
  ViewCall Operator() {
    ViewCall call;
    call.args.push_back(Call());
    if (!Expect(" ")) return call;
    const size_t end = std::min(rest_.find(' '), rest_.size());
    call.name = std::string(rest_.substr(0, end));
    rest_.remove_prefix(end);
    if (!Expect(" ")) return call;
    call.args.push_back(Call());
    Expect(")");
    return call;
  }

  ViewCall Member(std::string name, const char *open, const char *close, ViewCall object) {
    ViewCall call;
    call.name = std::move(name);
    call.args.push_back(std::move(object));
    if (!Expect(open)) return call;
    for (ViewCall &arg : Args(close)) call.args.push_back(std::move(arg));
    return call;
  }

  /// What is between commas, up to `close`.
  std::vector<ViewCall> Args(const char *close) {
    std::vector<ViewCall> args;
    while (!failed_ && !Take(close)) {
      if (!args.empty() && !Expect(", ")) break;
      args.push_back(Call());
    }
    return args;
  }

  std::vector<std::string> TemplateArgs() {
    const size_t end = rest_.find('>');
    failed_ = failed_ || end == std::string_view::npos;
    if (failed_) return {};
    std::vector<std::string> args = {""};
    for (const char c : rest_.substr(0, end)) {
      if (c == ',') args.emplace_back();
      if (c != ',' && c != ' ') args.back() += c;
    }
    rest_.remove_prefix(end + 1);
    return args;
  }

  std::string Name() {
    size_t end = 0;
    while (end < rest_.size() && IsPartOfName(rest_[end])) ++end;
    failed_ = failed_ || end == 0;
    std::string name(rest_.substr(0, end));
    rest_.remove_prefix(end);
    for (const char *scope : {"mshadow::expr::lazy::", "mshadow::expr::", "mshadow::"}) {
      if (name.rfind(scope, 0) == 0) return name.substr(std::string_view(scope).size());
    }
    return name;
  }
  static bool IsPartOfName(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == ':';
  }

  int Number() {
    int number = 0;
    while (!rest_.empty() && std::isdigit(static_cast<unsigned char>(rest_.front())) != 0) {
      number = 10 * number + (rest_.front() - '0');
      rest_.remove_prefix(1);
    }
    return number;
  }

  bool Take(std::string_view token) {
    if (rest_.substr(0, token.size()) != token) return false;
    rest_.remove_prefix(token.size());
    return true;
  }
  bool Expect(std::string_view token) {
    failed_ = failed_ || !Take(token);
    return !failed_;
  }

  std::string_view rest_;
  bool failed_ = false;
};

}  // namespace

std::optional<ViewCall> ParseViewCall(const View &view) { return CallParser(view.text).Parse(); }

std::optional<ViewCall> DiagonalIn(const View &view) {
  std::optional<ViewCall> call = view.is_reshaped ? ParseViewCall(view) : std::nullopt;
  const bool is_column = call && call->name == "broadcast_with_axis";
  if (!is_column || call->args.front().name != "diag") return std::nullopt;
  return std::move(call->args.front());
}

View AsInSpec(const View &view) {
  const std::optional<ViewCall> diagonal = DiagonalIn(view);
  return diagonal ? view.Within(diagonal->text) : view;
}

}  // namespace mgen
