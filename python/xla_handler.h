// SPDX-License-Identifier: Apache-2.0
/// \file xla_handler.h
/// One handler of XLA's foreign function interface (FFI) that calls any rule on the CPU. A call has
/// the attributes `rule`, the rule's name; `kinds`, a letter for each parameter; `reals`
/// and `integers`, an element for each parameter, of which those of scalars count. Operands and
/// results are in the order of the parameters. mshadow_kernels/jax.py makes such calls.
#ifndef MSHADOW_PYTHON_XLA_HANDLER_H_
#define MSHADOW_PYTHON_XLA_HANDLER_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace mshadow_python {

/// Python's xla_handler(): the handler in a capsule.
PyObject *XlaHandler(PyObject *module, PyObject *none);
/// Python's xla_register(name, function, last_error, params): from now on the handler knows the C
/// function at an address by this name. Of two functions with one name it knows the first.
PyObject *XlaRegister(PyObject *module, PyObject *args);

}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_XLA_HANDLER_H_
