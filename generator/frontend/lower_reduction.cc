// SPDX-License-Identifier: Apache-2.0
// How TensorLowering lowers reductions.
#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "frontend/lower_tensor.h"
#include "frontend/types.h"
#include "frontend/values.h"
#include "frontend/view_rank.h"
#include "ir/effects.h"
#include "ir/walk.h"

namespace mgen {

Reducing ReducingBy(clang::QualType reducer) {
  const std::string name = RecordName(reducer);
  if (name == "mshadow::red::sum") return Reducing::kSum;
  if (name == "mshadow::red::maximum") return Reducing::kMax;
  if (name == "mshadow::red::minimum") return Reducing::kMin;
  if (name == "mshadow::red::product") return Reducing::kProduct;
  if (name != "mshadow::red::arg") return Reducing::kOwn;
  const std::string chooser = RecordName((*TemplateArgs(reducer))[0].getAsType());
  if (chooser == "mshadow::red::maximum") return Reducing::kArgMax;
  if (chooser == "mshadow::red::minimum") return Reducing::kArgMin;
  return Reducing::kOwn;
}

namespace {

/// What a reduction reduces: ReduceTo1DExp keeps a dimension of its source, ReduceAllExp none.
struct Reduced {
  int kept;
  Order order;
};

/// Nothing: it is none that a rule can.
std::optional<Reduced> ReducedBy(clang::QualType reduction) {
  if (RecordName(reduction) == "mshadow::expr::ReduceAllExp") return Reduced{-1, Order::kLanes};
  const clang::TemplateArgumentList *args = TemplateArgs(reduction);
  const int kept = static_cast<int>((*args)[3].getAsIntegral().getExtValue());
  const int rank = RankOf((*args)[0].getAsType());
  if (rank > 1 && kept == rank - 1) return Reduced{Node::kLastDim, Order::kLeaves};
  if (rank == 2) return Reduced{kept, Order::kLanes};
  if (rank > 2) return Reduced{kept, Order::kPlanes};
  return std::nullopt;
}

}  // namespace

bool IsReduction(const std::string &record) {
  return record == "mshadow::expr::ReduceTo1DExp" || record == "mshadow::expr::ReduceAllExp";
}

/// Whether `value` reads values of reductions alone, and another tensor says how often they are
/// repeated: it is not reduced, and does not have the shape of what is. No kernel goes over it.
bool TensorLowering::RepeatsValuesAlone(const Expr &value) const {
  // Views of temporaries need a rank that is known.
  if (HasRankParam(scalars_.rule())) return false;
  const std::set<const Node *> below = BelowReductions(value);
  std::set<int> reduced;
  for (const Expr &read : ReadNodesOf(value)) {
    if (below.count(read.get()) == 0) return false;
    if (IsInPlace(*read)) reduced.insert(read->index);
  }
  for (Expr e : fitting_) {
    const bool is_below = ClassOf(e->op) == OpClass::Reduce;
    while (ClassOf(e->op) == OpClass::Reduce) e = e->args[0];
    if (is_below && !AsksForExtent(e)) reduced.insert(e->index);
  }
  return std::any_of(fitting_.begin(), fitting_.end(), [&](const Expr &e) {
    return AsksForExtent(e) && reduced.count(e->index) == 0;
  });
}

/// Whether the indices of a `one_hot_encode` alone say how many rows `value` has. There may be any
/// number of them. As a view, the `one_hot_encode` has a kernel of its own, with that many rows.
bool TensorLowering::HasRowsOfIndicesAlone(const Expr &value) const {
  if (HasRankParam(scalars_.rule()) || !fitting_.empty()) return false;
  bool has_indices = false;
  ForEachNode(value,
              [&](const Expr &node) { has_indices = has_indices || node->op == Op::kAtColumn; });
  const std::vector<Expr> reads = ReadNodesOf(value);
  return has_indices && std::none_of(reads.begin(), reads.end(), [this](const Expr &read) {
           return IsInPlace(*read) || IsWritten(read->index);
         });
}

/// A reduced operand may have another shape than the rest of the statement. Tensors that must fit
/// the operand are therefore noted below a reduction as well.
Expr TensorLowering::LowerReduced(const clang::Expr *e, const MakeReduced &reduce) {
  std::vector<Expr> outer;
  std::swap(fitting_, outer);
  const std::vector<CountedExtent> outer_counts = counts_;
  Restore<bool> reduced(in_reduced_);
  in_reduced_ = true;
  Expr value = Lower(e);
  if (RepeatsValuesAlone(value)) {
    Restore<bool> views(repeats_by_views_);
    repeats_by_views_ = true;
    fitting_.clear();
    value = Lower(e);
  } else if (HasRowsOfIndicesAlone(value)) {
    Restore<bool> views(one_hots_are_views_);
    one_hots_are_views_ = true;
    counts_ = outer_counts;
    value = Lower(e);
  }
  const std::set<const Node *> below = BelowReductions(value);
  const std::vector<Expr> reads = ReadNodesOf(value);
  for (const Expr &other : std::exchange(fitting_, std::move(outer))) {
    const bool is_read = std::any_of(reads.begin(), reads.end(), [&](const Expr &read) {
      return other->op == Op::kDim && read->index == other->index && IsInPlace(*read) &&
             below.count(read.get()) == 0;
    });
    if (is_read) continue;
    const bool is_reduced = ClassOf(other->op) == OpClass::Reduce;  // of a reduction in there
    const bool stays = other->type == kBoolType || is_reduced;
    fitting_.push_back(stays ? other : WithArgs(reduce(other), {other}));
  }
  return reduce(value);
}

/// ReduceTo1DExp<Source, DType, Reducer, dimkeep> or ReduceAllExp<Source, DType, Reducer>, from its
/// source or from another one and a scale. 16-bit floats are reduced in float; the scale is applied
/// before the result is rounded.
Expr TensorLowering::LowerReduction(const clang::Expr *e,
                                    const std::vector<const clang::Expr *> &operands) {
  const std::optional<Reduced> by = ReducedBy(e->getType());
  const clang::QualType reducer = (*TemplateArgs(e->getType()))[2].getAsType();
  const Reducing reducing = ReducingBy(reducer);
  const ScalarKind element = ElementKind(e);
  if (!by || element == ScalarKind::kBool) RejectReduction(e);
  const ScalarKind sum = IsNarrowFloat(element) ? ScalarKind::kFloat32 : element;
  const SourceLocation location = front_.Where(e->getSourceRange());
  if (operands.size() == 1) {
    CheckRankOf(e, by->kept);
    const Op op = ReductionOp(reducing);
    // Numbers of elements are elements.
    if (IsArg(op)) {
      const Expr number = LowerReduced(operands[0], [&](const Expr &value) {
        return MakeReduction(op, by->kept, by->order, value);
      });
      return MakeCast({element}, WithLocation(number, location));
    }
    const int own = reducing == Reducing::kOwn ? reducers_.Add(reducer, sum, e) : -1;
    const Expr reduced = LowerReduced(operands[0], [&](const Expr &value) {
      return MakeReduction(op, by->kept, by->order, MakeCast({sum}, value), own);
    });
    return MakeCast({element}, WithLocation(reduced, location));
  }
  const bool scale_first = !IsExpression(operands[0]->getType());
  Expr scale = Convert(element, scalars_.Lower(operands[scale_first ? 0 : 1]));
  // Below the cast stands what was reduced, perhaps times a scale: scales are multiplied first.
  Expr reduced = Lower(operands[scale_first ? 1 : 0])->args[0];
  if (reduced->op == Op::kMul) {
    scale = MakeOp(Op::kMul, {reduced->args[1]->args[0], scale});
    reduced = reduced->args[0];
  } else if (reduced->type.kind != sum) {
    reduced = MakeCast({sum}, reduced);
  }
  return MakeCast({element}, MakeOp(Op::kMul, {reduced, MakeCast({sum}, scale)}));
}

/// In a rule for any rank, of which the instance has 2, only `sumall_except_dim<dim - 1>` and
/// reductions of everything mean the same for others.
void TensorLowering::CheckRankOf(const clang::Expr *e, int kept) {
  if (!HasRankParam(scalars_.rule()) || kept == -1) return;
  if (kept != Node::kLastDim || !NamesRank(e)) scalars_.RejectRank(e, "this reduction");
}

void TensorLowering::RejectReduction(const clang::Expr *e) {
  const SourceLocation location = front_.Where(e->getSourceRange());
  front_.diagnostics.Report(DiagId::kReduction, location, "this reduction")
      .Note(DiagId::kReductionNote, location);
  throw Rejected();
}

}  // namespace mgen
