// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/sort_rows.h"

#include <algorithm>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "mshadow/detail/sort_key.h"
#include "mshadow/detail/workspace.h"
#include "mshadow/isa.h"
#include "mshadow/packet/prelude.h"
#include "mshadow/parallel.h"
#include "stable_order.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {
namespace {

constexpr index_t kBlock = 64;

namespace baseline {
#include "sort_rows.inc"
}  // namespace baseline

#if MSHADOW_HAS_AVX2
#include <mshadow/packet/begin_avx2.inc>
namespace avx2 {
#include "sort_rows.inc"
}  // namespace avx2
#include <mshadow/packet/end_isa.inc>
#endif

#if MSHADOW_HAS_AVX512
#include <mshadow/packet/begin_avx512.inc>
namespace avx512 {
#include "sort_rows.inc"
}  // namespace avx512
#include <mshadow/packet/end_isa.inc>
#endif

template <typename DType>
using BlockFinder = index_t (*)(const DType *, index_t, index_t, SortKey<DType>, SortKey<DType>,
                                SortKey<DType> *);
template <typename DType>
BlockFinder<DType> FinderFor([[maybe_unused]] Isa isa) {
#if MSHADOW_HAS_AVX512
  if (isa == Isa::kAvx512) return avx512::FindBlock<DType>;
#endif
#if MSHADOW_HAS_AVX2
  if (isa >= Isa::kAvx2) return avx2::FindBlock<DType>;
#endif
  return baseline::FindBlock<DType>;
}

/// Writes the columns of one row.
using Writer = void (*)(void *columns, index_t at, const index_t *order, index_t count);
template <typename IType>
void Write(void *columns, index_t at, const index_t *order, index_t count) {
  IType *const to = static_cast<IType *>(columns) + at;
  for (index_t i = 0; i < count; ++i) to[i] = ScalarCast<IType>(order[i]);
}
Writer WriterFor(int type) {
  switch (type) {
    case kFloat32:
      return Write<float>;
    case kFloat64:
      return Write<double>;
    case kFloat16:
      return Write<half::half_t>;
    case kBfloat16:
      return Write<bfloat::bf16_t>;
    case kUint8:
      return Write<uint8_t>;
    case kUint16:
      return Write<uint16_t>;
    case kUint32:
      return Write<uint32_t>;
    case kUint64:
      return Write<uint64_t>;
    case kInt8:
      return Write<int8_t>;
    case kInt16:
      return Write<int16_t>;
    case kInt32:
      return Write<int32_t>;
    case kInt64:
      return Write<int64_t>;
    default:
      throw std::logic_error("no such type of columns");
  }
}

/// Of a row of `cols` elements, whether to look for the first `count` of them, or to sort all.
bool IsFew(index_t count, index_t cols) { return count <= cols / 4; }

/// The key and the place of an element that may be among the first.
template <typename Key>
struct Candidate {
  Key key;
  index_t column;
};

/// What a thread needs besides the tensors.
template <typename DType>
struct Memory {
  using Rank = std::make_unsigned_t<SortKey<DType>>;
  index_t *order;                    // the columns of the elements that come first
  Candidate<SortKey<DType>> *first;  // to find them
  Rank *ranks;                       // or to sort all
  index_t *scratch;
};

/// Sorts rows in one thread.
template <typename DType>
class RowSorter {
 public:
  using Key = SortKey<DType>;

  RowSorter(const RowsToSort<DType> &task, const Memory<DType> &memory)
      : task_(task),
        flip_(FlipOf<Key>(task.ascends)),
        find_(FinderFor<DType>(ActiveIsa())),
        write_(WriterFor(task.type)),
        is_few_(IsFew(task.count, task.cols)),
        order_(memory.order),
        first_(memory.first),
        ranks_(memory.ranks),
        scratch_(memory.scratch) {}

  void Sort(index_t y) {
    const DType *const row = task_.src + y * task_.src_stride;
    is_few_ ? FindFirst(row) : SortAll(row);
    if (task_.values != nullptr) {
      DType *const to = task_.values + y * task_.values_stride;
      for (index_t i = 0; i < task_.count; ++i) to[i] = row[order_[i]];
    }
    if (task_.columns != nullptr) {
      write_(task_.columns, y * task_.columns_stride, order_, task_.count);
    }
  }

 private:
  using Rank = typename Memory<DType>::Rank;
  using Element = Candidate<Key>;
  static bool ComesBefore(const Element &a, const Element &b) {
    return a.key > b.key || (a.key == b.key && a.column < b.column);
  }

  Key At(const DType *row, index_t x) const { return static_cast<Key>(KeyOf(row[x]) ^ flip_); }

  /// Keeps the first elements so far: a few in their order, more in a heap, whose top is the last
  /// of them. Most others are rejected by one comparison with the last one's key: an equal element
  /// further on comes after it.
  void FindFirst(const DType *row) {
    constexpr index_t kFew = 32;
    task_.count <= kFew ? FindFirst<false>(row) : FindFirst<true>(row);
    for (index_t i = 0; i < task_.count; ++i) order_[i] = first_[i].column;
  }

  template <bool kHeap>
  void FindFirst(const DType *row) {
    const index_t count = task_.count, cols = task_.cols;
    const Element &last = first_[kHeap ? 0 : count - 1];
    for (index_t x = 0; x < count; ++x) {
      kHeap ? void(first_[x] = {At(row, x), x}) : Insert({At(row, x), x}, x);
    }
    if (kHeap) std::make_heap(first_, first_ + count, ComesBefore);
    Key keys[kBlock], least = last.key;
    for (index_t x = count; x < cols;) {
      x = find_(row, x, cols, least, flip_, keys);
      const index_t size = std::min(kBlock, cols - x);
      if (size < kBlock) {
        for (index_t i = 0; i < size; ++i) keys[i] = At(row, x + i);
      }
      for (index_t i = 0; i < size; ++i) {
        if (keys[i] <= least) continue;
        const Element element = {keys[i], x + i};
        kHeap ? ReplaceTop(element) : Insert(element, count - 1);
        least = last.key;
      }
      x += size;
    }
    if (kHeap) std::sort_heap(first_, first_ + count, ComesBefore);
  }

  /// Puts an element that comes after all equal ones into its place, and drops first_[end].
  void Insert(const Element &element, index_t end) {
    index_t at = end;
    for (; at > 0 && first_[at - 1].key < element.key; --at) first_[at] = first_[at - 1];
    first_[at] = element;
  }

  void ReplaceTop(const Element &element) {
    index_t at = 0;
    for (index_t child = 1; child < task_.count; child = 2 * at + 1) {
      const bool has_later =
          child + 1 < task_.count && ComesBefore(first_[child], first_[child + 1]);
      child += has_later ? 1 : 0;
      if (!ComesBefore(element, first_[child])) break;
      first_[at] = first_[child];
      at = child;
    }
    first_[at] = element;
  }

  void SortAll(const DType *row) {
    constexpr Rank kTop = static_cast<Rank>(Rank{1} << (8 * sizeof(Rank) - 1));
    for (index_t x = 0; x < task_.cols; ++x) {  // the key that comes first is the least rank
      ranks_[x] = static_cast<Rank>(static_cast<Rank>(~At(row, x)) ^ kTop);
    }
    OrderOfRanks(ranks_, task_.cols, order_, scratch_);
  }

  const RowsToSort<DType> &task_;
  const Key flip_;
  const BlockFinder<DType> find_;
  const Writer write_;
  const bool is_few_;
  index_t *const order_;
  Element *const first_;
  Rank *const ranks_;
  index_t *const scratch_;
};

/// The rows of all threads, in parts.
template <typename DType>
struct Job {
  const RowsToSort<DType> &task;
  index_t parts;
  Memory<DType> memory;  // of all parts, one after the other

  Memory<DType> Of(index_t part) const {
    const bool is_few = IsFew(task.count, task.cols);
    const index_t count = is_few ? task.count : task.cols, at = part * count;
    if (is_few) return {memory.order + at, memory.first + at, nullptr, nullptr};
    return {memory.order + at, nullptr, memory.ranks + at, memory.scratch + at};
  }
  static void Run(const void *context, index_t begin, index_t end) {
    const Job &job = *static_cast<const Job *>(context);
    for (index_t part = begin; part < end; ++part) {
      RowSorter<DType> sorter(job.task, job.Of(part));
      const index_t stop = (part + 1) * job.task.rows / job.parts;
      for (index_t y = part * job.task.rows / job.parts; y < stop; ++y) sorter.Sort(y);
    }
  }
};

}  // namespace

template <typename DType>
void SortRowsOnCpu(const RowsToSort<DType> &task) {
  if (task.rows == 0 || task.count == 0) return;
  // To sort an element takes as long as to move some hundred bytes.
  constexpr index_t kSize = sizeof(DType), kSorted = 256;
  const bool is_few = IsFew(task.count, task.cols);
  const index_t bytes = task.cols * (is_few ? kSize : kSorted);
  Job<DType> job = {task, WorthwhileThreads(task.rows, bytes), {}};
  Workspace workspace;
  const index_t count = job.parts * (is_few ? task.count : task.cols);
  job.memory.order = workspace.Take<index_t>(count);
  if (is_few) {
    job.memory.first = workspace.Take<Candidate<SortKey<DType>>>(count);
  } else {
    job.memory.ranks = workspace.Take<typename Memory<DType>::Rank>(count);
    job.memory.scratch = workspace.Take<index_t>(count);
  }
  ParallelFor(job.parts, task.rows / job.parts * bytes, Job<DType>::Run, &job, 1);
}

#define MSHADOW_SORT_ROWS(T) template void SortRowsOnCpu(const RowsToSort<T> &);
MSHADOW_SORT_ROWS(float)
MSHADOW_SORT_ROWS(double)
MSHADOW_SORT_ROWS(half::half_t)
MSHADOW_SORT_ROWS(bfloat::bf16_t)
MSHADOW_SORT_ROWS(uint8_t)
MSHADOW_SORT_ROWS(uint16_t)
MSHADOW_SORT_ROWS(uint32_t)
MSHADOW_SORT_ROWS(uint64_t)
MSHADOW_SORT_ROWS(int8_t)
MSHADOW_SORT_ROWS(int16_t)
MSHADOW_SORT_ROWS(int32_t)
MSHADOW_SORT_ROWS(int64_t)
#undef MSHADOW_SORT_ROWS

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"
