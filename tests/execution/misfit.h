// SPDX-License-Identifier: Apache-2.0
/// \file misfit.h
/// Calls with one tensor that does not fit. Fused, a rule throws if and only if it throws unfused,
/// and before its first write. In a branch that a call does not take, any tensor will do.
#ifndef MSHADOW_TESTS_EXECUTION_MISFIT_H_
#define MSHADOW_TESTS_EXECUTION_MISFIT_H_

#include <mshadow/detail/exception.h>

#include <string>
#include <utility>

#include "arguments.h"

namespace mshadow_test {

/// How a tensor does not fit. What lies behind a tensor of another size must not be touched.
enum class Misfit { kRows, kColumns, kShape, kOne };
constexpr std::pair<Misfit, const char *> kMisfits[] = {
    {Misfit::kRows, " is 2 rows too long"},
    {Misfit::kColumns, " is a column too long"},
    {Misfit::kShape, " has its first two extents swapped"},
    {Misfit::kOne, " has one element"}};

/// \returns whether the tensor has another shape now
inline bool Change(Arguments *arguments, size_t tensor, Misfit misfit) {
  const TensorArgument &fitting = *arguments->tensors()[tensor];
  const int64_t rows = fitting.rows(), cols = fitting.cols();
  switch (misfit) {
    case Misfit::kRows:
      arguments->Resize(tensor, rows + 2, cols);
      return true;
    case Misfit::kColumns:
      arguments->Resize(tensor, rows, cols + 1);
      return true;
    case Misfit::kShape:
      return arguments->SwapExtents(tensor);
    case Misfit::kOne:
      arguments->Resize(tensor, 1, 1);
      return rows * cols != 1;
  }
  return false;
}

/// What an error of the rule says; "" if it has none.
inline std::string ErrorOf(const Arguments &arguments, const RuleEntry &rule) {
  try {
    arguments.Call(rule);
  } catch (const mshadow::Error &error) {
    return error.what() + std::string(" ");
  }
  return "";
}

/// "" or how two ways of running differ on arguments of which one may not fit.
inline std::string CompareMisfit(const Arguments &arguments, const RuleEntry &fused,
                                 const RuleEntry &unfused) {
  const Arguments got = arguments.Clone(), want = arguments.Clone();
  const std::string error = ErrorOf(got, fused), other = ErrorOf(want, unfused);
  if (error.empty() && !other.empty()) return "unfused throws, fused writes: " + other;
  if (!error.empty() && other.empty()) return "fused throws, unfused writes: " + error;
  const std::string difference = got.Difference(error.empty() ? want : arguments);
  if (difference.empty()) return "";
  return (error.empty() ? "" : "written before it throws: ") + difference;
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_MISFIT_H_
