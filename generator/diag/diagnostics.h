// SPDX-License-Identifier: Apache-2.0
/// \file diagnostics.h
/// What the generator has to say about a spec: every message is a row of diagnostics.def. Our own
/// bugs never come this way.
#ifndef MSHADOW_GENERATOR_DIAG_DIAGNOSTICS_H_
#define MSHADOW_GENERATOR_DIAG_DIAGNOSTICS_H_

#include <deque>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "ir/source.h"

namespace mgen {

enum class DiagId {
#define MGEN_DIAG(id, name, severity, text) id,
#include "diag/diagnostics.def"
#undef MGEN_DIAG
};

/// kPerformance: the rule runs, slower than it looks.
enum class Severity { kNote, kPerformance, kWarning, kError };

/// The stable name, without the prefix: "const-write" of [mshadow-const-write].
std::string_view Name(DiagId id);
std::string_view Name(Severity severity);
/// The severity that diagnostics.def gives, before -W flags.
Severity DefaultSeverity(DiagId id);
/// \returns nothing if no message has this name.
std::optional<DiagId> FindDiag(std::string_view name);

struct Diagnostic {
  DiagId id;
  Severity severity;
  std::string text;
  SourceLocation location;
  std::vector<Diagnostic> notes;
};

/// Which messages count for what, from the command line.
struct DiagnosticOptions {
  bool warnings_as_errors = false;  ///< -Werror: warnings, not performance messages
  bool errors_only = false;         ///< what is less than an error is not even collected
  std::set<DiagId> disabled;        ///< -Wno-NAME; errors cannot be disabled
  std::set<DiagId> as_errors;       ///< -Werror=NAME
  int max_errors = 20;              ///< further ones are counted only; 0: no limit
};

/// Applies one flag: "-Werror", "-Werror=NAME", "-WNAME", "-Wno-NAME" (NAME with or without
/// "mshadow-"). \returns what is wrong with it, or "".
std::string ApplyWarningFlag(std::string_view flag, DiagnosticOptions *options);

/// Collects diagnostics in the order of their discovery. A message that was reported before with
/// the same place and text is dropped: every instance of a rule finds the same mistakes.
class Diagnostics {
 public:
  /// Adds notes to a report; to a dropped one they go nowhere.
  class Reported {
   public:
    template <typename... Args>
    Reported &Note(DiagId id, const SourceLocation &location, const Args &...args) {
      if (reported_ != nullptr) reported_->notes.push_back(Make(id, location, {Text(args)...}));
      return *this;
    }

   private:
    friend class Diagnostics;
    explicit Reported(Diagnostic *reported) : reported_(reported) {}
    Diagnostic *reported_;
  };

  explicit Diagnostics(DiagnosticOptions options = {});

  /// Adds a message; `args` (strings or integers) fill the holes of its text.
  template <typename... Args>
  Reported Report(DiagId id, const SourceLocation &location, const Args &...args) {
    return Add(id, location, {Text(args)...});
  }

  /// Adds what `other` has collected under the same options, as if it had been reported here.
  void Take(Diagnostics other);

  bool has_errors() const { return error_count_ > 0; }
  int error_count() const { return error_count_; }
  /// Errors as they were reported: one that says what another said at the same place counts, too.
  int reported_errors() const { return reported_errors_; }
  /// Errors that were counted, but not kept because of max_errors.
  int dropped_errors() const { return dropped_errors_; }
  const std::deque<Diagnostic> &all() const { return diagnostics_; }

  /// Makes the text of a file known, so that printers can show the line of a message.
  void AddSource(const std::string &file, std::string text);
  bool HasSource(const std::string &file) const { return sources_.count(file) > 0; }
  /// \returns line `line` (from 1) of a known file, or nothing.
  std::optional<std::string_view> SourceLine(const std::string &file, int line) const;

 private:
  static std::string Text(std::string_view text) { return std::string(text); }
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T>>>
  static std::string Text(T value) {
    return std::to_string(value);
  }

  Reported Keep(Diagnostic diagnostic);
  Reported Add(DiagId id, const SourceLocation &location, const std::vector<std::string> &args);
  static Diagnostic Make(DiagId id, const SourceLocation &location,
                         const std::vector<std::string> &args);
  std::optional<Severity> Effective(DiagId id) const;

  DiagnosticOptions options_;
  std::deque<Diagnostic> diagnostics_;  // they stay where they are: notes are added to them
  std::map<std::string, std::string> sources_;
  int error_count_ = 0;
  int reported_errors_ = 0;
  int dropped_errors_ = 0;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DIAG_DIAGNOSTICS_H_
