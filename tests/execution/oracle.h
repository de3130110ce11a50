// SPDX-License-Identifier: Apache-2.0
/// \file oracle.h
/// A fused rule against the reference interpreter: every element of every written tensor lies
/// within the error bound that the interpreter computes from the rule's meaning.
#ifndef MSHADOW_TESTS_EXECUTION_ORACLE_H_
#define MSHADOW_TESTS_EXECUTION_ORACLE_H_

#include <map>
#include <string>

#include "arguments.h"
#include "interpreter.h"

namespace mshadow_test {

/// The rules of a dump of the generator (--dump-after=merge_instances), by "namespace::name".
/// \throws std::runtime_error if the file cannot be read
std::map<std::string, mgen::Rule> ReadRules(const std::string &path);

/// What one comparison found.
struct Outcome {
  int64_t elements = 0;
  int64_t undecided = 0;
  std::string mistake;  ///< the first element outside its bound
};

/// Compares one instance of a rule.
class Oracle {
 public:
  /// \throws std::invalid_argument if the rule has no such instance
  Oracle(const mgen::Rule &rule, const RuleEntry &entry);

  /// Runs both. `spoil` changes the scalars that the interpreter is given, for controls.
  Outcome Compare(Data data, uint64_t seed, double spoil = 1) const;

  /// Whether some element is an int64, which a double does not hold.
  bool HasWideIntegers() const;

 private:
  mgen::ScalarKind KindOf(const mgen::Param &param) const;
  int DimOf(uint64_t seed) const;
  Arrays ArraysOf(const Arguments &arguments) const;
  Scalars ScalarsOf(const Arguments &arguments, double spoil) const;
  Outcome Check(const Arguments &arguments, const Arrays &arrays) const;

  const mgen::Rule &rule_;
  const RuleEntry &entry_;
  size_t instance_;
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ORACLE_H_
