// SPDX-License-Identifier: Apache-2.0
/// \file misfit.h
/// Calls with tensors that do not fit. Fused, a rule throws if and only if it throws unfused, and
/// before its first write. In a branch that a call does not take, any tensor will do.
#ifndef MSHADOW_TESTS_EXECUTION_MISFIT_H_
#define MSHADOW_TESTS_EXECUTION_MISFIT_H_

#include <mshadow/detail/exception.h>

#include <string>
#include <utility>
#include <vector>

#include "arguments.h"
#include "random.h"

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
    case Misfit::kShape: {
      std::vector<int64_t> extents = fitting.extents();
      if (extents.size() < 3 || extents[0] == extents[1]) return false;
      std::swap(extents[0], extents[1]);
      arguments->Reshape(tensor, extents);
      return true;
    }
    case Misfit::kOne:
      arguments->Resize(tensor, 1, 1);
      return rows * cols != 1;
  }
  return false;
}

/// Gives some of the tensors other shapes: each change is one of two, and several tensors get the
/// same. So shapes fit some tensors and not others. Some tensors get gaps between their rows.
/// \returns which tensors have which shapes now, "+3" if rows have gaps, for messages
inline std::string ChangeSome(Arguments *arguments, uint64_t seed) {
  SplitMix64 random(seed);
  std::string text;
  for (int change = random.Below(2); change < 2; ++change) {
    const int from_last = random.Below(4), other = random.Below(4), extent = random.Below(4);
    const bool swaps = random.Chance(50);
    for (size_t tensor = 0; tensor < arguments->tensors().size(); ++tensor) {
      std::vector<int64_t> extents = arguments->tensors()[tensor]->extents();
      const int rank = static_cast<int>(extents.size());
      if (from_last >= rank || random.Chance(50)) continue;
      int64_t &changed = extents[static_cast<size_t>(rank - 1 - from_last)];
      if (swaps && other < rank) {
        std::swap(changed, extents[static_cast<size_t>(rank - 1 - other)]);
      } else if (!swaps) {
        changed = extent;
      }
      arguments->Reshape(tensor, extents);
    }
  }
  for (size_t tensor = 0; tensor < arguments->tensors().size(); ++tensor) {
    const std::vector<int64_t> extents = arguments->tensors()[tensor]->extents();
    const bool has_gaps = random.Chance(25);
    if (has_gaps) arguments->Reshape(tensor, extents, 3);
    text += text.empty() ? "shapes " : ", ";
    for (const int64_t extent : extents) text += "x" + std::to_string(extent);
    if (has_gaps) text += "+3";
  }
  return text;
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

/// "" or how two ways differ on some of the calls in which several tensors have other shapes.
inline std::string CompareShapes(const RuleEntry &fused, const RuleEntry &unfused,
                                 const Layout &layout, uint64_t seeds) {
  for (uint64_t seed = 0; seed < seeds; ++seed) {
    Arguments arguments(fused, layout);
    const std::string shapes = ChangeSome(&arguments, seed);
    arguments.Fill(Data::kTame, seed);
    arguments.PickScalars(seed);
    const std::string mistake = CompareMisfit(arguments, fused, unfused);
    // Fused, a tensor with gaps cannot be one of another shape.
    const bool has_gaps = mistake.find(", to be reshaped from ") != std::string::npos;
    if (has_gaps || mistake.empty()) continue;
    return mistake + ", " + shapes + ", seed " + std::to_string(seed);
  }
  return "";
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_MISFIT_H_
