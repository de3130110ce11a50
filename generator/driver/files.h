// SPDX-License-Identifier: Apache-2.0
/// \file files.h
/// Reading files, and directories held open so that names are looked up in them and nowhere else.
#ifndef MSHADOW_GENERATOR_DRIVER_FILES_H_
#define MSHADOW_GENERATOR_DRIVER_FILES_H_

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mgen {

/// The path from the root, without "." and "..".
std::filesystem::path Absolute(const std::filesystem::path &path);

/// The contents of a regular file.
/// \throws FileError, also for a directory, FIFO or device, which are never waited for
std::string ReadFile(const std::string &path);

/// An open file descriptor.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd_(other.Release()) {}
  ~FileDescriptor() { Close(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  /// \returns 0 or an errno value; late write errors come here.
  int Close();

 private:
  int fd_;
};

/// What has a name in a directory.
enum class FileKind {
  kNone,
  kRegular,
  kLink,
  kDirectory,
  kSpecial,  ///< a device, FIFO or socket, or a link to one
};

/// A directory. All names are plain file names; symbolic links are replaced, never followed.
class Directory {
 public:
  /// \throws FileError
  static Directory Open(const std::string &path);
  /// \returns nothing if nothing has this path. \throws FileError
  static std::optional<Directory> OpenIfThere(const std::string &path);

  int fd() const { return fd_.get(); }
  const std::string &path() const { return path_; }
  std::string PathOf(const std::string &name) const;
  std::vector<std::string> Names() const;

  /// The contents of `name`, or nothing if no regular file has this name.
  /// \throws FileError
  std::optional<std::string> Read(const std::string &name) const;
  /// \throws FileError where the system does not tell: that is not the same as no file
  FileKind Kind(const std::string &name) const;

  /// Makes a file that does not exist yet; it is on disk when this returns.
  /// \throws FileError, and then there is no such file
  void Create(const std::string &name, const std::string &text) const;
  /// \throws FileError
  void Rename(const std::string &from, const std::string &to) const;
  /// Keeps what `from` names under a second name: a link, or where there can be none, a copy.
  /// \throws FileError, and then there is no second name
  void Keep(const std::string &from, const std::string &to) const;
  /// Says that a file, or a link itself, has changed now. \throws FileError
  void Touch(const std::string &name) const;
  /// \returns whether no file has this name any more
  bool Remove(const std::string &name) const noexcept;

  enum class LockMode { kRead, kWrite };
  /// Waits until no other mshadow-gen writes here (or, to write, reads); held until this object
  /// ends. \returns false where the file system has no locks. \throws FileError
  bool Lock(LockMode mode) const;
  /// Makes renames durable, as far as the file system can. \throws FileError
  void Sync() const;

 private:
  Directory(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  void CopyLink(const std::string &from, const std::string &to) const;

  FileDescriptor fd_;
  std::string path_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_FILES_H_
