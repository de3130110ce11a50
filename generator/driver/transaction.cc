// SPDX-License-Identifier: Apache-2.0
#include "driver/transaction.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <map>
#include <optional>
#include <system_error>
#include <utility>

#include "driver/exit_code.h"

namespace mgen {
namespace {

namespace fs = std::filesystem;

/// Holds back the signals that end a program, so that a Ctrl-C cannot fall between two renames.
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

/// Makes a directory and its parents; takes them away again unless Keep() is called.
class MadeDirectories {
 public:
  void Make(const fs::path &path) {
    std::error_code error;
    for (fs::path p = path; !p.empty() && !fs::exists(p, error) && p != p.parent_path();
         p = p.parent_path()) {
      made_.push_back(p);
    }
    fs::create_directories(path, error);
    if (error) throw FileError("create directory", path.string(), error.value());
  }
  void Keep() { made_.clear(); }
  ~MadeDirectories() {
    // The innermost has the longest path.
    std::sort(made_.begin(), made_.end(), [](const fs::path &a, const fs::path &b) {
      return a.native().size() > b.native().size();
    });
    std::error_code ignored;
    for (const fs::path &p : made_) fs::remove(p, ignored);  // only if empty
  }

 private:
  std::vector<fs::path> made_;
};

constexpr char kTemporary[] = ".tmp.";

/// Whether `entry` is a temporary name that some run gave to `name`.
bool IsTemporaryOf(const std::string &entry, const std::string &name) {
  if (entry.compare(0, name.size(), name) != 0) return false;
  std::string rest = entry.substr(name.size());
  if (rest.compare(0, 4, ".old") == 0) rest.erase(0, 4);
  const size_t prefix = sizeof kTemporary - 1;
  return rest.size() > prefix && rest.compare(0, prefix, kTemporary) == 0 &&
         rest.find_first_not_of("0123456789", prefix) == std::string::npos;
}

}  // namespace

/// One Commit: stages, publishes, and, unless it came to its end, puts everything back.
class Publisher {
 public:
  Publisher() : suffix_(kTemporary + std::to_string(getpid())) {}

  ~Publisher() {
    if (!done_) {
      for (auto step = steps_.rbegin(); step != steps_.rend(); ++step) Undo(*step);
    }
    for (const auto &[directory, name] : temporaries_) directory->Remove(name);
    if (done_) made_.Keep();
  }

  void Run(const std::vector<Transaction::Item> &items) {
    for (const Transaction::Item &item : items) OpenDirectory(item);
    // One lock for everything: what has a temporary name then belongs to a run that was killed.
    if (!items.empty() && directories_.at(items[0].directory).Lock()) RemoveLeftovers(items);
    signals_.emplace();
    std::vector<const Transaction::Item *> changed;
    for (const Transaction::Item &item : items) {
      const Directory &directory = directories_.at(item.directory);
      if (Transaction::ChangeOf(item, directory) == Transaction::Change::kKeep) continue;
      if (!item.remove) Stage(directory, item);
      changed.push_back(&item);
    }
    for (const Transaction::Item *item : changed) Publish(directories_.at(item->directory), *item);
    for (const auto &[path, directory] : directories_) directory.Sync();
    done_ = true;
  }

 private:
  struct Step {
    const Directory *directory;
    std::string name;
    bool existed;        ///< before this run
    std::string backup;  ///< its second name; "" where the file system has no links
  };

  void OpenDirectory(const Transaction::Item &item) {
    if (directories_.count(item.directory)) return;
    made_.Make(item.directory);
    directories_.emplace(item.directory, Directory::Open(item.directory));
  }

  void RemoveLeftovers(const std::vector<Transaction::Item> &items) {
    for (const auto &[path, directory] : directories_) {
      for (const std::string &entry : directory.Names()) {
        const bool left = std::any_of(items.begin(), items.end(), [&](const auto &item) {
          return item.directory == path && IsTemporaryOf(entry, item.name);
        });
        if (left) directory.Remove(entry);
      }
    }
  }

  void Stage(const Directory &directory, const Transaction::Item &item) {
    directory.Create(item.name + suffix_, item.text);
    temporaries_.emplace_back(&directory, item.name + suffix_);
  }

  void Publish(const Directory &directory, const Transaction::Item &item) {
    std::string backup;
    const bool existed = directory.Exists(item.name);
    if (existed) {
      backup = item.name + ".old" + suffix_;
      if (item.remove) {
        directory.Rename(item.name, backup);
      } else if (!directory.Link(item.name, backup)) {
        backup.clear();
      }
      if (!backup.empty()) temporaries_.emplace_back(&directory, backup);
    }
    if (!item.remove) directory.Rename(item.name + suffix_, item.name);
    steps_.push_back({&directory, item.name, existed, backup});
  }

  void Undo(const Step &step) {
    try {
      if (!step.existed) {
        step.directory->Remove(step.name);
      } else if (!step.backup.empty()) {
        step.directory->Rename(step.backup, step.name);
      }
    } catch (const FileError &) {
      // The first failure is the one that is reported.
    }
  }

  const std::string suffix_;
  std::optional<HoldSignals> signals_;
  MadeDirectories made_;
  std::map<std::string, Directory> directories_;
  std::vector<std::pair<const Directory *, std::string>> temporaries_;
  std::vector<Step> steps_;
  bool done_ = false;
};

std::string Transaction::Item::path() const {
  return directory == "." ? name : (fs::path(directory) / name).string();
}

void Transaction::Write(const std::string &path, std::string text, bool always) {
  const fs::path p(path);
  const std::string directory = p.has_parent_path() ? p.parent_path().string() : ".";
  items_.push_back({directory, p.filename().string(), std::move(text), false, always});
}

void Transaction::Delete(const std::string &path) {
  Write(path, "");
  items_.back().remove = true;
}

Transaction::Change Transaction::ChangeOf(const Item &item, const Directory &directory) {
  if (directory.IsDirectory(item.name)) {
    throw FileError("replace", directory.PathOf(item.name), EISDIR);
  }
  const bool exists = directory.Exists(item.name);
  if (item.remove) return exists ? Change::kDelete : Change::kKeep;
  if (!exists) return Change::kCreate;
  return !item.always && directory.Read(item.name) == item.text ? Change::kKeep : Change::kUpdate;
}

std::vector<Transaction::Planned> Transaction::Plan() const {
  std::vector<Planned> plan;
  for (const Item &item : items_) {
    Change change = item.remove ? Change::kKeep : Change::kCreate;
    std::error_code error;
    if (fs::exists(item.directory, error)) {
      change = ChangeOf(item, Directory::Open(item.directory));
    }
    plan.push_back({item.path(), change});
  }
  return plan;
}

void Transaction::Commit() { Publisher().Run(items_); }

}  // namespace mgen
