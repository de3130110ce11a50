// SPDX-License-Identifier: Apache-2.0
#include "driver/files.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <utility>

#include "driver/exit_code.h"

namespace mgen {
namespace {

template <typename Call>
auto RetryInterrupted(Call call) {
  decltype(call()) result;
  do {
    result = call();
  } while (result < 0 && errno == EINTR);
  return result;
}

/// Everything that is left in a regular file.
std::string ReadAll(int fd, const std::string &path) {
  std::string text;
  char buffer[1 << 16];
  while (true) {
    const ssize_t n = RetryInterrupted([&] { return read(fd, buffer, sizeof buffer); });
    if (n < 0) throw FileError("read", path, errno);
    if (n == 0) return text;
    text.append(buffer, static_cast<size_t>(n));
  }
}

bool IsRegular(int fd) {
  struct stat info;
  return fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
}

/// \returns 0 or an errno value.
int WriteAll(int fd, const std::string &text) {
  for (size_t done = 0; done < text.size();) {
    const ssize_t n =
        RetryInterrupted([&] { return write(fd, text.data() + done, text.size() - done); });
    if (n < 0) return errno;
    done += static_cast<size_t>(n);
  }
  return RetryInterrupted([&] { return fsync(fd); }) < 0 ? errno : 0;
}

}  // namespace

std::string ReadFile(const std::string &path) {
  // Opening a FIFO without O_NONBLOCK would wait for its writer.
  const FileDescriptor fd(
      RetryInterrupted([&] { return open(path.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC); }));
  if (!fd.valid()) throw FileError("read", path, errno);
  if (!IsRegular(fd.get())) throw FileError("cannot read '" + path + "': not a regular file");
  return ReadAll(fd.get(), path);
}

FileDescriptor &FileDescriptor::operator=(FileDescriptor &&other) noexcept {
  if (this != &other) {
    Close();
    fd_ = other.Release();
  }
  return *this;
}

int FileDescriptor::Release() { return std::exchange(fd_, -1); }

int FileDescriptor::Close() {
  const int fd = Release();
  return fd >= 0 && close(fd) < 0 && errno != EINTR ? errno : 0;
}

Directory Directory::Open(const std::string &path) {
  FileDescriptor fd(
      RetryInterrupted([&] { return open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); }));
  if (!fd.valid()) throw FileError("open directory", path, errno);
  return Directory(std::move(fd), path);
}

std::string Directory::PathOf(const std::string &name) const {
  return path_.empty() || path_.back() == '/' ? path_ + name : path_ + "/" + name;
}

std::vector<std::string> Directory::Names() const {
  std::vector<std::string> names;
  DIR *stream = fdopendir(dup(fd()));
  if (stream == nullptr) throw FileError("read directory", path_, errno);
  rewinddir(stream);
  while (const dirent *entry = readdir(stream)) names.push_back(entry->d_name);
  closedir(stream);
  std::sort(names.begin(), names.end());
  return names;
}

std::optional<std::string> Directory::Read(const std::string &name) const {
  const FileDescriptor file(RetryInterrupted(
      [&] { return openat(fd(), name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC); }));
  if (!file.valid()) {
    // ELOOP: a symbolic link; ENXIO: a socket.
    if (errno == ENOENT || errno == ELOOP || errno == ENXIO) return std::nullopt;
    throw FileError("read", PathOf(name), errno);
  }
  if (!IsRegular(file.get())) return std::nullopt;
  return ReadAll(file.get(), PathOf(name));
}

bool Directory::Exists(const std::string &name) const {
  struct stat info;
  return fstatat(fd(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0;
}

bool Directory::IsDirectory(const std::string &name) const {
  struct stat info;
  return fstatat(fd(), name.c_str(), &info, AT_SYMLINK_NOFOLLOW) == 0 && S_ISDIR(info.st_mode);
}

void Directory::Create(const std::string &name, const std::string &text) const {
  FileDescriptor file(RetryInterrupted([&] {
    return openat(fd(), name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  }));
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

bool Directory::Link(const std::string &from, const std::string &to) const {
  if (linkat(fd(), from.c_str(), fd(), to.c_str(), 0) == 0) return true;
  if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS || errno == EMLINK) return false;
  throw FileError("keep a copy of", PathOf(from), errno);
}

void Directory::Remove(const std::string &name) const { unlinkat(fd(), name.c_str(), 0); }

bool Directory::Lock() const {
  return RetryInterrupted([&] { return flock(fd(), LOCK_EX); }) == 0;
}

void Directory::Sync() const { fsync(fd()); }

}  // namespace mgen
