// SPDX-License-Identifier: Apache-2.0
#include "driver/standalone.h"

#include <llvm/ADT/STLExtras.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "driver/diff.h"
#include "emit/names.h"
#include "frontend/embedded.h"

namespace mgen {
namespace {

/// A file that is added: a row of standalone.def.
struct LibraryPart {
  const char *suffix;
  std::string kind;
  enum { kIncluded, kSource, kViews } role;
  const char *what;
  std::vector<std::string> roots;
};

const std::vector<LibraryPart> &LibraryParts() {
  static const std::vector<LibraryPart> parts = {
#define MGEN_PART(suffix, kind, role, what, ...) \
  {suffix, #kind, LibraryPart::role, what, {__VA_ARGS__}},
#include "driver/standalone.def"
#undef MGEN_PART
  };
  return parts;
}

/// Whether a part is needed. Those for CPUs always are.
bool IsNeeded(const LibraryPart &part, const std::set<std::string> &emit) {
  return part.kind == "cpu" || emit.count(part.kind) > 0;
}

/// A file of the runtime that is embedded in this program; null if there is none of this name.
const EmbeddedFile *Find(const std::string &name) {
  const auto *file = llvm::find_if(kStandaloneFiles, [&](const auto &f) { return name == f.name; });
  return file == std::end(kStandaloneFiles) ? nullptr : file;
}

/// The name in an include line, which may be indented; "" for any other line.
std::string Included(std::string_view line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  if (line.substr(0, 8) != "#include") return "";
  const size_t begin = line.find_first_of("<\"");
  if (begin == line.npos) return "";
  return std::string(line.substr(begin + 1, line.find_first_of(">\"", begin + 1) - begin - 1));
}

bool StartsWith(std::string_view line, std::string_view prefix) {
  return line.substr(0, prefix.size()) == prefix;
}

/// Whether a header has an include guard: its first directive.
bool IsGuarded(std::string_view text) {
  const size_t begin = StartsWith(text, "#") ? 0 : text.find("\n#") + 1;
  const std::string_view first = text.substr(begin, text.find('\n', begin) - begin);
  return StartsWith(first, "#ifndef MSHADOW_") && first.substr(first.size() - 2) == "H_";
}

/// The files of the runtime that are in a part, with the suffix of the part.
using Parts = std::vector<std::pair<std::string, std::string>>;

/// Replaces includes of the runtime's files by their texts, or by includes of a part.
class Flattener {
 public:
  /// \param parts an include of a file in one becomes an include of the part, once
  Flattener(const std::string &base, const Parts &parts) : base_(base), parts_(parts) {}

  /// \param directory quoted names are looked up there first
  std::string Flatten(std::string_view text, const std::string &directory) {
    std::string result;
    int depth = IsGuarded(text) ? -1 : 0;  // of conditions, without the guard
    for (const std::string_view line : SplitLines(text)) {
      // A test for the generator's own parse does not count as a condition.
      if (StartsWith(line, "#if") && !StartsWith(line, "#ifndef __MSHADOW_GEN__")) ++depth;
      if (StartsWith(line, "#endif")) --depth;
      const std::string name = Resolve(Included(line), directory);
      if (name.empty()) {
        if (!StartsWith(line, "// SPDX-License-Identifier")) result += line;
      } else {
        result += depth > 0 ? IncludeOnCondition(name) : Include(name);
      }
    }
    return result;
  }

  /// The file of the runtime that an include names; "" for other files.
  static std::string Resolve(const std::string &name, const std::string &directory) {
    if (name.compare(0, 8, "mshadow/") == 0) return "include/" + name;
    const bool is_inside = !name.empty() && !directory.empty() && Find(directory + name) != nullptr;
    return is_inside ? directory + name : "";
  }

  const std::set<std::string> &seen() const { return seen_; }

  std::string Include(const std::string &name) {
    for (const auto &[file, suffix] : parts_) {
      if (file != name) continue;
      const std::string line = "#include \"" + base_ + suffix + "\"\n";
      // Packets are included once in each region, and headers only once.
      const bool is_header = suffix.back() == 'h';
      return is_header && !lines_.insert(line).second ? "" : line;
    }
    const EmbeddedFile *file = Find(name);
    if (file == nullptr) throw std::logic_error("no file '" + name + "' of the runtime is inside");
    const std::string_view text(file->text, file->size);
    if (IsGuarded(text) && !seen_.insert(name).second) return "";
    return Flatten(text, Directory(name));
  }

  /// What is included under a condition, and by that in turn, is not yet there for what follows.
  std::string IncludeOnCondition(const std::string &name) {
    const std::set<std::string> seen = seen_, lines = lines_;
    std::string text = Include(name);
    seen_ = seen;
    lines_ = lines;
    return text;
  }

 private:
  const std::string base_;
  std::set<std::string> seen_;   // guarded files whose text is in the result
  std::set<std::string> lines_;  // includes of parts that are in the result
  const Parts &parts_;
};

std::string Banner(const std::string &name, const char *what) {
  return "// SPDX-License-Identifier: Apache-2.0\n// " + name +
         " -- written by mshadow-gen, from the runtime of mshadow-kernels:\n// " + what + ".\n";
}

}  // namespace

std::vector<std::string> StandaloneNames(const std::string &base,
                                         const std::set<std::string> &emit) {
  std::vector<std::string> names;
  for (const LibraryPart &part : LibraryParts()) {
    if (IsNeeded(part, emit)) names.push_back(base + part.suffix);
  }
  return names;
}

std::vector<OutputFile> MakeStandalone(std::vector<OutputFile> outputs, const std::string &base,
                                       const std::set<std::string> &emit, bool views) {
  Parts parts;
  std::vector<OutputFile> added;
  for (const LibraryPart &part : LibraryParts()) {
    if (!IsNeeded(part, emit)) continue;
    if (part.role == LibraryPart::kViews && !views) {
      added.push_back(
          {base + part.suffix, "// " + base + part.suffix + " is empty: no rule reads views.\n"});
      continue;
    }
    Flattener flattener(base, parts);
    OutputFile file{base + part.suffix, Banner(base + part.suffix, part.what)};
    for (const std::string &root : part.roots) file.text += flattener.Include(root);
    if (file.text.find("MSHADOW_") == std::string::npos) {
      throw std::logic_error("nothing is in '" + file.name + "' of a standalone output");
    }
    added.push_back(std::move(file));
    if (part.role == LibraryPart::kSource) continue;
    for (const std::string &root : part.roots) parts.emplace_back(root, part.suffix);
    for (const std::string &name : flattener.seen()) parts.emplace_back(name, part.suffix);
  }
  for (OutputFile &output : outputs) {
    output.text = Flattener(base, parts).Flatten(output.text, "");
  }
  outputs.insert(outputs.end(), added.begin(), added.end());
  return outputs;
}

}  // namespace mgen
