// SPDX-License-Identifier: Apache-2.0
#include "frontend/guarded_files.h"

#include <algorithm>

#include "frontend/clang_compat.h"
#include "frontend/embedded.h"

namespace mgen {
namespace {

bool IsRegularOrDirectory(const llvm::vfs::Status &status) {
  return status.isRegularFile() || status.isDirectory();
}

bool IsBelow(llvm::StringRef path, llvm::StringRef root) {
  if (!compat::StartsWith(path, root)) return false;
  return path.size() == root.size() || root.back() == '/' || path[root.size()] == '/';
}

}  // namespace

GuardedFiles::GuardedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk)
    : ProxyFileSystem(std::move(disk)) {}

void GuardedFiles::Allow(const std::string &directory) {
  llvm::SmallString<256> real;
  if (!getUnderlyingFS().getRealPath(directory, real)) roots_.push_back(real.str().str());
}

bool GuardedFiles::IsAllowed(const llvm::Twine &path) {
  if (roots_.empty()) return true;
  llvm::SmallString<256> real;
  if (getUnderlyingFS().getRealPath(path, real)) return false;
  return std::any_of(roots_.begin(), roots_.end(),
                     [&](const std::string &root) { return IsBelow(real, root); });
}

llvm::ErrorOr<llvm::vfs::Status> GuardedFiles::status(const llvm::Twine &path) {
  llvm::ErrorOr<llvm::vfs::Status> status = ProxyFileSystem::status(path);
  if (status && !IsRegularOrDirectory(*status)) return std::errc::no_such_file_or_directory;
  return status;
}

llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> GuardedFiles::openFileForRead(
    const llvm::Twine &path) {
  const llvm::ErrorOr<llvm::vfs::Status> found = status(path);  // before open: a FIFO blocks there
  if (!found) return found.getError();
  if (!IsAllowed(path)) {
    refused_.push_back(path.str());
    return std::errc::no_such_file_or_directory;
  }
  return ProxyFileSystem::openFileForRead(path);
}

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> WithEmbeddedHeaders(
    llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk) {
  llvm::IntrusiveRefCntPtr<llvm::vfs::InMemoryFileSystem> memory(new llvm::vfs::InMemoryFileSystem);
  const auto add = [&](const char *directory, const EmbeddedFiles &files) {
    for (const EmbeddedFile &file : files) {
      memory->addFile(
          std::string(directory) + "/" + file.name, 0,
          llvm::MemoryBuffer::getMemBuffer(llvm::StringRef(file.text, file.size), file.name));
    }
  };
  add(kVirtualBuiltins, kBuiltinHeaders);
  add(kVirtualRuntime, kRuntimeHeaders);
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay(
      new llvm::vfs::OverlayFileSystem(std::move(disk)));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

}  // namespace mgen
