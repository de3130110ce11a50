// SPDX-License-Identifier: Apache-2.0
#include "emit/names.h"

#include "emit/output_file.h"

namespace mgen {
namespace {

/// C++20's, the alternative tokens, and what nvcc and common headers take as words of their own;
/// each between two spaces.
constexpr std::string_view kKeywords =
    " alignas alignof and and_eq asm auto bitand bitor bool break case catch char char16_t"
    " char32_t char8_t class co_await co_return co_yield compl concept const const_cast"
    " consteval constexpr constinit continue decltype default delete do double dynamic_cast"
    " else enum explicit export extern false float for friend goto if inline int linux long"
    " mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected"
    " public register reinterpret_cast requires restrict return short signed sizeof static"
    " static_assert static_cast struct switch template this thread_local throw true try"
    " typedef typeid typename typeof typeof_unqual union unix unsigned using virtual void"
    " volatile wchar_t while xor xor_eq ";

bool IsLetter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
bool IsDigit(char c) { return c >= '0' && c <= '9'; }
bool IsUpper(char c) { return c >= 'A' && c <= 'Z'; }
char ToUpper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

/// A name of the form of an identifier, of any length.
bool HasForm(std::string_view name) {
  if (name.empty() || IsDigit(name[0])) return false;
  for (char c : name) {
    if (!IsLetter(c) && !IsDigit(c) && c != '_') return false;
  }
  if (name.find("__") != std::string_view::npos) return false;
  if (name[0] == '_' && (name.size() == 1 || IsUpper(name[1]))) return false;
  return kKeywords.find(" " + std::string(name) + " ") == kKeywords.npos;
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
      camel += start ? ToUpper(c) : c;
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
    const bool word = IsLetter(c) || IsDigit(c);
    if (word) {
      guard += ToUpper(c);
    } else if (!guard.empty() && guard.back() != '_') {
      guard += '_';
    }
  }
  if (guard.empty() || IsDigit(guard[0])) guard = "GEN_" + guard;
  return guard + "_";
}

std::string Stem(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  std::string_view file = slash == std::string_view::npos ? path : path.substr(slash + 1);
  const size_t dot = file.find_last_of('.');
  return std::string(dot == std::string_view::npos || dot == 0 ? file : file.substr(0, dot));
}

std::string Directory(std::string_view path) {
  const size_t slash = path.find_last_of('/');
  return std::string(path.substr(0, slash == std::string_view::npos ? 0 : slash + 1));
}

const std::string &CheckPath(const std::string &path) {
  for (char c : path) {
    const bool plain =
        IsLetter(c) || IsDigit(c) || std::string_view("/._-+ ").find(c) != std::string_view::npos;
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
  std::string joined;
  for (size_t i = 0; i < parts.size(); ++i) {
    if (i > 0) joined += separator;
    joined += parts[i];
  }
  return joined;
}

std::string JoinAnd(const std::vector<std::string> &names, const std::string &last) {
  if (names.size() < 2) return Join(names, "");
  return Join({names.begin(), names.end() - 1}, ", ") + " " + last + " " + names.back();
}

}  // namespace mgen
