// SPDX-License-Identifier: Apache-2.0
/// \file transaction.h
/// Writing several files, all or nothing: everything is written under temporary names and flushed
/// before the first file is replaced, and a failure later on puts the old files back. A run that is
/// killed leaves at most temporary names, which the next run removes.
#ifndef MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_
#define MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_

#include <string>
#include <vector>

#include "driver/files.h"

namespace mgen {

class Transaction {
 public:
  enum class Change { kKeep, kCreate, kUpdate, kDelete };

  /// Plans to give the file at `path` this text. A file that has it already is not touched, unless
  /// `always` is set, as for a stamp.
  void Write(const std::string &path, std::string text, bool always = false);
  /// Plans to remove the file at `path`.
  void Delete(const std::string &path);

  struct Planned {
    std::string path;
    Change change;
  };
  /// What Commit would do now, in order. Writes nothing.
  /// \throws FileError for what cannot be read, or replaced because it is a directory
  std::vector<Planned> Plan() const;

  /// Does it: in the order of the calls, so that what vouches for the rest comes last.
  /// \throws FileError; every file is then as it was
  void Commit();

 private:
  struct Item {
    std::string directory;
    std::string name;
    std::string text;
    bool remove = false;
    bool always = false;
    std::string path() const;
  };
  std::vector<Item> items_;

  static Change ChangeOf(const Item &item, const Directory &directory);
  friend class Publisher;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_TRANSACTION_H_
