// SPDX-License-Identifier: Apache-2.0
/// \file readers.h
/// How the tensors of a Python type are read.
#ifndef MSHADOW_PYTHON_READERS_H_
#define MSHADOW_PYTHON_READERS_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include "exchange.h"

namespace mshadow_python {

/// How the tensors of a Python type are read.
struct Reader {
  enum Way : int {
    kNone = 0,      ///< not here
    kBuffer = 1,    ///< by the buffer protocol
    kReadOnly = 2,  ///< the same, but a rule may not write them
    kPrepared = 3,  ///< a Tensor of an emitted module
    kExchange = 4,  ///< a PyTorch tensor, by `api`
  } way;
  const ExchangeApi *api;
};

/// The reader of `x`. Asks the method `reader` of `rule`, a Rule of Python, if the type is new.
/// Null: an exception is set.
const Reader *ReaderOf(PyObject *rule, PyObject *x);

}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_READERS_H_
