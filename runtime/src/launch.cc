// SPDX-License-Identifier: Apache-2.0
#include "mshadow/launch.h"

#include <sstream>
#include <string>

#include "mshadow/overlap.h"

namespace mshadow {
namespace {

std::string Quoted(const char *name) { return "'" + std::string(name) + "'"; }

}  // namespace

LaunchCheck::Operand &LaunchCheck::Add(const char *name, Access access, OperandMap map, int dim,
                                       const int64_t *shape) {
  if (count_ == kMaxOperands) {
    throw Error(std::string(rule_) + ": more than " + std::to_string(kMaxOperands) + " tensors");
  }
  Operand &operand = operands_[count_++];
  operand.name = name;
  operand.access = access;
  operand.map = map;
  operand.dim = dim;
  for (int i = 0; i < dim; ++i) operand.shape[i] = shape[i];
  operand.may_same = 0;
  return operand;
}

LaunchCheck &LaunchCheck::MaySame(int i, int j) {
  operands_[i].may_same |= uint64_t{1} << j;
  operands_[j].may_same |= uint64_t{1} << i;
  return *this;
}

void LaunchCheck::Fail(const Operand &operand, const std::string &text) const {
  throw Error(std::string(rule_) + ": argument " + Quoted(operand.name) + ": " + text);
}

void LaunchCheck::CheckShape(const Operand &operand, const Operand &first) const {
  int64_t expected[kMaxRank];
  int dim = first.dim;
  if (operand.map == OperandMap::kIdentity) {
    for (int i = 0; i < dim; ++i) expected[i] = first.shape[i];
  } else {
    dim = 1;
    expected[0] = operand.map == OperandMap::kRow ? first.cols : first.rows;
  }
  bool same = operand.dim == dim;
  for (int i = 0; same && i < dim; ++i) same = operand.shape[i] == expected[i];
  if (!same) {
    Fail(operand, "expected shape " + detail::ShapeText(expected, dim) + ", got " +
                      detail::ShapeText(operand.shape, operand.dim));
  }
}

void LaunchCheck::CheckMemory(Operand *operand) const {
  if (operand->dptr == nullptr) Fail(*operand, "expected memory, got a null pointer");
  const uintptr_t begin = reinterpret_cast<uintptr_t>(operand->dptr);
  if (begin % static_cast<uintptr_t>(operand->align) != 0) {
    Fail(*operand, "expected a pointer aligned to " + std::to_string(operand->align) +
                       " bytes, got one that is not");
  }
  if (operand->rows > 1 && operand->stride < operand->cols) {
    Fail(*operand, "expected a row stride of at least " + std::to_string(operand->cols) + ", got " +
                       std::to_string(operand->stride));
  }
  const int64_t pitch = operand->rows > 1 ? operand->stride : operand->cols;
  int64_t bytes = 0;
  if (__builtin_mul_overflow(operand->rows, pitch, &bytes) ||
      __builtin_mul_overflow(bytes, int64_t{operand->size}, &bytes)) {
    Fail(*operand, "expected less than 2^63 bytes, got shape " +
                       detail::ShapeText(operand->shape, operand->dim));
  }
  operand->end = begin + static_cast<uintptr_t>(bytes - (pitch - operand->cols) * operand->size);
}

void LaunchCheck::CheckOverlaps() const {
  for (int i = 0; i < count_; ++i) {
    const Operand &written = operands_[i];
    if (written.access == Access::kRead) continue;
    for (int j = 0; j < count_; ++j) {
      const Operand &other = operands_[j];
      const bool apart = reinterpret_cast<uintptr_t>(written.dptr) >= other.end ||
                         reinterpret_cast<uintptr_t>(other.dptr) >= written.end;
      if (j != i && !apart) CheckOverlap(written, j);
    }
  }
}

void LaunchCheck::CheckOverlap(const Operand &written, int other) const {
  const Operand &operand = operands_[other];
  const auto block = [](const Operand &o) {
    return detail::Block{o.dptr, o.rows, o.cols, o.stride, o.size};
  };
  switch (detail::Compare(block(written), block(operand))) {
    case detail::Overlap::kNone:
      return;
    case detail::Overlap::kSame:
      if ((written.may_same >> other & 1) != 0) return;
      Fail(operand, "expected a tensor other than " + Quoted(written.name) +
                        ", which the rule writes, got the same one");
    case detail::Overlap::kPartial:
      Fail(operand, "expected memory apart from that of " + Quoted(written.name) +
                        ", which the rule writes, got one that overlaps it");
  }
}

void *LaunchCheck::CommonStream() const {
  const Operand *first = nullptr;
  for (int i = 0; i < count_; ++i) {
    const Operand &operand = operands_[i];
    if (operand.stream == nullptr) continue;
    if (first == nullptr) first = &operand;
    if (operand.stream != first->stream) {
      Fail(operand, "expected the stream of " + Quoted(first->name) + ", got another one");
    }
  }
  return first == nullptr ? nullptr : first->stream;
}

const LaunchCheck::Operand &LaunchCheck::FirstIdentity() const {
  for (int i = 0; i < count_; ++i) {
    if (operands_[i].map == OperandMap::kIdentity) return operands_[i];
  }
  return operands_[0];
}

LaunchShape LaunchCheck::Run() {
  if (count_ == 0) return LaunchShape{0, 0, true, nullptr};
  for (int i = 0; i < count_; ++i) {
    Operand &operand = operands_[i];
    operand.rows = 1;
    for (int d = 0; d + 1 < operand.dim; ++d) {
      // Too many rows to count are too many bytes, which CheckMemory reports.
      if (__builtin_mul_overflow(operand.rows, operand.shape[d], &operand.rows)) {
        operand.rows = INT64_MAX;
      }
    }
    operand.cols = operand.shape[operand.dim - 1];
  }
  const Operand &first = FirstIdentity();
  bool empty = false;
  for (int d = 0; d < first.dim; ++d) {
    if (first.shape[d] < 0) {
      Fail(first,
           "expected extents from 0, got shape " + detail::ShapeText(first.shape, first.dim));
    }
    empty = empty || first.shape[d] == 0;
  }
  for (int i = 0; i < count_; ++i) CheckShape(operands_[i], first);
  void *const stream = CommonStream();
  const bool is_nothing = keep_rows_ ? first.rows == 0 : empty;
  if (is_nothing) return LaunchShape{0, 0, true, stream};

  bool contiguous = !keep_rows_;
  for (int i = 0; i < count_; ++i) {
    Operand &operand = operands_[i];
    if (operand.rows == 0 || operand.cols == 0) {
      operand.end = reinterpret_cast<uintptr_t>(operand.dptr);
      continue;
    }
    CheckMemory(&operand);
    contiguous = contiguous && operand.map == OperandMap::kIdentity &&
                 (operand.rows == 1 || operand.stride == operand.cols);
  }
  CheckOverlaps();
  if (contiguous)
    return LaunchShape{1, static_cast<index_t>(first.rows * first.cols), true, stream};
  return LaunchShape{static_cast<index_t>(first.rows), static_cast<index_t>(first.cols), false,
                     stream};
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

void NoCuda(const char *rule) {
  throw Error(std::string(rule) + ": expected a library built with CUDA, got one without");
}

}  // namespace mshadow
