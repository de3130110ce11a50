// SPDX-License-Identifier: Apache-2.0
/// \file tensor_cpu.h
/// Tensors of the CPU: how Plans are evaluated, memory, copies.
#ifndef MSHADOW_TENSOR_CPU_H_
#define MSHADOW_TENSOR_CPU_H_

#include <cstring>
#include <type_traits>

#include "mshadow/detail/allocation.h"
#include "mshadow/detail/stream.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/emitted/plan.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/half_plan.h"
#include "mshadow/parallel.h"
#include "mshadow/streaming.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// The loop of `dst saver src` over blocks of rows.
template <typename Saver, typename DType, bool kIndependent, typename Dst, typename Src>
struct MapLoop {
  Dst dst;
  Src src;
  index_t cols;
  bool streams;  ///< uses non-temporal stores

  /// Evaluates elements [begin, end), in row-major order. ParallelFor calls it. Never inlined: a
  /// loop has the floating-point rules of the function that it is in, and here they are strict.
  MSHADOW_NOINLINE static void Run(const void *context, index_t begin, index_t end) {
    MapLoop loop = *static_cast<const MapLoop *>(context);  // a copy: no store can change it
    const index_t cols = loop.cols;
    const index_t first = (begin + cols - 1) / cols, last = end / cols;  // whole rows
    if (first > last) return PartOfRow(loop, last, begin - last * cols, end - last * cols);
    if (begin < first * cols) PartOfRow(loop, first - 1, begin - (first - 1) * cols, cols);
    if (last - first == 1 && cols >= kLongRow) {
      loop.LongRow(first);
    } else {
      loop.WholeRows(first, last);
    }
    if (last * cols < end) PartOfRow(loop, last, 0, end - last * cols);
  }
  /// Not inlined, so that the loop over whole rows, which may be short, knows their length.
  MSHADOW_NOINLINE static void PartOfRow(MapLoop loop, index_t y, index_t begin, index_t end) {
    if constexpr (kCanStream) {
      if (loop.streams) return StreamBlocks(loop, y, begin, end);
    }
    loop.Row(y, begin, end);
  }

  /// Loops that may use non-temporal stores: elements are only stored, one after the other.
  static constexpr bool kCanStream = kIndependent && IsSame<Saver, sv::saveto>::value &&
                                     expr::detail::kIsPlanOfTensor<Dst> &&
                                     !expr::detail::kHasRuns<Src> && std::is_arithmetic_v<DType>;
  /// Evaluates blocks of whole cache lines to a buffer, and copies them with non-temporal stores.
  /// Elements before and behind the blocks are stored as usual.
  MSHADOW_NOINLINE static void StreamBlocks(MapLoop loop, index_t y, index_t begin, index_t end) {
    constexpr int kBlock = 4096 / sizeof(DType);
    alignas(64) DType block[static_cast<size_t>(kBlock)];
    loop.streams = false;
    index_t x = begin + loop.ToLine(y, begin);
    if (end - begin < x - begin + kBlock) return PartOfRow(loop, y, begin, end);
    if (begin < x) PartOfRow(loop, y, begin, x);
    for (; end - x >= kBlock; x += kBlock) {
      expr::detail::SaveBlock<Saver, DType, kBlock, DType *>(
          block, Lazy(loop.src, y, x, expr::detail::kWholeRow), 0);
      StoreLines(&loop.dst.REval(y, x), block, sizeof(block));
    }
    FinishStreaming(true);
    if (x < end) PartOfRow(loop, y, x, end);
  }
  /// How many elements there are from (y, x) to the next cache line.
  MSHADOW_CINLINE index_t ToLine(index_t y, index_t x) {
    const auto at = reinterpret_cast<uintptr_t>(&dst.REval(y, x));
    return static_cast<index_t>(-at % 64 / sizeof(DType));
  }

  /// Evaluates a long row in two pieces. The second begins with a cache line: stores across two
  /// lines take twice as long.
  static constexpr index_t kLongRow = 1024;
  MSHADOW_CINLINE void LongRow(index_t y) {
    index_t line = 0;
    if constexpr (expr::detail::kIsPlanOfTensor<Dst> && 64 % sizeof(DType) == 0) {
      line = ToLine(y, 0);
    }
    if (line > 0) PartOfRow(*this, y, 0, line);
    PartOfRow(*this, y, line, cols);
  }

  MSHADOW_CINLINE void WholeRows(index_t begin, index_t end) {
    if constexpr (expr::detail::kHasRuns<Src>) {
      const index_t period = expr::detail::RowPeriodOf(src);
      if (period != 0) return Tiles(begin, end, period);
    }
    for (index_t y = begin; y < end; ++y) Row(y, 0, cols);
  }

  /// Evaluates rows [first, last): rows that are \p period apart are taken together.
  void Tiles(index_t first, index_t last, index_t period) {
    constexpr index_t kRows = 64;
    for (index_t y = first; y < last; y += kRows * period) {
      const index_t band = y + kRows * period < last ? y + kRows * period : last;
      for (index_t r = y; r < y + period && r < band; ++r) Tile(r, band, period);
    }
  }
  /// Evaluates every \p period-th row of [begin, end), in pieces of few columns.
  void Tile(index_t begin, index_t end, index_t period) {
    if constexpr (expr::detail::kHasBlocks<Src>) return Blocks(begin, end, period);
    const index_t kCols = cols <= 64 ? 64 : 32;
    for (index_t x = 0; x < cols; x += kCols) {
      const index_t x_end = x + kCols < cols ? x + kCols : cols;
      for (index_t y = begin; y < end; y += period) Row(y, x, x_end);
    }
  }

  /// The same for a source that evaluates blocks.
  void Blocks(index_t begin, index_t end, index_t period) {
    DType block[expr::detail::kBlockSize];
    const index_t most = cols < expr::detail::kBlockCols ? cols : expr::detail::kBlockCols;
    const index_t fit = expr::detail::kBlockSize / most;
    index_t left = (end - begin + period - 1) / period;
    for (index_t y = begin; left > 0;) {
      index_t rows = fit < left ? fit : left;
      for (index_t x = 0; x < cols; x += most) {
        const int n = static_cast<int>(x + most < cols ? most : cols - x);
        rows = src.EvalBlock(y, x, static_cast<int>(rows), n, block);
        const DType *from = block;
        for (index_t k = 0; k < rows; ++k, from += n) Save(y + k * period, x, from, n);
      }
      left -= rows;
      y += rows * period;
    }
  }
  MSHADOW_CINLINE void Row(index_t y, index_t begin, index_t end) {
    constexpr bool kRuns = expr::detail::kHasRuns<Src>;
    if constexpr (kRuns && expr::detail::kShortByElement<Src>) {
      if (end - begin < expr::detail::kShortRow) return Elements(y, begin, end);
    }
    if constexpr (kRuns) {
      Runs(y, begin, end);
    } else {
      Elements(y, begin, end);
    }
  }

  static constexpr bool kStoresRuns = IsSame<Saver, sv::saveto>::value &&
                                      expr::detail::kIsPlanOfTensor<Dst> &&
                                      expr::detail::kIsInPlace<Src>;
  static constexpr bool kCopies = IsSame<Saver, sv::saveto>::value &&
                                  (expr::detail::kIsPlanOfTensor<Src> ||
                                   expr::detail::kFindsRuns<Src> || expr::detail::kIsInPlace<Src>);
  MSHADOW_CINLINE void Runs(index_t y, index_t begin, index_t end) {
    if constexpr (kStoresRuns) {
      constexpr index_t kStep = Src::kLongestRun;
      for (index_t x = begin; x < end; x += kStep) {
        src.EvalRun(y, x, end - x < kStep ? end - x : kStep, &dst.REval(y, x));
      }
    } else {
      SaveRuns(y, begin, end);
    }
  }
  MSHADOW_CINLINE void SaveRuns(index_t y, index_t begin, index_t end) {
    constexpr index_t kStep = expr::detail::kMaxRun;
    for (index_t x = begin; x < end; x += kStep) {
      const int n = static_cast<int>(end - x < kStep ? end - x : kStep);
      Save(y, x, expr::detail::Run<Src, DType>(src, y, x, n), n);
    }
  }

  /// Elements of a row, each evaluated when it is read.
  using Lazy = expr::detail::Run<Src, DType,
                                 expr::detail::kHasRuns<Src> ? expr::detail::RunKind::kLazy
                                                             : expr::detail::kRunKind<Src>>;
  MSHADOW_CINLINE void Elements(index_t y, index_t begin, index_t end) {
    if (begin < end) Save(y, begin, Lazy(src, y, begin, expr::detail::kWholeRow), end - begin);
  }

  /// Elements of a row of dst that are not adjacent in memory.
  struct Apart {
    const Dst &dst;
    index_t y;
    index_t x;
    MSHADOW_CINLINE DType &operator[](std::ptrdiff_t i) const {
      return dst.REval(y, x + static_cast<index_t>(i));
    }
  };
  /// The elements of `from`, from `first` on.
  template <typename From>
  struct Later {
    const From &from;
    std::ptrdiff_t first;
    MSHADOW_CINLINE DType operator[](std::ptrdiff_t i) const { return from[first + i]; }
  };
  /// Saves \p n elements to dst, from (y, x) on.
  template <typename From>
  MSHADOW_CINLINE void Save(index_t y, index_t x, const From &from, index_t n) {
    if constexpr (expr::detail::kHasWholeRowsInMemory<Dst>) {
      Save(&dst.REval(y, x), from, static_cast<std::ptrdiff_t>(n));
    } else if constexpr (expr::detail::kHasRowsInMemory<Dst>) {
      for (index_t i = 0; i < n;) {
        const index_t part = dst.EndOfPart(x + i, x + n) - (x + i);
        Save(&dst.REval(y, x + i), Later<From>{from, static_cast<std::ptrdiff_t>(i)},
             static_cast<std::ptrdiff_t>(part));
        i += part;
      }
    } else {
      Save(Apart{dst, y, x}, from, static_cast<std::ptrdiff_t>(n));
    }
  }
  template <typename To, typename From>
  MSHADOW_CINLINE static void Save(To to, const From &from, std::ptrdiff_t n) {
    if constexpr (kIndependent) {
      expr::detail::SaveRun<Saver, DType>(to, from, n);
    } else {
      for (std::ptrdiff_t i = 0; i < n; ++i) Saver::template Save<DType>(to[i], from[i]);
    }
  }
};

/// Whether an assignment of \p exp to \p dst uses non-temporal stores: it moves more than the cache
/// holds, and reads nothing of dst.
template <int dim, typename DType, typename E>
MSHADOW_NOINLINE bool StoresPastCache(const Tensor<cpu, dim, DType> &dst, const E &exp) {
  using expr::detail::BlockOf;
  int64_t bytes = sizeof(DType);
  bool reads = false;
  expr::Operands<E>::Visit(exp, false, [&](const auto &view, bool) {
    bytes += BlockOf(view).size;
    reads = reads || SpanOf(BlockOf(view)).Meets(SpanOf(BlockOf(dst)));
  });
  return !reads && Streams(static_cast<int64_t>(dst.shape_.Size()) * bytes);
}

/// \param streams tells whether to use non-temporal stores; called only if the loop can, and moves
///     much
template <typename Saver, typename DType, bool kIndependent, typename Dst, typename Src,
          typename Streaming>
void RunMap(const Dst &dst, const Src &src, Shape<2> shape, index_t bytes_per_element,
            const Streaming &streams) {
  using Loop = MapLoop<Saver, DType, kIndependent, Dst, Src>;
  Loop loop{dst, src, shape[1], false};
  if constexpr (Loop::kCanStream) {
    loop.streams =
        shape[0] == 1 && Streams(static_cast<int64_t>(shape[1]) * bytes_per_element) && streams();
  }
  // For a copy, another thread pays only with a third more bytes for each.
  if (Loop::kCopies) bytes_per_element -= bytes_per_element / 4;
  ::mshadow::ParallelFor(shape[0] * shape[1], bytes_per_element, Loop::Run, &loop);
}

}  // namespace detail

/// Evaluates `dst saver plan` for every element. Checks nothing.
template <typename Saver, typename RV, int dim, typename DType, typename E>
void MapPlan(TRValue<RV, cpu, dim, DType> *dst, const expr::Plan<E, DType> &plan) {
  using expr::MakePlan;
  const Shape<dim> shape = expr::ShapeCheck<dim, RV>::Check(dst->self());
  detail::RunMap<Saver, DType, false>(MakePlan(dst->self()), plan, shape.FlatTo2D(),
                                      2 * static_cast<index_t>(sizeof(DType)),
                                      [] { return false; });
}

/// Runs a generated rule's Plan element by element, without its loop: for debugging, and to check
/// the loop.
template <typename Rule, typename DType>
auto MapPlan(const expr::Plan<Rule, DType> &plan)
    -> decltype(plan.Map(index_t{}, index_t{}), static_cast<void>(0)) {
  for (index_t y = 0; y < plan.rows; ++y) {
    for (index_t x = 0; x < plan.cols; ++x) plan.Map(y, x);
  }
}

template <typename Saver, typename RV, int dim, typename DType, typename E, int etype>
void MapExp(TRValue<RV, cpu, dim, DType> *dst, const expr::Exp<E, DType, etype> &exp) {
  using expr::MakePlan;
  expr::CheckBeforeWrite(dst->self(), exp.self());
  Shape<2> shape = expr::ShapeCheck<dim, RV>::Check(dst->self()).FlatTo2D();
  if (expr::detail::IsOneRow(dst->self(), exp.self())) shape = Shape2(1, shape.Size());
  constexpr bool kIndependent = expr::Operands<RV>::kKnown && expr::Operands<E>::kKnown;
  const auto streams = [&] {
    if constexpr (expr::detail::kIsTensor<RV> && detail::IsSame<Saver, sv::saveto>::value) {
      return detail::StoresPastCache(dst->self(), exp.self());
    } else {
      return false;
    }
  };
  detail::RunMap<Saver, DType, kIndependent>(
      MakePlan(dst->self()), MakePlan(exp.self()), shape,
      static_cast<index_t>(2 * sizeof(DType)) + expr::Operands<E>::Bytes(exp.self()), streams);
}

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"

// No arithmetic from here on: a compiler does not inline a function with floating-point rules of
// its own into one with others.

namespace mshadow {
MSHADOW_VERSION_BEGIN

/// Gives \p obj, whose shape is set, memory that is aligned to 64 bytes. Rows are padded if \p pad.
/// \throws Error if there is no memory, an extent is negative, or the size overflows
template <int dim, typename DType>
void AllocSpace(Tensor<cpu, dim, DType> *obj, bool pad = MSHADOW_ALLOC_PAD) {
  const index_t size = static_cast<index_t>(sizeof(DType));
  index_t rows = 1;
  for (int i = 0; i + 1 < dim; ++i) rows = detail::CheckedProduct(rows, obj->shape_[i]);
  obj->stride_ = detail::RowStride(obj->shape_[dim - 1], size, pad && dim > 1);
  obj->dptr_ =
      static_cast<DType *>(detail::Allocate(detail::CheckedProduct(rows, obj->stride_), size));
}

/// Releases the memory that AllocSpace gave.
template <int dim, typename DType>
void FreeSpace(Tensor<cpu, dim, DType> *obj) {
  detail::Deallocate(obj->dptr_);
  obj->dptr_ = nullptr;
}

/// A tensor with new memory, whose elements are \p initv. FreeSpace releases it.
template <typename Device, typename DType, int dim>
Tensor<Device, dim, DType> NewTensor(const Shape<dim> &shape, DType initv,
                                     bool pad = MSHADOW_ALLOC_PAD,
                                     Stream<Device> *stream = nullptr) {
  Tensor<Device, dim, DType> tensor(shape);
  tensor.stream_ = stream;
  AllocSpace(&tensor, pad);
  tensor = initv;
  return tensor;
}

/// The same, not initialised.
template <typename Device, typename DType = default_real_t, int dim = 0>
Tensor<Device, dim, DType> NewTensor(const Shape<dim> &shape) {
  Tensor<Device, dim, DType> tensor(shape);
  AllocSpace(&tensor, MSHADOW_ALLOC_PAD);
  return tensor;
}

namespace detail {
/// Whether a copy is simple: of few elements, contiguous on both sides, with nothing wrong.
template <int dim, typename DType>
MSHADOW_CINLINE bool IsPlainCopy(const Tensor<cpu, dim, DType> &dst,
                                 const Tensor<cpu, dim, DType> &src) {
  constexpr uintptr_t kFew = 1 << 16;
  const auto to = reinterpret_cast<uintptr_t>(dst.dptr_);
  const auto from = reinterpret_cast<uintptr_t>(src.dptr_);
  const auto bytes = static_cast<uintptr_t>(src.shape_.Size()) * sizeof(DType);
  return dst.shape_ == src.shape_ && dst.CheckContiguous() && src.CheckContiguous() &&
         bytes - 1 < kFew && to != 0 && from != 0 && to - from >= bytes && from - to >= bytes;
}
/// Any other copy.
template <int dim, typename DType>
MSHADOW_NOINLINE void CopyChecked(Tensor<cpu, dim, DType> dst, const Tensor<cpu, dim, DType> &src) {
  expr::CheckBeforeWrite(dst, src);
  if constexpr (std::is_trivially_copyable_v<DType>) {
    const Shape<2> shape = dst.shape_.FlatTo2D();
    const bool one_row = dst.CheckContiguous() && src.CheckContiguous();
    const int64_t size = sizeof(DType);
    CopyRows(dst.dptr_, dst.stride_ * size, src.dptr_, src.stride_ * size,
             (one_row ? shape.Size() : shape[1]) * size, one_row ? 1 : shape[0]);
  } else {
    dst.__assign(expr::F<op::identity>(src));
  }
}
}  // namespace detail

/// Copies the elements of \p src to \p dst; strides may differ.
/// \throws Error if the shapes differ or the memory of the two overlaps partly
template <int dim, typename DType>
void Copy(Tensor<cpu, dim, DType> dst, const Tensor<cpu, dim, DType> &src,
          Stream<cpu> *stream = nullptr) {
  static_cast<void>(stream);
  if constexpr (std::is_trivially_copyable_v<DType>) {
    if (detail::IsPlainCopy(dst, src)) {
      const auto count = static_cast<size_t>(src.shape_.Size());
      std::memcpy(dst.dptr_, src.dptr_, count * sizeof(DType));
      return;
    }
  }
  detail::CopyChecked(dst, src);
}
/// Refuses tensors of different ranks or element types, and a stream of another device.
template <typename To, typename From, int dim, int from_dim, typename DType, typename FromDType,
          typename... S>
void Copy(const Tensor<To, dim, DType> &, const Tensor<From, from_dim, FromDType> &, S *...) {
  static_assert(dim == from_dim, "Copy: the tensors have different ranks");
  static_assert(dim != from_dim || std::is_same_v<DType, FromDType>,
                "Copy: the tensors have different element types: write dst = tcast<DType>(src)");
  static_assert(dim != from_dim || !std::is_same_v<DType, FromDType>,
                "Copy: the stream is of the wrong device");
}

MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_TENSOR_CPU_H_
