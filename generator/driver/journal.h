// SPDX-License-Identifier: Apache-2.0
/// \file journal.h
/// What a run is replacing in a directory: a file that is there from before its first temporary
/// name to after its last. From it the next run finishes what a killed one left: before one rename,
/// of the journal itself, that is putting the old files back; after it, removing temporary names.
#ifndef MSHADOW_GENERATOR_DRIVER_JOURNAL_H_
#define MSHADOW_GENERATOR_DRIVER_JOURNAL_H_

#include <string>
#include <vector>

#include "driver/files.h"

namespace mgen {

/// The names of one run's temporary files: NAME.tmp.PID for what will be NAME, NAME.old.tmp.PID for
/// what was.
class TemporaryNames {
 public:
  TemporaryNames();  ///< of this process
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

/// What becomes of a file; kLater: it has temporary names, and changes after the commit.
enum class Change { kKeep, kCreate, kUpdate, kDelete, kLater };
/// "keep", "create", …: in journals, and for people.
const char *WordOf(Change change);

class Journal {
 public:
  struct Entry {
    Change change;
    std::string name;
    std::string digest;  ///< SHA-256 of the new text; "-" if there is none
  };

  /// Writes the journal; it is on disk when this returns. The directory is locked.
  /// \throws FileError
  Journal(const Directory &directory, const TemporaryNames &names,
          const std::vector<Entry> &entries);

  /// The one rename that makes the new files the ones that stay. \throws FileError
  void Commit() const;
  /// Takes Commit() back, if it was called. \returns whether old files may now be put back
  bool Reopen() const noexcept;
  /// Nothing is left to be done.
  void End() const noexcept;

 private:
  const Directory *directory_;
};

/// Whether a run was killed here, or is at work. \throws FileError
bool HasJournal(const Directory &directory);

/// Whether a run was killed while it replaced files here, so that some may be old and some new.
/// While another run is at work this is also true: lock the directory first.
/// \throws FileError
bool IsHalfReplaced(const Directory &directory);

/// Finishes what a killed run left in a directory, which is locked. A file that was changed by hand
/// since then stays. \returns whether the old files were put back. \throws FileError
bool Recover(const Directory &directory);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_JOURNAL_H_
