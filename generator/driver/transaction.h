// SPDX-License-Identifier: Apache-2.0
/// \file transaction.h
/// Writes several files, all or none. It writes everything under temporary names, and flushes it,
/// before it replaces the first file. If something fails later, it puts the old files back. If a
/// run is killed meanwhile, the next one puts them back, by the journal (journal.h).
#ifndef MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_
#define MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_

#include <string>
#include <vector>

#include "driver/files.h"
#include "driver/journal.h"

namespace mgen {

class Transaction {
 public:
  /// Plans to give the file at `path` this text. A file that has it already is not touched. All
  /// files of Write and Delete are in one directory; they are the set.
  void Write(const std::string &path, std::string text);
  /// Plans to remove the file at `path`.
  void Delete(const std::string &path);
  /// Plans to write a file, in any directory, after all of the set: a file that tells others that
  /// the set is new. With `always` it is written even if it has this text already.
  void WriteLater(const std::string &path, std::string text, bool always = false);

  struct Planned {
    std::string path;
    Change change;
  };
  /// What Commit would do now, in order. Writes nothing.
  /// \throws FileError if something cannot be read, or cannot be replaced because it is not a file
  std::vector<Planned> Plan() const;

  /// Makes the planned changes, in the order of the calls.
  /// \returns whether it first put old files back, since a killed run had replaced only some
  /// \throws FileError; then every file is as it was
  bool Commit();

 private:
  struct Item {
    std::string directory;
    std::string name;
    std::string text;
    bool remove = false;
    bool later = false;
    bool always = false;
    std::string path() const;
  };
  std::vector<Item> items_;

  Item &Add(const std::string &path, std::string text);
  static Change ChangeOf(const Item &item, const Directory &directory);
  friend class Publisher;
};

/// Puts the old files back if a run was killed while it replaced them. \returns whether it had to.
/// \throws FileError
bool RecoverOutputs(const std::string &directory);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_
