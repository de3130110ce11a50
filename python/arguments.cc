// SPDX-License-Identifier: Apache-2.0
#include "arguments.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "dl_tensor.h"

namespace mshadow_python {
namespace {

/// The mshadow_type of elements of the buffer protocol.
int TypeOfFormat(const char *format, Py_ssize_t item) {
  if (format == nullptr) return MSHADOW_UINT8;
  if (format[0] == '@' || format[0] == '=') ++format;
  if (format[0] == '\0' || format[1] != '\0') return kUnknownType;
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
    case 'h':
    case 'i':
    case 'l':
    case 'q':
      return IntegerType(item);
    default:
      return kUnknownType;
  }
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
  if (type == kUnknownType || view->ndim < 1 || view->ndim > kMaxRank) return false;
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
  if (type == kUnknownType || tensor.ndim < 1 || tensor.ndim > kMaxRank) return false;
  const bool is_on_gpu = gpu_.stream != nullptr && tensor.device_type == kDLCuda &&
                         tensor.device_id == gpu_.device;
  const bool is_on_cpu = tensor.device_type == kDLCpu || tensor.device_type == kDLCudaHost;
  if (!is_on_cpu && !is_on_gpu) return false;
  if (!IsContiguous<int64_t>(tensor.ndim, tensor.shape, tensor.strides, 1)) return false;
  if (!AddTorch(param, x)) return false;
  // Another thread may change the shape of the object while the kernel runs.
  int64_t *const shape = shapes_[num_tensors_];
  std::memcpy(shape, tensor.shape, sizeof(int64_t) * static_cast<size_t>(tensor.ndim));
  *NextTensor() = {static_cast<char *>(tensor.data) + tensor.byte_offset,
                   type,
                   is_on_gpu ? MSHADOW_GPU : MSHADOW_CPU,
                   tensor.ndim,
                   shape,
                   0,
                   is_on_gpu ? gpu_.stream : nullptr};
  return true;
}

bool Arguments::AddTorch(const Param &param, PyObject *x) {
  PyObject *const requires_grad = Interned(&requires_grad_name, "requires_grad");
  if (TorchRecords() && !Is(PyObject_GetAttr(x, requires_grad), Py_False)) return false;
  if (MayBeNegative(x)) return false;
  if (param.is_written) written_[num_written_++] = x;
  return true;
}

}  // namespace mshadow_python
