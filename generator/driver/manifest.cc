// SPDX-License-Identifier: Apache-2.0
#include "driver/manifest.h"

#include <algorithm>
#include <filesystem>
#include <set>
#include <sstream>

#include "backends/emit_options.h"
#include "driver/files.h"
#include "driver/sha256.h"
#include "driver/version.h"
#include "emit/names.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

constexpr size_t kDigestLength = 64;

bool IsBelow(const std::string &path, const std::string &directory) {
  if (directory.empty()) return false;
  const std::string prefix = Absolute(fs::path(directory) / "").string();
  return path.compare(0, prefix.size(), prefix) == 0;
}

/// The specs, and the headers below the path base that they include. Other headers do not have the
/// same path on every machine. The headers of the runtime are covered by the code revision.
std::vector<std::pair<std::string, std::string>> Inputs(const Options &options,
                                                        const Compilation &compilation) {
  std::vector<std::pair<std::string, std::string>> inputs;  // name, path
  std::set<std::string> names;
  const auto add = [&](const std::string &name, const std::string &path) {
    if (names.insert(name).second) inputs.emplace_back(name, path);
  };
  for (const SpecUnit &spec : compilation.specs) add(spec.name, spec.path);
  const fs::path base = Absolute(PathBase(options));
  for (const std::string &path : compilation.deps) {
    const std::string name = fs::path(path).lexically_relative(base).generic_string();
    const bool inside = !name.empty() && name != ".." && name.compare(0, 3, "../") != 0;
    if (inside && !IsBelow(path, options.runtime_dir)) add(name, path);
  }
  return inputs;
}

std::string OneLine(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

/// The options that affect the outputs, as flags, without paths: the files that these lead to are
/// among the inputs.
std::vector<std::string> OptionLines(const Options &options) {
  std::vector<std::string> lines;
  lines.push_back("--emit=" + Join({options.emit.begin(), options.emit.end()}, ","));
  lines.push_back("--isa=" + Join(options.isa, ","));
  lines.push_back("--name=" + options.name);
  if (options.numerics != Numerics::kStrict) {
    lines.push_back(std::string("--numerics=") + NameOf(options.numerics));
  }
  if (options.standalone) lines.push_back("--standalone");
  if (!options.wrap.empty()) lines.push_back("--namespace=" + Join(options.wrap, "::"));
  if (!options.dtypes.empty()) {
    std::vector<std::string> names;
    for (const ScalarKind kind : options.dtypes) names.emplace_back(IrName(kind));
    std::sort(names.begin(), names.end());
    lines.push_back("--dtypes=" + Join(names, ","));
  }
  if (!options.license_header.empty()) {
    const std::string text = NormalizeNewlines(ReadFile(options.license_header));
    lines.push_back("--license-header=" + Sha256(text));
  }
  for (size_t i = 0; i < options.cxx_flags.size(); ++i) {
    std::string flag = options.cxx_flags[i];
    if ((flag == "-D" || flag == "-U") && i + 1 < options.cxx_flags.size()) {
      flag += options.cxx_flags[++i];
    }
    for (const char *prefix : {"-D", "-U", "-std="}) {
      if (flag.rfind(prefix, 0) == 0) lines.push_back(OneLine(flag));
    }
  }
  return lines;
}

}  // namespace

std::string MakeManifest(const Options &options, const Compilation &compilation,
                         const std::vector<OutputFile> &outputs) {
  std::vector<std::string> lines = {"format 1", "revision " + std::to_string(kCodeRevision),
                                    std::string("tool ") + kVersion};
  for (const auto &[name, path] : Inputs(options, compilation)) {
    lines.push_back("input " + Sha256(NormalizeNewlines(ReadFile(path))) + " " + name);
  }
  for (const std::string &option : OptionLines(options)) lines.push_back("option " + option);
  for (const OutputFile &output : outputs) {
    lines.push_back("output " + Sha256(output.text) + " " + output.name);
  }
  // Sorts by the names in lines, so that a changed fingerprint moves no line.
  const auto key = [](const std::string &line) {
    const size_t word = line.find(' ');
    const bool has_digest = line.rfind("input ", 0) == 0 || line.rfind("output ", 0) == 0;
    const size_t rest = word + (has_digest ? kDigestLength + 1 : 0);
    return std::make_pair(line.substr(0, word), line.substr(rest));
  };
  std::sort(lines.begin(), lines.end(),
            [&](const std::string &a, const std::string &b) { return key(a) < key(b); });
  return Join(lines, "\n") + "\n";
}

std::map<std::string, std::string> ManifestOutputs(std::string_view manifest) {
  std::map<std::string, std::string> outputs;
  std::istringstream lines{std::string(manifest)};
  for (std::string line; std::getline(lines, line);) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    std::istringstream words(line);
    std::string kind, digest, name, rest;
    if (!(words >> kind >> digest >> name) || words >> rest) continue;
    const bool is_plain = name.find('/') == std::string::npos && name.front() != '.';
    if (kind == "output" && digest.size() == kDigestLength && is_plain) outputs[name] = digest;
  }
  return outputs;
}

std::string WithoutToolLine(std::string_view manifest) {
  std::string text;
  std::istringstream lines{std::string(manifest)};
  for (std::string line; std::getline(lines, line);) {
    if (line.rfind("tool ", 0) != 0) text += line + "\n";
  }
  return text;
}

std::string NormalizeNewlines(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\r' || i + 1 == text.size() || text[i + 1] != '\n') result += text[i];
  }
  return result;
}

}  // namespace mgen
