// SPDX-License-Identifier: Apache-2.0
/// \file launch_product.h
/// Matrix products between the kernels of a rule of several stages: what `out = dot(a, b.T())` does
/// unfused, for a launcher's arguments.
#ifndef MSHADOW_LAUNCH_PRODUCT_H_
#define MSHADOW_LAUNCH_PRODUCT_H_

#include "mshadow/emitted/launch.h"

namespace mshadow {

/// How a product meets the old values: =, += and -=.
enum class ProductSaver { kSave, kPlus, kMinus };

/// `dst saver scale * dot(a, b)`: matrices in any of the four transpositions, vectors times
/// matrices and back, outer and inner products, batches of matrices; dot_engine.h has the table.
template <typename DType>
struct LaunchProduct {
  struct Operand {
    const char *name;
    const TensorArg<DType> &arg;
    bool transposed = false;
  };
  Operand dst, a, b;
  ProductSaver saver = ProductSaver::kSave;
  DType scale = ScalarCast<DType>(1);
};

/// Checks extents, pointers, strides, streams, and that dst overlaps neither factor.
/// For gpu also that cuBLAS multiplies this element type, and that \p stream has a handle for it.
/// \param rule the rule's name, for messages
/// \throws Error that names the rule, the argument, what was expected and what came
template <typename DType>
void CheckProduct(cpu, const char *rule, const LaunchProduct<DType> &product, void *stream);
template <typename DType>
void CheckProduct(gpu, const char *rule, const LaunchProduct<DType> &product, void *stream);

/// Computes it: with BLAS, or for gpu with cuBLAS on \p stream. It was checked before.
/// \throws Error as dot does, where an extent exceeds what BLAS can count or there is no memory
template <typename DType>
void RunProduct(cpu, const LaunchProduct<DType> &product, void *stream);
template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &product, void *stream);

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_PRODUCT_H_
