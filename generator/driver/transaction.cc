// SPDX-License-Identifier: Apache-2.0
#include "driver/transaction.h"

#include <llvm/ADT/STLExtras.h>
#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "driver/exit_code.h"
#include "driver/sha256.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

/// Blocks the signals that end a program, so that a Ctrl-C has no effect between two renames.
class HoldSignals {
 public:
  HoldSignals() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    sigprocmask(SIG_BLOCK, &set, &old_);
  }
  ~HoldSignals() { sigprocmask(SIG_SETMASK, &old_, nullptr); }

 private:
  sigset_t old_;
};

/// Makes a directory and its parents, and removes them again unless Keep() is called.
class MadeDirectories {
 public:
  void Make(const fs::path &path) {
    std::vector<fs::path> missing;  // innermost first
    for (fs::path p = path; !p.empty() && !Exists(p) && p != p.parent_path(); p = p.parent_path()) {
      missing.push_back(p);
    }
    made_.insert(made_.begin(), missing.begin(), missing.end());
    std::error_code error;
    fs::create_directories(path, error);
    if (error) throw FileError("create directory", path.string(), error.value());
  }
  void Keep() { made_.clear(); }
  ~MadeDirectories() {
    std::error_code ignored;
    for (const fs::path &p : made_) fs::remove(p, ignored);  // only if empty
  }

 private:
  static bool Exists(const fs::path &path) {
    std::error_code error;
    const bool exists = fs::exists(path, error);
    if (error) throw FileError("examine", path.string(), error.value());
    return exists;
  }

  std::vector<fs::path> made_;
};

}  // namespace

/// One Commit: it stages and publishes files, and puts everything back unless it has finished.
class Publisher {
 public:
  ~Publisher() {
    // The next run puts back what could not be put back now, by the journal.
    const bool whole = done_ || Undo();
    if (whole && RemoveTemporaries() && journal_) journal_->End();
    if (done_) made_.Keep();
  }

  /// \returns whether it had to recover
  bool Run(const std::vector<Transaction::Item> &items) {
    for (const Transaction::Item &item : items) OpenDirectory(item);
    const Directory &set = directories_.at(items.front().directory);
    // While this run holds the lock, any temporary file belongs to a run that was killed.
    const bool locked = set.Lock(Directory::LockMode::kWrite);
    const bool recovered = locked && Recover(set);
    if (locked) RemoveLeftovers(items);
    signals_.emplace();
    Prepare(items);
    if (locked) OpenJournal(set);
    for (const Step &step : steps_) Stage(step);
    set.Sync();
    PublishAll();
    done_ = true;
    return recovered;
  }

 private:
  struct Step {
    const Directory *directory;
    const Transaction::Item *item;
    Change change;
    std::string staged, backup;  ///< temporary names
    bool published;
  };

  void OpenDirectory(const Transaction::Item &item) {
    if (directories_.count(item.directory)) return;
    made_.Make(item.directory);
    directories_.emplace(item.directory, Directory::Open(item.directory));
  }

  void RemoveLeftovers(const std::vector<Transaction::Item> &items) {
    for (const auto &[path, directory] : directories_) {
      for (const std::string &entry : directory.Names()) {
        const bool left = llvm::any_of(items, [&](const auto &item) {
          return item.directory == path && TemporaryNames::AreOf(entry, item.name);
        });
        if (left) directory.Remove(entry);
      }
    }
  }

  /// Finds what changes, before anything is written.
  void Prepare(const std::vector<Transaction::Item> &items) {
    for (const Transaction::Item &item : items) {
      const Directory &directory = directories_.at(item.directory);
      const Change change = Transaction::ChangeOf(item, directory);
      if (change == Change::kKeep) continue;
      steps_.push_back(
          {&directory, &item, change, names_.New(item.name), names_.Old(item.name), false});
    }
  }

  /// Writes the journal. If the set does not change, there is nothing to put back.
  void OpenJournal(const Directory &set) {
    std::vector<Journal::Entry> entries;
    bool changes = false;
    for (const Step &step : steps_) {
      if (step.directory != &set) continue;
      const Transaction::Item &item = *step.item;
      entries.push_back({item.later ? Change::kLater : step.change, item.name,
                         item.remove ? "-" : Sha256(item.text)});
      changes = changes || !item.later;
    }
    if (changes) journal_.emplace(set, names_, entries);
  }

  static void Stage(const Step &step) {
    if (!step.item->remove) step.directory->Create(step.staged, step.item->text);
    if (step.change != Change::kCreate) step.directory->Keep(step.item->name, step.backup);
  }

  void PublishAll() {
    for (Step &step : steps_) {
      if (!step.item->later) Publish(&step);
    }
    SyncDirectories();
    if (journal_) journal_->Commit();
    for (Step &step : steps_) {
      if (step.item->later) Publish(&step);
    }
    SyncDirectories();
  }

  static void Publish(Step *step) {
    if (!step->item->remove) {
      step->directory->Rename(step->staged, step->item->name);
    } else if (!step->directory->Remove(step->item->name)) {
      throw FileError("remove", step->item->path(), errno);
    }
    step->published = true;
  }

  void SyncDirectories() const {
    for (const auto &[path, directory] : directories_) directory.Sync();
  }

  /// \returns whether every file is as it was. Only the first failure is reported
  bool Undo() noexcept {
    // Then the new files must stay: they are the whole set.
    if (journal_ && !journal_->Reopen()) return false;
    bool all = true;
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) {
      if (!step->published) continue;
      try {
        if (step->change != Change::kCreate) {
          step->directory->Rename(step->backup, step->item->name);
        } else if (!step->directory->Remove(step->item->name)) {
          all = false;
        }
      } catch (const std::exception &) {
        all = false;
      }
    }
    return all;
  }

  /// \returns whether there are none any more. Without a journal no later run would know of them
  bool RemoveTemporaries() const noexcept {
    bool all = true;
    for (const Step &step : steps_) {
      all = step.directory->Remove(step.staged) && all;
      all = step.directory->Remove(step.backup) && all;
    }
    return all;
  }

  const TemporaryNames names_;
  std::optional<HoldSignals> signals_;
  MadeDirectories made_;
  std::map<std::string, Directory> directories_;
  std::vector<Step> steps_;
  std::optional<Journal> journal_;
  bool done_ = false;
};

std::string Transaction::Item::path() const {
  return directory == "." ? name : (fs::path(directory) / name).string();
}

Transaction::Item &Transaction::Add(const std::string &path, std::string text) {
  const fs::path p(path);
  const std::string directory = p.has_parent_path() ? p.parent_path().string() : ".";
  Item item{directory, p.filename().string(), std::move(text)};
  return items_.emplace_back(std::move(item));
}

void Transaction::Write(const std::string &path, std::string text) { Add(path, std::move(text)); }

void Transaction::Delete(const std::string &path) { Add(path, "").remove = true; }

void Transaction::WriteLater(const std::string &path, std::string text, bool always) {
  Item &item = Add(path, std::move(text));
  item.later = true;
  item.always = always;
}

Change Transaction::ChangeOf(const Item &item, const Directory &directory) {
  const FileKind kind = directory.Kind(item.name);
  if (kind == FileKind::kDirectory) {
    throw FileError("replace", directory.PathOf(item.name), EISDIR);
  }
  if (kind == FileKind::kSpecial) {
    throw FileError("cannot replace '" + directory.PathOf(item.name) +
                    "': not a regular file; name another path, or leave out the option");
  }
  const bool exists = kind != FileKind::kNone;
  if (item.remove) return exists ? Change::kDelete : Change::kKeep;
  if (!exists) return Change::kCreate;
  return !item.always && directory.Read(item.name) == item.text ? Change::kKeep : Change::kUpdate;
}

std::vector<Transaction::Planned> Transaction::Plan() const {
  std::vector<Planned> plan;
  for (const Item &item : items_) {
    Change change = item.remove ? Change::kKeep : Change::kCreate;
    if (const auto directory = Directory::OpenIfThere(item.directory)) {
      change = ChangeOf(item, *directory);
    }
    plan.push_back({item.path(), change});
  }
  return plan;
}

bool Transaction::Commit() { return !items_.empty() && Publisher().Run(items_); }

bool RecoverOutputs(const std::string &directory) {
  const std::optional<Directory> set = Directory::OpenIfThere(directory);
  if (!set || !HasJournal(*set)) return false;
  return set->Lock(Directory::LockMode::kWrite) && Recover(*set);
}

}  // namespace mgen
