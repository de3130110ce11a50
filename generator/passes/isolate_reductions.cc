// SPDX-License-Identifier: Apache-2.0
#include "passes/isolate_reductions.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "ir/effects.h"
#include "ir/walk.h"

namespace mgen {
namespace {

/// A way of going over memory: the axes that a reduction keeps, or that a read has, and the node of
/// that reduction or read. The order of a reduction is a part of the way.
struct Way {
  Axes kept;
  const Node *node = nullptr;

  bool reduces() const { return node->op != Op::kRead; }
  bool operator!=(const Way &other) const {
    return kept != other.kept || (reduces() && other.reduces() && node->order != other.node->order);
  }
};

std::optional<Way> WayOf(const Node &node, int rank) {
  if (const Axes kept = KeptBy(node); !kept.is_every()) return Way{kept, &node};
  if (node.op != Op::kRead) return std::nullopt;
  const Axes axes = AxesOf(node, rank);
  if (axes.is_picked()) return Way{Axes::Rows(), &node};
  return axes.only() >= 0 || axes.without() >= 0 ? std::optional(Way{axes, &node}) : std::nullopt;
}

/// What a statement does that needs the way: "reduces rows".
std::string Describe(const Way &way) {
  const bool reads = !way.reduces();
  if (ClassOf(way.node->op) == OpClass::Scan) return "scans rows";
  if (way.kept.is_rows()) return reads ? "gathers elements of rows" : "reduces rows";
  if (const int dim = way.kept.without(); dim >= 0) {
    return (reads ? "broadcasts along all dimensions but " : "reduces dimension ") +
           std::to_string(dim);
  }
  if (way.kept.has_last()) return "reduces columns";
  if (const int dim = way.kept.only(); dim >= 0) {
    return (reads ? "broadcasts along dimension " : "reduces all dimensions but ") +
           std::to_string(dim);
  }
  return "reduces everything";
}

using Statements = std::vector<const Statement *>;

class Isolation {
 public:
  Isolation(const Rule &rule, Diagnostics &diagnostics) : rule_(rule), diagnostics_(diagnostics) {}

  /// \returns the statements that need a boundary before them
  std::set<const Statement *> Find() {
    ForEachStatement(rule_, [this](const Statement &statement) { See(statement); });
    return std::move(cuts_);
  }

 private:
  void See(const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    if (statement.kind != Statement::kAssign) {
      kernel_.clear();
      way_.reset();
      return;
    }
    std::optional<Way> way = WayOf(statement);
    if (!way) way = WayOfVectors(statement);
    kernel_.push_back(&statement);
    if (!way) return;
    if (rule_.params[statement.target].rank == 1)
      of_vectors_.insert_or_assign(statement.target, *way);
    const bool is_other = way_ && *way != *way_;
    if (is_other) {
      const auto cut = BestCut();
      cuts_.insert(*cut);
      kernel_.erase(kernel_.begin(), cut);
    }
    if (!way_ || is_other || way->reduces()) way_ = way;  // a read has no order
    last_ = kernel_.size() - 1;
  }

  std::optional<Way> WayOf(const Statement &statement) {
    std::optional<Way> found;
    const int rank = RankOfElements(rule_, statement);
    const auto see = [&](const Expr &node) {
      const std::optional<Way> way = mgen::WayOf(*node, rank);
      if (found && way && *way != *found) Report(statement, *found, *way);
      if (way && (!found || way->reduces())) found = way;
    };
    ForEachNode(statement.value, see);
    for (const Expr &fitting : statement.fitting) ForEachNode(fitting, see);
    return found;
  }

  /// The way of a statement that uses vectors alone: that of a vector which it uses.
  std::optional<Way> WayOfVectors(const Statement &statement) const {
    if (rule_.params[statement.target].rank != 1) return std::nullopt;
    const Effects effects = EffectsOf(statement);
    std::set<int> vectors = effects.in_place;
    vectors.merge(std::set<int>(effects.written));
    for (const int vector : vectors) {
      const auto way = of_vectors_.find(vector);
      if (way != of_vectors_.end()) return way->second;
    }
    return std::nullopt;
  }

  void Report(const Statement &statement, const Way &first, const Way &second) {
    const auto place_of = [&statement](const Way &way) {
      return way.node->location.line > 0 ? way.node->location : statement.location;
    };
    const auto say = [&](const Way &way) {
      if (first.kept != second.kept) return Describe(way);
      return Describe(way) + " in the order '" + std::string(IrName(way.node->order)) + "'";
    };
    diagnostics_.Report(DiagId::kMixedReductions, place_of(second), say(second), say(first))
        .Note(DiagId::kMixedReductionsNote, place_of(first), say(first));
  }

  /// The best cut between the last statement that needs the kernel's way and the newest statement,
  /// which needs another.
  Statements::const_iterator BestCut() const {
    const auto first = kernel_.begin() + static_cast<std::ptrdiff_t>(last_) + 1;
    auto best = kernel_.end() - 1;
    for (auto cut = best; cut-- != first;) {
      if (BytesCutAt(cut) < BytesCutAt(best)) best = cut;
    }
    return best;
  }

  /// The bytes that the kernels before and after a cut move for an element.
  int BytesCutAt(Statements::const_iterator cut) const {
    const Statements first(kernel_.begin(), cut), second(cut, kernel_.end());
    return BytesOf(first, second) + BytesOf(second, first);
  }

  int BytesOf(const Statements &kernel, const Statements &other) const {
    std::set<int> loaded, stored, elsewhere;
    for (const Statement *statement : other) elsewhere.merge(EffectsOf(*statement).used());
    for (const Statement *statement : kernel) {
      for (const int tensor : EffectsOf(*statement).read) {
        if (stored.count(tensor) == 0) loaded.insert(tensor);
      }
      stored.insert(statement->target);
    }
    int bytes = 0;
    for (const int tensor : loaded) bytes += BytesOf(tensor);
    for (const int tensor : stored) {
      const bool is_kept = !rule_.params[tensor].is_temporary || elsewhere.count(tensor) != 0;
      bytes += is_kept ? BytesOf(tensor) : 0;
    }
    return bytes;
  }

  /// Vectors stay in cache.
  int BytesOf(int tensor) const {
    const Param &param = rule_.params[tensor];
    return param.rank == 1 ? 0 : Bytes(param.type.kind);
  }

  const Rule &rule_;
  Diagnostics &diagnostics_;
  Statements kernel_;              // the statements of the kernel so far
  std::optional<Way> way_;         // the way that they need
  size_t last_ = 0;                // the last of them that needs it
  std::map<int, Way> of_vectors_;  // the ways of the statements that assign vectors
  std::set<const Statement *> cuts_;
};

void AddBoundaries(const std::set<const Statement *> &before, std::vector<Statement> *body) {
  std::vector<Statement> result;
  for (Statement &statement : *body) {
    AddBoundaries(before, &statement.then_body);
    AddBoundaries(before, &statement.else_body);
    if (before.count(&statement) != 0) result.emplace_back().kind = Statement::kBoundary;
    result.push_back(std::move(statement));
  }
  *body = std::move(result);
}

}  // namespace

bool IsolateReductions(Rule *rule, Diagnostics &diagnostics) {
  const int errors_before = diagnostics.error_count();
  AddBoundaries(Isolation(*rule, diagnostics).Find(), &rule->stages.front().body);
  return diagnostics.error_count() == errors_before;
}

}  // namespace mgen
