// SPDX-License-Identifier: Apache-2.0
/// \file diagnostics.h
/// Messages about a spec: each is a row of diagnostics.def. Messages about bugs of the generator
/// itself are not among them.
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

/// kPerformance: the rule runs, but slower than it looks.
enum class Severity { kNote, kPerformance, kWarning, kError };

/// The stable name without its prefix: "const-write" for [mshadow-const-write].
std::string_view Name(DiagId id);
std::string_view Name(Severity severity);
/// The text of a message, its gaps filled.
std::string TextOf(DiagId id, const std::vector<std::string> &args);
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

/// The messages that are off unless -Wperformance, or -WNAME, turns them on.
std::set<DiagId> OptIn();

/// What the command line says of messages.
struct DiagnosticOptions {
  bool warnings_as_errors = false;  ///< -Werror: warnings are errors; performance messages are not
  bool errors_only = false;         ///< messages below an error are not collected
  std::set<DiagId> disabled = OptIn();  ///< -Wno-NAME; errors cannot be disabled
  std::set<DiagId> as_errors;       ///< -Werror=NAME
  int max_errors = 20;              ///< further errors are only counted; 0: no limit
};

/// Applies one flag: "-Werror", "-Werror=NAME", "-Wperformance", "-WNAME", "-Wno-NAME" (NAME
/// with or without "mshadow-").
/// \returns what is wrong with it, or ""
std::string ApplyWarningFlag(std::string_view flag, DiagnosticOptions *options);

/// Collects diagnostics in the order of their reports. Drops a message if the same one, with the
/// same place and text, was reported before: every instance of a rule has the same mistakes.
class Diagnostics {
 public:
  /// Adds notes to a report. Notes to a dropped report are dropped.
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

  /// Adds a message. `args`, strings or integers, fill the gaps in its text.
  template <typename... Args>
  Reported Report(DiagId id, const SourceLocation &location, const Args &...args) {
    return Add(id, location, {Text(args)...});
  }

  /// Adds what `other`, which has the same options, has collected, as if it were reported here.
  void Take(Diagnostics other);

  bool has_errors() const { return error_count_ > 0; }
  int error_count() const { return error_count_; }
  /// How many errors were reported, with those that were dropped as repetitions.
  int reported_errors() const { return reported_errors_; }
  /// How many errors were counted but not kept, because of max_errors.
  int dropped_errors() const { return dropped_errors_; }
  const std::deque<Diagnostic> &all() const { return diagnostics_; }

  /// Makes the text of a file known, so that printers can show the line of a message.
  void AddSource(const std::string &file, std::string text);
  bool HasSource(const std::string &file) const { return sources_.count(file) > 0; }
  /// \returns line `line` (from 1) of a known file; nothing if there is none
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
  std::deque<Diagnostic> diagnostics_;  // elements stay in place: notes are added to them
  std::map<std::string, std::string> sources_;
  int error_count_ = 0;
  int reported_errors_ = 0;
  int dropped_errors_ = 0;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DIAG_DIAGNOSTICS_H_
