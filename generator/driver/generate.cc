// SPDX-License-Identifier: Apache-2.0
#include <llvm/ADT/STLExtras.h>

#include <cstdio>
#include <filesystem>
#include <set>
#include <system_error>

#include "driver/commands.h"
#include "driver/depfile.h"
#include "driver/exit_code.h"
#include "driver/files.h"
#include "driver/journal.h"
#include "driver/manifest.h"
#include "driver/outputs.h"
#include "driver/sha256.h"
#include "driver/transaction.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

std::string InOutputDir(const Options &options, const std::string &name) {
  return (fs::path(options.output_dir) / name).string();
}

/// Deletes outputs of an earlier run that this one does not have: the files that the manifest on
/// disk names, and the manifest itself. A file that somebody has changed since then stays.
void DeleteStale(const Options &options, const std::vector<OutputFile> &outputs,
                 Transaction *transaction) {
  const std::optional<Directory> directory = Directory::OpenIfThere(options.output_dir);
  if (!directory) return;
  const std::string manifest_name = options.name + ".manifest";
  const std::optional<std::string> manifest = directory->Read(manifest_name);
  if (!manifest) return;
  const auto is_output = [&](const std::string &name) {
    return llvm::any_of(outputs, [&](const OutputFile &output) { return output.name == name; });
  };
  for (const auto &[name, digest] : ManifestOutputs(*manifest)) {
    if (is_output(name)) continue;
    const std::optional<std::string> text = directory->Read(name);
    if (!text) continue;
    if (Sha256(*text) == digest) {
      transaction->Delete(InOutputDir(options, name));
    } else if (!options.quiet) {
      std::fprintf(
          stderr,
          "mshadow-gen: note: kept '%s': it is no longer an output, but was changed by hand\n",
          InOutputDir(options, name).c_str());
    }
  }
  if (!is_output(manifest_name)) transaction->Delete(InOutputDir(options, manifest_name));
}

std::string Depfile(const Options &options, const Compilation &compilation,
                    const std::vector<OutputFile> &outputs) {
  std::vector<std::string> prerequisites = compilation.deps;
  if (!options.license_header.empty()) prerequisites.push_back(Absolute(options.license_header));
  if (options.depfile_list_outputs) {
    for (const OutputFile &output : outputs) {
      prerequisites.push_back(Absolute(InOutputDir(options, output.name)));
    }
  }
  return MakeDepfile(Absolute(options.stamp), prerequisites);
}

/// The file that a path names, after links are resolved; empty if these form a circle.
fs::path FileAt(const std::string &path) {
  if (path.empty()) return fs::path();
  std::error_code error;
  const fs::path file = fs::weakly_canonical(path, error);
  if (!error) return file;
  if (error == std::errc::too_many_symbolic_link_levels) return fs::path();
  throw FileError("examine", path, error.value());
}

/// Throws if an output would replace an input: a spec, a header that a spec includes, the licence.
void RefuseToReplaceInputs(const Options &options, const Compilation &compilation,
                           const std::vector<OutputFile> &outputs) {
  std::set<fs::path> inputs = {FileAt(options.license_header)};
  for (const std::string &path : compilation.deps) inputs.insert(FileAt(path));
  const auto check = [&inputs](const std::string &path) {
    const fs::path file = FileAt(path);
    if (file.empty() || inputs.count(file) == 0) return;
    throw UsageError("'" + path + "' would be replaced, but this run reads it: give another " +
                     "--name, --output-dir, --stamp or --depfile");
  };
  for (const OutputFile &output : outputs) check(InOutputDir(options, output.name));
  check(options.depfile);
  check(options.stamp);
}

/// Plans all files to write. The manifest comes after the files whose fingerprints it has, and the
/// stamp comes last.
Transaction PlanWrites(const Options &options, const Compilation &compilation,
                       const std::vector<OutputFile> &outputs) {
  Transaction transaction;
  DeleteStale(options, outputs, &transaction);
  for (const OutputFile &output : outputs) {
    transaction.Write(InOutputDir(options, output.name), output.text);
  }
  if (!options.depfile.empty()) {
    transaction.WriteLater(options.depfile, Depfile(options, compilation, outputs));
  }
  if (!options.stamp.empty()) transaction.WriteLater(options.stamp, "", /*always=*/true);
  return transaction;
}

/// Prints that a run was killed while it replaced files, and what happens to these files.
void NoteKilledRun(const Options &options, const char *what_becomes_of_them) {
  if (options.quiet) return;
  std::fprintf(
      stderr,
      "mshadow-gen: note: an earlier run was killed while it replaced the files in '%s'; %s\n",
      options.output_dir.c_str(), what_becomes_of_them);
}

void NoteRecovery(const Options &options) {
  NoteKilledRun(options, "this run first puts back the files from before it");
}

/// Prints what a run that is not dry would do with half-replaced files.
void NoteHalfReplaced(const Options &options) {
  const std::optional<Directory> directory = Directory::OpenIfThere(options.output_dir);
  if (!directory || !IsHalfReplaced(*directory)) return;
  NoteKilledRun(options, "'generate' first puts back the files from before it");
}

}  // namespace

ExitCode RunGenerate(const Options &options, Diagnostics *diagnostics, const Log &log) {
  // Comes first, so that the outputs are one set again even if the specs have errors.
  if (!options.dry_run && RecoverOutputs(options.output_dir)) NoteRecovery(options);
  const Compilation compilation = Compile(options, diagnostics, log);
  if (diagnostics->has_errors()) return kExitSpecErrors;
  const std::vector<OutputFile> outputs =
      log.Time("emit", [&] { return MakeOutputs(options, compilation); });
  RefuseToReplaceInputs(options, compilation, outputs);
  Transaction transaction = PlanWrites(options, compilation, outputs);
  if (options.dry_run) {
    NoteHalfReplaced(options);
    for (const Transaction::Planned &planned : transaction.Plan()) {
      std::printf("%s %s\n", WordOf(planned.change), planned.path.c_str());
    }
    return kExitSuccess;
  }
  log.Time("write", [&] {
    if (transaction.Commit()) NoteRecovery(options);
  });
  return kExitSuccess;
}

}  // namespace mgen
