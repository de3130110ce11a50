// SPDX-License-Identifier: Apache-2.0
#include "passes/linear.h"

#include <algorithm>
#include <optional>

#include "ir/printer.h"

namespace mgen {
namespace {

/// Larger numbers count as unknown, so that sums do not overflow.
constexpr int64_t kMost = int64_t{1} << 30;

Linear Sum(Linear a, const Linear &b, int64_t times) {
  a.constant += times * b.constant;
  for (const auto &[name, count] : b.terms) {
    if ((a.terms[name] += times * count) == 0) a.terms.erase(name);
  }
  return a;
}

bool IsSmall(const Linear &a) {
  const auto is_small = [](int64_t n) { return -kMost < n && n < kMost; };
  return is_small(a.constant) && std::all_of(a.terms.begin(), a.terms.end(), [&](const auto &term) {
           return is_small(term.second);
         });
}

std::optional<int64_t> ConstantOf(const Linear &a) {
  if (!a.terms.empty()) return std::nullopt;
  return a.constant;
}

}  // namespace

Linear operator+(Linear a, const Linear &b) { return Sum(std::move(a), b, 1); }
Linear operator-(Linear a, const Linear &b) { return Sum(std::move(a), b, -1); }

Linear LinearOf::operator()(const Expr &e) {
  std::optional<Linear> sum;
  switch (e->op) {
    case Op::kLiteral:
      if (const auto *number = std::get_if<int64_t>(&e->value)) sum = Linear{{}, *number};
      break;
    case Op::kLocal:
      if (!IsInteger(e->type.kind)) break;
      if (locals_.count(e->index) == 0) {
        const Linear value = (*this)(rule_.prologue[e->index].value);
        locals_[e->index] = value;
      }
      return locals_[e->index];
    case Op::kCast:
      if (IsInteger(e->args[0]->type.kind)) return (*this)(e->args[0]);
      break;
    case Op::kAdd:
    case Op::kSub:
      sum = Sum((*this)(e->args[0]), (*this)(e->args[1]), e->op == Op::kAdd ? 1 : -1);
      break;
    case Op::kMul: {
      const Linear a = (*this)(e->args[0]), b = (*this)(e->args[1]);
      if (const auto times = ConstantOf(a)) sum = Sum({}, b, *times);
      if (const auto times = ConstantOf(b)) sum = Sum({}, a, *times);
      break;
    }
    case Op::kDiv:
      return QuotientOf(e);
    default:
      break;
  }
  if (sum && IsSmall(*sum)) return *sum;
  const std::string name = Print(e, rule_);
  is_extent_[name] = e->op == Op::kDim;
  return Atom(name);
}

Linear LinearOf::QuotientOf(const Expr &e) {
  const std::string name = Print(e, rule_);
  const Linear dividend = (*this)(e->args[0]);
  const auto divisor = ConstantOf((*this)(e->args[1]));
  const bool is_known = divisor && *divisor > 0 && IsNotNegative(dividend);
  if (is_known) quotients_[name] = {dividend, *divisor};
  return Atom(name);
}

bool LinearOf::IsNotNegative(Linear a) const {
  for (bool is_done = false; !is_done;) {
    is_done = true;
    if (!IsSmall(a)) return false;
    for (const auto &[name, quotient] : quotients_) {
      const auto term = a.terms.find(name);
      if (term == a.terms.end() || term->second > 0) continue;
      // divisor * a is at least this, since divisor * quotient is at most the dividend.
      const int64_t count = term->second;
      a.terms.erase(term);
      a = Sum(Sum({}, a, quotient.divisor), quotient.dividend, count);
      is_done = false;
      break;
    }
  }
  return a.constant >= 0 && std::all_of(a.terms.begin(), a.terms.end(), [this](const auto &term) {
           const auto extent = is_extent_.find(term.first);
           const bool is_extent = extent != is_extent_.end() && extent->second;
           return term.second > 0 && (is_extent || quotients_.count(term.first) != 0);
         });
}

}  // namespace mgen
