// SPDX-License-Identifier: Apache-2.0
/// \file arguments.h
/// From Python objects to the arguments of one call of a C function.
#ifndef MSHADOW_PYTHON_ARGUMENTS_H_
#define MSHADOW_PYTHON_ARGUMENTS_H_

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <cstdint>

#include "exchange.h"
#include "mshadow/c_api.h"
#include "readers.h"

namespace mshadow_python {

/// A parameter of a rule.
struct Param {
  enum Kind { kTensor, kReal, kInteger, kBool } kind;
  bool is_written;      ///< tensors
  int64_t least, most;  ///< integers
};

/// Of "weight=", which a rule writes, "grad", "lr:float" or "step:int32".
Param ParamOf(const char *text);

/// The GPU of a list, and its stream. Tensors of other GPUs are not plain.
struct ListGpu {
  int device = -1;
  mshadow_stream *stream = nullptr;  ///< null: the list runs on the CPU
};

/// The arguments of one call. Nothing here says what is wrong with an argument: what is not plain
/// is left to the emitted module.
class Arguments {
 public:
  static constexpr Py_ssize_t kMost = 24;
  static constexpr int kMaxRank = 8;

  explicit Arguments(const ListGpu &gpu = ListGpu()) : gpu_(gpu) {}
  Arguments(const Arguments &) = delete;
  Arguments &operator=(const Arguments &) = delete;
  /// Releases the buffers.
  ~Arguments();

  /// Appends a scalar. Returns whether it is plain: a number of the parameter's type and range.
  bool AddScalar(const Param &param, PyObject *x);
  /// Appends a tensor. Returns whether it is plain: contiguous, on the CPU or the list's GPU, and
  /// writable if the rule writes it. No exception is set.
  bool AddTensor(const Param &param, const Reader &reader, PyObject *x);

  const mshadow_argument *values() const { return values_; }
  /// The PyTorch tensors that the rule writes. They are borrowed.
  PyObject *const *written() const { return written_; }
  int num_written() const { return num_written_; }

 private:
  bool AddBuffer(const Param &param, bool is_read_only, PyObject *x);
  bool AddPrepared(const Param &param, PyObject *x);
  bool AddExchange(const Param &param, const ExchangeApi &api, PyObject *x);
  /// Notes a PyTorch tensor. Returns whether a rule may use it now.
  bool AddTorch(const Param &param, PyObject *x);
  /// Whether PyTorch records what happens to tensors that require a gradient.
  bool TorchRecords();
  mshadow_tensor *NextTensor();

  const ListGpu gpu_;
  mshadow_argument values_[kMost];
  mshadow_tensor tensors_[kMost];
  int64_t shapes_[kMost][kMaxRank];
  Py_buffer buffers_[kMost];
  PyObject *written_[kMost];
  int num_values_ = 0, num_tensors_ = 0, num_buffers_ = 0, num_written_ = 0;
  enum { kNotAsked, kYes, kNo } torch_records_ = kNotAsked;
};

}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_ARGUMENTS_H_
