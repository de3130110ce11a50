// SPDX-License-Identifier: Apache-2.0
#include "mshadow/launch.h"

#include <sstream>
#include <string>

#include "mshadow/overlap.h"
#include "mshadow/stage_memory.h"

namespace mshadow {
namespace {

std::string Quoted(const char *name) { return "'" + std::string(name) + "'"; }

bool IsSame(int dim, const int64_t *shape, const int64_t *other) {
  for (int i = 0; i < dim; ++i) {
    if (shape[i] != other[i]) return false;
  }
  return true;
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

}  // namespace

void LaunchCheck::FailTooMany() const {
  throw Error(std::string(rule_) + ": more than " + std::to_string(kMaxOperands) + " tensors");
}

LaunchCheck &LaunchCheck::View(const char *name, const int64_t *shape, int dim) {
  if (view_count_ == kMaxViews) {
    throw Error(std::string(rule_) + ": more than " + std::to_string(kMaxViews) + " views");
  }
  int64_t *const own = views_[view_count_++];
  for (int d = 0; d < dim; ++d) own[d] = shape[d];
  Operand &view = Add();
  view = Operand{};
  view.name = name;
  view.access = Access::kRead;
  view.map = OperandMap::kShape;
  view.dim = dim;
  view.shape = own;
  return *this;
}

/// The operand that says the rule's shape: its first tensor, or view where it reads nothing else.
int LaunchCheck::First() const {
  if (first_ >= 0) return first_;
  for (int i = 0; i < count_; ++i) {
    if (operands_[i].map == OperandMap::kShape) return i;
  }
  return 0;
}

// The text is made in here, apart from the checks: a launch that passes them pays for none of it.
template <typename Text>
MSHADOW_NOINLINE void LaunchCheck::Fail(const Operand &operand, const Text &text) const {
  throw Error(std::string(rule_) + ": argument " + Quoted(operand.name) + ": " + text());
}

inline void LaunchCheck::CheckExtents(const Operand &operand) const {
  bool is_shape = true;
  for (int d = 0; d < operand.dim; ++d) is_shape = is_shape && operand.shape[d] >= 0;
  if (is_shape) return;
  Fail(operand, [&] {
    return "expected extents from 0, got shape " + detail::ShapeText(operand.shape, operand.dim);
  });
}

/// How many elements a vector has that is read through \p map.
const int64_t *LaunchCheck::ExtentOf(OperandMap map, const Operand &first) const {
  static constexpr int64_t kOne = 1;
  switch (map) {
    case OperandMap::kOne:
      return &kOne;
    case OperandMap::kRow:
      return &first.cols;
    case OperandMap::kChannel:
      return &first.shape[channel_dim_];
    default:
      return &first.rows;
  }
}

/// Whether it is a tensor of the rule's shape, as most are.
inline bool LaunchCheck::HasShape(const Operand &operand, const Operand &first) const {
  return operand.map == OperandMap::kIdentity && operand.dim == first.dim &&
         IsSame(first.dim, operand.shape, first.shape);
}

MSHADOW_NOINLINE void LaunchCheck::CheckOtherShape(Operand *operand, const Operand &first) const {
  if (operand->map == OperandMap::kSource) {
    CheckExtents(*operand);
    operand->rows = RowsOf(operand->dim, operand->shape);
    operand->cols = operand->shape[operand->dim - 1];
    return;
  }
  const bool is_view = operand->map == OperandMap::kShape;
  const bool is_whole = is_view || operand->map == OperandMap::kIdentity;
  const int dim = is_whole ? first.dim : 1;
  const int64_t *const shape = is_whole ? first.shape : ExtentOf(operand->map, first);
  if (operand->dim != dim || !IsSame(dim, operand->shape, shape)) {
    Fail(*operand, [=] {
      return "expected shape " + detail::ShapeText(shape, dim) + ", got " +
             detail::ShapeText(operand->shape, operand->dim);
    });
  }
  if (is_view) return;  // it has no memory: its rows stay 0
  operand->rows = is_whole ? first.rows : 1;
  operand->cols = is_whole ? first.cols : *shape;
}

/// From the first element to the last; negative if rows overlap, or bytes are too many to count.
inline int64_t LaunchCheck::Operand::BytesOf(int64_t rows_of_it, int64_t cols_of_it) const {
  const int64_t pitch = rows_of_it > 1 ? stride : cols_of_it;
  int64_t bytes = 0;
  if (pitch < cols_of_it || __builtin_mul_overflow(rows_of_it, pitch, &bytes)) return -1;
  if (__builtin_mul_overflow(bytes, int64_t{size}, &bytes)) return -1;
  return bytes - (pitch - cols_of_it) * size;
}

/// Sets `end`, if there can be so many bytes.
inline bool LaunchCheck::Operand::FindEnd(int64_t bytes) {
  const uintptr_t misaligned = begin() & (uintptr_t{align} - 1);  // from a power of two
  end = begin() + static_cast<uintptr_t>(bytes);
  return dptr != nullptr && misaligned == 0 && bytes >= 0;
}

MSHADOW_NOINLINE void LaunchCheck::FailMemory(const Operand &operand) const {
  if (operand.dptr == nullptr) {
    Fail(operand, [] { return std::string("expected memory, got a null pointer"); });
  }
  if (operand.begin() % uintptr_t{operand.align} != 0) {
    Fail(operand, [&] {
      return "expected a pointer aligned to " + std::to_string(operand.align) +
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
           detail::ShapeText(operand.shape, operand.dim);
  });
}

/// A range of an inner dimension, with each of its runs as a row.
LaunchCheck::Operand LaunchCheck::RunsAsRows(const Operand &operand) {
  Operand runs = operand;
  runs.rows = operand.rows / operand.inner;
  runs.cols = (operand.inner - 1) * operand.stride + operand.cols;
  runs.stride = operand.pitch;
  return runs;
}

MSHADOW_NOINLINE void LaunchCheck::CheckRuns(Operand *operand) const {
  Operand runs = RunsAsRows(*operand);
  if (!runs.FindEnd(runs.BytesOf(runs.rows, runs.cols))) FailMemory(runs);
  operand->end = runs.end;
}

/// How many rows of memory can be one row of the block: those of a run, if each operand has them
/// beside each other.
MSHADOW_NOINLINE int64_t LaunchCheck::RowsOfRun() const {
  if (keep_rows_ || keep_columns_ || channel_dim_ >= 0) return 1;
  int64_t run = 0;
  for (int i = 0; i < count_; ++i) {
    const Operand &operand = operands_[i];
    if (operand.map == OperandMap::kOne || operand.map == OperandMap::kSource) continue;
    if (operand.map != OperandMap::kIdentity) return 1;
    if (operand.rows > 1 && operand.stride != operand.cols) return 1;
    if (operand.inner == 0) continue;
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
  const auto block = [](const Operand &o) {
    const Operand rows = o.inner > 0 ? RunsAsRows(o) : o;
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
        return "expected memory apart from that of " + Quoted(written.name) +
               ", which the rule writes, got one that overlaps it";
      });
  }
}

/// \p operand has another stream than those before it.
MSHADOW_NOINLINE void LaunchCheck::FailStream(const Operand &operand) const {
  const Operand *first = operands_;
  while (first->stream == nullptr) ++first;
  Fail(operand,
       [&] { return "expected the stream of " + Quoted(first->name) + ", got another one"; });
}

/// Whether there is neither an element nor a value, where there is no row or no column.
bool LaunchCheck::HasNothing(const Operand &first) const {
  if (keep_empty_) return false;
  if (channel_dim_ >= 0) return first.shape[channel_dim_] == 0;
  if (keep_rows_) return first.rows == 0;
  if (keep_columns_) return first.cols == 0;
  for (int d = 0; d < first.dim; ++d) {
    if (first.shape[d] == 0) return true;
  }
  return false;
}

/// The block of rows and columns, as one row where nothing keeps it from being one.
inline LaunchShape LaunchCheck::BlockOf(int64_t rows, int64_t cols, bool contiguous,
                                        void *stream) const {
  const bool is_row = contiguous && channel_dim_ < 0;
  return {static_cast<index_t>(is_row ? 1 : rows),
          static_cast<index_t>(is_row ? rows * cols : cols), contiguous, stream, 1};
}

/// Whether no argument before this one shares memory with it that one of them writes, unless the
/// two are one tensor and may be.
inline bool LaunchCheck::IsApart(int number) const {
  const Operand &operand = operands_[number];
  for (int i = 0; i < number; ++i) {
    const Operand &other = operands_[i];
    if (operand.begin() >= other.end || other.begin() >= operand.end) continue;
    if (operand.access == Access::kRead && other.access == Access::kRead) continue;
    const bool is_one = operand.dptr == other.dptr && operand.stride == other.stride &&
                        operand.size == other.size && operand.map == OperandMap::kIdentity &&
                        other.map == OperandMap::kIdentity;
    if (!is_one || (operand.may_same >> i & 1) == 0) return false;
  }
  return true;
}

/// Whether the launch is as nearly all are: tensors of one shape, and vectors, with elements and on
/// one stream, where nothing is wrong. That takes few instructions for an argument; what is not so
/// is looked at in turn, for what is wrong or for another way of being right.
MSHADOW_CINLINE bool LaunchCheck::IsOrdinary(LaunchShape *launch) {
  if (first_ < 0 || has_runs_) return false;
  const Operand &first = operands_[first_];
  int64_t rows = 1;
  for (int d = 0; d + 1 < first.dim; ++d) {
    if (first.shape[d] <= 0 || __builtin_mul_overflow(rows, first.shape[d], &rows)) return false;
  }
  const int64_t cols = first.shape[first.dim - 1];
  if (cols <= 0) return false;
  // Of vectors, by their map.
  const int64_t extents[] = {0, cols, rows, channel_dim_ < 0 ? 0 : first.shape[channel_dim_], 1};
  const int64_t bytes_of_first = first.BytesOf(rows, cols);
  bool contiguous = !keep_rows_ && !keep_columns_ && (rows == 1 || first.stride == cols);
  for (int i = 0; i < count_; ++i) {
    Operand &operand = operands_[i];
    int64_t bytes = bytes_of_first;
    if (operand.map == OperandMap::kIdentity) {
      if (!HasShape(operand, first)) return false;
      if (operand.stride != first.stride || operand.size != first.size) {
        bytes = operand.BytesOf(rows, cols);
        contiguous = contiguous && (rows == 1 || operand.stride == cols);
      }
    } else {
      if (operand.map > OperandMap::kOne || operand.dim != 1) return false;
      const int64_t extent = extents[static_cast<int>(operand.map)];
      if (operand.shape[0] != extent) return false;
      bytes = operand.BytesOf(1, extent);
      contiguous = contiguous && operand.map >= OperandMap::kChannel;
    }
    if (operand.stream != first.stream || !operand.FindEnd(bytes) || !IsApart(i)) return false;
  }
  *launch = BlockOf(rows, cols, contiguous, first.stream);
  return true;
}

LaunchShape LaunchCheck::Run() {
  LaunchShape launch;
  if (!IsOrdinary(&launch)) launch = RunInTurn();
  return launch;
}

MSHADOW_NOINLINE LaunchShape LaunchCheck::RunInTurn() {
  if (count_ == 0) return LaunchShape{0, 0, true, nullptr, 1};
  Operand &first = operands_[First()];
  CheckExtents(first);
  // Kept here, too: what has just been stored in halves is slow to load as a whole.
  const int64_t rows = first.rows = RowsOf(first.dim, first.shape);
  const int64_t cols = first.cols = first.shape[first.dim - 1];
  const bool is_empty = (rows == 0 || cols == 0) && HasNothing(first);
  bool contiguous = !keep_rows_ && !keep_columns_;
  void *stream = nullptr;
  for (int i = 0; i < count_; ++i) {
    Operand &operand = operands_[i];
    if (HasShape(operand, first)) {
      operand.rows = rows;
      operand.cols = cols;
    } else {
      CheckOtherShape(&operand, first);
    }
    if (operand.stream != stream && operand.stream != nullptr) {
      if (stream != nullptr) FailStream(operand);
      stream = operand.stream;
    }
    const bool is_view = operand.map == OperandMap::kShape;  // without memory of its own
    if (is_empty || is_view || operand.rows == 0 || operand.cols == 0) {
      operand.end = operand.begin();
      continue;
    }
    if (operand.inner > 0) {
      CheckRuns(&operand);
      contiguous = false;
      continue;
    }
    if (!operand.FindEnd(operand.BytesOf(operand.rows, operand.cols))) FailMemory(operand);
    const bool is_run = operand.map == OperandMap::kIdentity &&
                        (operand.rows == 1 || operand.stride == operand.cols);
    const bool is_value = operand.map == OperandMap::kOne || operand.map == OperandMap::kChannel;
    contiguous = contiguous && (is_run || is_value);
  }
  if (is_empty) return LaunchShape{0, 0, true, stream, 1};
  CheckOverlaps();
  LaunchShape launch = BlockOf(rows, cols, contiguous, stream);
  if (!has_runs_) return launch;
  launch.run = RowsOfRun();
  launch.rows /= static_cast<index_t>(launch.run);
  launch.cols *= static_cast<index_t>(launch.run);
  return launch;
}

ChannelShape LaunchCheck::Channels(const LaunchShape &shape) const {
  const Operand *const first = &operands_[First()];
  const auto product = [first](int begin, int end) {
    index_t size = 1;
    for (int d = begin; d < end; ++d) size *= static_cast<index_t>(first->shape[d]);
    return size;
  };
  const int inside = channel_dim_ + 1;
  const int last = first->dim - 1;
  const index_t outer = product(0, channel_dim_), kept = product(channel_dim_, inside);
  if (shape.contiguous) return {outer, kept, 1, product(inside, first->dim)};
  return {outer, kept, product(inside, last), product(last, first->dim)};
}

void detail::ThrowUncountable(const char *rule, const char *name, int64_t number) {
  std::ostringstream text;
  text << rule << ": argument " << Quoted(name)
       << ": expected the number of an element, which its element type does not hold from "
       << number << " on; convert what is reduced with tcast";
  throw Error(text.str());
}

void detail::ThrowColumn(const char *rule, const char *name, double index, int64_t row,
                         int64_t cols) {
  std::ostringstream text;
  text << rule << ": argument " << Quoted(name) << ": expected numbers of columns, which are ";
  if (cols == 0) {
    text << "none";
  } else {
    text << "0 to " << cols - 1;
  }
  text << ", got " << index << " for row " << row;
  throw Error(text.str());
}

void detail::CheckTemporary(const char *rule, const char *name, const int64_t *shape, int dim) {
  for (int d = 0; d < dim; ++d) {
    if (shape[d] >= 0) continue;
    throw Error(std::string(rule) + ": temporary " + Quoted(name) +
                ": expected extents from 0, got shape " + detail::ShapeText(shape, dim));
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
    text += "a range of [0, " + std::to_string(shape[axis]) + ") of dimension " +
            std::to_string(axis) + ", got [" + std::to_string(begin) + ", " + std::to_string(end) +
            ")";
  }
  throw Error(text);
}

void detail::ThrowRank(const char *rule, const char *name, int expected, int got) {
  throw Error(std::string(rule) + ": argument " + Quoted(name) + ": expected a tensor of rank " +
              std::to_string(expected) + ", got one of rank " + std::to_string(got));
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
