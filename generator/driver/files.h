// SPDX-License-Identifier: Apache-2.0
/// \file files.h
/// Reads files, and keeps directories open, so that a name is looked up in them and nowhere else.
#ifndef MSHADOW_GENERATOR_DRIVER_FILES_H_
#define MSHADOW_GENERATOR_DRIVER_FILES_H_

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mgen {

/// Returns the path from the root, without "." and "..".
std::filesystem::path Absolute(const std::filesystem::path &path);

/// Returns the contents of a regular file.
/// \throws FileError, also for a directory, FIFO or device, for which it never waits
std::string ReadFile(const std::string &path);

/// An open file descriptor, which it owns.
class FileDescriptor {
 public:
  explicit FileDescriptor(int fd = -1) : fd_(fd) {}
  FileDescriptor(FileDescriptor &&other) noexcept : fd_(other.Release()) {}
  ~FileDescriptor() { Close(); }

  int get() const { return fd_; }
  bool valid() const { return fd_ >= 0; }
  int Release() { return std::exchange(fd_, -1); }
  /// \returns 0 or an errno value; an error of an earlier write may show only here
  int Close();

 private:
  int fd_;
};

/// What kind of file a name in a directory is.
enum class FileKind {
  kNone,
  kRegular,
  kLink,
  kDirectory,
  kSpecial,  ///< a device, FIFO or socket, or a link to one
};

/// An open directory. All names are plain file names. Symbolic links are replaced, never followed.
class Directory {
 public:
  /// \throws FileError
  static Directory Open(const std::string &path);
  /// \returns nothing if there is no such path. \throws FileError
  static std::optional<Directory> OpenIfThere(const std::string &path);

  int fd() const { return fd_.get(); }
  const std::string &path() const { return path_; }
  std::string PathOf(const std::string &name) const;
  std::vector<std::string> Names() const;

  /// The contents of `name`, or nothing if no regular file has this name.
  /// \throws FileError
  std::optional<std::string> Read(const std::string &name) const;
  /// \throws FileError if the system does not tell, which is not the same as kNone
  FileKind Kind(const std::string &name) const;

  /// Makes a new file. It is on disk when this returns.
  /// \throws FileError; then there is no such file
  void Create(const std::string &name, const std::string &text) const;
  /// \throws FileError
  void Rename(const std::string &from, const std::string &to) const;
  /// Gives the file `from` a second name: a link, or if there can be none, a copy.
  /// \throws FileError; then there is no second name
  void Keep(const std::string &from, const std::string &to) const;
  /// Sets the time of change of a file, or of a link itself, to now. \throws FileError
  void Touch(const std::string &name) const;
  /// \returns whether no file has this name afterwards
  bool Remove(const std::string &name) const noexcept;

  enum class LockMode { kRead, kWrite };
  /// Waits until no other mshadow-gen writes here (for kWrite: or reads). The lock is held as long
  /// as this object lives. \returns false if the file system has no locks. \throws FileError
  bool Lock(LockMode mode) const;
  /// Makes renames durable, if the file system can. \throws FileError
  void Sync() const;

 private:
  Directory(FileDescriptor fd, std::string path) : fd_(std::move(fd)), path_(std::move(path)) {}
  void CopyLink(const std::string &from, const std::string &to) const;

  FileDescriptor fd_;
  std::string path_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_FILES_H_
