// SPDX-License-Identifier: Apache-2.0
#include "mshadow/emitted/launch.h"

#include <algorithm>
#include <sstream>
#include <string>

#include "mshadow/emitted/named_rows.h"
#include "mshadow/emitted/parts.h"
#include "mshadow/emitted/reshaped.h"
#include "mshadow/emitted/stage_memory.h"
#include "mshadow/expr/overlap.h"

namespace mshadow {
namespace {

std::string Quoted(const char *name) { return "'" + std::string(name) + "'"; }

/// Which tensor says that a shape is expected, behind that shape.
std::string WhoseShape(OperandMap map, const char *first) {
  switch (map) {
    case OperandMap::kOne:
      return "";
    case OperandMap::kRow:
      return ", one element for each column of " + Quoted(first);
    case OperandMap::kColumn:
      return ", one element for each row of " + Quoted(first);
    case OperandMap::kChannel:
      return ", one element for each channel of " + Quoted(first);
    case OperandMap::kRest:
      return ", one element for each index of the dimensions that are not reduced of " +
             Quoted(first);
    case OperandMap::kShapeOfRest:
      return ", that of " + Quoted(first) + ", except for the dimension that is reduced";
    default:
      return ", the shape of " + Quoted(first);
  }
}

/// Whether only the shape of such an argument counts.
bool HasNoMemory(OperandMap map) {
  return map == OperandMap::kShape || map == OperandMap::kShapeOfRest;
}

/// The product of all extents but the last. Too many rows to count are too many bytes, which
/// FindEnd reports.
int64_t RowsOf(int dim, const int64_t *shape) {
  int64_t rows = 1;
  for (int i = 0; i + 1 < dim; ++i) {
    if (__builtin_mul_overflow(rows, shape[i], &rows)) rows = INT64_MAX;
  }
  return rows;
}

/// The product of all extents but one; of all if there is no such dimension.
int64_t CountOf(int dim, const int64_t *shape, int but = -1) {
  int64_t count = 1;
  for (int d = 0; d < dim; ++d) {
    if (d != but && __builtin_mul_overflow(count, shape[d], &count)) count = INT64_MAX;
  }
  return count;
}

/// Bytes from the first element to the last of rows \p stride elements apart; negative if rows
/// overlap, or bytes are too many to count.
int64_t BytesOf(int64_t rows, int64_t cols, int64_t stride, int64_t size) {
  const int64_t pitch = rows > 1 ? stride : cols;
  int64_t bytes = 0;
  if (pitch < cols || __builtin_mul_overflow(rows, pitch, &bytes)) return -1;
  if (__builtin_mul_overflow(bytes, size, &bytes)) return -1;
  return bytes - (pitch - cols) * size;
}

}  // namespace

int64_t detail::ElementsOf(int64_t rows, int64_t cols, int64_t stride) {
  constexpr int64_t kMaxSize = 16;  // a power of two
  return BytesOf(rows, cols, stride, kMaxSize) / kMaxSize;
}

int64_t detail::CountRows(int dim, const int64_t *shape) {
  int64_t rows = 1;
  for (int i = 0; i + 1 < dim; ++i) {
    if (shape[i] <= 0 || __builtin_mul_overflow(rows, shape[i], &rows)) return 0;
  }
  return rows;
}

bool detail::HasExtents(int dim, const int64_t *shape, const int64_t *other) {
  for (int i = 0; i < dim; ++i) {
    if (shape[i] != other[i]) return false;
  }
  return true;
}

void LaunchCheck::FailTooMany() const {
  throw Error(std::string(rule_) + ": expected at most " + std::to_string(kMaxOperands) +
              " tensors");
}

LaunchCheck &LaunchCheck::View(const char *name, const int64_t *shape, int dim, OperandMap map) {
  if (view_count_ == kMaxViews) {
    throw Error(std::string(rule_) + ": expected at most " + std::to_string(kMaxViews) + " views");
  }
  TensorLayout &own = views_[view_count_++];
  own = {dim, {}, 0, nullptr};
  for (int d = 0; d < dim; ++d) own.shape[d] = shape[d];
  Operand &view = Add();
  view = Operand{};
  view.name = name;
  view.access = Access::kRead;
  view.map = map;
  view.layout = &own;
  return *this;
}

/// The operand that says the rule's shape: its first tensor, or view where it reads nothing else.
int LaunchCheck::First() const {
  if (first_ >= 0) return first_;
  int first = 0;  // of those that the launch uses
  for (int i = 0; i < count_; ++i) {
    if (operands_[i].map == OperandMap::kShape) return i;
    if (operands_[first].map == OperandMap::kUnused) first = i;
  }
  return first;
}

/// Whether an argument says the rule's shape. None does if no statement runs that uses elements:
/// then only vectors are left, if anything.
bool LaunchCheck::HasShapeOfRule() const {
  if (count_ == 0) return false;
  switch (operands_[First()].map) {
    case OperandMap::kColumn:
    case OperandMap::kChannel:
    case OperandMap::kRest:
    case OperandMap::kUnused:
      return false;
    default:
      return true;
  }
}

// The text is made in here, apart from the checks: a launch that passes them pays for none of it.
template <typename Text>
MSHADOW_NOINLINE void LaunchCheck::Fail(const Operand &operand, const Text &text) const {
  throw Error(std::string(rule_) + ": argument " + Quoted(operand.name) + ": " + text());
}

inline void LaunchCheck::CheckExtents(const Operand &operand) const {
  bool is_shape = true;
  const TensorLayout &layout = *operand.layout;
  for (int d = 0; d < layout.dim; ++d) is_shape = is_shape && layout.shape[d] >= 0;
  if (is_shape) return;
  Fail(operand, [&] {
    return "expected extents of at least 0, got shape " +
           detail::ShapeText(layout.shape, layout.dim);
  });
}

/// How many elements a vector has that is read through \p map.
const int64_t *LaunchCheck::ExpectedExtent(OperandMap map, const Operand &first) const {
  static constexpr int64_t kOne = 1;
  switch (map) {
    case OperandMap::kOne:
      return &kOne;
    case OperandMap::kRow:
      return &first.cols;
    case OperandMap::kChannel:
      return &first.layout->shape[channel_dim_];
    case OperandMap::kRest:
      return &rest_;
    default:
      return &first.rows;
  }
}

/// Whether it is a tensor of the rule's shape, as most are.
inline bool LaunchCheck::HasShape(const Operand &operand, const Operand &first) const {
  const TensorLayout &own = *operand.layout, &expected = *first.layout;
  return operand.map == OperandMap::kIdentity && own.dim == expected.dim &&
         detail::HasExtents(expected.dim, own.shape, expected.shape);
}

/// Whether a tensor has the rule's extents along all dimensions but the one that is reduced.
bool LaunchCheck::HasShapeOfRest(const TensorLayout &layout, const TensorLayout &expected) const {
  const int reduced = axis_ >= 0 ? axis_ : expected.dim - 1;
  if (layout.dim != expected.dim) return false;
  const int behind = reduced + 1;
  return detail::HasExtents(reduced, layout.shape, expected.shape) &&
         detail::HasExtents(expected.dim - behind, layout.shape + behind, expected.shape + behind);
}

MSHADOW_NOINLINE void LaunchCheck::CheckOtherShape(Operand *operand, const Operand &first) const {
  const TensorLayout &layout = *operand->layout;
  if (operand->map == OperandMap::kSource) {
    CheckExtents(*operand);
    operand->rows = RowsOf(layout.dim, layout.shape);
    operand->cols = layout.shape[layout.dim - 1];
    return;
  }
  const bool is_of_rest = operand->map == OperandMap::kShapeOfRest;
  if (is_of_rest && HasShapeOfRest(layout, *first.layout)) return;
  const bool is_view = HasNoMemory(operand->map);
  const bool is_whole = is_view || operand->map == OperandMap::kIdentity;
  const int dim = is_whole ? first.layout->dim : 1;
  const int64_t *const shape = is_whole ? first.layout->shape : ExpectedExtent(operand->map, first);
  if (is_of_rest || layout.dim != dim || !detail::HasExtents(dim, layout.shape, shape)) {
    Fail(*operand, [&] {
      return "expected shape " + detail::ShapeText(shape, dim) +
             WhoseShape(operand->map, first.name) + ", got " +
             detail::ShapeText(layout.shape, layout.dim);
    });
  }
  if (is_view) return;  // it has no memory: its rows stay 0
  operand->rows = is_whole ? first.rows : 1;
  operand->cols = is_whole ? first.cols : *shape;
}

/// Sets `end`, if there can be so many bytes.
inline bool LaunchCheck::Operand::FindEnd(int64_t bytes) {
  end = begin() + static_cast<uintptr_t>(bytes);
  return dptr != nullptr && (begin() & align_mask) == 0 && bytes >= 0;
}

MSHADOW_NOINLINE void LaunchCheck::FailMemory(const Operand &operand) const {
  if (operand.dptr == nullptr) {
    Fail(operand, [] { return std::string("expected memory, got a null pointer"); });
  }
  if ((operand.begin() & operand.align_mask) != 0) {
    Fail(operand, [&] {
      return "expected a pointer aligned to " + std::to_string(operand.align_mask + 1) +
             " bytes, got one that is not";
    });
  }
  if (operand.rows > 1 && operand.stride < operand.cols) {
    Fail(operand, [&] {
      return "expected a row stride of at least " + std::to_string(operand.cols) + ", got " +
             std::to_string(operand.stride);
    });
  }
  Fail(operand, [&] {
    return "expected less than 2^63 bytes, got shape " +
           detail::ShapeText(operand.layout->shape, operand.layout->dim);
  });
}

/// A range of an inner dimension, with each of its runs as a row; of rows that indices name, their
/// matrix.
LaunchCheck::Operand LaunchCheck::RunsAsRows(const Operand &operand) const {
  Operand runs = operand;
  if (IsNamed(operand)) {
    runs.rows = operand.inner;
    return runs;
  }
  runs.rows = operand.rows / operand.inner;
  runs.cols = (operand.inner - 1) * operand.stride + operand.cols;
  runs.stride = operand.pitch;
  return runs;
}

MSHADOW_NOINLINE void LaunchCheck::CheckRuns(Operand *operand) const {
  Operand runs = RunsAsRows(*operand);
  if (!runs.FindEnd(BytesOf(runs.rows, runs.cols, runs.stride, runs.size))) FailMemory(runs);
  operand->end = runs.end;
}

/// How many rows of memory can be one row of the block: those of a run, if each operand has them
/// beside each other.
MSHADOW_NOINLINE int64_t LaunchCheck::RowsOfRun() const {
  if (keep_rows_ || keep_columns_ || keep_channels_ || axis_ >= 0) return 1;
  int64_t run = 0;
  for (int i = 0; i < count_; ++i) {
    const Operand &operand = operands_[i];
    const bool is_elsewhere = operand.map == OperandMap::kOne ||
                              operand.map == OperandMap::kSource ||
                              operand.map == OperandMap::kUnused;
    if (is_elsewhere) continue;
    if (operand.map != OperandMap::kIdentity) return 1;
    if (operand.rows > 1 && operand.stride != operand.cols) return 1;
    if (!HasRuns(operand)) continue;
    if (IsNamed(operand)) return 1;
    if (run != 0 && run != operand.inner) return 1;
    run = operand.inner;
  }
  return run > 0 ? run : 1;
}

inline void LaunchCheck::CheckOverlaps() const {
  for (int i = 0; i < count_; ++i) {
    const Operand &written = operands_[i];
    if (written.access == Access::kRead) continue;
    const uintptr_t begin = written.begin(), end = written.end;
    for (int j = 0; j < count_; ++j) {
      const Operand &other = operands_[j];
      const bool apart = (begin >= other.end) | (other.begin() >= end);
      if (!apart && j != i) CheckOverlap(written, j);
    }
  }
}

MSHADOW_NOINLINE void LaunchCheck::CheckOverlap(const Operand &written, int other) const {
  const Operand &operand = operands_[other];
  const auto block = [this](const Operand &o) {
    const Operand rows = HasRuns(o) ? RunsAsRows(o) : o;
    return detail::Block{rows.dptr, rows.rows, rows.cols, rows.stride, rows.size};
  };
  switch (detail::Compare(block(written), block(operand))) {
    case detail::Overlap::kNone:
      return;
    case detail::Overlap::kSame:
      if ((written.may_same >> other & 1) != 0) return;
      Fail(operand, [&] {
        return "expected a tensor other than " + Quoted(written.name) +
               ", which the rule writes, got the same one";
      });
    case detail::Overlap::kPartial:
      Fail(operand, [&] {
        return "expected memory that does not overlap that of " + Quoted(written.name) +
               ", which the rule writes";
      });
  }
}

/// \p operand has another stream than those before it.
MSHADOW_NOINLINE void LaunchCheck::FailStream(const Operand &operand) const {
  const Operand *first = operands_;
  while (first->layout->stream == nullptr) ++first;
  Fail(operand,
       [&] { return "expected the stream of " + Quoted(first->name) + ", got another one"; });
}

/// Whether there is neither an element nor a value, where there is no row or no column.
bool LaunchCheck::HasNothing(const Operand &first) const {
  if (keep_empty_) return false;
  const TensorLayout &layout = *first.layout;
  if (keep_channels_) return layout.shape[channel_dim_] == 0;
  if (keep_rows_ && axis_ < 0) return first.rows == 0;
  if (keep_columns_) return first.cols == 0;
  for (int d = 0; d < layout.dim; ++d) {
    if (layout.shape[d] == 0 && d != axis_) return true;
  }
  return false;
}

namespace {

/// The stream of a launch that has nothing to do.
template <typename Operand>
void *StreamOf(const Operand *operands, int count) {
  for (int i = 0; i < count; ++i) {
    if (operands[i].layout->stream != nullptr) return operands[i].layout->stream;
  }
  return nullptr;
}

}  // namespace

LaunchShape LaunchCheck::Run() {
  if (!HasShapeOfRule()) return LaunchShape{0, 0, true, StreamOf(operands_, count_), 1};
  Operand &first = operands_[First()];
  CheckExtents(first);
  const int64_t rows = first.rows = RowsOf(first.layout->dim, first.layout->shape);
  const int64_t cols = first.cols = first.layout->shape[first.layout->dim - 1];
  const bool is_empty = (rows == 0 || cols == 0) && HasNothing(first);
  if (axis_ >= 0) rest_ = CountOf(first.layout->dim, first.layout->shape, axis_);
  bool contiguous = !keep_rows_ && !keep_columns_;
  void *stream = nullptr;
  for (int i = 0; i < count_; ++i) {
    Operand &operand = operands_[i];
    operand.stride = operand.layout->stride;
    if (operand.map == OperandMap::kUnused) {
      operand.end = operand.begin();
      continue;
    }
    if (HasShape(operand, first)) {
      operand.rows = rows;
      operand.cols = cols;
    } else {
      CheckOtherShape(&operand, first);
    }
    void *const own_stream = operand.layout->stream;
    if (own_stream != stream && own_stream != nullptr) {
      if (stream != nullptr) FailStream(operand);
      stream = own_stream;
    }
    if (is_empty || HasNoMemory(operand.map) || operand.rows == 0 || operand.cols == 0) {
      operand.end = operand.begin();
      continue;
    }
    if (HasRuns(operand)) {
      CheckRuns(&operand);
      contiguous = false;
      continue;
    }
    if (!operand.FindEnd(BytesOf(operand.rows, operand.cols, operand.stride, operand.size)))
      FailMemory(operand);
    const bool is_run = operand.map == OperandMap::kIdentity &&
                        (operand.rows == 1 || operand.stride == operand.cols);
    // Sources are read at places of their own.
    const bool is_elsewhere =
        operand.map == OperandMap::kOne || operand.map == OperandMap::kChannel ||
        operand.map == OperandMap::kRest || operand.map == OperandMap::kSource;
    contiguous = contiguous && (is_run || is_elsewhere);
  }
  if (is_empty) return LaunchShape{0, 0, true, stream, 1};
  CheckOverlaps();
  LaunchShape launch = BlockOf(rows, cols, contiguous, stream);
  if (runs_ == 0) return launch;
  launch.run = RowsOfRun();
  launch.rows /= static_cast<index_t>(launch.run);
  launch.cols *= static_cast<index_t>(launch.run);
  return launch;
}

namespace {

/// The indices of dimensions [begin, end), which Run has found to be few enough.
index_t CountOf(const TensorLayout &layout, int begin, int end) {
  index_t count = 1;
  for (int d = begin; d < end; ++d) count *= static_cast<index_t>(layout.shape[d]);
  return count;
}

/// The indices before a dimension, its own, those behind it that are no row of memory, and a row's:
/// ChannelShape, ColumnShape.
template <typename Shape>
Shape ShapeAround(int dim, const TensorLayout &layout, bool contiguous) {
  const int behind = dim + 1, last = contiguous ? behind : layout.dim - 1;
  return {CountOf(layout, 0, dim), CountOf(layout, dim, behind), CountOf(layout, behind, last),
          CountOf(layout, last, layout.dim)};
}

}  // namespace

ChannelShape LaunchCheck::Channels(const LaunchShape &shape) const {
  if (!HasShapeOfRule()) return {0, 0, 0, 0};
  return ShapeAround<ChannelShape>(channel_dim_, *operands_[First()].layout, shape.contiguous);
}

ColumnShape LaunchCheck::Columns(const LaunchShape &shape) const {
  if (axis_ < 0) return {1, shape.rows, 1, shape.cols};
  if (!HasShapeOfRule()) return {0, 0, 0, 0};
  return ShapeAround<ColumnShape>(axis_, *operands_[First()].layout, shape.contiguous);
}

void detail::ThrowUncountable(const char *rule, const char *name, int64_t number) {
  std::ostringstream text;
  text << rule << ": argument " << Quoted(name)
       << ": expected an element type that holds each index, got one that does not hold " << number
       << "; convert the reduced expression with tcast";
  throw Error(text.str());
}

void detail::ThrowColumn(const char *rule, const char *name, double index, int64_t row,
                         int64_t cols) {
  std::ostringstream text;
  text << rule << ": argument " << Quoted(name) << ": expected ";
  if (cols == 0) {
    text << "no index, since there are no columns";
  } else {
    text << "column indices from 0 to " << cols - 1;
  }
  text << ", got " << index << " for row " << row;
  throw Error(text.str());
}

namespace {

/// \throws Error if rows of a matrix overlap
void CheckRowsAreApart(const char *rule, const char *name, const TensorLayout &matrix) {
  if (matrix.stride >= matrix.shape[1] || matrix.shape[0] <= 1) return;
  throw Error(std::string(rule) + ": argument " + Quoted(name) +
              ": expected a row stride of at least " + std::to_string(matrix.shape[1]) + ", got " +
              std::to_string(matrix.stride));
}

}  // namespace

void detail::CheckRowsOf(const char *rule, const char *name, const TensorLayout &matrix,
                         const char *index_name, const TensorLayout &index) {
  if (matrix.dim != 2) ThrowRank(rule, name, 2, matrix.dim);
  if (index.dim != 1) ThrowRank(rule, index_name, 1, index.dim);
  CheckRowsAreApart(rule, name, matrix);
}

void detail::ThrowNoRow(const char *rule, const char *name, double index, int64_t position,
                        int64_t rows) {
  std::ostringstream text;
  text << rule << ": argument " << Quoted(name) << ": expected ";
  if (rows == 0) {
    text << "no index, since there are no rows";
  } else {
    text << "row indices from 0 to " << rows - 1;
  }
  text << ", got " << index << " at position " << position;
  throw Error(text.str());
}

void detail::ThrowRepeatedRow(const char *rule, const char *name, const Repeat &repeat,
                              int64_t row) {
  throw Error(std::string(rule) + ": argument " + Quoted(name) +
              ": expected each row once, since the rule writes the rows, got row " +
              std::to_string(row) + " at positions " + std::to_string(repeat.first) + " and " +
              std::to_string(repeat.second));
}

void detail::CheckTemporary(const char *rule, const char *name, const int64_t *shape, int dim) {
  for (int d = 0; d < dim; ++d) {
    if (shape[d] >= 0) continue;
    throw Error(std::string(rule) + ": temporary " + Quoted(name) +
                ": expected extents of at least 0, got shape " + detail::ShapeText(shape, dim));
  }
}

void detail::CheckPart(const char *rule, const char *name, const int64_t *shape, int dim,
                       int64_t stride, int expected, int axis, int64_t begin, int64_t end) {
  if (dim != expected) ThrowRank(rule, name, expected, dim);
  const bool is_range = 0 <= begin && begin <= end && end <= shape[axis];
  if (is_range && (stride >= shape[dim - 1] || RowsOf(dim, shape) <= 1)) return;
  std::string text = std::string(rule) + ": argument " + Quoted(name) + ": expected ";
  if (is_range) {
    text += "a row stride of at least " + std::to_string(shape[dim - 1]) + ", got " +
            std::to_string(stride);
  } else {
    text += "a range within [0, " + std::to_string(shape[axis]) + ") of dimension " +
            std::to_string(axis) + ", got [" + std::to_string(begin) + ", " + std::to_string(end) +
            ")";
  }
  throw Error(text);
}

void detail::Reshape(const char *rule, const char *name, const int64_t *shape, int dim,
                     TensorLayout *arg) {
  const int64_t rows = RowsOf(arg->dim, arg->shape), cols = arg->shape[arg->dim - 1];
  const int64_t new_cols = shape[dim - 1];
  const bool fits = CountOf(dim, shape) == CountOf(arg->dim, arg->shape) &&
                    std::none_of(shape, shape + dim, [](int64_t extent) { return extent < 0; });
  const bool has_rows = rows > 1 && cols > 0, keeps_rows = new_cols == cols;
  const bool has_stride = !has_rows || (keeps_rows ? arg->stride >= cols : arg->stride == cols);
  if (fits && has_stride) {
    if (!has_rows || !keeps_rows) arg->stride = new_cols;
    arg->dim = dim;
    std::copy(shape, shape + dim, arg->shape);
    return;
  }
  const std::string as = detail::ShapeText(shape, dim);
  const std::string is = detail::ShapeText(arg->shape, arg->dim);
  std::string text = std::string(rule) + ": argument " + Quoted(name) + ": expected ";
  if (!fits) {
    text += "as many elements as shape " + as + " has, got shape " + is;
  } else {
    text += std::string("a row stride of ") + (keeps_rows ? "at least " : "") +
            std::to_string(cols) + ", to be reshaped from " + is + " to " + as + ", got " +
            std::to_string(arg->stride);
  }
  throw Error(text);
}

void detail::TakeDiagonal(const char *rule, const char *name, TensorLayout *arg) {
  if (arg->dim != 2) ThrowRank(rule, name, 2, arg->dim);
  CheckRowsAreApart(rule, name, *arg);
  if (arg->shape[0] != arg->shape[1]) {
    throw Error(std::string(rule) + ": argument " + Quoted(name) +
                ": expected a square matrix, got shape " +
                detail::ShapeText(arg->shape, arg->dim));
  }
  arg->shape[1] = 1;
  arg->stride += 1;
}

void detail::ThrowRank(const char *rule, const char *name, int expected, int got) {
  throw Error(std::string(rule) + ": argument " + Quoted(name) + ": expected a tensor of rank " +
              std::to_string(expected) + ", got one of rank " + std::to_string(got));
}

int64_t TensorLayout::ExtentFromLast(const char *rule, const char *name, int count) const {
  if (count < dim) return shape[dim - 1 - count];
  throw Error(std::string(rule) + ": argument " + Quoted(name) + ": expected a tensor of rank " +
              std::to_string(count + 1) + " or more, got one of rank " + std::to_string(dim));
}

void detail::ThrowView(const char *rule, const char *name, const Error &error) {
  const std::string text = error.what(), head = std::string(rule) + ": ";
  if (text.compare(0, head.size(), head) == 0) throw error;  // it says which argument
  throw Error(head + "argument " + Quoted(name) + ": " + text);
}

void NoCuda(const char *rule) {
  throw Error(std::string(rule) + ": expected a library built with CUDA, got one without");
}

}  // namespace mshadow
