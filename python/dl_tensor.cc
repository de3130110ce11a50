// SPDX-License-Identifier: Apache-2.0
#include "dl_tensor.h"

#include "mshadow/c_api.h"

namespace mshadow_python {
namespace {

/// DLPack's kinds of elements.
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLBool = 6 };

/// PyTorch's C function of `x.is_neg()`, or null if it has another form. All tensors have the same
/// function, so it is looked up once.
PyCFunction IsNegOf(PyObject *x) {
  static PyCFunction found = nullptr;
  if (found != nullptr) return found;
  PyObject *const method = PyObject_GetAttrString(x, "is_neg");
  if (method == nullptr) return PyErr_Clear(), nullptr;
  if (Py_IS_TYPE(method, &PyCFunction_Type) && PyCFunction_GetFlags(method) == METH_NOARGS) {
    found = PyCFunction_GetFunction(method);
  }
  Py_DECREF(method);
  return found;
}

}  // namespace

int IntegerType(int64_t bytes) {
  switch (bytes) {
    case 1:
      return MSHADOW_INT8;
    case 2:
      return MSHADOW_INT16;
    case 4:
      return MSHADOW_INT32;
    case 8:
      return MSHADOW_INT64;
    default:
      return kUnknownType;
  }
}

int TypeOfDL(const DLTensor &tensor) {
  if (tensor.lanes != 1) return kUnknownType;
  switch (tensor.code) {
    case kDLFloat:
      return tensor.bits == 32   ? MSHADOW_FLOAT32
             : tensor.bits == 64 ? MSHADOW_FLOAT64
             : tensor.bits == 16 ? MSHADOW_FLOAT16
                                 : kUnknownType;
    case kDLBfloat:
      return tensor.bits == 16 ? MSHADOW_BFLOAT16 : kUnknownType;
    case kDLUInt:
      return tensor.bits == 8 ? MSHADOW_UINT8 : kUnknownType;
    case kDLInt:
      return IntegerType(tensor.bits / 8);
    case kDLBool:
      return tensor.bits == 8 ? MSHADOW_BOOL : kUnknownType;
    default:
      return kUnknownType;
  }
}

bool MayBeNegative(PyObject *x) {
  const PyCFunction is_neg = IsNegOf(x);
  PyObject *const answer = is_neg == nullptr ? nullptr : is_neg(x, nullptr);
  if (answer == nullptr) PyErr_Clear();
  Py_XDECREF(answer);
  return answer != Py_False;
}

}  // namespace mshadow_python
