// SPDX-License-Identifier: Apache-2.0
/// \file dl_tensor.h
/// What DLPack's struct and PyTorch say of a tensor.
#ifndef MSHADOW_PYTHON_DL_TENSOR_H_
#define MSHADOW_PYTHON_DL_TENSOR_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>

#include "exchange.h"

namespace mshadow_python {

/// DLPack's kinds of devices.
enum { kDLCpu = 1, kDLCuda = 2, kDLCudaHost = 3 };

constexpr int kUnknownType = -1;

/// The mshadow_type of signed integers of some bytes.
int IntegerType(int64_t bytes);
/// The mshadow_type of a tensor's elements.
int TypeOfDL(const DLTensor &tensor);

/// Whether elements follow each other in memory. Extents of 1 may have any stride.
/// \param unit the stride of neighbours
template <typename Int>
bool IsContiguous(int rank, const Int *shape, const Int *strides, Int unit) {
  if (strides == nullptr) return true;
  for (int i = 0; i < rank; ++i) {
    if (shape[i] == 0) return true;
  }
  Int expected = unit;
  for (int i = rank - 1; i >= 0; --i) {
    if (shape[i] != 1 && strides[i] != expected) return false;
    expected *= shape[i];
  }
  return true;
}

/// Whether a PyTorch tensor has, or may have, the negative bit: then its memory has other signs.
bool MayBeNegative(PyObject *x);

}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_DL_TENSOR_H_
