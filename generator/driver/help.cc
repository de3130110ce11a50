// SPDX-License-Identifier: Apache-2.0
#include "driver/help.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/ADT/StringRef.h>

#include <cstdio>
#include <optional>
#include <set>
#include <stdexcept>

#include "driver/commands.h"
#include "driver/manual.h"
#include "driver/option_table.h"
#include "driver/suggest.h"
#include "frontend/embedded.h"

namespace mgen {
namespace {

/// The text between the heading "## ID" and the next one; nothing if no page has the heading.
std::optional<llvm::StringRef> SectionOf(const std::string &id) {
  const std::string heading = "\n## " + id + "\n";
  for (const EmbeddedFile &page : kMessagePages) {
    const llvm::StringRef text(page.text, page.size);
    const size_t begin = text.find(heading);
    if (begin == text.npos) continue;
    const llvm::StringRef rest = text.drop_front(begin + heading.size());
    return rest.take_front(rest.find("\n## ")).trim();
  }
  return std::nullopt;
}

/// Removes the fences of code blocks and indents the code.
std::string Unfenced(llvm::StringRef markdown) {
  std::string text;
  bool code = false;
  for (const llvm::StringRef line : llvm::split(markdown, '\n')) {
    if (line.take_front(3) == "```") {
      code = !code;
    } else {
      text += (code && !line.empty() ? "    " : "") + line.str() + "\n";
    }
  }
  return text;
}

/// "const-write", also for "mshadow-const-write" and "[mshadow-const-write]".
std::string IdOf(llvm::StringRef topic) {
  topic.consume_front("[");
  topic.consume_back("]");
  topic.consume_front("mshadow-");
  return topic.lower();
}

}  // namespace

std::vector<std::string> ExplainedIds() {
  std::set<std::string> ids;
#define MGEN_DIAG(id, name, severity, text) \
  if (Severity::severity != Severity::kNote) ids.insert(name);
#include "diag/diagnostics.def"
#undef MGEN_DIAG
  return {ids.begin(), ids.end()};
}

std::string Explanation(const std::string &id) {
  const std::optional<llvm::StringRef> section = SectionOf(id);
  if (!section) throw std::logic_error("docs/messages has no section '" + id + "'");
  const std::string severity(Name(DefaultSeverity(*FindDiag(id))));
  return "mshadow-" + id + " (" + severity + ")\n\n" + Unfenced(*section);
}

ExitCode RunHelp(const Options &options, Diagnostics *, const Log &) {
  const std::string id = IdOf(options.topic);
  const auto command = llvm::find_if(Commands(), [&](const auto &row) { return id == row.name; });
  std::string text;
  if (options.topic.empty()) {
    text = HelpText(Command::kHelp);
  } else if (command != Commands().end()) {
    text = HelpText(command->command);
  } else if (llvm::is_contained(ExplainedIds(), id)) {
    text = Explanation(id);
  } else {
    throw UsageError("no message has the id '" + options.topic + "'" +
                     DidYouMean(id, ExplainedIds()) + "; 'mshadow-gen help' lists the ids");
  }
  std::fputs(text.c_str(), stdout);
  return kExitSuccess;
}

}  // namespace mgen
