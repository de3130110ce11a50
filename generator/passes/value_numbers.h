// SPDX-License-Identifier: Apache-2.0
/// \file value_numbers.h
/// Value numbers: finds expressions that have the same value. Two nodes have one number if they are
/// the same operation on the same values. Hints and locations do not count. -0.0 and 0.0 differ,
/// and so do reads of a tensor before and after a write.
#ifndef MSHADOW_GENERATOR_PASSES_VALUE_NUMBERS_H_
#define MSHADOW_GENERATOR_PASSES_VALUE_NUMBERS_H_

#include <map>
#include <string>
#include <tuple>
#include <unordered_map>
#include <vector>

#include "ir/expr.h"
#include "ir/walk.h"

namespace mgen {

class ValueNumbers {
 public:
  /// The number of `root`. Numbers count from 0; operands have smaller ones than their users.
  int Of(const Expr &root);

  /// Records a write of `param`: reads of it have new numbers from now on.
  void Written(int param);
  /// Which version of each tensor is read now. Set again at the start of an else branch.
  using Versions = std::map<int, int>;
  const Versions &versions() const { return versions_; }
  void set_versions(Versions versions);

  int size() const { return static_cast<int>(nodes_.size()); }
  /// The first expression that got this number.
  const Expr &node(int number) const { return nodes_[number]; }
  const std::vector<int> &args(int number) const { return args_[number]; }

 private:
  using Key = std::tuple<Op, ScalarKind, int, int, int, Axes, Order, Op, bool, int, std::string,
                         uint64_t, std::vector<int>>;
  Key KeyOf(const Node &node) const;

  std::map<Key, int> numbers_;
  std::vector<Expr> nodes_;
  std::vector<std::vector<int>> args_;
  Versions versions_;
  int last_version_ = 0;
  // known_ holds for one set of versions only.
  PostOrder order_;
  std::unordered_map<const Node *, int> known_;
  std::vector<Expr> kept_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_PASSES_VALUE_NUMBERS_H_
