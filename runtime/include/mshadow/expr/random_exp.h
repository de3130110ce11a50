// SPDX-License-Identifier: Apache-2.0
/// \file random_exp.h
/// RandomExp: random draws as an expression. A RandomExp and its copies own the draws, so that two
/// expressions never read the same draws, and none outlives the memory.
#ifndef MSHADOW_RANDOM_EXP_H_
#define MSHADOW_RANDOM_EXP_H_

#include "mshadow/detail/tensor_gpu.h"
#include "mshadow/expr/engine.h"
#include "mshadow/expr/materialised.h"

namespace mshadow {
namespace expr {
MSHADOW_VERSION_BEGIN

/// Draws with the given shape, one after the other in memory.
template <typename Device, typename DType, int dim>
struct RandomExp
    : MakeTensorExp<RandomExp<Device, DType, dim>, Tensor<Device, 1, DType>, dim, DType> {
  RandomExp(const Shape<dim> &shape, Stream<Device> *stream, index_t spare = 0)
      : draws_(shape.Size() + spare, stream) {
    this->shape_ = shape;
  }
  /// The memory of the draws; with what was asked for to spare.
  MSHADOW_XINLINE const Tensor<Device, 1, DType> &draws() const { return draws_.tensor(); }

 private:
  ::mshadow::detail::SharedTensor<Device, DType> draws_;
};

template <typename Device, typename DType, int dim>
class Plan<RandomExp<Device, DType, dim>, DType> {
 public:
  MSHADOW_XINLINE explicit Plan(const RandomExp<Device, DType, dim> &exp)
      : dptr_(exp.draws().dptr_), cols_(exp.shape_[dim - 1]) {}
  MSHADOW_XINLINE DType Eval(index_t y, index_t x) const { return dptr_[y * cols_ + x]; }

 private:
  const DType *dptr_;
  index_t cols_;
};

/// Nothing else can write the draws, and they are one run of memory.
template <typename Device, typename DType, int dim>
struct Operands<RandomExp<Device, DType, dim>> {
  template <typename Function>
  static void Visit(const RandomExp<Device, DType, dim> &, bool, Function &&) {}
  static index_t Bytes(const RandomExp<Device, DType, dim> &) { return sizeof(DType); }
  static constexpr bool kKnown = true;
  static constexpr bool kIsMap = true;
};

MSHADOW_VERSION_END
}  // namespace expr
}  // namespace mshadow

#endif  // MSHADOW_RANDOM_EXP_H_
