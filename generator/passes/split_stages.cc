// SPDX-License-Identifier: Apache-2.0
#include "passes/split_stages.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ir/printer.h"
#include "ir/stages.h"
#include "ir/walk.h"
#include "passes/one_kernel.h"

namespace mgen {
namespace {

/// A condition around statements, and the branch that they are in. `holds` is said of `condition`
/// as it is written without negations: scalars are what they are for the whole launch, so one text
/// is one value.
struct Branch {
  const Statement *choice;
  bool is_then;
  std::string condition;
  bool holds;
};
using Path = std::vector<Branch>;

Branch BranchOf(const Statement &choice, bool is_then, const Rule &rule) {
  Expr condition = choice.condition;
  bool holds = is_then;
  for (; condition->op == Op::kNot; condition = condition->args[0]) holds = !holds;
  return {&choice, is_then, Print(condition, rule), holds};
}

/// Statements without the end of a stage between them, or that end.
struct Piece {
  enum Kind { kKernel, kProduct, kEnd } kind;
  std::vector<Path> paths;      ///< where its statements are
  std::vector<Statement> body;  ///< each below its conditions
};

/// Cuts a body into pieces, in its order.
class Splitter {
 public:
  explicit Splitter(const Rule &rule) : rule_(rule) {}

  std::vector<Piece> Run(const std::vector<Statement> &body) {
    Split(body);
    return std::move(pieces_);
  }

 private:
  void Split(const std::vector<Statement> &body) {
    for (const Statement &statement : body) {
      if (statement.kind == Statement::kBoundary) {
        Begin(Piece::kEnd);
        pieces_.back().paths.push_back(path_);
        is_open_ = false;
      } else if (statement.kind == Statement::kProduct) {
        Begin(Piece::kProduct);
        Add(statement);
        is_open_ = false;
      } else if (statement.kind == Statement::kIf && EndsStage({statement})) {
        SplitBranch(statement, true);
        SplitBranch(statement, false);
      } else {
        if (!is_open_) Begin(Piece::kKernel);
        Add(statement);
      }
    }
  }

  void SplitBranch(const Statement &choice, bool is_then) {
    path_.push_back(BranchOf(choice, is_then, rule_));
    Split(is_then ? choice.then_body : choice.else_body);
    path_.pop_back();
    is_open_ = false;
  }

  void Begin(Piece::Kind kind) {
    pieces_.push_back({kind, {}, {}});
    is_open_ = true;
  }

  void Add(Statement statement) {
    Piece &piece = pieces_.back();
    piece.paths.push_back(path_);
    for (size_t i = path_.size(); i-- > 0;) {
      Statement around = *path_[i].choice;
      around.then_body.clear();
      around.else_body.clear();
      (path_[i].is_then ? around.then_body : around.else_body).push_back(std::move(statement));
      statement = std::move(around);
    }
    piece.body.push_back(std::move(statement));
  }

  const Rule &rule_;
  Path path_;
  std::vector<Piece> pieces_;
  bool is_open_ = false;  // the last piece takes what comes
};

/// The tensors that statements write, and those of which they write a part.
std::set<int> WrittenBy(const std::vector<Statement> &body, const Rule &rule) {
  std::set<int> written;
  ForEachStatement(body, [&](const Statement &statement) {
    if (statement.kind == Statement::kIf) return;
    const Param &target = rule.params[statement.target];
    written.insert(target.is_part() ? target.view->Sources().front() : statement.target);
  });
  return written;
}

/// What ties a statement, and those below it, to others of its kernel: the tensors that it uses, or
/// that must only fit. A view or a part has another shape than the tensor that it is of, which ties
/// only what writes that tensor; but parts of one tensor may well be of one shape, for which a
/// negative number stands.
std::set<int> TiesOf(const Statement &statement, const Rule &rule, const std::set<int> &written) {
  std::set<int> ties = TensorsOf({{statement}});
  ForEachStatement({statement}, [&](const Statement &s) {
    for (const Expr &e : s.fitting) ties.insert(e->index);
  });
  for (const int tensor : std::set<int>(ties)) {
    const Param &param = rule.params[tensor];
    for (const int source : param.view ? param.view->Sources() : std::vector<int>()) {
      if (written.count(source) != 0) ties.insert(source);
      if (param.is_part()) ties.insert(-1 - source);
    }
  }
  return ties;
}

/// Cuts a kernel where nothing ties one side to the other: nothing says that both have one shape.
/// Statements keep their order, since arguments may share memory.
std::vector<Piece> CutUnrelated(Piece kernel, const Rule &rule) {
  const std::set<int> written = WrittenBy(kernel.body, rule);
  std::vector<std::set<int>> ties;
  std::map<int, size_t> last;  // the last statement with a tie
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    ties.push_back(TiesOf(kernel.body[i], rule, written));
    for (const int tie : ties.back()) last[tie] = i;
  }
  std::vector<Piece> pieces;
  size_t related = 0;  // the last statement with a tie of those so far
  for (size_t i = 0; i < kernel.body.size(); ++i) {
    if (pieces.empty() || i > related) pieces.push_back({Piece::kKernel, {}, {}});
    for (const int tie : ties[i]) related = std::max(related, last[tie]);
    pieces.back().paths.push_back(std::move(kernel.paths[i]));
    pieces.back().body.push_back(std::move(kernel.body[i]));
  }
  return pieces;
}

std::vector<Piece> CutUnrelated(std::vector<Piece> pieces, const Rule &rule) {
  std::vector<Piece> cut;
  for (Piece &piece : pieces) {
    if (piece.kind != Piece::kKernel) {
      cut.push_back(std::move(piece));
      continue;
    }
    for (Piece &part : CutUnrelated(std::move(piece), rule)) cut.push_back(std::move(part));
  }
  return cut;
}

/// Whether no launch takes both paths.
bool AreExclusive(const Path &a, const Path &b) {
  return std::any_of(a.begin(), a.end(), [&b](const Branch &x) {
    return std::any_of(b.begin(), b.end(), [&x](const Branch &y) {
      return x.condition == y.condition && x.holds != y.holds;
    });
  });
}

bool AreExclusive(const Piece &a, const Piece &b) {
  return std::all_of(a.paths.begin(), a.paths.end(), [&b](const Path &path) {
    return std::all_of(b.paths.begin(), b.paths.end(),
                       [&path](const Path &other) { return AreExclusive(path, other); });
  });
}

/// Whether a launch that takes `other` takes `path`.
bool Follows(const Path &path, const Path &other) {
  return std::all_of(path.begin(), path.end(), [&other](const Branch &x) {
    return std::any_of(other.begin(), other.end(), [&x](const Branch &y) {
      return x.condition == y.condition && x.holds == y.holds;
    });
  });
}

/// Whether a launch that runs anything of `b` runs something of `a`, the same whatever it is of b.
bool RunsAround(const Piece &a, const Piece &b) {
  return std::any_of(a.paths.begin(), a.paths.end(), [&](const Path &path) {
    return std::all_of(b.paths.begin(), b.paths.end(),
                       [&](const Path &other) { return Follows(path, other); });
  });
}

/// Makes one kernel of two between which only an `if` begins or ends. A launch then goes over
/// memory once where it went twice.
class Fuser {
 public:
  Fuser(const Rule &rule, std::vector<Piece> pieces) : rule_(rule), pieces_(std::move(pieces)) {}

  std::vector<Piece> Run() {
    size_t next = 0;
    while (next < pieces_.size()) next = FuseWithEarlier(next);
    return std::move(pieces_);
  }

 private:
  /// \returns the piece to go on with: the one that `second` became part of, or the next one
  size_t FuseWithEarlier(size_t second) {
    for (size_t first = second; first-- > 0;) {
      // Two that no launch runs both of would be no pass less.
      if (AreExclusive(pieces_[first], pieces_[second])) continue;
      if (CanBeOneKernel(first, second)) {
        if (const size_t fused = Fuse(first, second); fused != kStays) return fused;
      }
      // What comes before this one comes before `second` because of it.
      if (RunsAround(pieces_[first], pieces_[second])) break;
    }
    return second + 1;
  }

  /// Brings two pieces together, past others that no launch runs with the one or the other. All
  /// else stays in its order: which memory is shared by arguments is not known before the launch.
  /// \returns where they are, or kStays if something must be done between them
  size_t Fuse(size_t first, size_t second) {
    std::vector<Piece> before, after;
    const auto follows = [&](const Piece &piece) {
      const auto precedes = [&piece](const Piece &other) { return !AreExclusive(other, piece); };
      return precedes(pieces_[first]) || std::any_of(after.begin(), after.end(), precedes);
    };
    for (size_t i = first + 1; i < second; ++i) {
      (follows(pieces_[i]) ? after : before).push_back(pieces_[i]);
    }
    for (const Piece &piece : after) {
      if (!AreExclusive(piece, pieces_[second])) return kStays;
    }
    Piece fused = std::move(pieces_[first]);
    Append(std::move(pieces_[second]), &fused);
    const size_t place = first + before.size();
    std::move(before.begin(), before.end(), pieces_.begin() + first);
    pieces_[place] = std::move(fused);
    std::move(after.begin(), after.end(), pieces_.begin() + place + 1);
    pieces_.erase(pieces_.begin() + second);
    return place;
  }

  static void Append(Piece from, Piece *to) {
    std::move(from.paths.begin(), from.paths.end(), std::back_inserter(to->paths));
    to->body = Together(std::move(to->body), std::move(from.body));
  }

  bool CanBeOneKernel(size_t first, size_t second) const {
    const Piece &a = pieces_[first], &b = pieces_[second];
    if (a.kind != Piece::kKernel || b.kind != Piece::kKernel) return false;
    std::set<int> elsewhere;
    for (size_t i = 0; i < pieces_.size(); ++i) {
      if (i == first || i == second || pieces_[i].kind == Piece::kEnd) continue;
      const std::set<int> used = TensorsOf({pieces_[i].body});
      elsewhere.insert(used.begin(), used.end());
    }
    return FitOneKernel(rule_, a.body, b.body, elsewhere);
  }

  static constexpr size_t kStays = static_cast<size_t>(-1);

  const Rule &rule_;
  std::vector<Piece> pieces_;
};

}  // namespace

std::vector<Stage> SplitStages(const Rule &rule) {
  std::vector<Stage> stages;
  std::vector<Piece> pieces = Splitter(rule).Run(rule.stages.front().body);
  for (Piece &piece : Fuser(rule, CutUnrelated(std::move(pieces), rule)).Run()) {
    if (piece.kind != Piece::kEnd) stages.push_back({std::move(piece.body)});
  }
  if (stages.empty()) stages.emplace_back();
  return stages;
}

}  // namespace mgen
