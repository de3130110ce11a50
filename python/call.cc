// SPDX-License-Identifier: Apache-2.0
// The extension module mshadow_kernels._call: calls of rules, for the modules of --emit=python. It
// makes calls whose arguments are plain, and leaves all others to the module's own Python code. So
// only that code says what is an error. The limited API makes one binary serve CPython 3.11 and
// newer.
#include <memory>
#include <new>

#include "arguments.h"
#include "readers.h"
#include "repeated_step.h"
#include "xla_handler.h"

namespace mshadow_python {
namespace {

using Packed = mshadow_status (*)(const mshadow_argument *);

/// A Rule of Python. Its subclass in an emitted module has the methods by_ctypes, reader, fail and
/// told.
struct Rule {
  PyObject_HEAD Packed function;  ///< null until bind
  Py_ssize_t count;
  Param *params;
};

int lists = 0;  ///< how many lists take calls now, in all threads

PyObject *increment_version = nullptr;  ///< PyTorch's function

Rule *RuleOf(PyObject *self) { return reinterpret_cast<Rule *>(self); }

/// Increments the version counters of PyTorch's tensors, so that a backward pass that needs the old
/// elements fails.
bool TellTorch(PyObject *rule, const Arguments &arguments) {
  PyObject *const tensors = PyTuple_New(arguments.num_written());
  if (tensors == nullptr) return false;
  for (int i = 0; i < arguments.num_written(); ++i) {
    Py_INCREF(arguments.written()[i]);
    PyTuple_SetItem(tensors, i, arguments.written()[i]);
  }
  if (increment_version == nullptr) {  // what torch.autograd.graph.increment_version calls
    PyObject *const torch = PyImport_ImportModule("torch._C");
    if (torch != nullptr) increment_version = PyObject_GetAttrString(torch, "_increment_version");
    Py_XDECREF(torch);
  }
  PyObject *done = nullptr;
  if (increment_version != nullptr) {
    done = PyObject_CallFunctionObjArgs(increment_version, tensors, nullptr);
  }
  if (done == nullptr) {  // an older PyTorch, or tensors without versions
    PyErr_Clear();
    done = PyObject_CallMethod(rule, "told", "O", tensors);
  }
  Py_DECREF(tensors);
  Py_XDECREF(done);
  return done != nullptr;
}

enum class Outcome { kDone, kNotPlain, kException };

/// Makes the call, if all of its arguments are plain.
Outcome TryCall(PyObject *self, PyObject *args) {
  const Rule &rule = *RuleOf(self);
  if (rule.function == nullptr || lists != 0 || PyTuple_Size(args) != rule.count) {
    return Outcome::kNotPlain;
  }
  Arguments arguments;
  for (Py_ssize_t i = 0; i < rule.count; ++i) {
    PyObject *const x = PyTuple_GetItem(args, i);
    const Param &param = rule.params[i];
    if (param.kind != Param::kTensor) {
      if (!arguments.AddScalar(param, x)) return Outcome::kNotPlain;
      continue;
    }
    const Reader *const reader = ReaderOf(self, x);
    if (reader == nullptr) return Outcome::kException;
    if (!arguments.AddTensor(param, *reader, x)) return Outcome::kNotPlain;
  }
  mshadow_status status;
  Py_BEGIN_ALLOW_THREADS;
  status = rule.function(arguments.values());
  Py_END_ALLOW_THREADS;
  if (status != MSHADOW_OK) {
    Py_XDECREF(PyObject_CallMethod(self, "fail", "i", static_cast<int>(status)));
    return Outcome::kException;
  }
  const bool is_told = arguments.num_written() == 0 || TellTorch(self, arguments);
  return is_told ? Outcome::kDone : Outcome::kException;
}

PyObject *Call(PyObject *self, PyObject *args, PyObject *named) {
  const Outcome outcome = named == nullptr ? TryCall(self, args) : Outcome::kNotPlain;
  if (outcome == Outcome::kDone) Py_RETURN_NONE;
  if (outcome == Outcome::kException) return nullptr;
  PyObject *const by_ctypes = PyObject_GetAttrString(self, "by_ctypes");
  if (by_ctypes == nullptr) return nullptr;
  PyObject *const result = PyObject_Call(by_ctypes, args, named);
  Py_DECREF(by_ctypes);
  return result;
}

PyObject *Bind(PyObject *self, PyObject *args) {
  PyObject *address, *names;
  if (!PyArg_ParseTuple(args, "OO!:bind", &address, &PyTuple_Type, &names)) return nullptr;
  void *const function = PyLong_AsVoidPtr(address);
  if (PyErr_Occurred() != nullptr) return nullptr;
  const Py_ssize_t count = PyTuple_Size(names);
  if (count > Arguments::kMost) Py_RETURN_NONE;  // every call is left to Python
  std::unique_ptr<Param[]> params(new (std::nothrow) Param[static_cast<size_t>(count)]);
  if (params == nullptr) return PyErr_NoMemory();
  for (Py_ssize_t i = 0; i < count; ++i) {
    const char *const name = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(names, i), nullptr);
    if (name == nullptr) return nullptr;
    params[static_cast<size_t>(i)] = ParamOf(name);
  }
  Rule *const rule = RuleOf(self);
  delete[] rule->params;
  rule->params = params.release();
  rule->count = count;
  rule->function = reinterpret_cast<Packed>(function);
  Py_RETURN_NONE;
}

void Deallocate(PyObject *self) {
  PyTypeObject *const type = Py_TYPE(self);
  delete[] RuleOf(self)->params;
  reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
  Py_DECREF(reinterpret_cast<PyObject *>(type));
}

/// Replaces a tensor that a rule reads, in each entry of a list. Returns for how many entries: it
/// stops before a tensor that is not plain. `device` and `stream` are those of a list on a GPU.
PyObject *Replace(PyObject *, PyObject *args) {
  using Function =
      mshadow_status (*)(mshadow_list *, int64_t, const char *, const mshadow_tensor *);
  PyObject *rule, *function, *list, *tensors, *stream = nullptr;
  const char *argument;
  ListGpu gpu;
  if (!PyArg_ParseTuple(args, "OOOyO!|iO:replace", &rule, &function, &list, &argument, &PyList_Type,
                        &tensors, &gpu.device, &stream)) {
    return nullptr;
  }
  const auto replace = reinterpret_cast<Function>(PyLong_AsVoidPtr(function));
  auto *const entries = static_cast<mshadow_list *>(PyLong_AsVoidPtr(list));
  if (stream != nullptr) gpu.stream = static_cast<mshadow_stream *>(PyLong_AsVoidPtr(stream));
  if (PyErr_Occurred() != nullptr) return nullptr;
  const Param param = {Param::kTensor, false, 0, 0};
  Py_ssize_t entry = 0;
  for (; entry < PyList_Size(tensors); ++entry) {
    PyObject *const x = PyList_GetItem(tensors, entry);
    const Reader *const reader = ReaderOf(rule, x);
    if (reader == nullptr) return nullptr;
    Arguments arguments(gpu);
    if (!arguments.AddTensor(param, *reader, x)) break;
    const mshadow_status status = replace(entries, entry, argument, arguments.values()->tensor);
    if (status != MSHADOW_OK) {
      Py_XDECREF(PyObject_CallMethod(rule, "fail", "i", static_cast<int>(status)));
      return nullptr;
    }
  }
  return PyLong_FromSsize_t(entry);
}

PyObject *CountLists(PyObject *, PyObject *more) {
  const long count = PyLong_AsLong(more);
  if (PyErr_Occurred() != nullptr) return nullptr;
  lists += static_cast<int>(count);
  Py_RETURN_NONE;
}

PyMethodDef rule_methods[] = {
    {"bind", Bind, METH_VARARGS,
     "bind(address, params): from now on calls the C function at an address, which takes its "
     "arguments in an array."},
    {nullptr, nullptr, 0, nullptr}};

PyType_Slot rule_slots[] = {
    {Py_tp_doc, const_cast<char *>("Calls a rule. The arguments are those of its C function.")},
    {Py_tp_call, reinterpret_cast<void *>(Call)},
    {Py_tp_dealloc, reinterpret_cast<void *>(Deallocate)},
    {Py_tp_methods, rule_methods},
    {0, nullptr}};

PyType_Spec rule_spec = {"mshadow_kernels._call.Rule", sizeof(Rule), 0,
                         Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, rule_slots};

PyMethodDef functions[] = {
    {"count_lists", CountLists, METH_O,
     "count_lists(more): how many more lists take calls now. While any does, no call is plain."},
    {"replace", Replace, METH_VARARGS,
     "replace(rule, function, list, argument, tensors, [device, stream]): replaces a tensor that a "
     "rule only reads, in each entry of a list. Returns for how many entries it did: a tensor may "
     "not be plain. A list on a GPU has `device` and `stream`."},
    {"record_step", RecordStep, METH_VARARGS,
     "record_step(rule, replace, parameters, state, names, count, [device, stream]): what "
     "repeat_step compares, or None if that cannot be. `names` are keys of the states of a "
     "parameter; `count` is the number that each state `step` has, or -1 if there is none."},
    {"repeat_step", RepeatStep, METH_VARARGS,
     "repeat_step(recorded, parameters, state, lists, count): whether only gradients and counts "
     "have changed. Then the lists have the new gradients."},
    {"count_step", CountStep, METH_O,
     "count_step(recorded): adds 1 to the states `step` that repeat_step has seen."},
    {"xla_handler", XlaHandler, METH_NOARGS,
     "xla_handler(): the handler of XLA's foreign function interface that calls rules."},
    {"xla_register", XlaRegister, METH_VARARGS,
     "xla_register(name, function, last_error, params): from now on the handler knows the C "
     "function at an address by this name."},
    {nullptr, nullptr, 0, nullptr}};

PyModuleDef module = {PyModuleDef_HEAD_INIT,
                      "mshadow_kernels._call",
                      "Makes the calls of emitted Python modules without ctypes.",
                      -1,
                      functions,
                      nullptr,
                      nullptr,
                      nullptr,
                      nullptr};

}  // namespace
}  // namespace mshadow_python

PyMODINIT_FUNC PyInit__call() {
  using mshadow_python::module;
  PyObject *const made = PyModule_Create(&module);
  if (made == nullptr) return nullptr;
  PyObject *const type = PyType_FromSpec(&mshadow_python::rule_spec);
  if (type != nullptr && PyModule_AddObjectRef(made, "Rule", type) == 0) {
    Py_DECREF(type);
    return made;
  }
  Py_XDECREF(type);
  Py_DECREF(made);
  return nullptr;
}
