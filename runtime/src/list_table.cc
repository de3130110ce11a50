// SPDX-License-Identifier: Apache-2.0
#include "list_table.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "mshadow/detail/exception.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

/// A row has at most this many blocks side by side, so that the list of blocks stays short: more
/// threads than any GPU holds at once. Each block then takes several pieces of the row.
constexpr unsigned kMostBlocks = 4096;

unsigned Log2(unsigned power) {
  unsigned log2 = 0;
  while (power >> (log2 + 1) != 0) ++log2;
  return log2;
}

}  // namespace

ListTable::ListTable(const cuda::ListedLaunch &first)
    : plan_bytes_(first.bytes),
      row_bytes_(cuda::ListedRowBytes(first.bytes)),
      threads_(first.grid.block_x * first.grid.block_y) {}

int ListTable::AddRow() {
  const int row = static_cast<int>(shapes_.size());
  rows_.resize(rows_.size() + row_bytes_);
  shapes_.push_back({});
  must_lay_out_ = true;
  return row;
}

cuda::ListedGrid &ListTable::GridOf(int row) {
  return *reinterpret_cast<cuda::ListedGrid *>(RowAt(row) + cuda::ListedGridAt(plan_bytes_));
}

void ListTable::Change(int row) {
  if (!has_changed_rows()) {
    first_changed_ = last_changed_ = row;
    return;
  }
  first_changed_ = std::min(first_changed_, row);
  last_changed_ = std::max(last_changed_, row);
}

void ListTable::SetRow(int row, const cuda::ListedLaunch &launch, bool has_own_scalars) {
  Row &shape = shapes_[static_cast<size_t>(row)];
  const cuda::Grid &grid = launch.grid;
  must_lay_out_ = must_lay_out_ || shape.teams != launch.teams || shape.grid.x != grid.x ||
                  shape.grid.y != grid.y || shape.grid.block_x != grid.block_x;
  shape = {grid, launch.teams};
  cuda::ListedGrid &spread = GridOf(row);
  const unsigned flag = has_own_scalars ? 1 : 0;
  if (spread.has_own_scalars == flag && std::memcmp(RowAt(row), launch.plan, plan_bytes_) == 0) {
    return;
  }
  std::memcpy(RowAt(row), launch.plan, plan_bytes_);
  spread.has_own_scalars = flag;
  Change(row);
}

/// Decides how many blocks a row has.
void ListTable::Spread(int row) {
  const Row &shape = shapes_[static_cast<size_t>(row)];
  cuda::ListedGrid spread = GridOf(row);
  if (shape.teams == 0) {
    spread.width = std::min(shape.grid.x, kMostBlocks);
    spread.height = std::min(shape.grid.y, std::max(1u, kMostBlocks / spread.width));
    spread.log2_threads_x = Log2(shape.grid.block_x);
  } else {
    const int64_t each = threads_ / team_;
    const int64_t blocks = (shape.teams + each - 1) / each;
    spread.width = static_cast<unsigned>(std::min<int64_t>(blocks, kMostBlocks));
    spread.height = shape.grid.y;
    spread.log2_threads_x = Log2(team_);
  }
  if (std::memcmp(&spread, &GridOf(row), sizeof spread) == 0) return;
  GridOf(row) = spread;
  Change(row);
}

void ListTable::LayOut() {
  if (!must_lay_out_) return;
  team_ = 0;
  for (const Row &shape : shapes_) team_ = std::max(team_, shape.grid.block_x);
  blocks_.clear();
  for (size_t i = 0; i < shapes_.size(); ++i) {
    const int row = static_cast<int>(i);
    Spread(row);
    const unsigned count = GridOf(row).width * GridOf(row).height;
    for (unsigned k = 0; k < count; ++k) blocks_.push_back({static_cast<unsigned>(row), k});
  }
  has_new_blocks_ = true;
  must_lay_out_ = false;
}

void ListTable::SetMemory(void *memory, size_t room) {
  memory_ = memory;
  room_ = room;
  has_new_blocks_ = true;
  first_changed_ = 0;
  last_changed_ = static_cast<int>(shapes_.size()) - 1;
}

void ListTable::AddChanges(std::vector<DeviceCopy> *copies) const {
  char *const memory = static_cast<char *>(memory_);
  if (has_changed_rows()) {
    const size_t first = static_cast<size_t>(first_changed_) * row_bytes_;
    const size_t end = static_cast<size_t>(last_changed_ + 1) * row_bytes_;
    copies->push_back({memory + first, rows_.data() + first, end - first});
  }
  if (!has_new_blocks_) return;
  copies->push_back(
      {memory + BlocksAt(), blocks_.data(), blocks_.size() * sizeof(cuda::ListedBlock)});
}

void ListTable::ForgetChanges() {
  first_changed_ = 0;
  last_changed_ = -1;
  has_new_blocks_ = false;
}

cuda::ListedTable ListTable::OnDevice() const {
  char *const memory = static_cast<char *>(memory_);
  return {memory, reinterpret_cast<const cuda::ListedBlock *>(memory + BlocksAt()), nullptr};
}

cuda::Grid ListTable::grid() const {
  const bool has_teams = shapes_[0].teams != 0;
  const unsigned threads_x = has_teams ? team_ : threads_;
  return {static_cast<unsigned>(blocks_.size()), 1, threads_x, threads_ / threads_x};
}

DeviceTables::~DeviceTables() {
  for (void *memory : released_) cuda::Free(memory);
  for (Stage &stage : stages_) {
    cuda::FreeHost(stage.memory);
    cuda::DestroyEvent(stage.copied);
  }
}

void DeviceTables::Release(const ListTable &table) {
  if (table.memory() != nullptr) released_.push_back(table.memory());
}

void DeviceTables::FreeReleased() {
  if (keeps_all_) return;
  for (void *memory : released_) cuda::Free(memory);
  released_.clear();
}

void DeviceTables::Reserve(ListTable *table) {
  FreeReleased();
  if (table->bytes() <= table->room() && !(keeps_all_ && table->has_new_blocks())) return;
  const size_t room = table->bytes() + table->bytes() / 2;
  released_.reserve(released_.size() + 1);
  void *const memory = cuda::Malloc(room);
  Release(*table);
  table->SetMemory(memory, room);
}

void DeviceTables::WaitForCopies(Stage *stage, CUstream_st *stream) {
  if (!stage->is_used) return;
  if (stage->is_marked) {
    cuda::WaitFor(stage->copied);
  } else {
    cuda::Synchronize(stream);
  }
  stage->is_used = stage->is_marked = false;
}

void DeviceTables::Copy(const std::vector<DeviceCopy> &copies, CUstream_st *stream) {
  size_t bytes = 0;
  for (const DeviceCopy &copy : copies) bytes += copy.bytes;
  Stage &stage = stages_[next_stage_];
  WaitForCopies(&stage, stream);
  if (stage.bytes < bytes) {
    cuda::FreeHost(std::exchange(stage.memory, nullptr));
    stage.bytes = 0;
    stage.memory = static_cast<char *>(cuda::MallocHost(bytes));
    stage.bytes = bytes;
  }
  if (stage.copied == nullptr) stage.copied = cuda::CreateEvent();
  next_stage_ = 1 - next_stage_;
  stage.is_used = true;
  char *from = stage.memory;
  for (const DeviceCopy &copy : copies) {
    std::memcpy(from, copy.from, copy.bytes);
    cuda::CopyRows(copy.to, copy.bytes, from, copy.bytes, copy.bytes, 1,
                   cuda::Direction::kHostToDevice, stream);
    from += copy.bytes;
  }
  cuda::RecordEvent(stage.copied, stream);
  stage.is_marked = true;
}

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow
