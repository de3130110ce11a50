// SPDX-License-Identifier: Apache-2.0
/// \file view.h
/// Views: tensors of a rule that are elements of its arguments at other places. The generator does
/// not know which: emitted code makes the runtime's expression, and kernels evaluate its Plan.
/// Ranges of a dimension of an argument are parts: memory like an argument's.
#ifndef MSHADOW_GENERATOR_IR_VIEW_H_
#define MSHADOW_GENERATOR_IR_VIEW_H_

#include <functional>
#include <string>
#include <vector>

#include "ir/expr.h"

namespace mgen {

struct View {
  /// What stands in the text for $0, $1, ….
  struct Operand {
    enum Kind {
      kTensor,  ///< the argument `param`
      kShape,   ///< its shape
      kScalar,  ///< `value`
      kIndex,   ///< `value`, where an index_t is taken
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
  std::vector<std::string> headers;  ///< what declares its names, beyond the runtime
  /// Of a part, `mshadow::expr::slice<d>($0, $1, $2)` of an argument, or such a range of that, from
  /// $3 to $4, and so on: each range's d, or Node::kLastDim. Empty: it is none.
  std::vector<int> ranges;
  /// Of a view whose rank is its rule's, which is for any: the least one of which there is such an
  /// expression.
  int least_rank = 1;

  bool is_part() const { return !ranges.empty(); }
  /// Of range \p i.
  const Expr &Begin(size_t i) const { return operands[2 * i + 1].value; }
  const Expr &End(size_t i) const { return operands[2 * i + 2].value; }
  /// The number of the last range of a dimension; -1 if there is none.
  int LastRangeOf(int dim) const;
  /// The part with these ranges of the tensor that is operand 0, each [begin, end).
  struct Range {
    int dim;
    Expr begin, end;
  };
  static View PartOf(int tensor, const std::vector<Range> &ranges);

  /// The arguments that it reads, each once, in order.
  std::vector<int> Sources() const;
  /// Those, and the ones whose shapes it takes.
  std::vector<int> Arguments() const;
  /// The text, with `name(operand)` for each of its operands.
  std::string Fill(const std::function<std::string(const Operand &)> &name) const;
};

/// "dim - 1": a rank called `rank`, and `offset`.
std::string RankText(const std::string &rank, int offset);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_VIEW_H_
