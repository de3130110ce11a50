// SPDX-License-Identifier: Apache-2.0
/// \file arguments.h
/// Arguments for a rule known only by its RuleInfo: tensors of the right types and shapes in fenced
/// memory, scalars from the declared defaults.
#ifndef MSHADOW_TESTS_EXECUTION_ARGUMENTS_H_
#define MSHADOW_TESTS_EXECUTION_ARGUMENTS_H_

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "fenced_memory.h"
#include "rule_table.h"
#include "values.h"

namespace mshadow_test {

/// The extents of a tensor of that rank, 1 to 4, with so many rows and columns.
std::vector<int64_t> ShapeOfRank(int rank, int64_t rows, int64_t cols);

/// How the tensors of one call lie in memory.
struct Layout {
  int dim = 2;
  int64_t rows = 1;  ///< elements of all but the last dimension
  int64_t cols = 1;  ///< elements of the last dimension
  int pad = 0;       ///< stride is cols + pad
  int offset = 0;    ///< elements by which the first one is moved from a 64-byte boundary
  Guard guard = Guard::kNone;
};

/// One tensor in memory of its own, with fences that show a write outside.
class TensorArgument {
 public:
  virtual ~TensorArgument() = default;
  /// The Tensor<cpu, dim, T>.
  virtual void *tensor() = 0;
  virtual void Fill(Data data, SplitMix64 *random) = 0;
  virtual void FillConstant(double value) = 0;
  /// Numbers below `count`, as far as the type holds them; 0 if there are none.
  virtual void FillIndices(int64_t count, SplitMix64 *random) = 0;
  /// Of a vector: the numbers of its elements, in any order.
  virtual void FillRows(SplitMix64 *random) = 0;
  virtual std::unique_ptr<TensorArgument> Clone() const = 0;
  /// A tensor of this type and rank with other extents and a guard page behind it, not filled.
  virtual std::unique_ptr<TensorArgument> Resized(int64_t rows, int64_t cols) const = 0;
  /// The same with all extents, of which there are as many as dimensions, and with `pad` elements
  /// between two rows.
  virtual std::unique_ptr<TensorArgument> Reshaped(const std::vector<int64_t> &extents,
                                                   int pad) const = 0;
  /// "" if every element has the same bits (NaN as a class) and both fences and padding are intact;
  /// otherwise where the first difference is.
  virtual std::string Difference(const TensorArgument &other) const = 0;
  /// FNV-1a over the elements, NaN made canonical.
  virtual uint64_t Hash() const = 0;
  virtual int64_t rows() const = 0;
  virtual int64_t cols() const = 0;
  virtual const std::vector<int64_t> &extents() const = 0;
  /// Element (y, x) as the interpreter holds it.
  virtual double Value(int64_t y, int64_t x) const = 0;
};

/// All the arguments of one call.
class Arguments {
 public:
  Arguments(const RuleEntry &rule, const Layout &layout);

  /// Random tensors; states too, so that every path of the formula sees every kind of value.
  void Fill(Data data, uint64_t seed);
  /// Draws the scalars: the defaults, each bool and integer variant picked by `seed`.
  void PickScalars(uint64_t seed);
  Arguments Clone() const;
  /// Gives one tensor other extents; it is not filled.
  void Resize(size_t tensor, int64_t rows, int64_t cols);
  /// Gives one tensor another shape of its rank, with `pad` elements between two rows; it is not
  /// filled.
  void Reshape(size_t tensor, const std::vector<int64_t> &extents, int pad = 0);

  void Call(const RuleEntry &rule) const;
  /// Adds the call to the list that this thread records calls for.
  void AddToList(const RuleEntry &rule) const;
  /// "" or the first tensor that differs, and where.
  std::string Difference(const Arguments &other) const;
  uint64_t Hash() const;

  const std::vector<std::unique_ptr<TensorArgument>> &tensors() const { return tensors_; }
  const std::vector<double> &scalars() const { return scalars_; }
  std::vector<double> &scalars() { return scalars_; }
  const mshadow::RuleInfo &info() const { return *info_; }
  const Layout &layout() const { return layout_; }

 private:
  Arguments() = default;

  /// How many elements a vector has that has one for each channel.
  int64_t ChannelsOf(const mshadow::ParamInfo &param) const;

  const mshadow::RuleInfo *info_ = nullptr;
  Layout layout_;
  std::vector<std::unique_ptr<TensorArgument>> tensors_;
  std::vector<double> scalars_;
};

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_ARGUMENTS_H_
