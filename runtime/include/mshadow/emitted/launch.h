// SPDX-License-Identifier: Apache-2.0
/// \file launch.h
/// The checks that a launch makes before its first write.
#ifndef MSHADOW_LAUNCH_H_
#define MSHADOW_LAUNCH_H_

#include <utility>

#include "mshadow/detail/cast.h"
#include "mshadow/detail/exception.h"
#include "mshadow/emitted/channels.h"
#include "mshadow/emitted/check_step.h"
#include "mshadow/emitted/tensor_arg.h"

namespace mshadow {

/// The device tag of a call that a list (list.h) keeps. The list later runs the call on `Device`.
struct cpu_list : cpu {
  using Device = cpu;
};

struct ColumnShape;

/// How a rule accesses a tensor.
enum class Access : uint8_t { kRead, kWrite, kReadWrite };

/// Which element of a tensor belongs to element (y, x) of the rule. kRow and kColumn are named
/// after the vector's orientation: a row vector has an element for each column. The order matters:
/// of the vectors, only those before kChannel need (y, x), and so keep rows from being merged.
enum class OperandMap : uint8_t {
  kIdentity,  ///< element (y, x) of a tensor of the rule's shape
  kRow,       ///< element x of a vector with an element for each column
  kColumn,    ///< element y of a vector with an element for each row
  kChannel,   ///< the element for the channel, of a vector with an element for each channel
  kOne,       ///< the only element of a scalar tensor
  kSource,    ///< any: a view or a matrix product reads a tensor of any shape
  kShape,     ///< none: only the tensor's shape counts, which must be the rule's
  kRest,      ///< an element of a vector that has one for each combination of coordinates along
              ///< the dimensions that are not reduced
  kShapeOfRest,  ///< none: as kShape, but the extent of the reduced dimension may be another
  kUnused     ///< none: no statement that the launch runs uses the tensor, so any will do
};

/// The block of elements that a launch covers.
struct LaunchShape {
  index_t rows;  ///< 0 if the launch is empty; 1 if `contiguous`, unless KeepChannels or KeepAxis
                 ///< was called
  index_t cols;
  bool contiguous;  ///< every operand of the rule's shape is one run of memory, no operand is a
                    ///< slice of an inner dimension or rows that indices name, and no vector has an
                    ///< element for each row or column. After KeepRows or KeepColumns only an empty
                    ///< launch is contiguous
  void *stream;     ///< the operands' stream, or null
  /// How many rows of memory make up one row of a block that is not `contiguous`; otherwise 1. If
  /// operands are slices of inner dimensions, whose groups have one size (InnerPart::inner), it is
  /// this size. Some things keep it at 1: a row with padding; an operand that is a view, is rows
  /// that indices name, or is a vector other than a scalar tensor; a call of KeepRows, KeepColumns,
  /// KeepChannels or KeepAxis. Sources do not count.
  int64_t run;

  MSHADOW_CINLINE index_t Size() const { return rows * cols; }
  /// The row stride that an operand has in \p shape, a ChannelShape or a ColumnShape. If the block
  /// is not `contiguous`, that is \p stride, the operand's own. If it is, the row stride is
  /// shape.cols, since one row of \p shape may consist of several rows of memory.
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
/// The checks must be cheap: in the time they take, a loop handles a few hundred elements. So
/// LaunchCheck allocates nothing and keeps pointers to the arguments, which must outlive it. Its
/// inline functions are always inlined, so that emitted objects hold no weak symbols.
class LaunchCheck {
 public:
  /// \param rule the rule's name, for messages
  template <typename Device>
  MSHADOW_CINLINE LaunchCheck(const char *rule, Device) : rule_(rule), count_(0) {}

  /// Adds a tensor argument.
  /// \throws Error if there are 64 already
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
  /// Adds a slice of an inner dimension.
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
  /// Adds rows that indices name. Any element of their matrix may be among them.
  template <typename DType>
  MSHADOW_CINLINE LaunchCheck &Argument(const char *name, const NamedRows<DType> &arg,
                                        Access access, OperandMap map = OperandMap::kIdentity) {
    const TensorArg<DType> &rows = arg;
    Argument(name, rows, access, map);
    operands_[count_ - 1].inner = arg.rows_of_matrix;
    runs_ |= uint64_t{1} << (count_ - 1);
    named_ |= uint64_t{1} << (count_ - 1);
    return *this;
  }

  /// Adds a tensor that the rule reads through a view, or that another kernel of the rule writes.
  /// It may have any shape, but must not overlap what this kernel writes.
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
  template <typename DType>
  MSHADOW_CINLINE LaunchCheck &Source(const char *name, const NamedRows<DType> &arg) {
    return Argument(name, arg, Access::kRead, OperandMap::kSource);
  }

  /// Adds a view, whose shape must be the rule's. \p shape is copied.
  /// \param map kShape or kShapeOfRest. The reduced dimension is that of KeepAxis, or else the last
  /// \throws Error if there are 16 views or 64 arguments already
  LaunchCheck &View(const char *name, const int64_t *shape, int dim,
                    OperandMap map = OperandMap::kShape);

  /// Says whether a statement that the launch runs uses the last argument or view. If none does,
  /// the launch checks nothing of it, as unfused, and the kernel does not read it.
  MSHADOW_CINLINE LaunchCheck &OnlyIf(bool used) {
    if (used) return *this;
    Operand &last = operands_[count_ - 1];
    last.dptr = nullptr;
    last.access = Access::kRead;
    last.map = OperandMap::kUnused;
    runs_ &= ~(uint64_t{1} << (count_ - 1));
    if (first_ == count_ - 1) first_ = -1;
    return *this;
  }

  /// Says that arguments \p i and \p j, counted from 0 in the order of Argument, may be the same
  /// tensor.
  MSHADOW_CINLINE LaunchCheck &MaySame(int i, int j) {
    operands_[i].may_same |= uint64_t{1} << j;
    operands_[j].may_same |= uint64_t{1} << i;
    return *this;
  }

  /// Says that the rule reduces rows: they are not merged into one, and even a row without elements
  /// has a result.
  MSHADOW_CINLINE LaunchCheck &KeepRows() {
    keep_rows_ = true;
    return *this;
  }

  /// Says that on a GPU the kernel finds elements by row and column, so that rows are not merged.
  MSHADOW_CINLINE LaunchCheck &KeepRowsOnGpu(cpu) { return *this; }
  MSHADOW_CINLINE LaunchCheck &KeepRowsOnGpu(gpu) { return KeepRows(); }

  /// Says that the rule reduces columns: rows are not merged, and even a column without elements
  /// has a result.
  MSHADOW_CINLINE LaunchCheck &KeepColumns() {
    keep_columns_ = true;
    return *this;
  }

  /// Says that the rule reduces dimension \p dim, not the last one, of a tensor of rank 3 or more.
  /// The dimension is not merged with others, and there are results even if its extent is 0.
  MSHADOW_CINLINE LaunchCheck &KeepAxis(int dim) {
    axis_ = dim;
    return *this;
  }
  /// The matrices whose columns are reduced. Without KeepAxis there is one matrix, of all rows.
  /// \param shape what Run returned
  ColumnShape Columns(const LaunchShape &shape) const;

  /// Says that the rule has a value for each coordinate of dimension \p dim, its channels. A
  /// channel's planes (channels.h) are not merged, and even a channel without elements has a value.
  MSHADOW_CINLINE LaunchCheck &KeepChannels(int dim) {
    keep_channels_ = true;
    return NameChannels(dim);
  }
  /// Names the dimension of the channels, so that arguments with an element for each channel are
  /// checked. For rules that use none of these elements; other rules call KeepChannels.
  MSHADOW_CINLINE LaunchCheck &NameChannels(int dim) {
    channel_dim_ = dim;
    return *this;
  }
  /// Where the elements of each channel are.
  /// \param shape what Run returned
  ChannelShape Channels(const LaunchShape &shape) const;

  /// Says that the rule reduces everything to one value: even a launch without elements has a
  /// result.
  MSHADOW_CINLINE LaunchCheck &KeepEmpty() {
    keep_empty_ = true;
    return *this;
  }

  /// Checks shapes, pointers, strides, alignment and streams, and that no written argument overlaps
  /// another argument, unless MaySame allows the two to be the same tensor. The first kIdentity
  /// argument sets the expected shape; if there is none, the first view does.
  /// \throws Error that names the rule, the argument, the expected value and the actual one
  LaunchShape Run();

  /// The same for \p count arguments, none of them a source or a view. It checks an ordinary launch
  /// with a few instructions for each argument. It leaves any other launch to Run(), which finds
  /// what is wrong, if anything.
  template <int count>
  MSHADOW_CINLINE LaunchShape Run(cpu) {
    LaunchShape launch;
    const bool is_ordinary = IsOrdinary(&launch, std::make_integer_sequence<int, count>());
    return __builtin_expect(is_ordinary, 1) ? launch : Run();
  }
  /// Calls Run(). Inlined checks would gain nothing: the start of a kernel takes a hundred times as
  /// long as the checks, and a list rarely repeats them.
  template <int count>
  MSHADOW_CINLINE LaunchShape Run(gpu) {
    return Run();
  }
  template <int count>
  MSHADOW_CINLINE LaunchShape Run(cpu_list) {
    return Run();
  }

 private:
  static constexpr int kMaxOperands = 64;  // may_same has a bit for each
  static constexpr int kMaxViews = 16;

  struct Operand {
    const char *name;
    const void *dptr;
    const TensorLayout *layout;  ///< the argument's own, or one of views_
    uint64_t may_same;           ///< bit j: argument j may alias this one
    // Constants of the launcher, side by side in one word, which one instruction stores:
    Access access;
    OperandMap map;
    uint8_t size;        ///< bytes of an element
    uint8_t align_mask;  ///< the alignment of an element - 1: bits that must be 0 in its address
    // Of slices of an inner dimension only, and of rows that indices name:
    int64_t inner;  ///< rows of a group; of the matrix
    int64_t pitch;  ///< elements from the start of one group to that of the next
    // Set by Run():
    int64_t rows;
    int64_t cols;
    int64_t stride;
    uintptr_t end;  ///< one past the last byte

    MSHADOW_CINLINE uintptr_t begin() const { return reinterpret_cast<uintptr_t>(dptr); }
    bool FindEnd(int64_t bytes);
  };

  MSHADOW_CINLINE Operand &Add() {
    if (count_ == kMaxOperands) FailTooMany();
    return operands_[count_++];
  }
  [[noreturn]] void FailTooMany() const;
  template <typename Text>
  [[noreturn]] void Fail(const Operand &operand, const Text &text) const;
  /// What the tensors of an ordinary launch have in common.
  struct Common {
    const TensorLayout *layout;  ///< of the first argument that has the rule's shape
    int64_t rows;
    int64_t cols;
    int64_t elements;  ///< as detail::ElementsOf
    bool contiguous;
  };

  /// Whether the launch is ordinary, as nearly all are: its arguments are vectors and tensors of
  /// one shape, with elements and on one stream, and no check fails. This is inlined into the
  /// launcher, so that the compiler knows the constants of each argument.
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

  /// Whether argument i has the expected shape, and valid memory that is apart from that of the
  /// arguments before it.
  template <int i, int... before>
  MSHADOW_CINLINE bool FitsOthers(Common *common, uintptr_t *ends,
                                  std::integer_sequence<int, before...>) const {
    const Operand &operand = operands_[i];
    if (operand.map == OperandMap::kUnused) {
      ends[i] = 0;
      return true;
    }
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

  /// The expected length of a vector with this map. 0: the map is not for vectors; -1: only Run()
  /// finds the length.
  MSHADOW_CINLINE int64_t ExtentOf(OperandMap map, const Common &common) const {
    if (map == OperandMap::kRow) return common.cols;
    if (map == OperandMap::kColumn) return common.rows;
    if (map == OperandMap::kOne) return 1;
    if (map == OperandMap::kRest) return -1;
    const bool of_channel = map == OperandMap::kChannel && channel_dim_ >= 0;
    return of_channel ? common.layout->shape[channel_dim_] : 0;
  }

  /// Whether arguments i and j may be in one launch: both are only read, their memory is apart, or
  /// they are one tensor and may alias.
  template <int i, int j>
  MSHADOW_CINLINE bool AreApart(const uintptr_t *ends) const {
    const Operand &a = operands_[i], &b = operands_[j];
    if (a.access == Access::kRead && b.access == Access::kRead) return true;
    if (a.begin() >= ends[j] || b.begin() >= ends[i]) return true;
    return (a.may_same >> j & 1) != 0 && a.dptr == b.dptr && a.size == b.size &&
           a.layout->stride == b.layout->stride && a.map == OperandMap::kIdentity &&
           b.map == OperandMap::kIdentity;
  }

  /// The block of rows and columns. It is one row if \p contiguous, but not after KeepChannels or
  /// KeepAxis.
  MSHADOW_CINLINE LaunchShape BlockOf(int64_t rows, int64_t cols, bool contiguous,
                                      void *stream) const {
    const bool is_row = contiguous && !keep_channels_ && axis_ < 0;
    return {static_cast<index_t>(is_row ? 1 : rows),
            static_cast<index_t>(is_row ? rows * cols : cols), contiguous, stream, 1};
  }

  int First() const;
  bool HasShapeOfRule() const;
  void CheckExtents(const Operand &operand) const;
  const int64_t *ExpectedExtent(OperandMap map, const Operand &first) const;
  bool HasShape(const Operand &operand, const Operand &first) const;
  bool HasShapeOfRest(const TensorLayout &layout, const TensorLayout &expected) const;
  void CheckOtherShape(Operand *operand, const Operand &first) const;
  bool HasNothing(const Operand &first) const;
  bool HasRuns(const Operand &operand) const { return (runs_ >> (&operand - operands_) & 1) != 0; }
  bool IsNamed(const Operand &operand) const { return (named_ >> (&operand - operands_) & 1) != 0; }
  Operand RunsAsRows(const Operand &operand) const;
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
  int64_t rest_ = 0;    // the product of all extents but that of axis_
  uint64_t runs_ = 0;   // bit i: argument i is a slice of an inner dimension, or in named_
  uint64_t named_ = 0;  // bit i: argument i is rows that indices name
  int count_;
  int first_ = -1;  // the first kIdentity argument
  int view_count_ = 0;
  TensorLayout views_[kMaxViews];   // the first view_count_ are set, without strides
  Operand operands_[kMaxOperands];  // the first count_ are set
};

MSHADOW_VERSION_BEGIN
namespace detail {
[[noreturn]] void ThrowColumn(const char *rule, const char *name, double index, int64_t row,
                              int64_t cols);
[[noreturn]] void ThrowUncountable(const char *rule, const char *name, int64_t index);
[[noreturn]] void ThrowRank(const char *rule, const char *name, int expected, int got);
/// Throws \p error, which an expression threw when it checked its operands, as an Error about view
/// \p name of \p rule.
[[noreturn]] void ThrowView(const char *rule, const char *name, const Error &error);
}  // namespace detail
MSHADOW_VERSION_END

/// Checks, on the CPU, that each element of \p indices is the index of a column: 0 <= index <
/// \p cols. There is one element for each row.
/// \throws Error that names the rule, the argument, the first index out of range, and its row
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
/// Checks nothing: a GPU kernel cannot throw. For an index out of range it uses 0 as the element
/// that the index would name.
template <typename IType>
MSHADOW_CINLINE void CheckColumns(gpu, const char *, const char *, const TensorArg<IType> &,
                                  int64_t) {}

/// Checks that \p DType, the type of the elements that are reduced to \p name, can represent the
/// index of each of them.
/// \param count how many elements are reduced together
/// \throws Error that names the rule, the result and the first index that DType cannot represent
template <typename DType>
MSHADOW_CINLINE void CheckCountable(const char *rule, const char *name, int64_t count) {
  const int64_t index = detail::FindUncountable<DType>(count);
  if (index != 0) detail::ThrowUncountable(rule, name, index);
}

/// Throws the Error of a GPU launcher of \p rule in a library that was built without CUDA.
[[noreturn]] void NoCuda(const char *rule);

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_H_
