// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/launch_scatter.h"

#include <stdexcept>
#include <string>

#include "launch_operand.h"
#include "mshadow/detail/add_rows.h"

#include "mshadow/detail/strict_push.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace {

/// Finds where the rows begin that \p count indices from number \p first on name.
template <bool kClips, typename IType>
void FindRows(const void *index, index_t first, index_t count, int64_t rows, index_t stride,
              index_t *at) {
  const IType *const indices = static_cast<const IType *>(index) + first;
  for (index_t y = 0; y < count; ++y) {
    const int64_t row = detail::RowOf<kClips>(detail::IndexOf(indices[y]), rows);
    at[y] = static_cast<index_t>(row) * stride;
  }
}

using Finder = void (*)(const void *, index_t, index_t, int64_t, index_t, index_t *);
template <typename IType>
Finder FinderOf(bool clips) {
  return clips ? FindRows<true, IType> : FindRows<false, IType>;
}
Finder FinderFor(int type, bool clips) {
  switch (type) {
    case kFloat32:
      return FinderOf<float>(clips);
    case kFloat64:
      return FinderOf<double>(clips);
    case kFloat16:
      return FinderOf<half::half_t>(clips);
    case kBfloat16:
      return FinderOf<bfloat::bf16_t>(clips);
    case kUint8:
      return FinderOf<uint8_t>(clips);
    case kInt8:
      return FinderOf<int8_t>(clips);
    case kInt16:
      return FinderOf<int16_t>(clips);
    case kInt32:
      return FinderOf<int32_t>(clips);
    case kInt64:
      return FinderOf<int64_t>(clips);
    default:
      throw std::logic_error("no such type of indices");
  }
}

/// Adds `columns` elements of each row: AddRowsAt, where vectors compute as an element does.
template <typename DType>
void AddColumns(DType *to, const index_t *at, index_t count, const DType *from, index_t stride,
                index_t columns) {
  if constexpr (std::is_same_v<DType, float> || std::is_same_v<DType, double>) {
    return detail::AddRowsAt(to, at, count, from, stride, columns);
  }
  for (index_t y = 0; y < count; ++y, from += stride) {
    DType *const row = to + at[y];
    for (index_t x = 0; x < columns; ++x) row[x] = op::plus::Map(row[x], from[x]);
  }
}

/// A thread adds some columns of all rows, in order.
template <typename DType>
struct Job {
  const TensorArg<DType> &dst;
  const void *index;
  Finder find;
  const TensorArg<DType> &rows;

  static void Run(const void *context, index_t begin, index_t end) {
    const Job &job = *static_cast<const Job *>(context);
    const index_t count = static_cast<index_t>(job.rows.shape[0]);
    const index_t stride = static_cast<index_t>(job.rows.stride);
    index_t at[detail::kFewRows];
    for (index_t y = 0; y < count; y += detail::kFewRows) {
      const index_t few = count - y < detail::kFewRows ? count - y : detail::kFewRows;
      job.find(job.index, y, few, job.dst.shape[0], static_cast<index_t>(job.dst.stride), at);
      AddColumns(job.dst.dptr + begin, at, few, job.rows.dptr + y * stride + begin, stride,
                 end - begin);
    }
  }
};

}  // namespace

void detail::CheckScatterShapes(const char *rule, NamedLayout dst, NamedLayout index,
                                NamedLayout rows) {
  operand::RequireRank(rule, dst, 2);
  operand::RequireRank(rule, index, 1);
  operand::RequireRank(rule, rows, 2);
  const int64_t count = index.layout->shape[0], columns = dst.layout->shape[1];
  if (rows.layout->shape[0] != count) {
    operand::Fail(rule, rows.name,
                  std::to_string(count) + " rows, one for each element of '" + index.name + "'",
                  rows.layout->shape[0]);
  }
  if (rows.layout->shape[1] != columns) {
    operand::Fail(rule, rows.name, std::to_string(columns) + " columns, as '" + dst.name + "' has",
                  rows.layout->shape[1]);
  }
  if (dst.layout->shape[0] == 0 && count > 0) {
    operand::Fail(rule, dst.name,
                  std::string("rows for the elements of '") + index.name + "' to name", 0);
  }
}

template <typename DType>
void detail::AddRowsOnCpu(const TensorArg<DType> &dst, const void *index, int type, bool clips,
                          const TensorArg<DType> &rows) {
  const StrictFloatEnvironment strict;  // a part of a launch, as all others are
  const Job<DType> job = {dst, index, FinderFor(type, clips), rows};
  constexpr index_t kSize = sizeof(DType);
  // The bytes of a column, as RunRows counts them.
  const index_t bytes = static_cast<index_t>(rows.shape[0]) * 3 * kSize / kApart;
  ::mshadow::ParallelFor(static_cast<index_t>(dst.shape[1]), bytes, Job<DType>::Run, &job);
}

#define MSHADOW_SCATTER_OF(T)                                                       \
  template void detail::AddRowsOnCpu(const TensorArg<T> &, const void *, int, bool, \
                                     const TensorArg<T> &);
MSHADOW_SCATTER_OF(float)
MSHADOW_SCATTER_OF(double)
MSHADOW_SCATTER_OF(half::half_t)
MSHADOW_SCATTER_OF(bfloat::bf16_t)
MSHADOW_SCATTER_OF(int8_t)
MSHADOW_SCATTER_OF(uint8_t)
MSHADOW_SCATTER_OF(int16_t)
MSHADOW_SCATTER_OF(int32_t)
MSHADOW_SCATTER_OF(int64_t)
#undef MSHADOW_SCATTER_OF

MSHADOW_VERSION_END
}  // namespace mshadow

#include "mshadow/detail/strict_pop.h"
