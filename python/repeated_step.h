// SPDX-License-Identifier: Apache-2.0
/// \file repeated_step.h
/// Steps of an optimizer that repeat the last one. Between two steps mostly nothing changes but the
/// gradients and the number of the step. To find that out, Python takes some microseconds for each
/// parameter, which is more than the update of a small one. These functions take a fraction of that
/// time: record_step notes where all tensors are, and repeat_step compares.
///
/// They serve tensors of PyTorch that have DLPack's C functions. For all others the optimizer's
/// Python code makes each step anew.
#ifndef MSHADOW_PYTHON_REPEATED_STEP_H_
#define MSHADOW_PYTHON_REPEATED_STEP_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

namespace mshadow_python {

/// Python's record_step(rule, replace, parameters, state, names, count, [device, stream]).
/// \param replace the address of mshadow_list_replace
/// \param parameters a list: parameter i is entry i of the lists that have gradients
/// \param state from a parameter to its dict of states
/// \param names the keys of the states that are tensors of the rule, a tuple
/// \param count what each state `step` counts; -1: there is none
/// \param device, stream of lists on a GPU
/// \returns what the other functions take, or None if a tensor is not plain
PyObject *RecordStep(PyObject *module, PyObject *args);
/// Python's repeat_step(recorded, parameters, state, lists, count). If only gradients and counts
/// are others than before, replaces the gradients in the lists and returns True.
/// \param lists the handles of those that have gradients, a tuple
PyObject *RepeatStep(PyObject *module, PyObject *args);
/// Python's count_step(recorded): adds 1 to the states `step` that the last repeat_step compared.
PyObject *CountStep(PyObject *module, PyObject *recorded);

}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_REPEATED_STEP_H_
