// SPDX-License-Identifier: Apache-2.0
// The shipped rules of one version of the project, for compare_versions.py. It compiles this file
// against each version's own headers, tables and runtime into a shared library.
#include <chrono>
#include <string>

#include "arguments.h"

namespace {

const mshadow_test::RuleTable &Rules() {
  static const mshadow_test::RuleTable rules = mshadow_test::FusedRules();
  return rules;
}

}  // namespace

#define EXPORTED extern "C" __attribute__((visibility("default")))

EXPORTED int Count() { return static_cast<int>(Rules().size()); }

/// The rule and its element types. Valid until the next call.
EXPORTED const char *Name(int rule) {
  static std::string name;
  name = Rules()[rule].Name();
  return name.c_str();
}

/// The names of its tensors. Valid until the next call.
EXPORTED const char *Tensors(int rule) {
  static std::string names;
  names.clear();
  const mshadow::RuleInfo &info = *Rules()[rule].info;
  for (int i = 0; i < info.num_params; ++i) {
    if (info.params[i].is_tensor) names += std::string(info.params[i].name) + " ";
  }
  return names.c_str();
}

/// How many matrix products the rule has.
EXPORTED int Products(int rule) { return Rules()[rule].info->products; }

/// What calls the rule with matrices.
EXPORTED void *Function(int rule) { return reinterpret_cast<void *>(Rules()[rule].call[2]); }

/// Arguments of that rule in matrices of rows x cols; Destroy frees them.
EXPORTED void *Create(int rule, int64_t rows, int64_t cols) {
  mshadow_test::Layout layout;
  layout.rows = rows;
  layout.cols = cols;
  auto *const arguments = new mshadow_test::Arguments(Rules()[rule], layout);
  arguments->Fill(mshadow_test::Data::kTame, 1);
  return arguments;
}

EXPORTED void Destroy(void *arguments) { delete static_cast<mshadow_test::Arguments *>(arguments); }

/// The seconds of so many calls of a Function, which may be another version's: both then have
/// the same data at the same addresses. Tensor has the same members in both.
EXPORTED double Run(void *arguments, void *function, int64_t times) {
  mshadow_test::RuleEntry rule;
  rule.call[2] = reinterpret_cast<void (*)(void *const *, const double *)>(function);
  const auto &made = *static_cast<mshadow_test::Arguments *>(arguments);
  const auto start = std::chrono::steady_clock::now();
  for (int64_t i = 0; i < times; ++i) made.Call(rule);
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
