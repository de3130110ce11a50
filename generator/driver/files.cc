// SPDX-License-Identifier: Apache-2.0
#include "driver/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <llvm/ADT/SmallString.h>
#include <llvm/Support/Errno.h>
#include <llvm/Support/FileSystem.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <memory>
#include <string_view>

#include "driver/exit_code.h"

namespace mgen {
namespace {

using llvm::sys::RetryAfterSignal;

/// The rest of a regular file.
std::string ReadAll(int fd, const std::string &path) {
  llvm::SmallString<0> text;
  if (llvm::Error error = llvm::sys::fs::readNativeFileToEOF(fd, text, /*ChunkSize=*/1 << 16)) {
    throw FileError("read", path, llvm::errorToErrorCode(std::move(error)).value());
  }
  return text.str().str();
}

bool IsRegular(int fd, const std::string &path) {
  struct stat info;
  if (fstat(fd, &info) < 0) throw FileError("examine", path, errno);
  return S_ISREG(info.st_mode);
}

/// Whether a link leads to something other than a file. /dev/stdout does, even if it is a file in
/// this process.
bool LeadsToSpecial(int directory, const std::string &name, const std::string &path) {
  char target[PATH_MAX];
  const ssize_t n = readlinkat(directory, name.c_str(), target, sizeof target);
  if (n < 0) throw FileError("examine", path, errno);
  if (std::string_view(target, static_cast<size_t>(n)).substr(0, 6) == "/proc/") return true;
  struct stat info;
  const bool leads_somewhere = fstatat(directory, name.c_str(), &info, 0) == 0;
  return leads_somewhere && !S_ISREG(info.st_mode) && !S_ISDIR(info.st_mode);
}

/// \returns 0 or an errno value.
int WriteAll(int fd, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n = RetryAfterSignal(-1, write, fd, text.data() + done, text.size() - done);
    if (n < 0) return errno;
    done += static_cast<size_t>(n);
  }
  return RetryAfterSignal(-1, fsync, fd) < 0 ? errno : 0;
}

}  // namespace

std::filesystem::path Absolute(const std::filesystem::path &path) {
  return std::filesystem::absolute(path).lexically_normal();
}

std::string ReadFile(const std::string &path) {
  // Opening a FIFO without O_NONBLOCK would wait for its writer.
  const FileDescriptor fd(
      RetryAfterSignal(-1, open, path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (!fd.valid()) throw FileError("read", path, errno);
  if (!IsRegular(fd.get(), path)) throw FileError("cannot read '" + path + "': not a regular file");
  return ReadAll(fd.get(), path);
}

int FileDescriptor::Close() {
  const int fd = Release();
  return fd >= 0 && close(fd) < 0 && errno != EINTR ? errno : 0;
}

Directory Directory::Open(const std::string &path) {
  FileDescriptor fd(RetryAfterSignal(-1, open, path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!fd.valid()) throw FileError("open directory", path, errno);
  return Directory(std::move(fd), path);
}

std::optional<Directory> Directory::OpenIfThere(const std::string &path) {
  struct stat info;
  if (stat(path.c_str(), &info) < 0 && errno == ENOENT) return std::nullopt;
  return Open(path);
}

std::string Directory::PathOf(const std::string &name) const {
  return path_.empty() || path_.back() == '/' ? path_ + name : path_ + "/" + name;
}

std::vector<std::string> Directory::Names() const {
  FileDescriptor copy(fcntl(fd(), F_DUPFD_CLOEXEC, 0));
  DIR *stream = copy.valid() ? fdopendir(copy.get()) : nullptr;
  if (stream == nullptr) throw FileError("read directory", path_, errno);
  copy.Release();
  const std::unique_ptr<DIR, int (*)(DIR *)> closes(stream, closedir);
  rewinddir(stream);
  std::vector<std::string> names;
  errno = 0;
  while (const dirent *entry = readdir(stream)) {
    names.push_back(entry->d_name);
    errno = 0;
  }
  if (errno != 0) throw FileError("read directory", path_, errno);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> Directory::Read(const std::string &name) const {
  const FileDescriptor file(RetryAfterSignal(-1, openat, fd(), name.c_str(),
                                             O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  if (!file.valid()) {
    // ELOOP: a symbolic link; ENXIO: a socket.
    if (errno == ENOENT || errno == ELOOP || errno == ENXIO) return std::nullopt;
    throw FileError("read", PathOf(name), errno);
  }
  if (!IsRegular(file.get(), PathOf(name))) return std::nullopt;
  return ReadAll(file.get(), PathOf(name));
}

FileKind Directory::Kind(const std::string &name) const {
  struct stat info;
  if (fstatat(fd(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) < 0) {
    if (errno == ENOENT) return FileKind::kNone;
    throw FileError("examine", PathOf(name), errno);
  }
  if (S_ISREG(info.st_mode)) return FileKind::kRegular;
  if (S_ISDIR(info.st_mode)) return FileKind::kDirectory;
  if (!S_ISLNK(info.st_mode)) return FileKind::kSpecial;
  return LeadsToSpecial(fd(), name, PathOf(name)) ? FileKind::kSpecial : FileKind::kLink;
}

void Directory::Create(const std::string &name, const std::string &text) const {
  FileDescriptor file(RetryAfterSignal(-1, openat, fd(), name.c_str(),
                                       O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666));
  if (!file.valid()) throw FileError("create", PathOf(name), errno);
  int error = WriteAll(file.get(), text);
  if (const int late = file.Close(); error == 0) error = late;
  if (error != 0) {
    Remove(name);
    throw FileError("write", PathOf(name), error);
  }
}

void Directory::Rename(const std::string &from, const std::string &to) const {
  if (renameat(fd(), from.c_str(), fd(), to.c_str()) < 0) {
    throw FileError("replace", PathOf(to), errno);
  }
}

void Directory::Keep(const std::string &from, const std::string &to) const {
  if (linkat(fd(), from.c_str(), fd(), to.c_str(), 0) == 0) return;
  struct stat info;
  if (fstatat(fd(), from.c_str(), &info, AT_SYMLINK_NOFOLLOW) < 0) {
    throw FileError("examine", PathOf(from), errno);
  }
  if (S_ISLNK(info.st_mode)) return CopyLink(from, to);
  const std::optional<std::string> text = Read(from);
  if (!text) throw FileError("cannot keep a copy of '" + PathOf(from) + "': not a regular file");
  Create(to, *text);
  // Keeps the times if possible, so that builds compile nothing if the file is put back.
  const timespec times[] = {info.st_atim, info.st_mtim};
  utimensat(fd(), to.c_str(), times, AT_SYMLINK_NOFOLLOW);
  fchmodat(fd(), to.c_str(), info.st_mode & 07777, 0);
}

void Directory::CopyLink(const std::string &from, const std::string &to) const {
  char target[PATH_MAX + 1];
  const ssize_t n = readlinkat(fd(), from.c_str(), target, PATH_MAX);
  if (n < 0) throw FileError("read", PathOf(from), errno);
  target[n] = '\0';
  if (symlinkat(target, fd(), to.c_str()) < 0) throw FileError("create", PathOf(to), errno);
}

void Directory::Touch(const std::string &name) const {
  if (utimensat(fd(), name.c_str(), nullptr, AT_SYMLINK_NOFOLLOW) < 0) {
    throw FileError("change the time of", PathOf(name), errno);
  }
}

bool Directory::Remove(const std::string &name) const noexcept {
  return unlinkat(fd(), name.c_str(), 0) == 0 || errno == ENOENT;
}

bool Directory::Lock(LockMode mode) const {
  const int how = mode == LockMode::kWrite ? LOCK_EX : LOCK_SH;
  if (RetryAfterSignal(-1, flock, fd(), how) == 0) return true;
  // NFS locks only files that are open for writing, which a directory never is.
  if (errno == EBADF || errno == EINVAL || errno == ENOLCK || errno == ENOSYS ||
      errno == EOPNOTSUPP) {
    return false;
  }
  throw FileError("lock", path_, errno);
}

void Directory::Sync() const {
  const bool failed = RetryAfterSignal(-1, fsync, fd()) < 0;
  // Other errors mean that the file system cannot do this for directories.
  if (failed && (errno == EIO || errno == ENOSPC || errno == EDQUOT)) {
    throw FileError("write", path_, errno);
  }
}

}  // namespace mgen
