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

bool IsBelowAny(llvm::StringRef path, const std::vector<std::string> &roots) {
  return std::any_of(roots.begin(), roots.end(),
                     [path](const std::string &root) { return IsBelow(path, root); });
}

bool IsHeaderByName(llvm::StringRef path) {
  constexpr llvm::StringLiteral kExtensions[] = {".h",   ".hh",  ".hpp", ".hxx", ".h++", ".cuh",
                                                 ".inc", ".inl", ".ipp", ".tcc", ".tpp", ".def"};
  const llvm::StringRef extension = llvm::sys::path::extension(path);
  return std::find(std::begin(kExtensions), std::end(kExtensions), extension) !=
         std::end(kExtensions);
}

}  // namespace

GuardedFiles::GuardedFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> disk)
    : ProxyFileSystem(std::move(disk)) {}

void GuardedFiles::Allow(const std::string &directory) {
  llvm::SmallString<256> real;
  if (!getUnderlyingFS().getRealPath(directory, real)) roots_.push_back(real.str().str());
}

void GuardedFiles::AllowHeadersOfProject(const std::string &spec) {
  llvm::vfs::FileSystem &disk = getUnderlyingFS();
  const llvm::StringRef parent = llvm::sys::path::parent_path(spec);
  llvm::SmallString<256> current, real;
  if (disk.getRealPath(parent.empty() ? "." : parent, real)) return;
  const bool is_root = disk.getRealPath(".", current) || current == "/";
  if (!is_root && IsBelow(real, current)) projects_.push_back(current.str().str());
  for (llvm::StringRef directory = real; directory.size() > 1;
       directory = llvm::sys::path::parent_path(directory)) {
    for (const char *mark : {"/.git", "/.hg", "/.svn", "/.jj"}) {
      if (disk.exists(directory + mark)) return projects_.push_back(directory.str());
    }
  }
}

bool GuardedFiles::IsAllowed(const llvm::Twine &path) {
  if (roots_.empty()) return true;
  llvm::SmallString<256> real;
  if (getUnderlyingFS().getRealPath(path, real)) return false;
  return IsBelowAny(real, roots_) || (IsHeaderByName(real) && IsBelowAny(real, projects_));
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
  add(kVirtualCompat, kCompatHeaders);
  llvm::IntrusiveRefCntPtr<llvm::vfs::OverlayFileSystem> overlay(
      new llvm::vfs::OverlayFileSystem(std::move(disk)));
  overlay->pushOverlay(std::move(memory));
  return overlay;
}

}  // namespace mgen
