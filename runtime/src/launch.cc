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
/// CheckMemory reports.
int64_t RowsOf(int dim, const int64_t *shape) {
  int64_t rows = 1;
  for (int i = 0; i + 1 < dim; ++i) {
    if (__builtin_mul_overflow(rows, shape[i], &rows)) rows = INT64_MAX;
  }
  return rows;
}

/// The operand that says the rule's shape: its first tensor, or view where it reads nothing else.
template <typename Operand>
int FirstOf(const Operand *operands, int count) {
  for (const OperandMap map : {OperandMap::kIdentity, OperandMap::kShape}) {
    for (int i = 0; i < count; ++i) {
      if (operands[i].map == map) return i;
    }
  }
  return 0;
}

}  // namespace

void LaunchCheck::FailTooMany() const {
  throw Error(std::string(rule_) + ": more than " + std::to_string(kMaxOperands) + " tensors");
}

LaunchCheck &LaunchCheck::MaySame(int i, int j) {
  operands_[i].may_same |= uint64_t{1} << j;
  operands_[j].may_same |= uint64_t{1} << i;
  return *this;
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

inline void LaunchCheck::CheckMemory(Operand *operand) const {
  const uintptr_t begin = reinterpret_cast<uintptr_t>(operand->dptr);
  const int64_t pitch = operand->rows > 1 ? operand->stride : operand->cols;
  int64_t bytes = 0;
  // An alignment is a power of two.
  const bool is_wrong = (begin & (static_cast<uintptr_t>(operand->align) - 1)) != 0 || begin == 0 ||
                        pitch < operand->cols ||
                        __builtin_mul_overflow(operand->rows, pitch, &bytes) ||
                        __builtin_mul_overflow(bytes, int64_t{operand->size}, &bytes);
  if (is_wrong) FailMemory(*operand);
  operand->end = begin + static_cast<uintptr_t>(bytes - (pitch - operand->cols) * operand->size);
}

MSHADOW_NOINLINE void LaunchCheck::FailMemory(const Operand &operand) const {
  if (operand.dptr == nullptr) {
    Fail(operand, [] { return std::string("expected memory, got a null pointer"); });
  }
  if (reinterpret_cast<uintptr_t>(operand.dptr) % static_cast<uintptr_t>(operand.align) != 0) {
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
  CheckMemory(&runs);
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
    const uintptr_t begin = reinterpret_cast<uintptr_t>(written.dptr), end = written.end;
    for (int j = 0; j < count_; ++j) {
      const Operand &other = operands_[j];
      const bool apart = (begin >= other.end) | (reinterpret_cast<uintptr_t>(other.dptr) >= end);
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

LaunchShape LaunchCheck::Run() {
  if (count_ == 0) return LaunchShape{0, 0, true, nullptr, 1};
  Operand &first = operands_[FirstOf(operands_, count_)];
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
      operand.end = reinterpret_cast<uintptr_t>(operand.dptr);
      continue;
    }
    if (operand.inner > 0) {
      CheckRuns(&operand);
      contiguous = false;
      continue;
    }
    CheckMemory(&operand);
    const bool is_run = operand.map == OperandMap::kIdentity &&
                        (operand.rows == 1 || operand.stride == operand.cols);
    const bool is_value = operand.map == OperandMap::kOne || operand.map == OperandMap::kChannel;
    contiguous = contiguous && (is_run || is_value);
  }
  if (is_empty) return LaunchShape{0, 0, true, stream, 1};
  CheckOverlaps();
  if (contiguous && channel_dim_ < 0)
    return LaunchShape{1, static_cast<index_t>(rows * cols), true, stream, 1};
  const int64_t run = has_runs_ ? RowsOfRun() : 1;
  return LaunchShape{static_cast<index_t>(rows / run), static_cast<index_t>(cols * run), contiguous,
                     stream, run};
}

ChannelShape LaunchCheck::Channels(const LaunchShape &shape) const {
  const Operand *const first = &operands_[FirstOf(operands_, count_)];
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
