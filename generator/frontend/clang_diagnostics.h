// SPDX-License-Identifier: Apache-2.0
/// \file clang_diagnostics.h
/// Clang's own messages on their way into Diagnostics, and source locations on the way out of
/// Clang.
#ifndef MSHADOW_GENERATOR_FRONTEND_CLANG_DIAGNOSTICS_H_
#define MSHADOW_GENERATOR_FRONTEND_CLANG_DIAGNOSTICS_H_

#include <string>
#include <utility>
#include <vector>

#include "diag/diagnostics.h"
#include "frontend/clang_compat.h"

namespace mgen {

/// How deep brackets may stand within each other.
constexpr int kMaxBrackets = 512;

/// The place of `range` in its file; what a macro made stands where the macro was used.
SourceLocation ToLocation(const clang::SourceManager &sources, const clang::LangOptions &language,
                          clang::SourceRange range);

/// Makes the text of the file of `location` known to the printers, if it is a file of the user's.
void AddSourceOf(const clang::SourceManager &sources, clang::SourceLocation location,
                 Diagnostics &diagnostics);

/// A tensor parameter of a rule that is declared const.
struct ConstTensor {
  std::string name;
  SourceLocation location;
  int first_line = 0;  ///< of the rule
  int last_line = 0;
};

/// Holds what Clang reports until the rules are known. An error inside the runtime's headers is the
/// spec's mistake: it is reported where the spec led there.
class ClangDiagnostics : public clang::DiagnosticConsumer {
 public:
  explicit ClangDiagnostics(Diagnostics &diagnostics) : diagnostics_(diagnostics) {}

  void BeginSourceFile(const clang::LangOptions &language, const clang::Preprocessor *) override {
    language_ = language;
  }
  void HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                        const clang::Diagnostic &info) override;

  /// Reports that something is too large, and makes Clang give up: what else it says follows from
  /// that.
  void StopAt(clang::DiagnosticsEngine &engine, clang::SourceLocation place,
              const std::string &what, const std::string &limit);

  /// The const tensors of the spec's rules: assigning to one is an error of its own.
  void SetConstTensors(std::vector<ConstTensor> tensors) { const_tensors_ = std::move(tensors); }

  /// Reports what was held. What Clang says about MSHADOW_INSTANTIATE of a malformed rule is left
  /// out if the check of the rules' form found an error.
  /// \param refused files that Clang was kept from, and therefore has not found
  void Finish(const std::vector<std::string> &refused = {});

 private:
  struct Held {
    DiagId id = DiagId::kCxx;
    std::vector<std::string> args;
    SourceLocation location;
    SourceLocation operand;        ///< the first range that Clang underlines
    bool in_spec = false;          ///< its place is in a file of the user's
    bool in_header = false;        ///< it was found in a header of the runtime's
    bool about_instances = false;  ///< it says that an instance is missing
    bool assignment = false;       ///< an assignment to `operand` that no overload takes
    std::string missing = {};      ///< the header that it says is not there
    std::vector<std::pair<SourceLocation, std::string>> notes;
  };
  void HandleNote(const clang::Diagnostic &info, const SourceLocation &location, bool in_spec,
                  const std::string &text);
  bool ReportNoKernelHeader();
  bool ReportConstWrite(const Held &held);
  void ReportMixedTypes(const SourceLocation &location, const std::string &left,
                        const std::string &right);
  void Report(const Held &held);
  void NoteRefused(const std::vector<std::string> &refused);

  Diagnostics &diagnostics_;
  clang::LangOptions language_;
  std::vector<Held> held_;
  std::vector<ConstTensor> const_tensors_;
  bool stopped_ = false;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_CLANG_DIAGNOSTICS_H_
