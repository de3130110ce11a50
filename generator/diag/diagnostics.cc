// SPDX-License-Identifier: Apache-2.0
#include "diag/diagnostics.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringRef.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace mgen {
namespace {

struct Row {
  std::string_view name;
  Severity severity;
  std::string_view text;
};

constexpr Row kRows[] = {
#define MGEN_DIAG(id, name, severity, text) {name, Severity::severity, text},
#include "diag/diagnostics.def"
#undef MGEN_DIAG
};

const Row &RowOf(DiagId id) { return kRows[static_cast<size_t>(id)]; }

/// Fills %0 … %9. An argument is never scanned for holes itself: it may be text from the spec.
std::string Fill(std::string_view text, const std::vector<std::string> &args) {
  std::string result;
  for (size_t i = 0; i < text.size(); ++i) {
    const bool hole =
        text[i] == '%' && i + 1 < text.size() && text[i + 1] >= '0' && text[i + 1] <= '9';
    const size_t arg = hole ? static_cast<size_t>(text[i + 1] - '0') : 0;
    if (hole && arg < args.size()) {
      result += args[arg];
      ++i;
    } else {
      result += text[i];
    }
  }
  return result;
}

bool SamePlace(const SourceLocation &a, const SourceLocation &b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

}  // namespace

std::string_view Name(DiagId id) { return RowOf(id).name; }
std::string TextOf(DiagId id, const std::vector<std::string> &args) {
  return Fill(RowOf(id).text, args);
}
Severity DefaultSeverity(DiagId id) { return RowOf(id).severity; }

std::string_view Name(Severity severity) {
  constexpr std::string_view kNames[] = {"note", "performance", "warning", "error"};
  return kNames[static_cast<size_t>(severity)];
}

std::optional<DiagId> FindDiag(std::string_view name) {
  const auto row = llvm::find_if(kRows, [&](const Row &r) { return r.name == name; });
  if (row == std::end(kRows)) return std::nullopt;
  return static_cast<DiagId>(row - std::begin(kRows));
}

std::set<DiagId> OptIn() {
  return {DiagId::kElementView,    DiagId::kWideArithmetic, DiagId::kConstantPower,
          DiagId::kLongDivision,   DiagId::kScalarDivision, DiagId::kReadAcross,
          DiagId::kScanAgain};
}

std::string ApplyWarningFlag(std::string_view flag, DiagnosticOptions *options) {
  if (flag == "-Werror") {
    options->warnings_as_errors = true;
    return "";
  }
  llvm::StringRef name = flag;
  name.consume_front("-W");
  const bool as_error = name.consume_front("error=");
  const bool off = !as_error && name.consume_front("no-");
  name.consume_front("mshadow-");
  std::set<DiagId> ids;
  if (name == "performance") {
    ids = OptIn();
  } else if (const std::optional<DiagId> id = FindDiag(name)) {
    ids = {*id};
  }
  if (ids.empty() || DefaultSeverity(*ids.begin()) == Severity::kNote) {
    return "no diagnostic is named '" + name.str() + "'";
  }
  if (DefaultSeverity(*ids.begin()) == Severity::kError) {
    return "'" + name.str() + "' is always an error: it cannot be turned off";
  }
  for (const DiagId id : ids) {
    if (as_error) options->as_errors.insert(id);
    if (off) {
      options->disabled.insert(id);
    } else {
      options->disabled.erase(id);
    }
  }
  return "";
}

Diagnostics::Diagnostics(DiagnosticOptions options) : options_(std::move(options)) {}

std::optional<Severity> Diagnostics::Effective(DiagId id) const {
  const Severity severity = DefaultSeverity(id);
  if (severity == Severity::kError) return severity;
  if (options_.disabled.count(id)) return std::nullopt;
  const bool raised = severity == Severity::kWarning && options_.warnings_as_errors;
  if (raised || options_.as_errors.count(id)) return Severity::kError;
  return options_.errors_only ? std::nullopt : std::optional<Severity>(severity);
}

Diagnostic Diagnostics::Make(DiagId id, const SourceLocation &location,
                             const std::vector<std::string> &args) {
  return {id, DefaultSeverity(id), TextOf(id, args), location, {}};
}

Diagnostics::Reported Diagnostics::Add(DiagId id, const SourceLocation &location,
                                       const std::vector<std::string> &args) {
  const std::optional<Severity> severity = Effective(id);
  if (!severity) return Reported(nullptr);
  Diagnostic diagnostic = Make(id, location, args);
  diagnostic.severity = *severity;
  return Keep(std::move(diagnostic));
}

Diagnostics::Reported Diagnostics::Keep(Diagnostic diagnostic) {
  if (diagnostic.severity == Severity::kError) ++reported_errors_;
  const bool known = llvm::any_of(diagnostics_, [&](const auto &d) {
    return d.id == diagnostic.id && SamePlace(d.location, diagnostic.location) &&
           d.text == diagnostic.text;
  });
  if (known) return Reported(nullptr);
  if (diagnostic.severity == Severity::kError) {
    ++error_count_;
    if (options_.max_errors > 0 && error_count_ > options_.max_errors) {
      ++dropped_errors_;
      return Reported(nullptr);
    }
  }
  diagnostics_.push_back(std::move(diagnostic));
  return Reported(&diagnostics_.back());
}

void Diagnostics::Take(Diagnostics other) {
  for (Diagnostic &diagnostic : other.diagnostics_) Keep(std::move(diagnostic));
  error_count_ += other.dropped_errors_;
  dropped_errors_ += other.dropped_errors_;
  sources_.merge(other.sources_);
}

void Diagnostics::AddSource(const std::string &file, std::string text) {
  sources_[file] = std::move(text);
}

std::optional<std::string_view> Diagnostics::SourceLine(const std::string &file, int line) const {
  const auto source = sources_.find(file);
  if (source == sources_.end() || line < 1) return std::nullopt;
  std::string_view rest = source->second;
  for (int i = 1; i < line; ++i) {
    const size_t end = rest.find('\n');
    if (end == std::string_view::npos) return std::nullopt;
    rest.remove_prefix(end + 1);
  }
  rest = rest.substr(0, rest.find('\n'));
  if (!rest.empty() && rest.back() == '\r') rest.remove_suffix(1);
  return rest;
}

}  // namespace mgen
