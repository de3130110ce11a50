// SPDX-License-Identifier: Apache-2.0
#include "backends/common/namespaces.h"

#include <algorithm>

#include "emit/names.h"

namespace mgen {
namespace {

constexpr char kInline[] = "inline ";

bool IsInline(const std::string &name) { return name.rfind(kInline, 0) == 0; }

std::string Opening(const std::string &name) {
  if (name.empty()) return "namespace {\n";
  if (IsInline(name)) return "inline namespace " + name.substr(sizeof kInline - 1) + " {\n";
  return "namespace " + name + " {\n";
}

std::string Closing(const std::string &name) {
  if (name.empty()) return "}  // namespace\n";
  return "}  // " +
         std::string(IsInline(name) ? "inline namespace " + name.substr(sizeof kInline - 1)
                                    : "namespace " + name) +
         "\n";
}

}  // namespace

void NamespacedText::Enter(const NamespacePath &path) {
  size_t common = 0;
  while (common < std::min(open_.size(), path.size()) && open_[common] == path[common]) ++common;
  if (!text_.empty()) text_ += "\n";
  if (common < open_.size()) {
    while (open_.size() > common) {
      text_ += Closing(open_.back());
      open_.pop_back();
    }
    text_ += "\n";
  }
  if (common < path.size()) {
    for (; common < path.size(); ++common) {
      text_ += Opening(path[common]);
      open_.push_back(path[common]);
    }
    text_ += "\n";
  }
}

void NamespacedText::Add(const NamespacePath &path, const std::string &text) {
  if (text.empty()) return;
  Enter(path);
  text_ += text + (text.back() == '\n' ? "" : "\n");
}

std::string NamespacedText::Finish() {
  if (!open_.empty()) {
    text_ += "\n";
    for (; !open_.empty(); open_.pop_back()) text_ += Closing(open_.back());
  }
  return text_;
}

std::string Qualified(const NamespacePath &path) {
  std::vector<std::string> names;
  for (const std::string &name : path) {
    if (!name.empty() && !IsInline(name)) names.push_back(name);
  }
  return Join(names, "::");
}

}  // namespace mgen
