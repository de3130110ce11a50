// SPDX-License-Identifier: Apache-2.0
/// \file view.h
/// Views: tensors of a rule whose elements are those of its arguments at other coordinates. The
/// pass index_reads finds index expressions for many of them. For others emitted code makes the
/// runtime's expression, and kernels evaluate its Plan. A slice, that is, a range of a dimension of
/// an argument, is memory, as an argument is. So are rows of an argument that indices name, the
/// elements of a tensor as a vector, and a tensor that is written in another shape.
#ifndef MSHADOW_GENERATOR_IR_VIEW_H_
#define MSHADOW_GENERATOR_IR_VIEW_H_

#include <functional>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace mgen {

struct View {
  /// What $0, $1, … in the text stand for.
  struct Operand {
    enum Kind {
      kTensor,  ///< the argument `param`
      kShape,   ///< its shape
      kScalar,  ///< `value`
      kIndex,   ///< `value`, as an index_t
      kType,    ///< the C++ type `type`
      kRank,    ///< in a rule for any rank: the rank, and `offset`
    } kind;
    int param = -1;
    Expr value;  ///< over kParam, kDim, kLocal, literals; of the type that the function takes
    Type type;
    int offset = 0;

    bool has_value() const { return kind == kScalar || kind == kIndex; }
    bool has_argument() const { return kind == kTensor || kind == kShape; }
  };

  /// The expression in C++: "mshadow::expr::slice<1>($0, $1, $2)".
  std::string text;
  std::vector<Operand> operands;
  std::vector<std::string> headers;  ///< the headers that declare its names, beyond the runtime's
  /// For a slice: the dimension of each of its ranges, or Node::kLastDim. The first range is
  /// `mshadow::expr::slice<d>($0, $1, $2)` of an argument; the second is a range of that, from $3
  /// to $4; and so on. Empty: the view is not a slice.
  std::vector<int> ranges;
  /// Whether it is the rows of a matrix that indices name, `mshadow::expr::rows($0, $1)`. They are
  /// treated as a slice.
  bool names_rows = false;
  /// Whether it is the elements of a tensor in row-major order, a vector, `$0.FlatTo1D()`. The
  /// tensor is a temporary, so there is nothing between its rows. It is treated as a slice.
  bool is_flat = false;
  /// Whether it is an argument in another shape, as a destination has it:
  /// `mshadow::expr::reshape($0, shape)`, `$0.FlatTo1D()` or `$0.FlatTo2D()`. It is treated as a
  /// slice.
  bool is_reshaped = false;
  /// For a view of the rule's rank in a rule for any rank: the lowest rank for which there is such
  /// an expression.
  int least_rank = 1;

  bool is_part() const { return !ranges.empty() || names_rows || is_flat || is_reshaped; }
  /// The vector of indices that name the rows; -1 if the view is none of these.
  int Indices() const { return names_rows ? operands[1].param : -1; }
  /// Whether a slice may differ from its tensor along a dimension.
  bool Differs(int dim) const {
    return is_reshaped || (names_rows ? dim == 0 : LastRangeOf(dim) >= 0);
  }
  /// For random numbers of an argument's shape, what is drawn: "bits", "uniform", "normal" or
  /// "bernoulli". "": the view is none.
  std::string Drawn() const;
  /// The ends of range \p i.
  const Expr &Begin(size_t i) const { return operands[2 * i + 1].value; }
  const Expr &End(size_t i) const { return operands[2 * i + 2].value; }
  /// The index of the last range of a dimension; -1 if there is none.
  int LastRangeOf(int dim) const;
  /// A range [begin, end) of a dimension.
  struct Range {
    int dim;
    Expr begin, end;
  };
  /// The slice of a tensor with these ranges.
  static View PartOf(int tensor, const std::vector<Range> &ranges);
  /// The rows of a matrix that indices name.
  static View RowsOf(int matrix, int indices);
  /// The elements of a tensor as a vector.
  static View ElementsOf(int tensor);
  /// `$0.FlatTo2D()` of a tensor: its rows as those of a matrix.
  static View MatrixOf(int tensor);
  /// The tensor of which it is that; -1: it is anything else.
  int FlatTo2D() const;
  /// Whether it is `mshadow::expr::reshape($0, shape)`, `$0.FlatTo1D()` or `$0.FlatTo2D()`.
  bool Reshapes() const;
  /// The view that a part of the text is, with the operands that this part has.
  View Within(const std::string &part) const;

  /// The arguments that it reads, each once, in order.
  std::vector<int> Sources() const;
  /// The arguments that it reads, and those whose shapes it uses.
  std::vector<int> Arguments() const;
  /// The text, with `name(operand)` for each of its operands.
  std::string Fill(const std::function<std::string(const Operand &)> &name) const;
};

/// "dim - 1": the sum of a rank called `rank` and `offset`.
std::string RankText(const std::string &rank, int offset);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_VIEW_H_
