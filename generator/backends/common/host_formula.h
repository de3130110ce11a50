// SPDX-License-Identifier: Apache-2.0
/// \file host_formula.h
/// Scalar formulas in host code. If a formula is long, each value that it uses more than once
/// becomes a variable. Otherwise the text of the formula might have any length.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_HOST_FORMULA_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_HOST_FORMULA_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The formulas of one function of host code. Their variables are part1, part2, ….
class HostFormulas {
 public:
  /// \param lines the lines of the function, to which formulas and variables are added
  HostFormulas(const PlanText &rule, std::vector<std::string> *lines)
      : rule_(rule), lines_(lines) {}

  /// Adds the line `head` + formula + `tail`.
  void Add(const std::string &head, const Expr &value, const std::string &tail,
           const ExprStyle &style);
  /// Returns the formula as one line. Only its variables are added to the lines.
  std::string Text(const Expr &value, const ExprStyle &style);

 private:
  /// Adds the variables of `value` to the lines. \returns `value` in terms of these variables,
  /// which `style` then prints
  Expr NameParts(const Expr &value, ExprStyle *style);
  std::string PartName(int number) const { return rule_.HostName("part" + std::to_string(number)); }

  const PlanText &rule_;
  std::vector<std::string> *const lines_;
  int parts_ = 0;  ///< the number of variables so far
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_HOST_FORMULA_H_
