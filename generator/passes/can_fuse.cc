// SPDX-License-Identifier: Apache-2.0
#include "passes/can_fuse.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include "diag/diagnostics.h"
#include "ir/effects.h"
#include "passes/bind_axes.h"
#include "passes/forward.h"
#include "passes/legality.h"
#include "passes/variants.h"

namespace mgen {
namespace {

bool Meet(const std::set<int> &a, const std::set<int> &b) {
  return std::any_of(a.begin(), a.end(), [&b](int value) { return b.count(value) != 0; });
}

/// The number of the statement, or of the first one within an `if`.
int FirstNumber(const Statement &statement) {
  int first = 0;
  ForEachStatement({statement}, [&first](const Statement &s) {
    if (first == 0 && s.kind != Statement::kIf) first = s.number;
  });
  return first;
}

/// How one of the two bodies uses tensors, in terms of the fused kernel.
struct Uses {
  std::set<int> elements;   ///< those whose elements it uses, at the same coordinates
  std::set<int> values;     ///< those with a value for each row, column or channel, or a single one
  std::set<int> shapes;     ///< those that must have the shape of the elements
  std::set<int> elsewhere;  ///< those that it reads at other coordinates
  std::set<int> lengths;    ///< vectors that it does not read, and that repeat along other axes
  std::set<int> written;    ///< those of all these that it writes

  std::set<int> all() const {
    std::set<int> tensors = elements;
    tensors.insert(values.begin(), values.end());
    tensors.insert(elsewhere.begin(), elsewhere.end());
    return tensors;
  }
};

class Fusion {
 public:
  Fusion(const Rule &rule, const std::vector<Statement> &first,
         const std::vector<Statement> &second)
      : rule_(rule),
        first_(Alone(first)),
        second_(Alone(second)),
        both_(Alone(Together(first, second))),
        kept_(KeptBy(both_)),
        values_(ValuesOf(both_)),
        a_(UsesOf(StatementsOf(first_))),
        b_(UsesOf(StatementsOf(second_))) {}

  bool IsPossible(const std::set<int> &elsewhere) const {
    if (!KeepTheSame() || !HaveOneShapeInEachLaunch()) return false;
    if (ShareMemory(a_, b_) || ShareMemory(b_, a_)) return false;
    Diagnostics unsaid{DiagnosticOptions()};
    return LengthsFit() && TemporariesFit(elsewhere) && IsLegalKernel(both_, unsaid);
  }

 private:
  Rule Alone(const std::vector<Statement> &body) const {
    Rule kernel = rule_;
    kernel.stages = {{body}};
    return BindAxes(std::move(kernel));
  }

  static std::vector<const Statement *> StatementsOf(const Rule &kernel) {
    std::vector<const Statement *> statements;
    ForEachStatement(kernel, [&](const Statement &s) { statements.push_back(&s); });
    return statements;
  }

  /// The uses by some statements. Whether a tensor is a value is decided by the fused kernel.
  Uses UsesOf(const std::vector<const Statement *> &statements) const {
    Uses uses;
    const auto use = [&](int tensor) {
      (values_.count(tensor) != 0 ? uses.values : uses.elements).insert(tensor);
    };
    for (const Statement *statement : statements) {
      if (!statement->writes()) continue;
      uses.written.insert(statement->target);
      use(statement->target);
      for (const int tensor : ShapesOf(*statement)) {
        if (values_.count(tensor) == 0) uses.shapes.insert(tensor);
      }
      for (const auto &[tensor, axes] : ReadsOf(statement->value).operands) {
        if (IsInPlace(tensor, axes)) {
          use(tensor);
        } else {
          uses.elsewhere.insert(tensor);
        }
      }
    }
    uses.shapes.insert(uses.elements.begin(), uses.elements.end());
    uses.lengths = LengthsOf(statements);
    return uses;
  }

  /// The vectors that have a value for each of some axes of the statements, which use none of them.
  std::set<int> LengthsOf(const std::vector<const Statement *> &statements) const {
    std::set<int> lengths;
    for (const Statement *statement : statements) {
      for (const Expr &e : statement->fitting) {
        if (e->op == Op::kRead && !IsInPlace(e->index, e->axes)) lengths.insert(e->index);
      }
    }
    return lengths;
  }

  /// The tensors that must have the statement's shape, read or not. Only an extent of a tensor says
  /// how often a statement repeats values that it reduces.
  std::set<int> ShapesOf(const Statement &statement) const {
    std::set<int> shapes = FittingTensors(statement);
    if (values_.count(statement.target) == 0 || HasElements(statement.value)) return shapes;
    for (const Expr &e : statement.fitting) shapes.insert(e->index);
    return shapes;
  }

  bool HasElements(const Expr &value) const {
    const std::vector<std::pair<int, Axes>> operands = ReadsOf(value).operands;
    return std::any_of(operands.begin(), operands.end(), [this](const auto &operand) {
      return operand.second.is_every() && values_.count(operand.first) == 0;
    });
  }

  /// Whether a read is at the same coordinates. So is a gather from a row: the element is picked
  /// before or after a sweep writes the row.
  bool IsInPlace(int tensor, Axes axes) const {
    if (axes.is_picked()) return rule_.params[tensor].rank != 1;
    return axes.is_every() || (axes == kept_ && values_.count(tensor) != 0);
  }

  /// Whether both go over memory in the same way, reduce in the same order, and have channels of
  /// the same dimension.
  bool KeepTheSame() const {
    const int first_dim = ChannelDimOf(first_), second_dim = ChannelDimOf(second_);
    if (first_dim >= 0 && second_dim >= 0 && first_dim != second_dim) return false;
    const std::optional<Order> first = OrderOf(first_), second = OrderOf(second_);
    if (first && second && *first != *second) return false;
    const int of_both = ReducedAxisOf(both_);
    const auto is_known = [&](const Rule &kernel) {
      const Axes kept = KeptBy(kernel);
      return kept.is_every() || (kept == kept_ && ReducedAxisOf(kernel) == of_both);
    };
    return is_known(first_) && is_known(second_);
  }

  /// Whether the shape of one tensor is that of both, so that they go over one shape. If one of
  /// them uses only values, both must use one value.
  bool HaveOneShape(const Uses &a, const Uses &b) const {
    const bool have_elements = !a.shapes.empty() && !b.shapes.empty();
    if (!have_elements) return Meet(a.values, b.values);
    const int rank = rule_.params[*a.shapes.begin()].rank;
    const auto has_rank = [&](int tensor) { return rule_.params[tensor].rank == rank; };
    return std::all_of(b.shapes.begin(), b.shapes.end(), has_rank) && Meet(a.shapes, b.shapes);
  }

  /// The same of the statements that a launch runs, for each launch that runs some of both.
  bool HaveOneShapeInEachLaunch() const {
    if (!HaveOneShape(a_, b_)) return false;
    Rule apart = rule_;
    apart.stages = {first_.stages.front(), second_.stages.front()};
    const RuleConditions conditions = ConditionsOf(apart);
    if (conditions.values.size() > kMaxConditions) return false;
    for (unsigned variant = 0; variant < conditions.variant_count(); ++variant) {
      const Uses a = UsesOf(Linearize(apart.stages.front(), conditions, variant));
      const Uses b = UsesOf(Linearize(apart.stages.back(), conditions, variant));
      if (!a.written.empty() && !b.written.empty() && !HaveOneShape(a, b)) return false;
    }
    return true;
  }

  /// Whether one writes memory that the other uses by another name. The pass isolate_slices has
  /// compared only the statements of a single kernel.
  bool ShareMemory(const Uses &writer, const Uses &other) const {
    for (const int written : writer.written) {
      const std::set<int> memory = {written, OwnerOf(rule_, written)};
      for (const int tensor : other.all()) {
        if (tensor != written && Meet(WithSources(rule_, tensor), memory)) return true;
      }
    }
    return false;
  }

  /// Whether the lengths of temporary vectors are known. If the fused kernel has values, a vector
  /// must be a value of a kernel that goes over memory in the same way: its checks show the length.
  /// If the fused kernel is element-wise, only one of the two may use a vector element by element.
  bool LengthsFit() const {
    const bool reduces = !kept_.is_every();
    const auto is_value = [this](const Rule &kernel, const Uses &uses, int tensor) {
      return KeptBy(kernel) == kept_ && uses.values.count(tensor) != 0;
    };
    std::set<int> tensors = a_.all();
    for (const std::set<int> &others : {b_.all(), a_.lengths, b_.lengths}) {
      tensors.insert(others.begin(), others.end());
    }
    return std::all_of(tensors.begin(), tensors.end(), [&](int tensor) {
      const Param &param = rule_.params[tensor];
      if (param.rank != 1 || !param.is_temporary || param.shape_of >= 0) return true;
      return reduces ? is_value(first_, a_, tensor) || is_value(second_, b_, tensor)
                     : a_.elements.count(tensor) == 0 || b_.elements.count(tensor) == 0;
    });
  }

  /// Whether the temporaries that the fused kernel would have to keep in memory have memory anyway:
  /// one of the two keeps them, or both use them, or another kernel does.
  bool TemporariesFit(const std::set<int> &elsewhere) const {
    std::set<int> kept = KeptOf(first_);
    kept.merge(KeptOf(second_));
    const std::set<int> of_a = a_.all(), of_b = b_.all();
    const std::set<int> kept_by_both = KeptOf(both_);
    return std::all_of(kept_by_both.begin(), kept_by_both.end(), [&](int tensor) {
      return kept.count(tensor) != 0 || elsewhere.count(tensor) != 0 ||
             (of_a.count(tensor) != 0 && of_b.count(tensor) != 0);
    });
  }

  const Rule &rule_;
  const Rule first_, second_, both_;
  const Axes kept_;  // by the fused kernel, as are the values
  const std::set<int> values_;
  const Uses a_, b_;
};

}  // namespace

std::vector<Statement> Together(std::vector<Statement> first, std::vector<Statement> second) {
  std::move(second.begin(), second.end(), std::back_inserter(first));
  // Statements keep the spec's order, even if their branches were moved past each other.
  std::stable_sort(first.begin(), first.end(), [](const Statement &a, const Statement &b) {
    return FirstNumber(a) < FirstNumber(b);
  });
  return first;
}

bool CanFuse(const Rule &rule, const std::vector<Statement> &first,
             const std::vector<Statement> &second, const std::set<int> &elsewhere) {
  return Fusion(rule, first, second).IsPossible(elsewhere);
}

}  // namespace mgen
