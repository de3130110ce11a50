// SPDX-License-Identifier: Apache-2.0
#include "readers.h"

#include <cstdint>

namespace mshadow_python {
namespace {

/// Types that are seen stay, up to a number.
class Readers {
 public:
  /// Asks `rule` if the type is new. Null: an exception is set.
  const Reader *Of(PyObject *rule, PyObject *x) {
    auto *const type = reinterpret_cast<PyObject *>(Py_TYPE(x));
    Row &row = rows_[(reinterpret_cast<uintptr_t>(type) >> 5) % kRows];
    if (row.type == type) return &row.reader;
    Reader reader;
    if (!Ask(rule, type, &reader)) return nullptr;
    Py_INCREF(type);
    PyObject *const old = row.type;
    row = {type, reader};
    Py_XDECREF(old);
    return &row.reader;
  }

 private:
  static bool Ask(PyObject *rule, PyObject *type, Reader *reader) {
    *reader = {Reader::kNone, nullptr};
    PyObject *const answer = PyObject_CallMethod(rule, "reader", "O", type);
    if (answer == nullptr) return false;
    if (PyLong_Check(answer)) {
      reader->way = static_cast<Reader::Way>(PyLong_AsLong(answer));
    } else if (PyCapsule_IsValid(answer, kExchangeName)) {
      auto *const api = static_cast<ExchangeApi *>(PyCapsule_GetPointer(answer, kExchangeName));
      if (api->major == 1 && api->borrow != nullptr) *reader = {Reader::kExchange, api};
    }
    // The type's slot is asked, since a failing PyObject_GetBuffer costs an exception.
    const bool is_buffer = reader->way == Reader::kBuffer || reader->way == Reader::kReadOnly;
    if (is_buffer &&
        PyType_GetSlot(reinterpret_cast<PyTypeObject *>(type), Py_bf_getbuffer) == nullptr) {
      reader->way = Reader::kNone;
    }
    Py_DECREF(answer);
    return true;
  }

  struct Row {
    PyObject *type;
    Reader reader;
  };
  static constexpr size_t kRows = 64;
  Row rows_[kRows] = {};
};
Readers readers;

}  // namespace

const Reader *ReaderOf(PyObject *rule, PyObject *x) { return readers.Of(rule, x); }

}  // namespace mshadow_python
