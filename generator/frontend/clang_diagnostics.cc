// SPDX-License-Identifier: Apache-2.0
#include "frontend/clang_diagnostics.h"

#include <clang/Basic/DiagnosticParse.h>
#include <llvm/ADT/StringSwitch.h>

#include <algorithm>
#include <cstring>
#include <utility>

#include "frontend/clang_compat.h"
#include "frontend/guarded_files.h"
#include "frontend/types.h"

namespace mgen {
namespace {

bool IsUsersFile(const clang::SourceManager &sources, clang::SourceLocation location) {
  if (location.isInvalid()) return false;
  const clang::SourceLocation file = sources.getFileLoc(location);
  return !sources.isInSystemHeader(file) &&
         !compat::StartsWith(sources.getFilename(file), kVirtualRoot);
}

/// A range that begins at the caret is what the message is about; others are operands.
clang::SourceRange RangeOf(const clang::Diagnostic &info) {
  clang::SourceRange range = info.getLocation();
  for (const clang::CharSourceRange &r : info.getRanges()) {
    if (r.getBegin() == info.getLocation() && r.isTokenRange()) range.setEnd(r.getEnd());
  }
  return range;
}

/// The types among the arguments of a message.
std::vector<clang::QualType> TypeArguments(const clang::Diagnostic &info) {
  std::vector<clang::QualType> types;
  for (unsigned i = 0; i < info.getNumArgs(); ++i) {
    if (info.getArgKind(i) != clang::DiagnosticsEngine::ak_qualtype) continue;
    types.push_back(clang::QualType::getFromOpaquePtr(
        reinterpret_cast<const void *>(static_cast<uintptr_t>(info.getRawArg(i)))));
  }
  return types;
}

/// "float" for an element type; half_t and bf16_t without their namespaces.
std::string ElementText(clang::QualType type) {
  const std::string name = RecordName(type);
  if (!name.empty()) return name.substr(name.rfind(':') + 1);
  return type.getCanonicalType().getUnqualifiedType().getAsString(
      clang::PrintingPolicy(clang::LangOptions()));
}

/// The two element types that the runtime's templates which check them are instantiated with: their
/// template arguments that are scalars.
std::vector<std::string> InstanceElementTypes(const clang::Diagnostic &info) {
  std::vector<std::string> types;
  for (unsigned i = 0; i < info.getNumArgs(); ++i) {
    if (info.getArgKind(i) != clang::DiagnosticsEngine::ak_nameddecl) continue;
    const auto *decl = reinterpret_cast<const clang::NamedDecl *>(info.getRawArg(i));
    const auto *function = llvm::dyn_cast<clang::FunctionDecl>(decl);
    const auto *args = function ? function->getTemplateSpecializationArgs() : nullptr;
    for (unsigned a = 0; args && a < args->size(); ++a) {
      if ((*args)[a].getKind() != clang::TemplateArgument::Type) continue;
      const clang::QualType type = (*args)[a].getAsType();
      if (ScalarKindOf(decl->getASTContext(), type)) types.push_back(ElementText(type));
    }
  }
  return types;
}

/// What stands in the source at `location`, a range on one line.
std::string TextAt(const Diagnostics &diagnostics, const SourceLocation &location) {
  const auto line = diagnostics.SourceLine(location.file, location.line);
  const size_t begin = static_cast<size_t>(location.column) - 1;
  if (!line || begin >= line->size()) return "";
  return std::string(line->substr(begin, location.end_column - location.column));
}

/// The first two characters at the caret.
llvm::StringRef OperatorAt(const clang::Diagnostic &info) {
  const char *text = info.getSourceManager().getCharacterData(info.getLocation());
  return {text, std::min<size_t>(2, std::strlen(text))};
}

/// Whether a note names a flag of Clang's that a spec's parse does not take.
bool IsAboutFlags(const clang::Diagnostic &info) {
  switch (info.getID()) {
    case clang::diag::note_bracket_depth:
    case clang::diag::note_template_recursion_depth:
      return true;
    default:
      return false;
  }
}

/// The binary digits of an element type's significand; 0 for integers.
int DigitsOf(llvm::StringRef type) {
  return llvm::StringSwitch<int>(type)
      .Case("double", 53)
      .Case("float", 24)
      .Case("half_t", 11)
      .Case("bf16_t", 8)
      .Default(0);
}

/// The assignment, "=" or "-=", with which a text begins; "" if it begins with none.
std::string AssignmentIn(llvm::StringRef text) {
  if (text.take_front(2) == "==") return "";
  if (text.take_front(1) == "=") return "=";
  const bool updates =
      text.size() > 1 && text[1] == '=' && llvm::StringRef("+-*/").contains(text[0]);
  return updates ? text.take_front(2).str() : "";
}

bool IsAssignment(const clang::Diagnostic &info) {
  if (info.getID() != clang::diag::err_ovl_no_viable_oper) return false;
  const llvm::StringRef op = OperatorAt(info);
  return op == "+=" || op == "-=" || op == "*=" || op == "/=" || (op[0] == '=' && op != "==");
}

/// Whether the operator at the caret asks a question that has one answer.
bool IsConditionOperator(const clang::Diagnostic &info) {
  const llvm::StringRef op = OperatorAt(info);
  return op == "&&" || op == "||" || op == "==" || op == "!=" || op[0] == '<' || op[0] == '>' ||
         op[0] == '!';
}

/// Gives messages of Clang that stand for a mistake in a rule the rule's words.
void Translate(const clang::Diagnostic &info, DiagId *id, std::vector<std::string> *args) {
  if (args->front().find("different element types") != std::string::npos) {
    *id = DiagId::kMixedTypes;
    args->clear();
    return;
  }
  if (info.getID() == clang::diag::err_bracket_depth_exceeded) {
    *id = DiagId::kTooLarge;
    *args = {"this expression has", std::to_string(kMaxBrackets) + " nested brackets"};
    return;
  }
  bool on_tensors = false;
  for (const clang::QualType type : TypeArguments(info)) {
    on_tensors = on_tensors || IsExpression(type);
  }
  if (!on_tensors) return;
  switch (info.getID()) {
    case clang::diag::err_typecheck_bool_condition:
      *id = DiagId::kTensorCondition;
      break;
    case clang::diag::err_typecheck_invalid_operands:
    case clang::diag::err_typecheck_unary_expr:
      if (IsConditionOperator(info)) *id = DiagId::kTensorCondition;
      break;
    default:
      break;
  }
}

}  // namespace

void AddSourceOf(const clang::SourceManager &sources, clang::SourceLocation location,
                 Diagnostics &diagnostics) {
  if (!IsUsersFile(sources, location)) return;
  const clang::SourceLocation file = sources.getFileLoc(location);
  const std::string name = sources.getFilename(file).str();
  if (diagnostics.HasSource(name)) return;
  bool invalid = false;
  const llvm::StringRef text = sources.getBufferData(sources.getFileID(file), &invalid);
  if (!invalid) diagnostics.AddSource(name, text.str());
}

SourceLocation ToLocation(const clang::SourceManager &sources, const clang::LangOptions &language,
                          clang::SourceRange range) {
  SourceLocation result;
  if (range.isInvalid()) return result;
  const clang::SourceLocation begin = sources.getFileLoc(range.getBegin());
  result.file = sources.getFilename(begin).str();
  result.line = static_cast<int>(sources.getSpellingLineNumber(begin));
  result.column = static_cast<int>(sources.getSpellingColumnNumber(begin));
  const clang::SourceLocation last = sources.getFileLoc(range.getEnd());
  const clang::SourceLocation end = clang::Lexer::getLocForEndOfToken(last, 0, sources, language);
  if (end.isValid() && sources.getFileID(end) == sources.getFileID(begin) &&
      static_cast<int>(sources.getSpellingLineNumber(end)) == result.line) {
    result.end_column = static_cast<int>(sources.getSpellingColumnNumber(end));
  }
  return result;
}

void ClangDiagnostics::HandleDiagnostic(clang::DiagnosticsEngine::Level level,
                                        const clang::Diagnostic &info) {
  DiagnosticConsumer::HandleDiagnostic(level, info);
  if (stopped_) return;
  llvm::SmallString<200> text;
  info.FormatDiagnostic(text);
  SourceLocation location, operand;
  bool in_spec = false;
  if (info.hasSourceManager() && info.getLocation().isValid()) {
    const clang::SourceManager &sources = info.getSourceManager();
    location = ToLocation(sources, language_, RangeOf(info));
    in_spec = IsUsersFile(sources, info.getLocation());
    AddSourceOf(sources, info.getLocation(), diagnostics_);
    if (info.getNumRanges() > 0) {
      operand = ToLocation(sources, language_, info.getRange(0).getAsRange());
    }
  }
  if (level == clang::DiagnosticsEngine::Note) {
    HandleNote(info, location, in_spec, text.str().str());
    return;
  }
  if (level == clang::DiagnosticsEngine::Ignored || level == clang::DiagnosticsEngine::Remark)
    return;
  Held held;
  held.id = level == clang::DiagnosticsEngine::Warning ? DiagId::kCxxWarning : DiagId::kCxx;
  held.args = {text.str().str()};
  held.location = location;
  held.operand = operand;
  held.in_spec = in_spec || location.line == 0;
  held.in_header = !held.in_spec;
  held.assignment = in_spec && IsAssignment(info);
  if (info.getID() == clang::diag::err_pp_file_not_found) held.missing = info.getArgStdStr(0);
  // An instance that is missing because of what is wrong in the function.
  held.about_instances = text.str().contains("MSHADOW_INSTANTIATE") ||
                         info.getID() == clang::diag::err_addr_ovl_no_viable;
  Translate(info, &held.id, &held.args);
  held_.push_back(std::move(held));
}

/// After a fatal error Clang instantiates no template.
void ClangDiagnostics::StopAt(clang::DiagnosticsEngine &engine, clang::SourceLocation place,
                              const std::string &what, const std::string &limit) {
  const clang::SourceManager &sources = engine.getSourceManager();
  AddSourceOf(sources, place, diagnostics_);
  Held held;
  held.id = DiagId::kTooLarge;
  held.args = {what, limit};
  held.location = ToLocation(sources, language_, place);
  held.in_spec = true;
  held_.push_back(std::move(held));
  stopped_ = true;
  engine.Report(place, clang::diag::fatal_too_many_errors);
}

/// Notes inside the runtime's headers are of no use to the author of a spec, but for what they say
/// about the error.
void ClangDiagnostics::HandleNote(const clang::Diagnostic &info, const SourceLocation &location,
                                  bool in_spec, const std::string &text) {
  if (held_.empty()) return;
  Held &held = held_.back();
  if (held.id == DiagId::kMixedTypes && held.args.size() < 2) {
    held.args = InstanceElementTypes(info);
  }
  if (!in_spec || IsAboutFlags(info)) return;
  if (!held.in_spec) {  // the first place in the spec on the way to a header's error
    held.location = location;
    held.in_spec = true;
  } else if (text.find("mshadow::gen::") == std::string::npos) {
    held.notes.emplace_back(location, text);
  }
}

/// Says of headers that were not found that they are there, but outside.
void ClangDiagnostics::NoteRefused(const std::vector<std::string> &refused) {
  for (Held &held : held_) {
    if (held.missing.empty()) continue;
    for (const std::string &path : refused) {
      if (path.size() < held.missing.size() ||
          path.compare(path.size() - held.missing.size(), std::string::npos, held.missing) != 0) {
        continue;
      }
      held.notes.emplace_back(
          held.location,
          "this file exists, but the spec may not read it: a spec reads its own directory, "
          "--path-base, the directories of -I, and headers of its project (the current directory, "
          "or the nearest one above with '.git'); add its directory with '-- -IDIR'");
      break;
    }
  }
}

/// Without the header each mention of what it declares is an error, and there are many.
bool ClangDiagnostics::ReportNoKernelHeader() {
  for (const Held &held : held_) {
    for (const char *macro : {"MSHADOW_KERNEL", "MSHADOW_EXPRESSION", "MSHADOW_XINLINE"}) {
      const std::string unknown = "unknown type name '" + std::string(macro) + "'";
      if (held.args.empty() || held.args[0] != unknown) continue;
      diagnostics_.Report(DiagId::kNoKernelHeader, held.location, macro)
          .Note(DiagId::kNoKernelHeaderNote, held.location);
      return true;
    }
  }
  return false;
}

void ClangDiagnostics::Finish(const std::vector<std::string> &refused) {
  NoteRefused(refused);
  if (ReportNoKernelHeader()) {
    held_.erase(std::remove_if(held_.begin(), held_.end(),
                               [](const Held &held) { return held.missing.empty(); }),
                held_.end());
  }
  const Held *previous = nullptr;
  for (const Held &held : held_) {
    // One mistake of the spec's can make several errors in a header, and several conditions that
    // are tensors: each operand of `a && b`, and the operator.
    const bool is_same_kind =
        previous &&
        ((held.in_header && previous->in_header) ||
         (held.id == DiagId::kTensorCondition && previous->id == DiagId::kTensorCondition));
    const bool follows = is_same_kind && held.location.line == previous->location.line &&
                         held.location.file == previous->location.file;
    if (!(held.about_instances && diagnostics_.has_errors()) && !follows) Report(held);
    previous = &held;
  }
  held_.clear();
}

bool ClangDiagnostics::ReportConstWrite(const Held &held) {
  const std::string name = TextAt(diagnostics_, held.operand);
  for (const ConstTensor &tensor : const_tensors_) {
    const int line = held.location.line;
    if (tensor.name != name || held.location.file != tensor.location.file) continue;
    if (line < tensor.first_line || line > tensor.last_line) continue;
    diagnostics_.Report(DiagId::kConstWrite, held.operand, name)
        .Note(DiagId::kConstWriteNote, tensor.location, name);
    return true;
  }
  return false;
}

/// Advises the conversion that loses the fewest digits.
void ClangDiagnostics::ReportMixedTypes(const SourceLocation &location, const std::string &left,
                                        const std::string &right) {
  auto report = diagnostics_.Report(DiagId::kMixedTypes, location, left, right);
  const std::string assignment = AssignmentIn(TextAt(diagnostics_, location));
  const int most = std::max(DigitsOf(left), DigitsOf(right));
  const bool is_narrow = most == DigitsOf("half_t") || most == DigitsOf("bf16_t");
  if (assignment == "=" || (!assignment.empty() && !is_narrow && DigitsOf(left) == most)) {
    report.Note(DiagId::kMixedTypesNote, location, left);
  } else if (!assignment.empty()) {
    const std::string wide = is_narrow ? "float" : right;
    report.Note(DiagId::kMixedUpdateNote, location, left, wide, assignment.substr(0, 1));
  } else if (is_narrow) {
    report.Note(DiagId::kMixedBothNote, location, "float");
  } else {
    report.Note(DiagId::kMixedTypesNote, location, DigitsOf(left) == most ? left : right);
  }
}

void ClangDiagnostics::Report(const Held &held) {
  const SourceLocation &location = held.location;
  if (held.assignment && ReportConstWrite(held)) return;
  if (held.id == DiagId::kTensorCondition) {
    diagnostics_.Report(held.id, location).Note(DiagId::kTensorConditionNote, location);
    return;
  }
  if (held.id == DiagId::kTooLarge) {
    diagnostics_.Report(held.id, location, held.args[0], held.args[1])
        .Note(DiagId::kTooLargeNote, location);
    return;
  }
  if (held.id == DiagId::kMixedTypes && held.args.size() >= 2) {
    ReportMixedTypes(location, held.args[0], held.args[1]);
    return;
  }
  const std::string text =
      held.args.empty() ? "operands have different element types" : held.args[0];
  auto report =
      diagnostics_.Report(held.id == DiagId::kMixedTypes ? DiagId::kCxx : held.id, location, text);
  for (const auto &[place, note] : held.notes) report.Note(DiagId::kCxxNote, place, note);
}

}  // namespace mgen
