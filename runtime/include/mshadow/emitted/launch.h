// SPDX-License-Identifier: Apache-2.0
/// \file launch.h
/// What stands between a generated launcher and its loop: type-erased tensor arguments and the
/// checks that happen before the first write.
#ifndef MSHADOW_LAUNCH_H_
#define MSHADOW_LAUNCH_H_

#include <utility>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/exception.h"
#include "mshadow/detail/tensor_view.h"
#include "mshadow/emitted/channels.h"
#include "mshadow/emitted/check_step.h"

namespace mshadow {

/// The greatest rank of a launcher's tensor.
constexpr int kMaxRank = 8;

/// What a launcher's tensor is, whatever the type of its elements.
struct TensorLayout {
  int dim;
  int64_t shape[kMaxRank];
  int64_t stride;  ///< elements from one row to the next
  void *stream;    ///< Stream<xpu> *, or null
};

/// A tensor of any rank, as launchers take it.
template <typename DType>
struct TensorArg : TensorLayout {
  DType *dptr;

  /// The product of all extents but the last.
  MSHADOW_CINLINE int64_t rows() const {
    int64_t product = 1;
    for (int i = 0; i + 1 < dim; ++i) product *= shape[i];
    return product;
  }
  /// The last extent.
  MSHADOW_CINLINE int64_t cols() const { return shape[dim - 1]; }
  MSHADOW_CINLINE int64_t Size() const { return rows() * cols(); }
  MSHADOW_CINLINE bool CheckContiguous() const { return stride == cols() || rows() <= 1; }
};

/// \p tensor as a launcher's argument.
template <typename Device, int dim, typename DType>
TensorArg<DType> Arg(const Tensor<Device, dim, DType> &tensor) {
  static_assert(dim <= kMaxRank, "rules take tensors of at most 8 dimensions");
  TensorArg<DType> arg;
  arg.dptr = tensor.dptr_;
  arg.dim = dim;
  for (int i = 0; i < dim; ++i) arg.shape[i] = tensor.shape_[i];
  arg.stride = tensor.stride_;
  arg.stream = tensor.stream_;
  return arg;
}

MSHADOW_VERSION_BEGIN
namespace detail {
/// Elements from the first to the last of rows \p stride elements apart; 0 if rows overlap, or
/// there are too many to count in bytes whatever their type.
[[gnu::const]] int64_t ElementsOf(int64_t rows, int64_t cols, int64_t stride);
/// The product of all extents but the last; 0 if one is not above 0, or they are too many to count.
[[gnu::pure]] int64_t CountRows(int dim, const int64_t *shape);
/// Whether the first \p dim extents of two shapes are the same.
[[gnu::pure]] bool HasExtents(int dim, const int64_t *shape, const int64_t *other);

/// \throws Error if the tensor is not of rank \p expected, has no such range, or rows that overlap
void CheckPart(const char *rule, const char *name, const int64_t *shape, int dim, int64_t stride,
               int expected, int axis, int64_t begin, int64_t end);
}  // namespace detail
MSHADOW_VERSION_END

/// Elements [\p begin, \p end) of dimension \p axis, which is the first or the last one, of a
/// tensor of rank \p rank, for messages argument \p name of \p rule.
/// \throws Error if the tensor is of another rank, has no such range, or rows that overlap
template <int axis, typename DType>
MSHADOW_CINLINE TensorArg<DType> PartOf(const char *rule, const char *name,
                                        const TensorArg<DType> &arg, int rank, int64_t begin,
                                        int64_t end) {
  detail::CheckPart(rule, name, arg.shape, arg.dim, arg.stride, rank, axis, begin, end);
  TensorArg<DType> part = arg;
  int64_t step = axis == rank - 1 ? 1 : arg.stride;
  for (int d = axis + 1; d + 1 < rank; ++d) step *= arg.shape[d];
  if (part.dptr != nullptr) part.dptr += begin * step;  // nowhere stays nowhere, for the checks
  part.shape[axis] = end - begin;
  return part;
}

/// Elements [\p begin, \p end) of the last dimension of a tensor of any rank.
/// \throws Error if the tensor has no such range, or rows that overlap
template <typename DType>
MSHADOW_CINLINE TensorArg<DType> LastPartOf(const char *rule, const char *name,
                                            const TensorArg<DType> &arg, int64_t begin,
                                            int64_t end) {
  detail::CheckPart(rule, name, arg.shape, arg.dim, arg.stride, arg.dim, arg.dim - 1, begin, end);
  TensorArg<DType> part = arg;
  if (part.dptr != nullptr) part.dptr += begin;
  part.shape[arg.dim - 1] = end - begin;
  return part;
}

/// A range of an inner dimension of a tensor: runs of rows, which are further apart than the rows
/// of a run. Its `stride` is that of a run's rows.
template <typename DType>
struct InnerPart : TensorArg<DType> {
  int64_t inner;  ///< rows of a run, at least 1
  int64_t pitch;  ///< elements from one run to the next
};

/// Elements [\p begin, \p end) of dimension \p axis, which is neither the first nor the last one,
/// of a tensor of rank \p rank.
/// \throws Error if the tensor is of another rank, has no such range, or rows that overlap
template <int axis, typename DType>
MSHADOW_CINLINE InnerPart<DType> InnerPartOf(const char *rule, const char *name,
                                             const TensorArg<DType> &arg, int rank, int64_t begin,
                                             int64_t end) {
  detail::CheckPart(rule, name, arg.shape, arg.dim, arg.stride, rank, axis, begin, end);
  InnerPart<DType> part = {arg, 1, 0};
  int64_t rows = 1;  // of one index
  for (int d = axis + 1; d + 1 < rank; ++d) rows *= arg.shape[d];
  if (rows * (end - begin) > 1) part.inner = rows * (end - begin);
  part.pitch = arg.shape[axis] * rows * arg.stride;
  if (part.dptr != nullptr) part.dptr += begin * rows * arg.stride;
  part.shape[axis] = end - begin;
  return part;
}

/// The same of such runs, of the same dimension.
template <int axis, typename DType>
MSHADOW_CINLINE InnerPart<DType> InnerPartOf(const char *rule, const char *name,
                                             const InnerPart<DType> &arg, int rank, int64_t begin,
                                             int64_t end) {
  const TensorArg<DType> &run = arg;
  InnerPart<DType> part = InnerPartOf<axis>(rule, name, run, rank, begin, end);
  part.pitch = arg.pitch;
  return part;
}

struct ColumnShape;

/// What a rule does with a tensor.
enum class Access : uint8_t { kRead, kWrite, kReadWrite };

/// Which element of a tensor stands at element (y, x) of the rule: (y, x); x of a vector as long as
/// a row; y of a vector as long as there are rows; the one of its channel; the only one of a vector
/// of one; any element of a tensor of any shape, which a view or a matrix product reads; none, but
/// the shape is the rule's; the one of its indices in all dimensions but the one that is reduced.
enum class OperandMap : uint8_t {
  kIdentity,
  kRow,
  kColumn,
  kChannel,
  kOne,
  kSource,
  kShape,
  kRest
};

/// The block of elements that a launch covers.
struct LaunchShape {
  index_t rows;  ///< 1 where `contiguous`
  index_t cols;
  bool contiguous;  ///< every operand is one run of memory: the block is 1 x n, or planes
  void *stream;     ///< the operands' stream, or null
  /// Rows of memory that are one of the block's: those of a run, if parts of inner dimensions are
  /// all that keeps the operands from being runs of memory.
  int64_t run;

  MSHADOW_CINLINE index_t Size() const { return rows * cols; }
  /// Of an operand with that stride, the one of the rows that \p shape has, which may be runs of
  /// them: ChannelShape, ColumnShape.
  template <typename Shape>
  MSHADOW_CINLINE int64_t RowStride(int64_t stride, const Shape &shape) const {
    return contiguous ? static_cast<int64_t>(shape.cols) : stride;
  }
};

/// The checks of one launch:
///
///     LaunchCheck check("SGD", mshadow::cpu());
///     check.Argument("weight", weight, Access::kReadWrite);
///     check.Argument("grad", grad, Access::kRead);
///     check.MaySame(0, 1);
///     const LaunchShape shape = check.Run();
///
/// It costs about as much as a few hundred elements of a loop, so it allocates and copies nothing:
/// the arguments must outlive it. What is inline here is always inlined: emitted objects hold no
/// weak symbols.
class LaunchCheck {
 public:
  /// \param rule the rule's name, for messages
  template <typename Device>
  MSHADOW_CINLINE LaunchCheck(const char *rule, Device) : rule_(rule), count_(0) {}

  /// The next tensor argument.
  /// \throws Error from the 65th on
  template <typename DType>
  MSHADOW_CINLINE LaunchCheck &Argument(const char *name, const TensorArg<DType> &arg,
                                        Access access, OperandMap map = OperandMap::kIdentity) {
    if (map == OperandMap::kIdentity && first_ < 0) first_ = count_;
    Operand &operand = Add();
    operand.name = name;
    operand.dptr = arg.dptr;
    operand.layout = &arg;
    operand.may_same = 0;
    operand.access = access;
    operand.map = map;
    operand.size = sizeof(DType);
    operand.align_mask = alignof(DType) - 1;
    return *this;
  }
  template <typename DType>
  LaunchCheck &Argument(const char *name, const TensorArg<DType> &&arg, Access access,
                        OperandMap map = OperandMap::kIdentity) = delete;
  /// A range of an inner dimension.
  template <typename DType>
  MSHADOW_CINLINE LaunchCheck &Argument(const char *name, const InnerPart<DType> &arg,
                                        Access access, OperandMap map = OperandMap::kIdentity) {
    const TensorArg<DType> &rows = arg;
    Argument(name, rows, access, map);
    Operand &operand = operands_[count_ - 1];
    operand.inner = arg.inner;
    operand.pitch = arg.pitch;
    runs_ |= uint64_t{1} << (count_ - 1);
    return *this;
  }

  /// What the rule reads through views, or another kernel of its writes beside this one: of any
  /// shape, and apart from all that it writes.
  template <typename DType>
  MSHADOW_CINLINE LaunchCheck &Source(const char *name, const TensorArg<DType> &arg) {
    return Argument(name, arg, Access::kRead, OperandMap::kSource);
  }
  template <typename DType>
  LaunchCheck &Source(const char *name, const TensorArg<DType> &&arg) = delete;
  template <typename DType>
  MSHADOW_CINLINE LaunchCheck &Source(const char *name, const InnerPart<DType> &arg) {
    return Argument(name, arg, Access::kRead, OperandMap::kSource);
  }

  /// A view of shape \p shape, which is copied: it must be the rule's.
  /// \throws Error from the 17th on
  LaunchCheck &View(const char *name, const int64_t *shape, int dim);

  /// Arguments \p i and \p j, counted from 0 in the order of Argument, may be the same tensor.
  MSHADOW_CINLINE LaunchCheck &MaySame(int i, int j) {
    operands_[i].may_same |= uint64_t{1} << j;
    operands_[j].may_same |= uint64_t{1} << i;
    return *this;
  }

  /// The rule reduces rows: they stay apart, and rows without elements count too.
  MSHADOW_CINLINE LaunchCheck &KeepRows() {
    keep_rows_ = true;
    return *this;
  }

  /// A GPU's kernel finds elements by their rows: they stay apart there.
  MSHADOW_CINLINE LaunchCheck &KeepRowsOnGpu(cpu) { return *this; }
  MSHADOW_CINLINE LaunchCheck &KeepRowsOnGpu(gpu) { return KeepRows(); }

  /// The rule reduces columns: rows stay apart, and columns without elements count too.
  MSHADOW_CINLINE LaunchCheck &KeepColumns() {
    keep_columns_ = true;
    return *this;
  }

  /// The rule reduces dimension \p dim, which is not the last one, of more than two: it stays
  /// apart, and values of no elements count too.
  MSHADOW_CINLINE LaunchCheck &KeepAxis(int dim) {
    axis_ = dim;
    return *this;
  }
  /// After Run, which gave \p shape: the matrices whose columns are reduced, one of all rows unless
  /// KeepAxis says otherwise.
  ColumnShape Columns(const LaunchShape &shape) const;

  /// The rule has values for the indices of dimension \p dim, its channels: planes stay apart, and
  /// channels without elements count too.
  MSHADOW_CINLINE LaunchCheck &KeepChannels(int dim) {
    keep_channels_ = true;
    return NameChannels(dim);
  }
  /// Dimension \p dim is that of the channels. Only an argument that no element is computed
  /// from has a value for each of them.
  MSHADOW_CINLINE LaunchCheck &NameChannels(int dim) {
    channel_dim_ = dim;
    return *this;
  }
  /// After Run, which gave \p shape: where the channels' elements are.
  ChannelShape Channels(const LaunchShape &shape) const;

  /// The rule reduces everything: there is something to do even if there are no elements.
  MSHADOW_CINLINE LaunchCheck &KeepEmpty() {
    keep_empty_ = true;
    return *this;
  }

  /// Checks shapes, pointers, strides, alignment, streams, and that no written argument overlaps
  /// another one. The first kIdentity argument says what shape is expected.
  /// \throws Error that names the rule, the argument, what was expected and what came
  LaunchShape Run();

  /// The same of so many arguments, which are neither sources nor views. That all is right, as
  /// nearly always, is told here in few instructions for each; what is not is looked at by Run().
  template <int count>
  MSHADOW_CINLINE LaunchShape Run(cpu) {
    LaunchShape launch;
    const bool is_ordinary = IsOrdinary(&launch, std::make_integer_sequence<int, count>());
    return __builtin_expect(is_ordinary, 1) ? launch : Run();
  }
  /// Starting a kernel takes a hundred times as long.
  template <int count>
  MSHADOW_CINLINE LaunchShape Run(gpu) {
    return Run();
  }

 private:
  static constexpr int kMaxOperands = 64;  // may_same has a bit for each
  static constexpr int kMaxViews = 16;

  struct Operand {
    const char *name;
    const void *dptr;
    const TensorLayout *layout;  ///< the argument's own, or one of views_
    uint64_t may_same;           ///< bit j: argument j may be this tensor
    // What a launcher knows when it is compiled, in one word, which one instruction stores:
    Access access;
    OperandMap map;
    uint8_t size;        ///< bytes of an element
    uint8_t align_mask;  ///< bits that are 0 in the address of one
    // Of a range of an inner dimension:
    int64_t inner;  ///< the rows of a run
    int64_t pitch;  ///< from one run to the next
    // Set by Run():
    int64_t rows;
    int64_t cols;
    int64_t stride;
    uintptr_t end;  ///< one past the last byte

    uintptr_t begin() const { return reinterpret_cast<uintptr_t>(dptr); }
    bool FindEnd(int64_t bytes);
  };

  MSHADOW_CINLINE Operand &Add() {
    if (count_ == kMaxOperands) FailTooMany();
    return operands_[count_++];
  }
  [[noreturn]] void FailTooMany() const;
  template <typename Text>
  [[noreturn]] void Fail(const Operand &operand, const Text &text) const;
  /// What the tensors of an ordinary launch have in common: elements, and one stream.
  struct Common {
    const TensorLayout *layout;  ///< of the first of them that has the rule's shape
    int64_t rows;
    int64_t cols;
    int64_t elements;  ///< from the first to the last
    bool contiguous;
  };

  /// Whether the launch is as nearly all are: tensors of one shape, and vectors, with elements and
  /// on one stream, where nothing is wrong. What the launcher says are constants here.
  template <int... i>
  MSHADOW_CINLINE bool IsOrdinary(LaunchShape *launch, std::integer_sequence<int, i...>) const {
    Common common;
    uintptr_t ends[sizeof...(i)];
    if (count_ != static_cast<int>(sizeof...(i)) || runs_ != 0 || !FindCommon(&common))
      return false;
    if (!(FitsOthers<i>(&common, ends, std::make_integer_sequence<int, i>()) && ...)) return false;
    *launch = BlockOf(common.rows, common.cols, common.contiguous, common.layout->stream);
    return true;
  }

  MSHADOW_CINLINE bool FindCommon(Common *common) const {
    if (first_ < 0) return false;
    const TensorLayout &layout = *operands_[first_].layout;
    int64_t rows = layout.dim == 1 ? 1 : layout.shape[0];
    if (layout.dim > 2) rows = detail::CountRows(layout.dim, layout.shape);
    const int64_t cols = layout.shape[layout.dim - 1];
    const bool contiguous = !keep_rows_ && !keep_columns_ && (rows == 1 || layout.stride == cols);
    *common = {&layout, rows, cols, detail::ElementsOf(rows, cols, layout.stride), contiguous};
    return rows > 0 && cols > 0 && common->elements > 0;
  }

  /// Whether argument i has its shape and memory, which is apart from that of those before it.
  template <int i, int... before>
  MSHADOW_CINLINE bool FitsOthers(Common *common, uintptr_t *ends,
                                  std::integer_sequence<int, before...>) const {
    const Operand &operand = operands_[i];
    const TensorLayout &layout = *operand.layout;
    int64_t elements = common->elements;
    if (operand.map == OperandMap::kIdentity) {
      if (!HasShapeOf(layout, *common->layout)) return false;
      if (layout.stride != common->layout->stride) {
        elements = detail::ElementsOf(common->rows, common->cols, layout.stride);
        common->contiguous =
            common->contiguous && (common->rows == 1 || layout.stride == common->cols);
      }
    } else {
      elements = ExtentOf(operand.map, *common);
      if (layout.dim != 1 || layout.shape[0] != elements) return false;
      common->contiguous = common->contiguous && operand.map >= OperandMap::kChannel;
    }
    const uintptr_t begin = operand.begin();
    ends[i] = begin + static_cast<uintptr_t>(elements * operand.size);
    return elements > 0 && begin != 0 && (begin & operand.align_mask) == 0 &&
           layout.stream == common->layout->stream && (AreApart<i, before>(ends) && ...);
  }

  MSHADOW_CINLINE static bool HasShapeOf(const TensorLayout &layout, const TensorLayout &other) {
    const int last = other.dim - 1;
    if (layout.dim != other.dim || layout.shape[0] != other.shape[0]) return false;
    if (layout.shape[last] != other.shape[last]) return false;
    return last <= 1 || detail::HasExtents(last, layout.shape, other.shape);
  }

  /// Of a vector; 0 of what is none.
  MSHADOW_CINLINE int64_t ExtentOf(OperandMap map, const Common &common) const {
    if (map == OperandMap::kRow) return common.cols;
    if (map == OperandMap::kColumn) return common.rows;
    if (map == OperandMap::kOne) return 1;
    if (map == OperandMap::kRest) return -1;
    const bool of_channel = map == OperandMap::kChannel && channel_dim_ >= 0;
    return of_channel ? common.layout->shape[channel_dim_] : 0;
  }

  /// Whether neither writes what the other one has, unless they are one tensor and may be.
  template <int i, int j>
  MSHADOW_CINLINE bool AreApart(const uintptr_t *ends) const {
    const Operand &a = operands_[i], &b = operands_[j];
    if (a.access == Access::kRead && b.access == Access::kRead) return true;
    if (a.begin() >= ends[j] || b.begin() >= ends[i]) return true;
    return (a.may_same >> j & 1) != 0 && a.dptr == b.dptr && a.size == b.size &&
           a.layout->stride == b.layout->stride && a.map == OperandMap::kIdentity &&
           b.map == OperandMap::kIdentity;
  }

  /// The block of rows and columns, as one row where nothing keeps it from being one.
  MSHADOW_CINLINE LaunchShape BlockOf(int64_t rows, int64_t cols, bool contiguous,
                                      void *stream) const {
    const bool is_row = contiguous && !keep_channels_ && axis_ < 0;
    return {static_cast<index_t>(is_row ? 1 : rows),
            static_cast<index_t>(is_row ? rows * cols : cols), contiguous, stream, 1};
  }

  int First() const;
  void CheckExtents(const Operand &operand) const;
  const int64_t *ExpectedExtent(OperandMap map, const Operand &first) const;
  bool HasShape(const Operand &operand, const Operand &first) const;
  void CheckOtherShape(Operand *operand, const Operand &first) const;
  bool HasNothing(const Operand &first) const;
  bool HasRuns(const Operand &operand) const { return (runs_ >> (&operand - operands_) & 1) != 0; }
  static Operand RunsAsRows(const Operand &operand);
  void CheckRuns(Operand *operand) const;
  int64_t RowsOfRun() const;
  [[noreturn]] void FailMemory(const Operand &operand) const;
  void CheckOverlaps() const;
  void CheckOverlap(const Operand &written, int other) const;
  [[noreturn]] void FailStream(const Operand &operand) const;

  const char *rule_;
  bool keep_rows_ = false;
  bool keep_columns_ = false;
  bool keep_channels_ = false;
  bool keep_empty_ = false;
  int channel_dim_ = -1;
  int axis_ = -1;
  int64_t rest_ = 0;   // indices of all dimensions but axis_
  uint64_t runs_ = 0;  // bit i: argument i is a range of an inner dimension
  int count_;
  int first_ = -1;  // the first kIdentity argument
  int view_count_ = 0;
  TensorLayout views_[kMaxViews];   // the first view_count_ are set, but for strides
  Operand operands_[kMaxOperands];  // the first count_ are set
};

MSHADOW_VERSION_BEGIN
namespace detail {
[[noreturn]] void ThrowColumn(const char *rule, const char *name, double index, int64_t row,
                              int64_t cols);
[[noreturn]] void ThrowUncountable(const char *rule, const char *name, int64_t number);
[[noreturn]] void ThrowRank(const char *rule, const char *name, int expected, int got);
/// What an expression says of its operands, as an Error about view \p name of \p rule.
[[noreturn]] void ThrowView(const char *rule, const char *name, const Error &error);
}  // namespace detail
MSHADOW_VERSION_END

/// Checks, on the CPU, that \p indices has a column of each row.
/// \throws Error that names the rule, the argument, the first one that is none and its row
template <typename IType>
MSHADOW_CINLINE void CheckColumns(cpu, const char *rule, const char *name,
                                  const TensorArg<IType> &indices, int64_t cols) {
  for (int64_t y = 0; y < indices.cols(); ++y) {
    const IType value = indices.dptr[y];
    const int64_t index = ScalarCast<int64_t>(value);
    if (value == value && 0 <= index && index < cols) continue;
    detail::ThrowColumn(rule, name, ScalarCast<double>(value), y, cols);
  }
}
/// A kernel, which cannot throw, reads 0 where there is no column.
template <typename IType>
MSHADOW_CINLINE void CheckColumns(gpu, const char *, const char *, const TensorArg<IType> &,
                                  int64_t) {}

/// Checks that \p DType, the type of the elements that are reduced to \p name, holds their numbers.
/// \param count how many are reduced together
/// \throws Error that names the rule, the result and the first of the numbers that it does not hold
template <typename DType>
MSHADOW_CINLINE void CheckCountable(const char *rule, const char *name, int64_t count) {
  const int64_t number = detail::FindUncountable<DType>(count);
  if (number != 0) detail::ThrowUncountable(rule, name, number);
}

/// The gpu launcher of \p rule in a library that was built without CUDA.
/// \throws Error always
[[noreturn]] void NoCuda(const char *rule);

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_H_
