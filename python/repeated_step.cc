// SPDX-License-Identifier: Apache-2.0
#include "repeated_step.h"

#include <algorithm>
#include <memory>
#include <new>
#include <utility>
#include <vector>

#include "arguments.h"
#include "dl_tensor.h"
#include "readers.h"

namespace mshadow_python {
namespace {

using Replace = mshadow_status (*)(mshadow_list *, int64_t, const char *, const mshadow_tensor *);

constexpr char kRecordName[] = "mshadow_kernels.step";  ///< of the capsule
PyObject *grad_name = nullptr;
PyObject *step_name = nullptr;

/// A contiguous tensor of PyTorch.
struct Plain {
  void *data;
  int type, device_type, device, rank;
  int64_t shape[Arguments::kMaxRank];

  bool IsLike(const Plain &other) const {
    return type == other.type && device_type == other.device_type && device == other.device &&
           rank == other.rank && std::equal(shape, shape + rank, other.shape);
  }
  bool operator==(const Plain &other) const { return data == other.data && IsLike(other); }
};

/// A reference to a Python object that is released at the end.
class Owned {
 public:
  explicit Owned(PyObject *object) : object_(object) {}
  Owned(Owned &&other) noexcept : object_(other.object_) { other.object_ = nullptr; }
  Owned(const Owned &) = delete;
  Owned &operator=(const Owned &) = delete;
  ~Owned() { Py_XDECREF(object_); }
  PyObject *get() const { return object_; }

 private:
  PyObject *object_;
};

class Record {
 public:
  Record(PyObject *rule, Replace replace, PyObject *names, const ListGpu &gpu)
      : rule_(Py_NewRef(rule)), replace_(replace), names_(Py_NewRef(names)), gpu_(gpu) {}

  /// Notes where everything is. Returns whether all tensors are plain.
  bool Note(PyObject *parameters, PyObject *state, int64_t count) {
    const bool is_plain = Find(parameters, state, count);
    std::swap(noted_, found_);
    counts_.clear();
    return is_plain;
  }

  /// Whether everything is as it was, but for the gradients and the counts.
  bool IsSame(PyObject *parameters, PyObject *state, int64_t count) {
    return Find(parameters, state, count) && found_.weights == noted_.weights &&
           found_.states == noted_.states;
  }

  /// Gives lists the gradients that IsSame has found. Returns false after an exception. Then this
  /// must not be used any more, since a list may have some of them.
  bool ReplaceIn(PyObject *lists) {
    for (Py_ssize_t i = 0; i < PyTuple_Size(lists); ++i) {
      auto *const list = static_cast<mshadow_list *>(PyLong_AsVoidPtr(PyTuple_GetItem(lists, i)));
      if (PyErr_Occurred() != nullptr || !ReplaceInList(list)) return false;
    }
    noted_.grads.swap(found_.grads);
    return true;
  }

  /// Adds 1 to the states `step` that IsSame has seen.
  void Count() {
    for (const CountedState &counted : counts_) {
      if (counted.is_double) {
        *static_cast<double *>(counted.data) += 1;
      } else {
        *static_cast<float *>(counted.data) += 1;
      }
    }
    counts_.clear();
  }

 private:
  /// Where the tensors of all parameters are.
  struct Places {
    std::vector<Plain> weights, states;
    std::vector<void *> grads;  ///< each is like its weight
  };
  struct CountedState {
    Owned object;
    void *data;
    bool is_double;
  };

  /// Finds where everything is now. Returns whether all tensors are plain.
  bool Find(PyObject *parameters, PyObject *state, int64_t count) {
    counts_.clear();
    found_.weights.clear();
    found_.states.clear();
    found_.grads.clear();
    Py_ssize_t at = 0;
    for (Py_ssize_t i = 0; i < PyList_Size(parameters); ++i) {
      PyObject *const parameter = PyList_GetItem(parameters, i);
      Plain weight, grad, tensor;
      if (!Read(parameter, &weight) || !ReadGrad(parameter, weight, &grad)) return false;
      found_.weights.push_back(weight);
      found_.grads.push_back(grad.data);
      PyObject *const own = StateOf(state, parameter, &at);
      for (Py_ssize_t k = 0; k < PyTuple_Size(names_.get()); ++k) {
        if (!ReadState(own, k, &tensor)) return false;
        found_.states.push_back(tensor);
      }
      if (!IsAt(own, count)) return false;
    }
    return true;
  }

  bool ReplaceInList(mshadow_list *list) const {
    for (size_t i = 0; i < found_.grads.size(); ++i) {
      if (found_.grads[i] == noted_.grads[i]) continue;
      const Plain &like = noted_.weights[i];
      const bool is_on_gpu = like.device_type == kDLCuda;
      const mshadow_tensor grad = {found_.grads[i],
                                   like.type,
                                   is_on_gpu ? MSHADOW_GPU : MSHADOW_CPU,
                                   like.rank,
                                   like.shape,
                                   0,
                                   is_on_gpu ? gpu_.stream : nullptr};
      const mshadow_status status = replace_(list, static_cast<int64_t>(i), "grad", &grad);
      if (status == MSHADOW_OK) continue;
      Py_XDECREF(PyObject_CallMethod(rule_.get(), "fail", "i", static_cast<int>(status)));
      return false;
    }
    return true;
  }

  bool Borrow(PyObject *x, DLTensor *tensor) const {
    const Reader *const reader = ReaderOf(rule_.get(), x);
    const bool is_read = reader != nullptr && reader->way == Reader::kExchange &&
                         reader->api->borrow(x, tensor) == 0;
    if (!is_read) PyErr_Clear();
    return is_read;
  }

  /// Returns whether `x` is a plain tensor on the CPU or the GPU of the lists. The step that was
  /// recorded has seen whether weights and states have the negative bit.
  bool Read(PyObject *x, Plain *plain) const {
    DLTensor tensor;
    if (!Borrow(x, &tensor)) return false;
    const int type = TypeOfDL(tensor);
    if (type == kUnknownType || tensor.ndim > Arguments::kMaxRank) return false;
    const bool is_here = gpu_.stream == nullptr ? tensor.device_type == kDLCpu
                                                : tensor.device_type == kDLCuda &&
                                                      tensor.device_id == gpu_.device;
    if (!is_here || !IsContiguous<int64_t>(tensor.ndim, tensor.shape, tensor.strides, 1)) {
      return false;
    }
    plain->data = static_cast<char *>(tensor.data) + tensor.byte_offset;
    plain->type = type;
    plain->device_type = tensor.device_type;
    plain->device = tensor.device_id;
    plain->rank = std::max(tensor.ndim, 1);
    plain->shape[0] = 1;  // rules take one number as a vector
    std::copy(tensor.shape, tensor.shape + tensor.ndim, plain->shape);
    return true;
  }

  bool ReadGrad(PyObject *parameter, const Plain &weight, Plain *grad) const {
    const Owned object(PyObject_GetAttr(parameter, grad_name));
    if (object.get() == nullptr) return PyErr_Clear(), false;
    return Read(object.get(), grad) && grad->IsLike(weight) && !MayBeNegative(object.get());
  }

  /// The dict of a parameter's states, or null. `at` is where `state` has that of the parameter
  /// before: mostly the next one is wanted.
  PyObject *StateOf(PyObject *state, PyObject *parameter, Py_ssize_t *at) const {
    PyObject *key, *own;
    if (PyDict_Next(state, at, &key, &own) == 0 || key != parameter) {
      own = PyDict_GetItemWithError(state, parameter);
      if (own == nullptr) PyErr_Clear();
    }
    return own != nullptr && PyDict_Check(own) ? own : nullptr;
  }

  bool ReadState(PyObject *own, Py_ssize_t name, Plain *tensor) const {
    if (own == nullptr) return false;
    PyObject *const x = PyDict_GetItemWithError(own, PyTuple_GetItem(names_.get(), name));
    if (x == nullptr) return PyErr_Clear(), false;
    return Read(x, tensor);
  }

  /// Whether the state `step` has this value, or none is wanted. Keeps it for Count.
  bool IsAt(PyObject *own, int64_t count) {
    if (count < 0) return true;
    PyObject *const x = own == nullptr ? nullptr : PyDict_GetItemWithError(own, step_name);
    DLTensor tensor;
    if (x == nullptr) return PyErr_Clear(), false;
    if (!Borrow(x, &tensor) || tensor.ndim != 0 || tensor.device_type != kDLCpu) return false;
    void *const data = static_cast<char *>(tensor.data) + tensor.byte_offset;
    const int type = TypeOfDL(tensor);
    if (type != MSHADOW_FLOAT32 && type != MSHADOW_FLOAT64) return false;
    const bool is_double = type == MSHADOW_FLOAT64;
    const double value = is_double ? *static_cast<double *>(data) : *static_cast<float *>(data);
    if (value != static_cast<double>(count)) return false;
    counts_.push_back({Owned(Py_NewRef(x)), data, is_double});
    return true;
  }

  const Owned rule_;
  const Replace replace_;
  const Owned names_;
  const ListGpu gpu_;
  Places noted_;  ///< the lists have its gradients
  Places found_;
  std::vector<CountedState> counts_;
};

Record *RecordOf(PyObject *capsule) {
  return static_cast<Record *>(PyCapsule_GetPointer(capsule, kRecordName));
}

}  // namespace

PyObject *RecordStep(PyObject *, PyObject *args) {
  PyObject *rule, *replace, *parameters, *state, *names, *stream = nullptr;
  long long count;
  ListGpu gpu;
  if (!PyArg_ParseTuple(args, "OOO!O!O!L|iO:record_step", &rule, &replace, &PyList_Type,
                        &parameters, &PyDict_Type, &state, &PyTuple_Type, &names, &count,
                        &gpu.device, &stream)) {
    return nullptr;
  }
  const auto function = reinterpret_cast<Replace>(PyLong_AsVoidPtr(replace));
  if (stream != nullptr) gpu.stream = static_cast<mshadow_stream *>(PyLong_AsVoidPtr(stream));
  if (grad_name == nullptr) grad_name = PyUnicode_InternFromString("grad");
  if (step_name == nullptr) step_name = PyUnicode_InternFromString("step");
  if (PyErr_Occurred() != nullptr) return nullptr;
  try {
    auto record = std::make_unique<Record>(rule, function, names, gpu);
    if (!record->Note(parameters, state, count)) Py_RETURN_NONE;
    const auto destroy = [](PyObject *capsule) { delete RecordOf(capsule); };
    PyObject *const capsule = PyCapsule_New(record.get(), kRecordName, destroy);
    if (capsule != nullptr) record.release();
    return capsule;
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  }
}

PyObject *RepeatStep(PyObject *, PyObject *args) {
  PyObject *capsule, *parameters, *state, *lists;
  long long count;
  if (!PyArg_ParseTuple(args, "OO!O!O!L:repeat_step", &capsule, &PyList_Type, &parameters,
                        &PyDict_Type, &state, &PyTuple_Type, &lists, &count)) {
    return nullptr;
  }
  Record *const record = RecordOf(capsule);
  if (record == nullptr) return nullptr;
  try {
    if (!record->IsSame(parameters, state, count)) Py_RETURN_FALSE;
    if (!record->ReplaceIn(lists)) return nullptr;
    Py_RETURN_TRUE;
  } catch (const std::bad_alloc &) {
    return PyErr_NoMemory();
  }
}

PyObject *CountStep(PyObject *, PyObject *capsule) {
  Record *const record = RecordOf(capsule);
  if (record == nullptr) return nullptr;
  record->Count();
  Py_RETURN_NONE;
}

}  // namespace mshadow_python
