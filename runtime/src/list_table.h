// SPDX-License-Identifier: Apache-2.0
/// \file list_table.h
/// The table of a launch of several calls (cuda/call.cuh), and how it gets to the device.
#ifndef MSHADOW_RUNTIME_LIST_TABLE_H_
#define MSHADOW_RUNTIME_LIST_TABLE_H_

#include <vector>

#include "mshadow/cuda/launch.h"
#include "mshadow/cuda/runtime.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// Memory of the host that is to be copied to the device.
struct DeviceCopy {
  void *to;
  const void *from;
  size_t bytes;
};

/// Rows that hold a Plan and its ListedGrid each, and for each block of the launch a ListedBlock.
class ListTable {
 public:
  explicit ListTable(const cuda::ListedLaunch &first);

  int AddRow();
  /// Sets a row. \param has_own_scalars whether the kernel takes the scalars in this Plan
  void SetRow(int row, const cuda::ListedLaunch &launch, bool has_own_scalars);

  /// Finds which block has which row, if a row has another size than before.
  void LayOut();
  bool has_changes() const { return has_changed_rows() || has_new_blocks_; }
  /// Whether other blocks have other rows than on the device.
  bool has_new_blocks() const { return has_new_blocks_; }
  /// Bytes on the device.
  size_t bytes() const { return BlocksAt() + blocks_.size() * sizeof(cuda::ListedBlock); }
  /// Where it is on the device, and how much memory is there.
  void *memory() const { return memory_; }
  size_t room() const { return room_; }
  /// Moves it; all of it is to be copied.
  void SetMemory(void *memory, size_t room);
  void AddChanges(std::vector<DeviceCopy> *copies) const;
  void ForgetChanges();

  /// What a launch needs.
  cuda::ListedTable OnDevice() const;
  cuda::Grid grid() const;

 private:
  struct Row {
    cuda::Grid grid;
    int64_t teams;
  };

  char *RowAt(int row) { return rows_.data() + static_cast<size_t>(row) * row_bytes_; }
  size_t BlocksAt() const { return (rows_.size() + 255) / 256 * 256; }
  cuda::ListedGrid &GridOf(int row);
  void Spread(int row);
  bool has_changed_rows() const { return first_changed_ <= last_changed_; }
  void Change(int row);

  const size_t plan_bytes_, row_bytes_;
  const unsigned threads_;  ///< of a block
  unsigned team_ = 0;       ///< threads of a thread group: the most that a row wants
  std::vector<char> rows_;
  std::vector<Row> shapes_;
  std::vector<cuda::ListedBlock> blocks_;
  bool must_lay_out_ = false;
  bool has_new_blocks_ = false;
  int first_changed_ = 0, last_changed_ = -1;  ///< rows
  void *memory_ = nullptr;
  size_t room_ = 0;
};

/// Device memory for tables, and copies to it that do not wait for the device.
class DeviceTables {
 public:
  ~DeviceTables();
  /// Gives a table as much memory as it needs. \throws Error if there is none
  void Reserve(ListTable *table);
  /// Takes the memory of a table that is forgotten.
  void Release(const ListTable &table);
  /// Queues copies. The host's memory may change afterwards.
  void Copy(const std::vector<DeviceCopy> &copies, CUstream_st *stream);
  /// A captured graph uses the tables. From now on none of their memory is freed, and blocks that
  /// have other rows than before get other memory.
  void KeepAll() { keeps_all_ = true; }

 private:
  /// Page-locked memory from which copies are made.
  struct Stage {
    char *memory = nullptr;
    size_t bytes = 0;
    CUevent_st *copied = nullptr;
    bool is_used = false;    ///< copies from it are queued
    bool is_marked = false;  ///< `copied` comes after them
  };

  void WaitForCopies(Stage *stage, CUstream_st *stream);
  void FreeReleased();

  Stage stages_[2];  ///< in turns, so that a copy mostly waits for none
  int next_stage_ = 0;
  std::vector<void *> released_;
  bool keeps_all_ = false;
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_LIST_TABLE_H_
