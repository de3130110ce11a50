// SPDX-License-Identifier: Apache-2.0
#include "driver/standalone.h"

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string_view>

#include "frontend/embedded.h"

namespace mgen {
namespace {

/// A file that is added: its suffix, the runtime's files that it is made of, and what it is.
struct LibraryPart {
  const char *suffix;
  std::vector<std::string> roots;
  const char *what;
  const char *kind = "cpu";  ///< the kind of output that needs it
  bool is_source = false;    ///< nobody includes it
  bool is_of_views = false;  ///< nothing is in it where no rule reads views
};

const std::vector<LibraryPart> &Parts() {
  // In order of inclusion: what one holds the later ones leave out.
  static const std::vector<LibraryPart> parts = {
      {".math.inc", {"include/mshadow/packet/shared.inc"}, "what all packet regions share"},
      {".packet.inc", {"include/mshadow/packet/region.inc"}, "packets of one instruction set"},
      {".runtime.h",
       {"include/mshadow/gen_revision.h", "include/mshadow/fused.h"},
       "tensors, checks and Plans"},
      {".runtime.cc",
       {"src/error.cc", "src/isa.cc", "src/launch.cc", "src/launch_memory.cc",
        "src/launch_product.cc", "src/standalone/launch_product_gpu.cc", "src/blas.cc",
        "src/vector_products.cc", "src/overlap.cc", "src/address_map.cc", "src/parallel.cc",
        "src/parts.cc", "src/streaming.cc", "src/extension.cc"},
       "errors, launch checks, products, threads; one such file for each program",
       "cpu",
       true},
      // Behind what one program has once: its text does not depend on the rules.
      {".views.h",
       {"include/mshadow/view.h", "include/mshadow/ranked_view.h"},
       "the expressions that views are",
       "cpu",
       false,
       true},
      {".instances.h", {"include/mshadow/instances.h"}, "from blobs to instances", "blob"},
      {".instances.cc",
       {"src/instances.cc"},
       "the search for instances; one such file for each program",
       "blob",
       true},
      {".c_api.h", {"include/mshadow/c_api.h"}, "tensors and statuses of C", "c"},
      {".c_api.cc",
       {"src/c_api.cc", "src/c_stream.cc", "src/standalone/stream.cc"},
       "errors and streams of C; one such file for each program",
       "c",
       true},
      {".cuda.h", {"include/mshadow/cuda/kernel.cuh"}, "loops and launches of kernels", "cuda"},
      {".cuda.cu",
       {"src/cuda/runtime.cc", "src/cuda/launch.cc"},
       "streams and launches; compile it where kernels are",
       "cuda",
       true},
  };
  return parts;
}

/// The CPU's parts are always there.
bool IsNeeded(const LibraryPart &part, const std::set<std::string> &emit) {
  const std::string kind = part.kind;
  return kind == "cpu" || emit.count(kind) > 0;
}

const EmbeddedFile &Find(const std::string &name) {
  for (const EmbeddedFile &file : kStandaloneFiles) {
    if (name == file.name) return file;
  }
  throw std::logic_error("no file '" + name + "' of the runtime is inside");
}

std::string Directory(const std::string &name) { return name.substr(0, name.rfind('/') + 1); }

/// The name in an include line, which a function's body indents; "" in any other.
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

/// A header that may be included again without effect: its first directive is its guard.
bool IsGuarded(std::string_view text) {
  const size_t begin = StartsWith(text, "#") ? 0 : text.find("\n#") + 1;
  const std::string_view first = text.substr(begin, text.find('\n', begin) - begin);
  return StartsWith(first, "#ifndef MSHADOW_") && first.substr(first.size() - 2) == "H_";
}

/// Replaces includes of the runtime's files by their texts, or by includes of a part.
class Flattener {
 public:
  explicit Flattener(const std::string &base) : base_(base) {}

  /// `directory` is where quoted names are looked up first.
  std::string Flatten(std::string_view text, const std::string &directory) {
    std::string result;
    int depth = IsGuarded(text) ? -1 : 0;  // of conditions, the guard not counted
    while (!text.empty()) {
      const size_t length = std::min(text.find('\n'), text.size() - 1) + 1;
      const std::string_view line = text.substr(0, length);
      text.remove_prefix(length);
      // What only the generator's own parse sees is no condition here.
      if (StartsWith(line, "#if") && !StartsWith(line, "#ifndef __MSHADOW_GEN__")) ++depth;
      if (StartsWith(line, "#endif")) --depth;
      const std::string name = Resolve(Included(line), directory);
      if (name.empty()) {
        if (!StartsWith(line, "// SPDX-License-Identifier")) result += line;
      } else {
        result += Include(name, depth > 0);
      }
    }
    return result;
  }

  /// The runtime's file that an include names; "" if it is another's.
  static std::string Resolve(const std::string &name, const std::string &directory) {
    if (name.compare(0, 8, "mshadow/") == 0) return "include/" + name;
    if (name.empty() || directory.empty()) return "";
    for (const EmbeddedFile &file : kStandaloneFiles) {
      if (directory + name == file.name) return file.name;
    }
    return "";
  }

  /// From here on an include of `name` becomes one of the part, once.
  void PutInto(const std::string &name, const std::string &suffix) {
    parts_.emplace_back(name, suffix);
  }
  const std::set<std::string> &seen() const { return seen_; }

  std::string Include(const std::string &name, bool conditional) {
    for (const auto &[file, suffix] : parts_) {
      if (file != name) continue;
      const std::string line = "#include \"" + base_ + suffix + "\"\n";
      // Packets are included once in each region; headers once at all.
      const bool is_header = suffix.back() == 'h';
      return is_header && !lines_.insert(line).second ? "" : line;
    }
    const EmbeddedFile &file = Find(name);
    const std::string_view text(file.text, file.size);
    if (IsGuarded(text)) {
      if (seen_.count(name)) return "";
      if (!conditional) seen_.insert(name);
    }
    return Flatten(text, Directory(name));
  }

 private:
  const std::string base_;
  std::set<std::string> seen_;   // guarded files whose text is in the result
  std::set<std::string> lines_;  // includes of parts that are in the result
  std::vector<std::pair<std::string, std::string>> parts_;
};

std::string Banner(const std::string &name, const char *what) {
  return "// SPDX-License-Identifier: Apache-2.0\n// " + name +
         " -- written by mshadow-gen, from the runtime of mshadow-kernels:\n// " + what + ".\n";
}

/// How a file refers to the parts that come before it.
void UseParts(const std::vector<std::pair<std::string, std::string>> &parts, Flattener *flattener) {
  for (const auto &[file, suffix] : parts) flattener->PutInto(file, suffix);
}

}  // namespace

std::vector<std::string> StandaloneNames(const std::string &base,
                                         const std::set<std::string> &emit) {
  std::vector<std::string> names;
  for (const LibraryPart &part : Parts()) {
    if (IsNeeded(part, emit)) names.push_back(base + part.suffix);
  }
  return names;
}

std::vector<OutputFile> MakeStandalone(std::vector<OutputFile> outputs, const std::string &base,
                                       const std::set<std::string> &emit, bool views) {
  std::vector<std::pair<std::string, std::string>> parts;  // a runtime's file, the part it is in
  std::vector<OutputFile> added;
  for (const LibraryPart &part : Parts()) {
    if (!IsNeeded(part, emit)) continue;
    if (part.is_of_views && !views) {
      added.push_back(
          {base + part.suffix, "// " + base + part.suffix + ": no rule reads views.\n"});
      continue;
    }
    Flattener flattener(base);
    UseParts(parts, &flattener);
    OutputFile file{base + part.suffix, Banner(base + part.suffix, part.what)};
    for (const std::string &root : part.roots) file.text += flattener.Include(root, false);
    if (file.text.find("MSHADOW_") == std::string::npos) throw std::logic_error("empty part");
    added.push_back(std::move(file));
    if (part.is_source) continue;
    for (const std::string &root : part.roots) parts.emplace_back(root, part.suffix);
    for (const std::string &name : flattener.seen()) parts.emplace_back(name, part.suffix);
  }
  for (OutputFile &output : outputs) {
    Flattener flattener(base);
    UseParts(parts, &flattener);
    output.text = flattener.Flatten(output.text, "");
  }
  outputs.insert(outputs.end(), added.begin(), added.end());
  return outputs;
}

}  // namespace mgen
