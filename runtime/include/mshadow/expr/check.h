// SPDX-License-Identifier: Apache-2.0
/// \file check.h
/// Checks of an expression's type, under mshadow's names, for code that was written for mshadow.
/// The library's own checks are CheckAssignment (expr/info.h) and ShapeCheck (expr/engine.h).
#ifndef MSHADOW_EXPR_CHECK_H_
#define MSHADOW_EXPR_CHECK_H_

#include "mshadow/detail/tensor_view.h"
#include "mshadow/expr/operands.h"
#include "mshadow/expression.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// A check in an expression's own function: `TypeCheckPass<(condition)>::Error_…();` compiles if
/// the condition holds. If not, the static_assert says which check failed.
template <bool kPass>
struct TypeCheckPass {
  static_assert(kPass,
                "an expression's own check of its operands failed (ranks, element types or "
                "devices); the function named next in the compiler's output states it");
  static void Error_All_Tensor_in_Exp_Must_Have_Same_Type() {}
  static void Error_TypeCheck_Not_Pass_For_Reduce_Exp() {}
  static void Error_Expression_Does_Not_Meet_Dimension_Req() {}
};

/// Whether expression E can be assigned to (kMapPass), or reduced to (kRedPass), a tensor of rank
/// \p dim.
template <typename Device, int dim, typename DType, typename E>
struct TypeCheck {
  static constexpr int kExpDim = ExpInfo<E>::kDim;
  static constexpr bool kOnDevice = (ExpInfo<E>::kDevMask & Device::kDevMask) != 0;
  static constexpr bool kMapPass = (kExpDim == 0 || kExpDim == dim) && kOnDevice;
  static constexpr bool kRedPass = kExpDim > dim &&kOnDevice;
};

/// The stream that an assignment to E is queued on: that of the first tensor in it.
template <typename Device, typename E>
struct StreamInfo {
  static Stream<Device> *Get(const E &exp) {
    Find find;
    Operands<E>::Visit(exp, false, find);
    return find.stream;
  }

 private:
  struct Find {
    Stream<Device> *stream = nullptr;
    bool found = false;
    template <typename View>
    void operator()(const View &view, bool) {
      if (!found) stream = StreamInfo<Device, View>::Get(view);
      found = true;
    }
  };
};
template <typename Device, int dim, typename DType>
struct StreamInfo<Device, Tensor<Device, dim, DType>> {
  static Stream<Device> *Get(const Tensor<Device, dim, DType> &tensor) { return tensor.stream_; }
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_EXPR_CHECK_H_
