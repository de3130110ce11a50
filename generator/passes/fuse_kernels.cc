// SPDX-License-Identifier: Apache-2.0
#include "passes/fuse_kernels.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>
#include <vector>

#include "ir/effects.h"
#include "ir/stages.h"
#include "ir/walk.h"
#include "passes/can_fuse.h"
#include "passes/paths.h"

namespace mgen {
namespace {

/// A stage, and the conditions around its statements.
struct Piece {
  enum Kind { kKernel, kCall, kBoundary } kind;
  std::vector<Path> paths;
  std::vector<Statement> body;
};

Piece::Kind KindOf(const Stage &stage) {
  if (CallOf(stage) != nullptr) return Piece::kCall;
  return EndsStage(stage.body) ? Piece::kBoundary : Piece::kKernel;
}

bool AreExclusive(const Piece &a, const Piece &b) { return AreExclusive(a.paths, b.paths); }

/// Fuses kernels, so that a launch which runs both goes over memory once instead of twice.
class Fuser {
 public:
  explicit Fuser(const Rule &rule) : rule_(rule) {
    for (const Stage &stage : rule.stages) {
      pieces_.push_back({KindOf(stage), paths_.Of(stage.body), stage.body});
    }
  }

  std::vector<Stage> Run() {
    size_t next = 0;
    while (next < pieces_.size()) next = FuseWithEarlier(next);
    std::vector<Stage> stages;
    for (Piece &piece : pieces_) {
      if (piece.kind != Piece::kBoundary) stages.push_back({std::move(piece.body)});
    }
    if (stages.empty()) stages.emplace_back();
    return stages;
  }

 private:
  /// Fuses piece `second` with an earlier one, if possible.
  /// \returns the piece to go on with: the fused one, or the one after `second`
  size_t FuseWithEarlier(size_t second) {
    for (size_t first = second; first-- > 0;) {
      // If no launch runs both, to fuse them saves no pass.
      if (AreExclusive(pieces_[first], pieces_[second])) continue;
      if (CanBeOneKernel(first, second)) {
        if (const size_t fused = Fuse(first, second); fused != kStays) return fused;
      }
      // If every launch that runs `second` also runs this one, no earlier one can be fused.
      if (RunsAround(pieces_[first].paths, pieces_[second].paths)) break;
    }
    return second + 1;
  }

  /// Fuses two pieces. Each piece between them moves before or after the fused one, past pieces
  /// that no launch runs together with it. All others stay in order, since only a launch knows
  /// which arguments share memory.
  /// \returns the index of the fused piece, or kStays if some piece has to stay between the two
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
      if (i == first || i == second || pieces_[i].kind == Piece::kBoundary) continue;
      elsewhere.merge(EffectsOf(pieces_[i].body).used());
    }
    return CanFuse(rule_, a.body, b.body, elsewhere);
  }

  static constexpr size_t kStays = static_cast<size_t>(-1);

  const Rule &rule_;
  PathFinder paths_;
  std::vector<Piece> pieces_;
};

}  // namespace

void FuseKernels(Rule *rule) { rule->stages = Fuser(*rule).Run(); }

}  // namespace mgen
