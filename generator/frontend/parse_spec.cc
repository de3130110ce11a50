// SPDX-License-Identifier: Apache-2.0
#include "frontend/parse_spec.h"

#include <utility>

#include "frontend/compiler.h"
#include "frontend/rules.h"

namespace mgen {
namespace {

constexpr uint64_t kMaxSpecBytes = 1 << 20;

bool HasPrefix(const std::string &text, const char *prefix) {
  return text.compare(0, std::char_traits<char>::length(prefix), prefix) == 0;
}

/// The flags that a parse uses. Whatever could load or write something is refused: a spec is read,
/// nothing else.
std::optional<ParseOptions> Accept(const ParseOptions &options, const std::string &path,
                                   Diagnostics &diagnostics) {
  ParseOptions accepted = options;
  accepted.flags.clear();
  const std::vector<std::string> &flags = options.flags;
  for (size_t i = 0; i < flags.size(); ++i) {
    const std::string &flag = flags[i];
    bool takes_value = false;
    bool used = HasPrefix(flag, "-std=");
    for (const char *name : {"-I", "-isystem", "-iquote", "-include", "-D", "-U"}) {
      used = used || HasPrefix(flag, name);
      takes_value = takes_value || flag == name;
    }
    bool ignored = false;
    for (const char *name : {"-W", "-O", "-g", "-m", "-f", "-pthread", "-pedantic", "-w"}) {
      ignored = ignored || HasPrefix(flag, name);
    }
    ignored = ignored && !HasPrefix(flag, "-fplugin") && !HasPrefix(flag, "-fpass-plugin") &&
              !HasPrefix(flag, "-W,") && !HasPrefix(flag, "-Wp,");
    if (!used && !ignored) {
      diagnostics.Report(DiagId::kUnsupportedFlag, SourceLocation{path}, flag)
          .Note(DiagId::kFlagNote, SourceLocation{path});
      return std::nullopt;
    }
    if (used) accepted.flags.push_back(flag);
    if (takes_value && i + 1 < flags.size()) accepted.flags.push_back(flags[++i]);
  }
  return accepted;
}

/// Checks what Clang must not be given: a FIFO would hang it, a huge file exhaust it.
bool IsReadable(const std::string &path, Diagnostics &diagnostics) {
  llvm::sys::fs::file_status status;
  const SourceLocation where{path};
  if (const std::error_code error = llvm::sys::fs::status(path, status)) {
    diagnostics.Report(DiagId::kUnreadable, where, path, error.message());
  } else if (!llvm::sys::fs::is_regular_file(status)) {
    diagnostics.Report(DiagId::kUnreadable, where, path, "it is not a regular file");
  } else if (status.getSize() > kMaxSpecBytes) {
    diagnostics.Report(DiagId::kTooLarge, where, "the spec has", "1 MiB")
        .Note(DiagId::kSpecTooLargeNote, where);
  } else {
    return true;
  }
  return false;
}

/// `path` relative to the path base, with '/'; never absolute.
std::string SpecName(const ParseOptions &options, const std::string &path) {
  const auto absolute = [](const std::string &name) {
    llvm::SmallString<256> result(name);
    llvm::sys::fs::make_absolute(result);
    llvm::sys::path::remove_dots(result, /*remove_dot_dot=*/true);
    return result;
  };
  if (options.path_base.empty()) return llvm::sys::path::filename(path).str();
  const llvm::SmallString<256> file = absolute(path);
  const llvm::SmallString<256> base = absolute(options.path_base);
  auto f = llvm::sys::path::begin(file), f_end = llvm::sys::path::end(file);
  auto b = llvm::sys::path::begin(base), b_end = llvm::sys::path::end(base);
  while (f != f_end && b != b_end && *f == *b) ++f, ++b;
  std::string result;
  for (; b != b_end; ++b) result += "../";
  for (; f != f_end; ++f) result += (result.empty() || result.back() == '/' ? "" : "/") + f->str();
  return result;
}

}  // namespace

std::vector<std::vector<Rule>> ParseSpec(const ParseOptions &options, const std::string &path,
                                         Diagnostics &diagnostics, Dependencies *dependencies) {
  std::vector<std::vector<Rule>> rules;
  if (!IsReadable(path, diagnostics)) return rules;
  const std::optional<ParseOptions> accepted = Accept(options, path, diagnostics);
  if (!accepted) return rules;
  const std::string name = SpecName(options, path);
  const auto visit = [&](clang::CompilerInstance &instance, ClangDiagnostics &messages) {
    const bool well_formed = !instance.getDiagnostics().hasErrorOccurred();
    if (well_formed) {
      messages.Finish();
    } else {
      messages.SetConstTensors(FindConstTensors(instance.getASTContext()));
    }
    rules = LowerRules(instance.getASTContext(), name, well_formed, diagnostics);
  };
  Compile(*accepted, path, diagnostics, dependencies, visit);
  return rules;
}

std::string ClangVersion() { return LLVM_VERSION_STRING; }
std::string ClangResourceDir() { return MGEN_CLANG_RESOURCE_DIR; }

}  // namespace mgen
