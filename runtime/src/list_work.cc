// SPDX-License-Identifier: Apache-2.0
#include "list_work.h"

#include <algorithm>
#include <cstring>

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// A link of several Plans has at most this many bytes: one call of a loop then takes longer than
/// what the call costs, and threads still get equal shares.
constexpr int64_t kLinkBytes = 16 << 10;

/// What an entry costs beside the bytes that it moves, as bytes.
constexpr int64_t kEntryBytes = 192;

/// From so many bytes on, what runs as a whole runs with all threads.
constexpr int64_t kAloneBytes = 1 << 18;

/// The line of bytes is divided at whole cache lines.
constexpr int64_t kLine = 64;

size_t WordsOf(size_t bytes) { return (bytes + sizeof(uint64_t) - 1) / sizeof(uint64_t); }

}  // namespace

ListBatch::ListBatch(int group_, const KeptPlan &plan, size_t tensors_, bool has_calls)
    : group(group_),
      kept(plan),
      words(WordsOf(plan.bytes())),
      tensors(tensors_),
      is_alone(has_calls) {
  scalars.resize(plan.scalars_bytes());
}

void ListWork::Clear() {
  batches_.clear();
  batch_of_.clear();
  has_links_ = false;
}

ListWork::Place ListWork::Add(int group, int entry, const ListedCall &call, const KeptPlan &plan,
                              const ListMemory &memory) {
  const int next = static_cast<int>(batches_.size());
  const auto [found, is_new] = batch_of_.emplace(std::make_pair(group, call.plan), next);
  if (is_new) batches_.emplace_back(group, plan, memory.spans.size(), call.rule->calls() > 0);
  ListBatch &batch = batches_[static_cast<size_t>(found->second)];
  const size_t row = batch.rows.size();
  batch.plans.resize((row + 1) * batch.words);
  batch.spans.resize((row + 1) * batch.tensors);
  batch.rows.push_back({plan.work(), 0, entry});
  const Place place = {found->second, static_cast<int>(row)};
  Set(place, plan, memory);
  return place;
}

void ListWork::Set(Place place, const KeptPlan &plan, const ListMemory &memory) {
  ListBatch &batch = batches_[static_cast<size_t>(place.batch)];
  ListRow &row = batch.rows[static_cast<size_t>(place.row)];
  const bool is_same = row.work.loop == plan.work().loop && row.work.count == plan.work().count &&
                       row.work.bytes == plan.work().bytes && row.bytes == memory.bytes;
  has_links_ = has_links_ && is_same;
  char *const to = batch.PlanOf(static_cast<size_t>(place.row));
  std::memcpy(to, plan.plan(), plan.bytes());
  row.work = plan.work();
  row.bytes = memory.bytes;
  std::copy(memory.spans.begin(), memory.spans.end(),
            batch.SpansOf(static_cast<size_t>(place.row)));
  if (plan.scalars_bytes() != 0) {
    std::memcpy(batch.scalars.data(), to + plan.scalars_at(), plan.scalars_bytes());
    has_shared_ = false;
  }
}

void ListWork::MakeLinks() {
  links_.clear();
  alone_.clear();
  end_ = 0;
  for (size_t b = 0; b < batches_.size(); ++b) MakeLinksOf(static_cast<int>(b));
  has_links_ = true;
  has_shared_ = false;
}

void ListWork::MakeLinksOf(int b) {
  ListBatch &batch = batches_[static_cast<size_t>(b)];
  const bool is_whole = batch.kept.is_whole();
  int64_t size = 0;  // of the last link
  for (size_t i = 0; i < batch.rows.size(); ++i) {
    const ListRow &row = batch.rows[i];
    const int64_t bytes = row.bytes + kEntryBytes;
    const Link link = {b, static_cast<int>(i), batch.PlanOf(i), row.work, end_, !is_whole};
    if (batch.is_alone || (is_whole && bytes >= kAloneBytes)) {
      alone_.push_back(link);
      continue;
    }
    Link *const last = i == 0 || links_.empty() ? nullptr : &links_.back();
    const bool joins = last != nullptr && last->batch == b && batch.kept.is_chained() &&
                       last->work.loop == row.work.loop && size + bytes <= kLinkBytes;
    if (joins) {
      last->work.count += row.work.count;
      last->is_cut = false;
      size += bytes;
    } else {
      links_.push_back(link);
      size = bytes;
    }
    end_ += bytes;
  }
}

/// A loop takes the scalars from the first Plan of a link.
void ListWork::ShareScalars() {
  const auto share = [this](const std::vector<Link> &links) {
    for (const Link &link : links) {
      const ListBatch &batch = batches_[static_cast<size_t>(link.batch)];
      if (batch.scalars.empty()) continue;
      std::memcpy(link.plan + batch.kept.scalars_at(), batch.scalars.data(), batch.scalars.size());
    }
  };
  share(links_);
  share(alone_);
  has_shared_ = true;
}

void ListWork::RunWhole(const Link &link) noexcept {
  try {
    batches_[static_cast<size_t>(link.batch)].kept.RunWhole(link.plan);
  } catch (...) {
    const std::lock_guard<std::mutex> lock(failed_);
    if (!failure_) failure_ = std::current_exception();
  }
}

/// Runs a link of one Plan, and prefetches the tensors of the next one in its batch.
void ListWork::RunPlan(const Link &link) {
  ListBatch &batch = batches_[static_cast<size_t>(link.batch)];
  const size_t row = static_cast<size_t>(link.row);
  if (end_ < kFarBytes || row + 1 == batch.rows.size()) {
    return link.work.loop(link.plan, 0, link.work.count);
  }
  RunBesideNext(link.work, link.plan, batch.SpansOf(row), batch.SpansOf(row + 1), batch.tensors);
}

/// Runs the part of a link that is in [begin, end) of the line of bytes.
void ListWork::RunLink(const Link &link, int64_t begin, int64_t end, int64_t link_end) {
  if (!link.is_cut) {  // whoever has its beginning runs it
    if (link.begin < begin || link.begin >= end) return;
    if (link.work.loop == nullptr) return RunWhole(link);
    return link.work.loop(link.plan, 0, link.work.count);
  }
  // At whole grains, from the beginning of the Plan on.
  const auto cut = [&link, link_end](int64_t at) -> index_t {
    if (at <= link.begin) return 0;
    if (at >= link_end) return link.work.count;
    const double share =
        static_cast<double>(at - link.begin) / static_cast<double>(link_end - link.begin);
    const int64_t grain = static_cast<int64_t>(link.work.grain);
    const int64_t count = static_cast<int64_t>(share * static_cast<double>(link.work.count));
    return std::min(link.work.count, static_cast<index_t>(count / grain * grain));
  };
  const index_t first = cut(begin), last = cut(end);
  if (first >= last) return;
  if (first == 0 && last == link.work.count) return RunPlan(link);
  link.work.loop(link.plan, first, last);
}

void ListWork::RunLinks(int64_t begin, int64_t end) {
  const auto starts_behind = [](int64_t at, const Link &link) { return at < link.begin; };
  auto link = std::upper_bound(links_.begin(), links_.end(), begin, starts_behind);
  if (link != links_.begin()) --link;
  for (; link != links_.end() && link->begin < end; ++link) {
    RunLink(*link, begin, end, link + 1 == links_.end() ? end_ : link[1].begin);
  }
}

void ListWork::RunPiece(const void *work, index_t begin, index_t end) {
  const_cast<ListWork *>(static_cast<const ListWork *>(work))
      ->RunLinks(static_cast<int64_t>(begin) * kLine, static_cast<int64_t>(end) * kLine);
}

void ListWork::Run() {
  if (!has_links_) MakeLinks();
  if (!has_shared_) ShareScalars();
  ParallelFor(static_cast<index_t>((end_ + kLine - 1) / kLine), kLine, RunPiece, this, 1);
  for (const Link &link : alone_) RunWhole(link);
  if (failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
