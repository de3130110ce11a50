// SPDX-License-Identifier: Apache-2.0
#include "mshadow/detail/sort_rows.h"

#include <algorithm>
#include <cstring>
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
constexpr index_t kShort = 64;    ///< a row of so many elements is compared with itself,
constexpr index_t kTogether = 8;  ///< together with the next rows,
constexpr index_t kGroup = 16;    ///< so many elements at once

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

/// The functions of an instruction set.
template <typename DType>
struct Region {
  index_t (*find_block)(const DType *, index_t, index_t, SortKey<DType>, SortKey<DType>,
                        SortKey<DType> *);
  void (*order_short_rows)(const DType *, index_t, index_t, index_t, SortKey<DType>, index_t *);
};
template <typename DType>
Region<DType> RegionFor([[maybe_unused]] Isa isa) {
#if MSHADOW_HAS_AVX512
  if (isa == Isa::kAvx512) return {avx512::FindBlock<DType>, avx512::OrderShortRows<DType>};
#endif
#if MSHADOW_HAS_AVX2
  if (isa >= Isa::kAvx2) return {avx2::FindBlock<DType>, avx2::OrderShortRows<DType>};
#endif
  return {baseline::FindBlock<DType>, baseline::OrderShortRows<DType>};
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

constexpr index_t kFew = 128;  // elements that are kept in their order
/// How to find the first elements of a row: by comparing all with each other, by looking for them,
/// or by sorting all.
enum class Way { kCompare, kLook, kSort };
Way WayFor(index_t count, index_t cols) {
  if (cols <= kShort) return Way::kCompare;
  return count <= (count <= kFew ? cols / 4 : cols / 16) ? Way::kLook : Way::kSort;
}
/// How many elements are kept to find the first `count`.
index_t CandidatesFor(index_t count) { return count <= kFew ? count : 2 * count; }

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
        region_(RegionFor<DType>(ActiveIsa())),
        write_(WriterFor(task.type)),
        way_(WayFor(task.count, task.cols)),
        order_(memory.order),
        first_(memory.first),
        ranks_(memory.ranks),
        scratch_(memory.scratch) {}

  /// Rows [begin, end).
  void Sort(index_t begin, index_t end) {
    if (way_ == Way::kCompare) return SortShort(begin, end);
    for (index_t y = begin; y < end; ++y) {
      way_ == Way::kLook ? FindFirst(RowAt(y)) : SortAll(RowAt(y));
      WriteRow(y, order_);
    }
  }

 private:
  using Rank = typename Memory<DType>::Rank;
  using Element = Candidate<Key>;
  static bool ComesBefore(const Element &a, const Element &b) {
    return a.key > b.key || (a.key == b.key && a.column < b.column);
  }

  const DType *RowAt(index_t y) const { return task_.src + y * task_.src_stride; }
  void WriteRow(index_t y, const index_t *order) const {
    if (task_.values != nullptr) {
      const DType *const row = RowAt(y);
      DType *const to = task_.values + y * task_.values_stride;
      for (index_t i = 0; i < task_.count; ++i) to[i] = row[order[i]];
    }
    if (task_.columns != nullptr) {
      write_(task_.columns, y * task_.columns_stride, order, task_.count);
    }
  }

  void SortShort(index_t begin, index_t end) {
    for (; begin < end; begin += kTogether) {
      const index_t rows = std::min(kTogether, end - begin);
      region_.order_short_rows(RowAt(begin), task_.src_stride, rows, task_.cols, flip_, order_);
      for (index_t y = 0; y < rows; ++y) WriteRow(begin + y, order_ + y * task_.cols);
    }
  }

  Key At(const DType *row, index_t x) const { return static_cast<Key>(KeyOf(row[x]) ^ flip_); }

  /// Keeps the first elements so far. Most others are rejected by one comparison with the key of
  /// the last one kept: an equal element further on comes after it.
  void FindFirst(const DType *row) {
    task_.count <= kFew ? KeepInOrder(row) : KeepAny(row);
    for (index_t i = 0; i < task_.count; ++i) order_[i] = first_[i].column;
  }

  /// Calls `keep(element)` for elements from column \p x on that may be among the first.
  /// \param least what their keys must exceed; `keep` may raise it
  template <typename Keep>
  void ForEachAbove(const DType *row, index_t x, const Key &least, const Keep &keep) {
    Key keys[kBlock];
    while (task_.cols - x >= kBlock) {
      x = region_.find_block(row, x, task_.cols, least, flip_, keys);
      if (task_.cols - x < kBlock) break;
      for (index_t i = 0; i < kBlock; ++i) {
        if (keys[i] > least) keep(Element{keys[i], x + i});
      }
      x += kBlock;
    }
    for (; x < task_.cols; ++x) {
      const Key key = At(row, x);
      if (key > least) keep(Element{key, x});
    }
  }

  /// A few elements, in their order.
  void KeepInOrder(const DType *row) {
    const index_t count = task_.count;
    for (index_t x = 0; x < count; ++x) Insert({At(row, x), x}, x);
    Key least = first_[count - 1].key;
    ForEachAbove(row, count, least, [&](const Element &element) {
      Insert(element, count - 1);
      least = first_[count - 1].key;
    });
  }
  /// Puts an element that comes after all equal ones into its place, and drops first_[end].
  void Insert(const Element &element, index_t end) {
    index_t at = end;
    for (; at > 0 && first_[at - 1].key < element.key; --at) first_[at] = first_[at - 1];
    first_[at] = element;
  }

  /// Twice as many as are wanted. When these are full, the half that comes first is kept.
  void KeepAny(const DType *row) {
    const index_t count = task_.count;
    index_t size = 0;
    for (; size < 2 * count; ++size) first_[size] = {At(row, size), size};
    Key least = KeepHalf(size);
    size = count;
    ForEachAbove(row, 2 * count, least, [&](const Element &element) {
      first_[size++] = element;
      if (size < 2 * count) return;
      least = KeepHalf(size);
      size = count;
    });
    if (size > count) KeepHalf(size);
    std::sort(first_, first_ + count, ComesBefore);
  }
  /// \returns the key of the last of them
  Key KeepHalf(index_t size) {
    Element *const last = first_ + task_.count - 1;
    std::nth_element(first_, last, first_ + size, ComesBefore);
    return last->key;
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
  const Region<DType> region_;
  const Writer write_;
  const Way way_;
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

  /// How many elements a part has of `order`, of `first`, and of the others.
  struct Sizes {
    index_t order, first, all;
  };
  static Sizes SizesFor(const RowsToSort<DType> &task) {
    const Way way = WayFor(task.count, task.cols);
    if (way == Way::kLook) return {task.count, CandidatesFor(task.count), 0};
    if (way == Way::kCompare) return {kTogether * task.cols, 0, 0};
    return {task.cols, 0, task.cols};
  }
  Memory<DType> Of(index_t part) const {
    const Sizes sizes = SizesFor(task);
    return {memory.order + part * sizes.order, memory.first + part * sizes.first,
            memory.ranks + part * sizes.all, memory.scratch + part * sizes.all};
  }
  static void Run(const void *context, index_t begin, index_t end) {
    const Job &job = *static_cast<const Job *>(context);
    for (index_t part = begin; part < end; ++part) {
      const index_t first = part * job.task.rows / job.parts;
      const index_t stop = (part + 1) * job.task.rows / job.parts;
      RowSorter<DType>(job.task, job.Of(part)).Sort(first, stop);
    }
  }
};

}  // namespace

template <typename DType>
void SortRowsOnCpu(const RowsToSort<DType> &task) {
  if (task.rows == 0 || task.count == 0) return;
  // To sort an element takes as long as to move some hundred bytes.
  constexpr index_t kSize = sizeof(DType), kSorted = 256;
  const bool is_light = WayFor(task.count, task.cols) == Way::kLook;
  const index_t bytes = task.cols * (is_light ? kSize : kSorted);
  Job<DType> job = {task, WorthwhileThreads(task.rows, bytes), {}};
  const auto sizes = Job<DType>::SizesFor(task);
  Workspace workspace;
  job.memory.order = workspace.Take<index_t>(job.parts * sizes.order);
  job.memory.first = workspace.Take<Candidate<SortKey<DType>>>(job.parts * sizes.first);
  job.memory.ranks = workspace.Take<typename Memory<DType>::Rank>(job.parts * sizes.all);
  job.memory.scratch = workspace.Take<index_t>(job.parts * sizes.all);
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
