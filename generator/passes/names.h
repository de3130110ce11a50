// SPDX-License-Identifier: Apache-2.0
/// \file names.h
/// Names for values of emitted code, from what the spec calls them or from what they are:
/// `one_minus_beta1`, `clip_gradient_is_positive`, never `_17`.
#ifndef MSHADOW_GENERATOR_PASSES_NAMES_H_
#define MSHADOW_GENERATOR_PASSES_NAMES_H_

#include <functional>
#include <set>
#include <string>
#include <string_view>

#include "ir/rule.h"

namespace mgen {

/// A set of names that are taken.
class NameSet {
 public:
  void Take(const std::string &name) { taken_.insert(name); }
  bool Has(const std::string &name) const { return taken_.count(name) != 0; }
  /// Takes `base`, or else base2, base3, …; keywords count as taken.
  std::string Unique(const std::string &base);

 private:
  std::set<std::string> taken_;
};

/// Returns the name of a leaf; "" if it has none.
using LeafName = std::function<std::string(const Node &leaf)>;

/// A name for `expr`: its hint, or one made of the operation and the names of its operands; "" if
/// that is longer than 40 characters.
std::string NameOf(const Expr &expr, const LeafName &leaf_name);

/// The name of a type in lower case, for suffixes: weight_f32, lr_dtype.
std::string TypeSuffix(const Rule &rule, Type type);

/// The name of what a gather reads: "in_at_label".
std::string GatherName(const Rule &rule, const Node &gather);

/// The names of parameters and locals; for literals `one`, `half`, ….
std::string RuleLeafName(const Rule &rule, const Node &leaf);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_NAMES_H_
