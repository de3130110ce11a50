// SPDX-License-Identifier: Apache-2.0
/// \file journal.h
/// The journal: a file that lists what a run is replacing in a directory. A run writes the journal
/// before it makes its first temporary file, and removes it after the last temporary file is gone.
/// If a run is killed, the next run reads the journal and cleans up. One rename, of the journal
/// itself, is the commit. If it has not happened, the next run puts the old files back. If it has,
/// the next run removes the temporary files.
#ifndef MSHADOW_GENERATOR_DRIVER_JOURNAL_H_
#define MSHADOW_GENERATOR_DRIVER_JOURNAL_H_

#include <string>
#include <vector>

#include "driver/files.h"

namespace mgen {

/// The names of a run's temporary files: NAME.tmp.PID for the new text of NAME, NAME.old.tmp.PID
/// for the old one.
class TemporaryNames {
 public:
  TemporaryNames();  ///< those of this process
  explicit TemporaryNames(std::string suffix) : suffix_(std::move(suffix)) {}

  std::string New(const std::string &name) const { return name + suffix_; }
  std::string Old(const std::string &name) const { return name + ".old" + suffix_; }
  const std::string &suffix() const { return suffix_; }

  static bool IsSuffix(const std::string &text);
  /// Whether `entry` is a temporary name that some run gave to `name`.
  static bool AreOf(const std::string &entry, const std::string &name);

 private:
  std::string suffix_;
};

/// What happens to a file. kLater: it has temporary names, and changes after the commit.
enum class Change { kKeep, kCreate, kUpdate, kDelete, kLater };
/// "keep", "create", …: the words of journals and messages.
const char *WordOf(Change change);

class Journal {
 public:
  struct Entry {
    Change change;
    std::string name;
    std::string digest;  ///< SHA-256 of the new text; "-" if there is none
  };

  /// Writes the journal, which is on disk when this returns.
  /// \param directory is locked
  /// \throws FileError
  Journal(const Directory &directory, const TemporaryNames &names,
          const std::vector<Entry> &entries);

  /// Commits by one rename: from now on the new files stay. \throws FileError
  void Commit() const;
  /// Takes Commit() back, if it was called. \returns whether old files may be put back now
  bool Reopen() const noexcept;
  /// Removes the journal, when nothing is left to do.
  void End() const noexcept;

 private:
  const Directory *directory_;
};

/// Whether a run was killed here, or is at work. \throws FileError
bool HasJournal(const Directory &directory);

/// Whether a run was killed while it replaced files here: some may be old and some new. Also true
/// while another run is at work, so lock the directory first.
/// \throws FileError
bool IsHalfReplaced(const Directory &directory);

/// Cleans up after a killed run. A file that somebody has changed since then stays.
/// \param directory is locked
/// \returns whether old files were put back. \throws FileError
bool Recover(const Directory &directory);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_JOURNAL_H_
