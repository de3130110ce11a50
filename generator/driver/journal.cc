// SPDX-License-Identifier: Apache-2.0
#include "driver/journal.h"

#include <llvm/ADT/StringRef.h>
#include <unistd.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "driver/exit_code.h"
#include "driver/sha256.h"

namespace mgen {
namespace {

// No output has this name: their names begin with an identifier.
constexpr char kUndo[] = "mshadow-gen.undo";
constexpr char kDone[] = "mshadow-gen.done";

constexpr char kFirstLine[] = "mshadow-gen journal 1";
constexpr char kLastLine[] = "end";

// In the order of the changes.
constexpr const char *kWords[] = {"keep", "create", "update", "delete", "later"};

constexpr char kTemporary[] = ".tmp.";

/// Parses a line CHANGE DIGEST NAME. \returns nothing if it has another form: anyone may have
/// written it
std::optional<Journal::Entry> ParseEntry(llvm::StringRef line) {
  const auto [word, rest] = line.split(' ');
  const auto [digest, name] = rest.split(' ');
  // A journal does not list files that are kept.
  const auto known = std::find(std::begin(kWords) + 1, std::end(kWords), word);
  if (name.empty() || name.contains('/') || known == std::end(kWords)) return std::nullopt;
  return Journal::Entry{static_cast<Change>(known - std::begin(kWords)), name.str(), digest.str()};
}

struct Contents {
  TemporaryNames names;
  std::vector<Journal::Entry> entries;
};

/// \returns nothing for a journal without its end: its run was killed before it replaced any file
std::optional<Contents> ParseJournal(const std::string &text) {
  std::istringstream lines(text);
  std::string line, suffix;
  if (!std::getline(lines, line) || line != kFirstLine) return std::nullopt;
  if (!std::getline(lines, suffix) || !TemporaryNames::IsSuffix(suffix)) return std::nullopt;
  Contents contents{TemporaryNames(suffix), {}};
  while (std::getline(lines, line)) {
    if (line == kLastLine) return contents;
    if (const auto entry = ParseEntry(line)) contents.entries.push_back(*entry);
  }
  return std::nullopt;
}

/// Puts one old file back, if the file is missing or is that of the killed run.
void UndoEntry(const Directory &directory, const TemporaryNames &names,
               const Journal::Entry &entry) {
  if (entry.change == Change::kLater) return;
  const std::optional<std::string> text = directory.Read(entry.name);
  const bool is_new = entry.change == Change::kDelete
                          ? directory.Kind(entry.name) == FileKind::kNone
                          : text && Sha256(*text) == entry.digest;
  if (!is_new) return;
  if (entry.change == Change::kCreate) {
    if (!directory.Remove(entry.name)) {
      throw FileError("cannot remove '" + directory.PathOf(entry.name) + "'");
    }
    return;
  }
  const std::string old = names.Old(entry.name);
  if (directory.Kind(old) == FileKind::kNone) return;
  directory.Touch(old);  // the new file may have been compiled already
  directory.Rename(old, entry.name);
}

bool RemoveTemporaries(const Directory &directory, const Contents &contents) {
  bool all = true;
  for (const Journal::Entry &entry : contents.entries) {
    all = directory.Remove(contents.names.New(entry.name)) && all;
    all = directory.Remove(contents.names.Old(entry.name)) && all;
  }
  return all;
}

}  // namespace

const char *WordOf(Change change) { return kWords[static_cast<size_t>(change)]; }

TemporaryNames::TemporaryNames() : suffix_(kTemporary + std::to_string(getpid())) {}

bool TemporaryNames::IsSuffix(const std::string &text) {
  llvm::StringRef digits = text;
  return digits.consume_front(kTemporary) && !digits.empty() &&
         digits.find_first_not_of("0123456789") == llvm::StringRef::npos;
}

bool TemporaryNames::AreOf(const std::string &entry, const std::string &name) {
  llvm::StringRef rest = entry;
  if (!rest.consume_front(name)) return false;
  rest.consume_front(".old");
  return IsSuffix(rest.str());
}

Journal::Journal(const Directory &directory, const TemporaryNames &names,
                 const std::vector<Entry> &entries)
    : directory_(&directory) {
  std::string text = std::string(kFirstLine) + "\n" + names.suffix() + "\n";
  for (const Entry &entry : entries) {
    if (entry.name.find('\n') != std::string::npos) continue;
    text += std::string(WordOf(entry.change)) + " " + entry.digest + " " + entry.name + "\n";
  }
  directory.Create(kUndo, text + kLastLine + "\n");
  try {
    directory.Sync();
  } catch (...) {
    directory.Remove(kUndo);
    throw;
  }
}

void Journal::Commit() const {
  directory_->Rename(kUndo, kDone);
  directory_->Sync();
}

bool Journal::Reopen() const noexcept {
  try {
    if (directory_->Kind(kDone) != FileKind::kNone) directory_->Rename(kDone, kUndo);
    return true;
  } catch (const std::exception &) {
    return false;
  }
}

void Journal::End() const noexcept {
  directory_->Remove(kUndo);
  directory_->Remove(kDone);
}

bool HasJournal(const Directory &directory) {
  return directory.Kind(kUndo) != FileKind::kNone || directory.Kind(kDone) != FileKind::kNone;
}

bool IsHalfReplaced(const Directory &directory) {
  const std::optional<std::string> text = directory.Read(kUndo);
  return text && ParseJournal(*text);
}

bool Recover(const Directory &directory) {
  bool undone = false;
  for (const char *name : {kUndo, kDone}) {
    const std::optional<std::string> text = directory.Read(name);
    if (!text) continue;
    const std::optional<Contents> contents = ParseJournal(*text);
    if (contents && name == kUndo) {
      for (const Journal::Entry &entry : contents->entries) {
        UndoEntry(directory, contents->names, entry);
      }
      directory.Sync();
      undone = true;
    }
    if (!contents || RemoveTemporaries(directory, *contents)) directory.Remove(name);
  }
  return undone;
}

}  // namespace mgen
