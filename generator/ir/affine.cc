// SPDX-License-Identifier: Apache-2.0
#include "ir/affine.h"

#include <algorithm>

#include "ir/builder.h"

namespace mgen {
namespace {

/// Whether two values of a sum are one: a leaf, or a quotient of the same.
bool IsSame(const Expr &a, const Expr &b) {
  if (a == b) return true;
  return a->op == b->op && a->index == b->index && a->dim == b->dim && a->value == b->value &&
         std::equal(a->args.begin(), a->args.end(), b->args.begin(), b->args.end(), IsSame);
}

/// Whether a value of a sum is an axis, times a number of the launch.
bool IsMultipleByLaunch(const Expr &value) {
  return value->op == Op::kMul && value->args[0]->op == Op::kAxis;
}
bool HasAxis(const Expr &value) { return value->op == Op::kAxis || IsMultipleByLaunch(value); }

Expr Scaled(const Expr &value, int64_t factor) {
  return factor == 1 ? value : MakeOp(Op::kMul, {MakeLiteral(kIndexType, factor), value});
}

}  // namespace

Affine Affine::Of(const Expr &value) {
  if (value->op == Op::kLiteral) return std::get<int64_t>(value->value);
  Affine sum;
  sum.Add(value, 1);
  return sum;
}

int64_t Affine::FactorOfAxis(int dim) const {
  for (const Term &term : terms_) {
    if (term.value->op == Op::kAxis && term.value->dim == dim) return term.factor;
    if (IsMultipleByLaunch(term.value) && term.value->args[0]->dim == dim) return kOfLaunch;
  }
  return 0;
}

bool Affine::has_axes() const {
  return std::any_of(terms_.begin(), terms_.end(),
                     [](const Term &term) { return HasAxis(term.value); });
}

void Affine::Add(const Expr &value, int64_t factor) {
  const auto known = std::find_if(terms_.begin(), terms_.end(),
                                  [&](const Term &term) { return IsSame(term.value, value); });
  if (known == terms_.end()) {
    terms_.push_back({value, factor});
  } else if ((known->factor += factor) == 0) {
    terms_.erase(known);
  }
}

void Affine::Add(const Affine &sum, int64_t factor) {
  for (const Term &term : sum.terms_) Add(term.value, factor * term.factor);
  constant_ += factor * sum.constant_;
}

Affine Affine::At(const std::vector<Affine> &axes) const {
  Affine sum(constant_);
  for (const Term &term : terms_) {
    if (term.value->op == Op::kAxis) {
      sum.Add(axes.at(static_cast<size_t>(term.value->dim)), term.factor);
    } else if (IsMultipleByLaunch(term.value)) {
      const Affine &axis = axes.at(static_cast<size_t>(term.value->args[0]->dim));
      sum.Add(MultipleByLaunch(axis, Affine::Of(term.value->args[1])), term.factor);
    } else {
      sum.Add(term.value, term.factor);
    }
  }
  return sum;
}

Affine operator+(const Affine &a, const Affine &b) {
  Affine sum = a;
  sum.Add(b, 1);
  return sum;
}

Affine operator-(const Affine &a, const Affine &b) {
  Affine sum = a;
  sum.Add(b, -1);
  return sum;
}

bool operator==(const Affine &a, const Affine &b) {
  const Affine rest = a - b;
  return rest.is_constant() && rest.constant() == 0;
}

/// What is added stands before what is taken off, and an axis before numbers: `axis(1) + n - 1`,
/// `dim(in, 1) - 1 - axis(1)`.
Expr Affine::ToExpr() const {
  Expr sum;
  const auto add = [&sum](const Term &term) {
    const Expr value = Scaled(term.value, term.factor);
    sum = sum ? MakeOp(Op::kAdd, {sum, value}) : value;
  };
  for (const Term &term : terms_) {
    if (term.factor > 0 && HasAxis(term.value)) add(term);
  }
  for (const Term &term : terms_) {
    if (term.factor > 0 && !HasAxis(term.value)) add(term);
  }
  if (!sum) {
    sum = MakeLiteral(kIndexType, constant_);
  } else if (constant_ != 0) {
    const Expr number = MakeLiteral(kIndexType, constant_ < 0 ? -constant_ : constant_);
    sum = MakeOp(constant_ < 0 ? Op::kSub : Op::kAdd, {sum, number});
  }
  for (const Term &term : terms_) {
    if (term.factor < 0) sum = MakeOp(Op::kSub, {sum, Scaled(term.value, -term.factor)});
  }
  return sum;
}

Affine Multiple(const Affine &sum, int64_t factor) {
  Affine multiple(factor * sum.constant());
  for (const Affine::Term &term : sum.terms()) {
    if (factor != 0) multiple.Add(term.value, factor * term.factor);
  }
  return multiple;
}

Affine ProductOf(const Affine &a, const Affine &b) {
  if (a.is_constant()) return Multiple(b, a.constant());
  if (b.is_constant()) return Multiple(a, b.constant());
  return Affine::Of(MakeOp(Op::kMul, {a.ToExpr(), b.ToExpr()}));
}

Affine MultipleByLaunch(const Affine &sum, const Affine &number) {
  if (number.is_constant()) return Multiple(sum, number.constant());
  Affine multiple = Multiple(number, sum.constant()), rest;
  for (const Affine::Term &term : sum.terms()) {
    const Affine value = Affine::Of(term.value);
    if (term.value->op == Op::kAxis) {
      multiple = multiple + Multiple(ProductOf(value, number), term.factor);
    } else {
      rest = rest + Multiple(value, term.factor);
    }
  }
  return rest == 0 ? multiple : multiple + ProductOf(rest, number);
}

Affine QuotientOf(const Affine &sum, const Affine &divisor) {
  if (divisor == 1) return sum;
  if (sum.is_constant() && divisor.is_constant()) return sum.constant() / divisor.constant();
  return Affine::Of(MakeOp(Op::kDiv, {sum.ToExpr(), divisor.ToExpr()}));
}

}  // namespace mgen
