// SPDX-License-Identifier: Apache-2.0
/// \file transaction.h
/// Writing several files, all or nothing: everything is written under temporary names and flushed
/// before the first file is replaced, and a failure later on puts the old files back. What a run
/// leaves that is killed there, the next one puts back, by journal.h.
#ifndef MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_
#define MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_

#include <string>
#include <vector>

#include "driver/files.h"
#include "driver/journal.h"

namespace mgen {

class Transaction {
 public:
  /// Plans to give the file at `path` this text. A file that has it already is not touched. What
  /// is planned by Write and Delete is in one directory: the set.
  void Write(const std::string &path, std::string text);
  /// Plans to remove the file at `path`.
  void Delete(const std::string &path);
  /// Plans to write a file, in any directory, once all of the set is new: what tells others so.
  /// With `always`, it is written even if it has this text already.
  void WriteLater(const std::string &path, std::string text, bool always = false);

  struct Planned {
    std::string path;
    Change change;
  };
  /// What Commit would do now, in order. Writes nothing.
  /// \throws FileError for what cannot be read, or replaced because it is no file
  std::vector<Planned> Plan() const;

  /// Does it, in the order of the calls.
  /// \returns whether it put files back before, which a run that was killed had left half replaced
  /// \throws FileError; every file is then as it was
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

/// Puts the old files back where a run was killed while it replaced them. \returns whether it had
/// to. \throws FileError
bool RecoverOutputs(const std::string &directory);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_
