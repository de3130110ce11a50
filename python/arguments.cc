// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

namespace mshadow_python {
namespace {

/// DLPack's kinds of elements and of devices.
enum { kDLInt = 0, kDLUInt = 1, kDLFloat = 2, kDLBfloat = 4, kDLBool = 6 };
enum { kDLCpu = 1, kDLCudaHost = 3 };

constexpr int kUnknown = -1;

/// The mshadow_type of signed integers of some bytes.
int IntegerType(int64_t bytes) {
  switch (bytes) {
    case 1:
      return MSHADOW_INT8;
    case 4:
      return MSHADOW_INT32;
    case 8:
      return MSHADOW_INT64;
    default:
      return kUnknown;
  }
}

/// The mshadow_type of elements of the buffer protocol.
int TypeOfFormat(const char *format, Py_ssize_t item) {
  if (format == nullptr) return MSHADOW_UINT8;
  if (format[0] == '@' || format[0] == '=') ++format;
  if (format[0] == '\0' || format[1] != '\0') return kUnknown;
  switch (format[0]) {
    case 'f':
      return MSHADOW_FLOAT32;
    case 'd':
      return MSHADOW_FLOAT64;
    case 'e':
      return MSHADOW_FLOAT16;
    case '?':
      return MSHADOW_BOOL;
    case 'B':
      return MSHADOW_UINT8;
    case 'b':
    case 'i':
    case 'l':
    case 'q':
      return IntegerType(item);
    default:
      return kUnknown;
  }
}

/// The mshadow_type of elements of DLPack.
int TypeOfDL(const DLTensor &tensor) {
  if (tensor.lanes != 1) return kUnknown;
  switch (tensor.code) {
    case kDLFloat:
      return tensor.bits == 32   ? MSHADOW_FLOAT32
             : tensor.bits == 64 ? MSHADOW_FLOAT64
             : tensor.bits == 16 ? MSHADOW_FLOAT16
                                 : kUnknown;
    case kDLBfloat:
      return tensor.bits == 16 ? MSHADOW_BFLOAT16 : kUnknown;
    case kDLUInt:
      return tensor.bits == 8 ? MSHADOW_UINT8 : kUnknown;
    case kDLInt:
      return IntegerType(tensor.bits / 8);
    case kDLBool:
      return tensor.bits == 8 ? MSHADOW_BOOL : kUnknown;
    default:
      return kUnknown;
  }
}

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

/// A string that is made once.
PyObject *Interned(PyObject **kept, const char *text) {
  if (*kept == nullptr) *kept = PyUnicode_InternFromString(text);
  return *kept;
}
PyObject *requires_grad_name = nullptr;
PyObject *packed_name = nullptr;
PyObject *torch_name = nullptr;
PyObject *refusal_name = nullptr;
PyObject *is_grad_enabled = nullptr;  ///< PyTorch's function

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

/// Whether a call or an attribute gave `expected`. Takes over the reference, and clears exceptions.
bool Is(PyObject *value, PyObject *expected) {
  if (value == nullptr) PyErr_Clear();
  const bool is_it = value == expected;
  Py_XDECREF(value);
  return is_it;
}

/// Whether PyTorch records what happens to tensors that require a gradient.
bool AskTorch() {
  if (is_grad_enabled == nullptr) {
    PyObject *const torch = PyImport_ImportModule("torch");
    if (torch != nullptr) is_grad_enabled = PyObject_GetAttrString(torch, "is_grad_enabled");
    Py_XDECREF(torch);
  }
  if (is_grad_enabled == nullptr) {
    PyErr_Clear();
    return true;
  }
  return !Is(PyObject_CallNoArgs(is_grad_enabled), Py_False);
}

}  // namespace

Param ParamOf(const char *text) {
  const char *const colon = std::strchr(text, ':');
  if (colon == nullptr) return {Param::kTensor, text[std::strlen(text) - 1] == '=', 0, 0};
  const char *const type = colon + 1;
  if (std::strcmp(type, "bool") == 0) return {Param::kBool, false, 0, 1};
  const char *const number = std::strstr(type, "int");
  if (number == nullptr) return {Param::kReal, false, 0, 0};
  const int bits = std::atoi(number + 3);
  const bool is_signed = type == number;
  // Above 2^63 - 1 an unsigned integer is not plain.
  const int width = is_signed ? bits - 1 : std::min(bits, 63);
  const int64_t most = static_cast<int64_t>((uint64_t{1} << width) - 1);
  return {Param::kInteger, false, is_signed ? -most - 1 : 0, most};
}

bool Arguments::TorchRecords() {
  if (torch_records_ == kNotAsked) torch_records_ = AskTorch() ? kYes : kNo;
  return torch_records_ == kYes;
}

Arguments::~Arguments() {
  for (int i = 0; i < num_buffers_; ++i) PyBuffer_Release(&buffers_[i]);
}

bool Arguments::AddScalar(const Param &param, PyObject *x) {
  mshadow_argument &value = values_[num_values_++];
  switch (param.kind) {
    case Param::kReal:
      if (PyFloat_CheckExact(x)) {
        value.real = PyFloat_AsDouble(x);
        return true;
      }
      if (!PyLong_CheckExact(x)) return false;
      value.real = PyLong_AsDouble(x);
      break;
    case Param::kInteger:
      if (!PyLong_CheckExact(x)) return false;
      value.integer = PyLong_AsLongLong(x);
      if (value.integer < param.least || value.integer > param.most) return PyErr_Clear(), false;
      break;
    default:
      value.integer = x == Py_True;
      return x == Py_True || x == Py_False;
  }
  if (PyErr_Occurred() == nullptr) return true;
  PyErr_Clear();
  return false;
}

bool Arguments::AddTensor(const Param &param, const Reader &reader, PyObject *x) {
  switch (reader.way) {
    case Reader::kBuffer:
      return AddBuffer(param, false, x);
    case Reader::kReadOnly:
      return AddBuffer(param, true, x);
    case Reader::kPrepared:
      return AddPrepared(param, x);
    case Reader::kExchange:
      return AddExchange(param, *reader.api, x);
    case Reader::kNone:
      break;
  }
  return false;
}

mshadow_tensor *Arguments::NextTensor() {
  mshadow_tensor *const tensor = &tensors_[num_tensors_++];
  values_[num_values_++].tensor = tensor;
  return tensor;
}

bool Arguments::AddBuffer(const Param &param, bool is_read_only, PyObject *x) {
  if (is_read_only && param.is_written) return false;
  Py_buffer *const view = &buffers_[num_buffers_];
  if (PyObject_GetBuffer(x, view, PyBUF_RECORDS_RO) != 0) return PyErr_Clear(), false;
  ++num_buffers_;
  const int type = TypeOfFormat(view->format, view->itemsize);
  if (type == kUnknown || view->ndim < 1 || view->ndim > kMaxRank) return false;
  if (param.is_written && view->readonly) return false;
  if (!IsContiguous(view->ndim, view->shape, view->strides, view->itemsize)) return false;
  static_assert(sizeof(Py_ssize_t) == sizeof(int64_t), "extents are read as int64_t");
  *NextTensor() = {
      view->buf, type,   MSHADOW_CPU, view->ndim, reinterpret_cast<const int64_t *>(view->shape),
      0,         nullptr};
  return true;
}

bool Arguments::AddPrepared(const Param &param, PyObject *x) {
  if (param.is_written && !Is(PyObject_GetAttr(x, Interned(&refusal_name, "refusal")), Py_None)) {
    return false;
  }
  PyObject *const torch = PyObject_GetAttr(x, Interned(&torch_name, "torch"));
  if (torch == nullptr) return PyErr_Clear(), false;
  const bool is_usable = torch == Py_None || AddTorch(param, torch);
  Py_DECREF(torch);  // x has it
  if (!is_usable) return false;
  PyObject *const packed = PyObject_GetAttr(x, Interned(&packed_name, "packed"));
  if (packed == nullptr) return PyErr_Clear(), false;
  const bool is_packed =
      PyBytes_Check(packed) && PyBytes_Size(packed) == static_cast<Py_ssize_t>(sizeof tensors_[0]);
  if (is_packed) std::memcpy(NextTensor(), PyBytes_AsString(packed), sizeof tensors_[0]);
  Py_DECREF(packed);
  return is_packed;
}

bool Arguments::AddExchange(const Param &param, const ExchangeApi &api, PyObject *x) {
  DLTensor tensor;
  if (api.borrow(x, &tensor) != 0) return PyErr_Clear(), false;
  const int type = TypeOfDL(tensor);
  if (type == kUnknown || tensor.ndim < 1 || tensor.ndim > kMaxRank) return false;
  if (tensor.device_type != kDLCpu && tensor.device_type != kDLCudaHost) return false;
  if (!IsContiguous<int64_t>(tensor.ndim, tensor.shape, tensor.strides, 1)) return false;
  if (!AddTorch(param, x)) return false;
  // Another thread may change the shape of the object while the kernel runs.
  int64_t *const shape = shapes_[num_tensors_];
  std::memcpy(shape, tensor.shape, sizeof(int64_t) * static_cast<size_t>(tensor.ndim));
  *NextTensor() = {static_cast<char *>(tensor.data) + tensor.byte_offset,
                   type,
                   MSHADOW_CPU,
                   tensor.ndim,
                   shape,
                   0,
                   nullptr};
  return true;
}

bool Arguments::AddTorch(const Param &param, PyObject *x) {
  PyObject *const requires_grad = Interned(&requires_grad_name, "requires_grad");
  if (TorchRecords() && !Is(PyObject_GetAttr(x, requires_grad), Py_False)) return false;
  const PyCFunction is_neg = IsNegOf(x);
  if (is_neg == nullptr || !Is(is_neg(x, nullptr), Py_False)) return false;
  if (param.is_written) written_[num_written_++] = x;
  return true;
}

}  // namespace mshadow_python
