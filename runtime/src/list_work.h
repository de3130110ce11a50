// SPDX-License-Identifier: Apache-2.0
/// \file list_work.h
/// The Plans of a list, and how they run.
#ifndef MSHADOW_RUNTIME_LIST_WORK_H_
#define MSHADOW_RUNTIME_LIST_WORK_H_

#include <exception>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include "list_ahead.h"
#include "mshadow/emitted/listed.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The Plan of one entry.
struct ListRow {
  LoopWork work;
  int64_t bytes;  ///< that it moves
  int entry;
};

/// The tensors of an entry.
struct ListMemory {
  std::vector<MemorySpan> spans;
  int64_t bytes = 0;  ///< of all tensors: about what the entry moves
};

/// Plans of one type with the same scalars, side by side.
struct ListBatch {
  int group;
  KeptPlan kept;                ///< the first one, for what all have in common
  std::vector<uint64_t> plans;  ///< of `words` words each
  size_t words;
  std::vector<ListRow> rows;
  std::vector<MemorySpan> spans;  ///< of the tensors of each row
  size_t tensors;                 ///< of a row
  bool is_alone;                  ///< each runs with all threads, after what runs side by side
  std::vector<char> scalars;      ///< the group's, as a Plan has them
  unsigned conditions = 0;        ///< which chose the loop

  ListBatch(int group_, const KeptPlan &plan, size_t tensors_, bool has_calls);
  char *PlanOf(size_t row) { return reinterpret_cast<char *>(plans.data() + row * words); }
  MemorySpan *SpansOf(size_t row) { return spans.data() + row * tensors; }
};

class ListWork {
 public:
  /// Forgets all Plans.
  void Clear();

  /// Where the Plan of an entry is.
  struct Place {
    int batch;
    int row;
  };
  /// Adds a Plan.
  Place Add(int group, int entry, const ListedCall &call, const KeptPlan &plan,
            const ListMemory &memory);
  /// Puts a new Plan into the place of an old one.
  void Set(Place place, const KeptPlan &plan, const ListMemory &memory);

  std::vector<ListBatch> &batches() { return batches_; }
  /// The scalars of a batch have changed.
  void ChangeScalars() { has_shared_ = false; }

  /// Runs all Plans.
  void Run();

 private:
  /// One call of a loop: Plans side by side, or one Plan, which may be cut.
  struct Link {
    int batch;
    int row;
    char *plan;
    LoopWork work;  ///< of all its Plans
    int64_t begin;  ///< on the line of bytes
    bool is_cut;    ///< may be
  };

  void MakeLinks();
  void MakeLinksOf(int batch);
  void ShareScalars();
  static void RunPiece(const void *work, index_t begin, index_t end);
  void RunLinks(int64_t begin, int64_t end);
  void RunLink(const Link &link, int64_t begin, int64_t end, int64_t link_end);
  void RunPlan(const Link &link);
  void RunWhole(const Link &link) noexcept;

  std::vector<ListBatch> batches_;
  /// By group, and by the function that makes the Plans: that of an instance of a rule.
  std::map<std::pair<int, void (*)(const void *)>, int> batch_of_;
  std::vector<Link> links_;
  std::vector<Link> alone_;
  int64_t end_ = 0;  ///< of the line of bytes
  bool has_links_ = false;
  bool has_shared_ = false;  ///< whether the links have their groups' scalars
  std::mutex failed_;
  std::exception_ptr failure_;  ///< the first one of a run
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_WORK_H_
