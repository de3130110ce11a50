// SPDX-License-Identifier: Apache-2.0
/// \file front_end.h
/// What every part of lowering needs: Clang's context, the way to report, the limits.
#ifndef MSHADOW_GENERATOR_FRONTEND_FRONT_END_H_
#define MSHADOW_GENERATOR_FRONTEND_FRONT_END_H_

#include <string>
#include <utility>

#include "diag/diagnostics.h"
#include "frontend/clang_compat.h"
#include "frontend/clang_diagnostics.h"

namespace mgen {

/// Thrown after an error was reported: the statement at hand has no meaning. Caught where lowering
/// can go on with the next one, so that a spec's mistakes are found in one run.
struct Rejected {};

/// Gives a variable its old value back at the end of a scope, also when that ends by Rejected.
template <typename T>
class Restore {
 public:
  explicit Restore(T &variable) : variable_(variable), old_(variable) {}
  ~Restore() { variable_ = std::move(old_); }
  Restore(const Restore &) = delete;
  Restore &operator=(const Restore &) = delete;
  const T &old() const { return old_; }

 private:
  T &variable_;
  T old_;
};

/// One spec while it is lowered.
class FrontEnd {
 public:
  FrontEnd(clang::ASTContext &context, Diagnostics &collector)
      : ast(context), diagnostics(collector) {}

  clang::ASTContext &ast;
  Diagnostics &diagnostics;

  /// The place of `range`. If it is in a file of the user's, printers will show its line.
  SourceLocation Where(clang::SourceRange range) const {
    if (range.isValid()) AddSourceOf(ast.getSourceManager(), range.getBegin(), diagnostics);
    return ToLocation(ast.getSourceManager(), ast.getLangOpts(), range);
  }

  /// Counts a step of lowering; a rule may take kMaxSteps. Inlining can multiply a small spec.
  void Step(clang::SourceRange range) {
    const clang::SourceManager &sources = ast.getSourceManager();
    if (!sources.isInSystemHeader(sources.getFileLoc(range.getBegin()))) place_ = range;
    if (++steps_ <= kMaxSteps) return;
    diagnostics
        .Report(DiagId::kTooLarge, Where(place_),
                "including the operators that it calls, this rule has",
                std::to_string(kMaxSteps) + " operations")
        .Note(DiagId::kTooLargeNote, Where(place_));
    throw Rejected();
  }
  void ResetSteps() { steps_ = 0; }

  static constexpr int kMaxSteps = 20000;
  static constexpr int kMaxInlining = 64;  ///< nested calls

 private:
  int steps_ = 0;
  clang::SourceRange place_;  ///< of the last step in a file of the user's
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_FRONT_END_H_
