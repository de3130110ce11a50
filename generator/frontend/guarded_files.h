// SPDX-License-Identifier: Apache-2.0
/// \file guarded_files.h
/// The file system that Clang sees: the embedded headers over a view of the disk that opens only
/// regular files (a FIFO would hang the parse) inside allowed directories, and headers of the
/// spec's project. Messages show lines of what was opened, so a spec must not reach secrets.
#ifndef MSHADOW_GENERATOR_FRONTEND_GUARDED_FILES_H_
#define MSHADOW_GENERATOR_FRONTEND_GUARDED_FILES_H_

#include <string>
#include <vector>

#include "frontend/clang_compat.h"

namespace mgen {

/// Where the embedded headers appear.
inline constexpr char kVirtualRoot[] = "/__mshadow_gen__";
inline constexpr char kVirtualBuiltins[] = "/__mshadow_gen__/resource/include";
inline constexpr char kVirtualRuntime[] = "/__mshadow_gen__/runtime";
inline constexpr char kVirtualCompat[] = "/__mshadow_gen__/compat";

class GuardedFiles : public llvm::vfs::ProxyFileSystem {
 public:
  explicit GuardedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk);

  /// From now on, only files below the allowed directories are opened.
  void Allow(const std::string &directory);

  /// Files that are headers by their names are opened in all of the project to which the spec
  /// belongs: what is below the current directory, if the spec is, and below the nearest directory
  /// above it that is under version control.
  void AllowHeadersOfProject(const std::string &spec);

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine &path) override;
  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine &path) override;

  /// Files that are there, but outside.
  const std::vector<std::string> &refused() const { return refused_; }

 private:
  bool IsAllowed(const llvm::Twine &path);
  std::vector<std::string> roots_;     // real paths; empty: everything
  std::vector<std::string> projects_;  // real paths
  std::vector<std::string> refused_;
};

/// The embedded headers, in memory, over `disk`.
llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> WithEmbeddedHeaders(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_GUARDED_FILES_H_
