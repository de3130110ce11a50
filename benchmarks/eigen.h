// SPDX-License-Identifier: Apache-2.0
/// \file eigen.h
/// A rule's arguments as Eigen arrays.
#ifndef MSHADOW_BENCHMARKS_EIGEN_H_
#define MSHADOW_BENCHMARKS_EIGEN_H_

#include <Eigen/Core>

#include "contender.h"

namespace mshadow_bench {

using Array = Eigen::Map<Eigen::ArrayXf>;

/// Hands out the tensors and scalars of a call in order, over elements [begin, end).
class EigenCall {
 public:
  EigenCall(const Call &call, int64_t begin, int64_t end)
      : call_(call), begin_(begin), count_(end - begin), scalar_(call.scalars) {}
  Array Tensor() { return Array(call_.tensors[tensor_++] + begin_, count_); }
  float Scalar() { return static_cast<float>(*scalar_++); }
  void Skip() { ++scalar_; }

 private:
  const Call &call_;
  int64_t begin_, count_;
  int tensor_ = 0;
  const double *scalar_;
};

}  // namespace mshadow_bench

#endif  // MSHADOW_BENCHMARKS_EIGEN_H_
