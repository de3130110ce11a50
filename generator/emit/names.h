// SPDX-License-Identifier: Apache-2.0
/// \file names.h
/// Names in emitted code: which are possible, and which are taken.
#ifndef MSHADOW_GENERATOR_EMIT_NAMES_H_
#define MSHADOW_GENERATOR_EMIT_NAMES_H_

#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace mgen {

/// ASCII letters, digits and underscores, at most 64, not starting with a digit; no keyword of
/// C++20 or CUDA's C++, nothing reserved to the implementation.
bool IsIdentifier(std::string_view name);

/// Returns `name` if it is an identifier. It may have any length, since some names are made of
/// others. \throws EmitError otherwise, with the word `what`
const std::string &CheckIdentifier(const std::string &name, std::string_view what);

/// "one_minus_beta1" -> "OneMinusBeta1".
std::string CamelCase(std::string_view name);

/// "mshadow::expr::flip(in, 0)" -> "flip(in, 0)": for people.
std::string WithoutRuntimeNamespaces(std::string text);

/// "specs/optim/adamw.gen.h" -> "SPECS_OPTIM_ADAMW_GEN_H_": an include guard.
std::string GuardName(std::string_view path);

/// "specs/optim/adamw.h" -> "adamw".
std::string Stem(std::string_view path);

/// "specs/optim/adamw.h" -> "specs/optim/", "adamw.h" -> "".
std::string Directory(std::string_view path);

/// Returns `path` if an #include and a comment can contain it. \throws EmitError otherwise
const std::string &CheckPath(const std::string &path);

/// A scope of emitted code. A name from the spec that the scope's fixed text uses itself gets a
/// trailing underscore.
class Scope {
 public:
  Scope() = default;
  explicit Scope(std::initializer_list<const char *> reserved)
      : taken_(reserved.begin(), reserved.end()) {}

  /// `name`, or the first of name_, name_2, … that is free; taken from now on.
  std::string Take(const std::string &name);

 private:
  std::set<std::string> taken_;
};

/// "a", "a and b", "a, b and c".
std::string JoinAnd(const std::vector<std::string> &names, const std::string &last = "and");
std::string Join(const std::vector<std::string> &parts, std::string_view separator);
/// `list`, followed by `more`.
std::vector<std::string> Append(std::vector<std::string> list,
                                const std::vector<std::string> &more);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_NAMES_H_
