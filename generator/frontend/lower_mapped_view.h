// SPDX-License-Identifier: Apache-2.0
/// \file lower_mapped_view.h
/// Views of arithmetic as arithmetic of views: `transpose(a * b)` is `transpose(a) * transpose(b)`.
#ifndef MSHADOW_GENERATOR_FRONTEND_LOWER_MAPPED_VIEW_H_
#define MSHADOW_GENERATOR_FRONTEND_LOWER_MAPPED_VIEW_H_

#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "frontend/lower_tensor.h"
#include "frontend/lower_view.h"

namespace mgen {

class MappedViewLowering {
 public:
  /// Gives the element of the view that is being lowered, with replacements. The last of these, or
  /// the view, is `of`, which says the type of the element.
  using LowerLeaf = std::function<Expr(const Replacements &, const clang::Expr *of)>;

  MappedViewLowering(TensorLowering &tensors, LowerLeaf leaf)
      : tensors_(tensors),
        scalars_(tensors.scalars()),
        leaf_(std::move(leaf)),
        outside_(scalars_.variables()) {}

  /// The element of view `e`, computed of elements of views; nothing if there is no arithmetic in
  /// it, or that would change bits, or repeat costly work.
  std::optional<Expr> Lower(const clang::Expr *e);

 private:
  /// What stands between the outermost function and an expression in it.
  struct Between {
    bool pads = false;     ///< some elements are 0, whatever the expression is
    bool repeats = false;  ///< an element is read several times
  };
  struct Arithmetic {
    const clang::Expr *node;
    std::vector<const clang::Expr *> operands;
    Between between;
  };

  std::optional<Arithmetic> Find(const clang::Expr *e, Between between);
  std::optional<Arithmetic> ArithmeticOf(const clang::Expr *e, Between between) const;
  bool MayMove(const Arithmetic &arithmetic);
  Expr LowerBelow(const clang::Expr *e, Between between);
  Expr LowerArithmetic(const Arithmetic &arithmetic);

  TensorLowering &tensors_;
  RuleScalars &scalars_;
  LowerLeaf leaf_;
  const Variables outside_;  ///< of where the view stands
  Replacements replaced_;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LOWER_MAPPED_VIEW_H_
