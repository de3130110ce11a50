// SPDX-License-Identifier: Apache-2.0
/// \file launch_product.h
/// Matrix products between the kernels of a rule of several stages. They do what `out = dot(a,
/// b.T())` does unfused, with a launcher's arguments.
#ifndef MSHADOW_LAUNCH_PRODUCT_H_
#define MSHADOW_LAUNCH_PRODUCT_H_

#include "mshadow/emitted/launch.h"

namespace mshadow {

/// How a product is stored: with =, += or -=.
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
/// For gpu also checks that cuBLAS multiplies this element type, and that \p stream has a handle of
/// cuBLAS.
/// \param rule the rule's name, for messages
/// \throws Error that names the rule, the argument, the expected value and the actual one
template <typename DType>
void CheckProduct(cpu, const char *rule, const LaunchProduct<DType> &product, void *stream);
template <typename DType>
void CheckProduct(gpu, const char *rule, const LaunchProduct<DType> &product, void *stream);

/// Computes a product that CheckProduct has checked: with BLAS, or for gpu with cuBLAS on \p
/// stream.
/// \throws Error as dot does: if an extent exceeds the integers of BLAS, or if there is no memory
template <typename DType>
void RunProduct(cpu, const LaunchProduct<DType> &product, void *stream);
template <typename DType>
void RunProduct(gpu, const LaunchProduct<DType> &product, void *stream);

}  // namespace mshadow

#endif  // MSHADOW_LAUNCH_PRODUCT_H_
