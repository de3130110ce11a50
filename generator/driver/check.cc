// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <filesystem>
#include <map>

#include "driver/commands.h"
#include "driver/diff.h"
#include "driver/files.h"
#include "driver/journal.h"
#include "driver/manifest.h"
#include "driver/outputs.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

constexpr char kNoFile[] = "/dev/null";

/// Compares file by file; prints the differences.
class Comparison {
 public:
  explicit Comparison(const Options &options)
      : options_(options), directory_(Directory::OpenIfThere(options.output_dir)) {
    // Waits until no run replaces files.
    if (directory_) directory_->Lock(Directory::LockMode::kRead);
  }

  void Compare(const OutputFile &output) {
    const std::optional<std::string> found = Read(output.name);
    std::string before = found ? NormalizeNewlines(*found) : "";
    std::string after = NormalizeNewlines(output.text);
    if (found && output.name == options_.name + ".manifest" && !options_.strict &&
        WithoutToolLine(before) == WithoutToolLine(after)) {
      return;
    }
    if (found && before == after) return;
    Print(UnifiedDiff(before, after, found ? Path(output.name) : kNoFile, Path(output.name)));
  }

  /// Compares files that the manifest on disk names, but that are no longer outputs.
  void CompareStale(const std::vector<OutputFile> &outputs) {
    const std::optional<std::string> manifest = Read(options_.name + ".manifest");
    if (!manifest) return;
    std::map<std::string, std::string> stale = ManifestOutputs(*manifest);
    for (const OutputFile &output : outputs) stale.erase(output.name);
    for (const auto &[name, digest] : stale) {
      const std::optional<std::string> found = Read(name);
      if (found) Print(UnifiedDiff(NormalizeNewlines(*found), "", Path(name), kNoFile));
    }
  }

  int differences() const { return differences_; }
  bool IsHalfReplaced() const { return directory_ && mgen::IsHalfReplaced(*directory_); }

 private:
  std::optional<std::string> Read(const std::string &name) const {
    return directory_ ? directory_->Read(name) : std::nullopt;
  }
  std::string Path(const std::string &name) const {
    return (fs::path(options_.output_dir) / name).generic_string();
  }
  void Print(const std::string &diff) {
    ++differences_;
    std::fputs(diff.c_str(), stdout);
  }

  const Options &options_;
  const std::optional<Directory> directory_;  // nothing if it is missing
  int differences_ = 0;
};

}  // namespace

ExitCode RunCheck(const Options &options, Diagnostics *diagnostics, const Log &log) {
  const Compilation compilation = Compile(options, diagnostics, log);
  if (diagnostics->has_errors()) return kExitSpecErrors;
  const std::vector<OutputFile> outputs =
      log.Time("emit", [&] { return MakeOutputs(options, compilation); });
  Comparison comparison(options);
  for (const OutputFile &output : outputs) comparison.Compare(output);
  comparison.CompareStale(outputs);
  if (comparison.IsHalfReplaced()) {
    std::fprintf(
        stderr,
        "mshadow-gen: error: an earlier run was killed while it replaced the files in '%s'; run "
        "'mshadow-gen generate' with the same arguments\n",
        options.output_dir.c_str());
    return kExitDiffers;
  }
  const int n = comparison.differences();
  if (n == 0) return kExitSuccess;
  std::fprintf(stderr,
               "mshadow-gen: error: %d file%s in '%s' %s from what the specs generate; run "
               "'mshadow-gen generate' with the same arguments\n",
               n, n == 1 ? "" : "s", options.output_dir.c_str(), n == 1 ? "differs" : "differ");
  return kExitDiffers;
}

}  // namespace mgen
