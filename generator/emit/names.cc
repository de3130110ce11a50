// SPDX-License-Identifier: Apache-2.0
#include "emit/names.h"

#include <llvm/ADT/StringExtras.h>

#include <filesystem>

#include "emit/output_file.h"
#include "ir/made_name.h"

namespace mgen {
namespace {

bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }

/// A name of the form of an identifier, of any length.
bool HasForm(std::string_view name) {
  if (name.empty() || llvm::isDigit(name[0])) return false;
  for (char c : name) {
    if (!llvm::isAlnum(c) && c != '_') return false;
  }
  if (name.find("__") != std::string_view::npos) return false;
  if (name[0] == '_' && (name.size() == 1 || IsUpper(name[1]))) return false;
  return !IsCxxKeyword(name);
}

}  // namespace

bool IsIdentifier(std::string_view name) { return name.size() <= 64 && HasForm(name); }

const std::string &CheckIdentifier(const std::string &name, std::string_view what) {
  if (!HasForm(name)) {
    throw EmitError("the " + std::string(what) + " '" + name + "' cannot be a name in C++");
  }
  return name;
}

std::string CamelCase(std::string_view name) {
  std::string camel;
  bool start = true;
  for (char c : name) {
    if (c == '_') {
      start = true;
    } else {
      camel += start ? llvm::toUpper(c) : c;
      start = false;
    }
  }
  return camel;
}

std::string WithoutRuntimeNamespaces(std::string text) {
  for (const std::string space :
       {"mshadow::expr::lazy::", "mshadow::expr::", "mshadow::red::", "mshadow::"}) {
    for (size_t i = 0; (i = text.find(space, i)) != std::string::npos;) text.erase(i, space.size());
  }
  return text;
}

std::string GuardName(std::string_view path) {
  std::string guard;
  for (char c : path) {
    const bool word = llvm::isAlnum(c);
    if (word) {
      guard += llvm::toUpper(c);
    } else if (!guard.empty() && guard.back() != '_') {
      guard += '_';
    }
  }
  if (guard.empty() || llvm::isDigit(guard[0])) guard = "GEN_" + guard;
  return guard + "_";
}

std::string Stem(std::string_view path) { return std::filesystem::path(path).stem().string(); }

std::string Directory(std::string_view path) {
  return std::string(path.substr(0, path.rfind('/') + 1));
}

const std::string &CheckPath(const std::string &path) {
  for (char c : path) {
    const bool plain =
        llvm::isAlnum(c) || std::string_view("/._-+ ").find(c) != std::string_view::npos;
    if (!plain) throw EmitError("the path '" + path + "' cannot be named in emitted code");
  }
  if (path.empty() || path[0] == '/') {
    throw EmitError("the path '" + path + "' is not relative: emitted code holds no absolute path");
  }
  return path;
}

std::string Scope::Take(const std::string &name) {
  std::string free = name;
  const std::string base = name.back() == '_' ? name : name + "_";
  for (int i = 1; !taken_.insert(free).second; ++i) {
    free = i == 1 && base != name ? base : base + std::to_string(i);
  }
  return free;
}

std::vector<std::string> Append(std::vector<std::string> list,
                                const std::vector<std::string> &more) {
  list.insert(list.end(), more.begin(), more.end());
  return list;
}

std::string Join(const std::vector<std::string> &parts, std::string_view separator) {
  return llvm::join(parts, separator);
}

std::string JoinAnd(const std::vector<std::string> &names, const std::string &last) {
  if (names.size() < 2) return Join(names, "");
  return Join({names.begin(), names.end() - 1}, ", ") + " " + last + " " + names.back();
}

}  // namespace mgen
