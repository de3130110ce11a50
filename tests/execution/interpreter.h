// SPDX-License-Identifier: Apache-2.0
/// \file interpreter.h
/// The reference meaning of a rule: runs RuleIR statement by statement over whole arrays, as the
/// unfused rule would, with error bounds (estimate.h). Shares no code with the back ends: neither
/// passes nor PlanIR nor mshadow::math.
#ifndef MSHADOW_TESTS_EXECUTION_INTERPRETER_H_
#define MSHADOW_TESTS_EXECUTION_INTERPRETER_H_

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "estimate.h"
#include "ir/rule.h"

namespace mshadow_test {

/// A tensor, dense, the last dimension fastest.
struct Array {
  std::vector<int64_t> shape;
  std::vector<Estimate> elements;

  int64_t columns() const { return shape.empty() ? 1 : shape.back(); }
};
Array FloatArray(mgen::ScalarKind kind, std::vector<int64_t> shape,
                 const std::vector<double> &elements);
Array IntegerArray(mgen::ScalarKind kind, std::vector<int64_t> shape,
                   const std::vector<int64_t> &elements);

using Arrays = std::map<std::string, Array>;
using Scalars = std::map<std::string, Estimate>;

/// Runs `rule`, before or after any pass on RuleIR, for its instance number `instance`. `arrays`
/// has the tensor parameters by name and afterwards their new values; `scalars` has the scalar
/// parameters, of the types of the rule.
///
/// If a scalar condition is undecided, everything that its branches write is.
/// \throws std::invalid_argument if an array or scalar is missing or of another kind or size
void Interpret(const mgen::Rule &rule, size_t instance, const Scalars &scalars, Arrays *arrays);

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_INTERPRETER_H_
