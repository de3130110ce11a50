// SPDX-License-Identifier: Apache-2.0
/// \file host_formula.h
/// Scalar formulas in host code. What a long one uses more than once is a variable before it: as a
/// tree it might have any length.
#ifndef MSHADOW_GENERATOR_BACKENDS_COMMON_HOST_FORMULA_H_
#define MSHADOW_GENERATOR_BACKENDS_COMMON_HOST_FORMULA_H_

#include <string>
#include <vector>

#include "backends/common/plan_text.h"

namespace mgen {

/// The formulas of one function of host code, whose variables have numbers.
class HostFormulas {
 public:
  /// \param lines of the function; variables are added to them
  HostFormulas(const PlanText &rule, std::vector<std::string> *lines)
      : rule_(rule), lines_(lines) {}

  /// Adds the line `head` + formula + `tail`.
  void Add(const std::string &head, const Expr &value, const std::string &tail,
           const ExprStyle &style);
  /// The formula in a line of its own.
  std::string Text(const Expr &value, const ExprStyle &style);

 private:
  /// Adds variables to the lines. \returns what is left of `value`; `style` names them
  Expr NameParts(const Expr &value, ExprStyle *style);
  std::string PartName(int number) const { return rule_.HostName("part" + std::to_string(number)); }

  const PlanText &rule_;
  std::vector<std::string> *const lines_;
  int parts_ = 0;  ///< named so far
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_BACKENDS_COMMON_HOST_FORMULA_H_
