// SPDX-License-Identifier: Apache-2.0
#include "xla_handler.h"

#include <cstring>
#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "arguments.h"
#include "xla_ffi.h"

namespace mshadow_python {
namespace {

using Packed = mshadow_status (*)(const mshadow_argument *);
using LastError = const char *(*)();

/// A rule that the handler calls.
struct Target {
  Packed function;
  LastError last_error;
  std::vector<Param> params;
  std::vector<std::string> names;
};

/// The rules by their names. None is ever replaced, since a call may be running.
std::map<std::string, Target> targets;
std::mutex targets_mutex;

/// What is wrong with a call.
struct Failure {
  int32_t code;
  std::string message;
};

[[noreturn]] void Fail(const std::string &message) {
  throw Failure{xla::kInvalidArgument, message};
}

/// The mshadow_type of a type of XLA.
int TypeOf(const xla::Buffer &buffer) {
  switch (buffer.type) {
    case xla::kBool:
      return MSHADOW_BOOL;
    case xla::kInt8:
      return MSHADOW_INT8;
    case xla::kInt16:
      return MSHADOW_INT16;
    case xla::kInt32:
      return MSHADOW_INT32;
    case xla::kInt64:
      return MSHADOW_INT64;
    case xla::kUint8:
      return MSHADOW_UINT8;
    case xla::kFloat16:
      return MSHADOW_FLOAT16;
    case xla::kFloat32:
      return MSHADOW_FLOAT32;
    case xla::kFloat64:
      return MSHADOW_FLOAT64;
    case xla::kBfloat16:
      return MSHADOW_BFLOAT16;
    default:
      Fail("expected a type of mshadow, got XLA's type " + std::to_string(buffer.type));
  }
}

size_t BytesOf(const xla::Buffer &buffer) {
  size_t bytes = 0;
  switch (buffer.type) {
    case xla::kFloat64:
    case xla::kInt64:
      bytes = 8;
      break;
    case xla::kFloat32:
    case xla::kInt32:
      bytes = 4;
      break;
    case xla::kFloat16:
    case xla::kBfloat16:
    case xla::kInt16:
      bytes = 2;
      break;
    default:
      bytes = 1;
  }
  for (int64_t i = 0; i < buffer.rank; ++i) bytes *= static_cast<size_t>(buffer.shape[i]);
  return bytes;
}

template <typename T>
T Read(const void *data) {
  T value;
  std::memcpy(&value, data, sizeof value);
  return value;
}

/// An attribute of a kind.
const void *Attribute(const xla::Attributes &attributes, const char *name, int32_t kind) {
  for (int64_t i = 0; i < attributes.size; ++i) {
    const xla::Text &found = *attributes.names[i];
    if (attributes.kinds[i] == kind && found.size == std::strlen(name) &&
        std::memcmp(found.data, name, found.size) == 0) {
      return attributes.all[i];
    }
  }
  Fail(std::string("expected an attribute '") + name + "'");
}

std::string TextOf(const xla::Call &call, const char *name) {
  const auto *text = static_cast<const xla::Text *>(Attribute(call.attributes, name, xla::kText));
  return std::string(text->data, text->size);
}

template <typename T>
const T *ArrayOf(const xla::Call &call, const char *name, int32_t type, size_t size) {
  const auto *array =
      static_cast<const xla::Array *>(Attribute(call.attributes, name, xla::kArray));
  if (array->type != type || array->size != size) {
    Fail(std::string("expected another attribute '") + name + "'");
  }
  return static_cast<const T *>(array->data);
}

const Target &TargetOf(const std::string &name) {
  const std::lock_guard<std::mutex> lock(targets_mutex);
  const auto found = targets.find(name);
  if (found == targets.end()) {
    Fail("the rule " + name + " is not loaded; import mshadow_kernels.jax first");
  }
  return found->second;
}

/// From the buffers of a call to the arguments of a rule.
class CallArguments {
 public:
  CallArguments(const xla::Call &call, const Target &target)
      : call_(call),
        target_(target),
        values_(target.params.size()),
        tensors_(target.params.size()) {}

  /// \param kinds a letter for each parameter: `r` a tensor that the rule reads, `u` one that it
  ///     updates, `w` one that it only writes, `v` the value of a scalar, `o` a scalar operand
  const mshadow_argument *Take(const std::string &kinds) {
    const size_t count = target_.params.size();
    if (kinds.size() != count)
      Fail("expected an attribute 'kinds' with a letter for each parameter");
    const double *const reals = ArrayOf<double>(call_, "reals", xla::kFloat64, count);
    const int64_t *const integers = ArrayOf<int64_t>(call_, "integers", xla::kInt64, count);
    for (size_t i = 0; i < count; ++i) {
      if (target_.params[i].kind == Param::kTensor) {
        values_[i].tensor = Tensor(i, kinds[i]);
      } else if (kinds[i] == 'o') {
        Scalar(i, Next(call_.operands, &operand_));
      } else if (target_.params[i].kind == Param::kReal) {
        values_[i].real = reals[i];
      } else {
        values_[i].integer = integers[i];
      }
    }
    return values_.data();
  }

 private:
  static const xla::Buffer &Next(const xla::Buffers &buffers, int64_t *index) {
    if (*index == buffers.size) Fail("expected more operands and results");
    return *buffers.all[(*index)++];
  }

  const mshadow_tensor *Tensor(size_t i, char kind) {
    const xla::Buffer *buffer = kind == 'w' ? nullptr : &Next(call_.operands, &operand_);
    if (kind != 'r') {
      const xla::Buffer &result = Next(call_.results, &result_);
      // XLA gives both the same memory, since the result is an alias of the operand.
      if (buffer != nullptr && buffer->data != result.data) {
        std::memcpy(result.data, buffer->data, BytesOf(result));
      }
      buffer = &result;
    }
    static const int64_t one = 1;
    const bool is_scalar = buffer->rank == 0;  // rules take tensors of at least one dimension
    tensors_[i] = {buffer->data,
                   TypeOf(*buffer),
                   MSHADOW_CPU,
                   is_scalar ? 1 : static_cast<int32_t>(buffer->rank),
                   is_scalar ? &one : buffer->shape,
                   0,
                   nullptr};
    return &tensors_[i];
  }

  void Scalar(size_t i, const xla::Buffer &buffer) {
    const Param &param = target_.params[i];
    const std::string where = "argument '" + target_.names[i] + "': expected ";
    if (buffer.rank != 0) Fail(where + "a scalar");
    if (param.kind == Param::kReal) {
      values_[i].real = buffer.type == xla::kFloat64 ? Read<double>(buffer.data)
                        : buffer.type == xla::kFloat32
                            ? static_cast<double>(Read<float>(buffer.data))
                            : static_cast<double>(Integer(where, buffer));
      return;
    }
    const int64_t value = Integer(where, buffer);
    if (value < param.least || value > param.most) {
      Fail(where + "an integer from " + std::to_string(param.least) + " to " +
           std::to_string(param.most) + ", got " + std::to_string(value));
    }
    values_[i].integer = value;
  }

  static int64_t Integer(const std::string &where, const xla::Buffer &buffer) {
    switch (buffer.type) {
      case xla::kInt32:
        return Read<int32_t>(buffer.data);
      case xla::kInt64:
        return Read<int64_t>(buffer.data);
      case xla::kBool:
        return Read<bool>(buffer.data);
      default:
        Fail(where + "int32, int64, bool or, for a real number, float32 or float64");
    }
  }

  const xla::Call &call_;
  const Target &target_;
  std::vector<mshadow_argument> values_;
  std::vector<mshadow_tensor> tensors_;
  int64_t operand_ = 0, result_ = 0;
};

void Run(const xla::Call &call) {
  const Target &target = TargetOf(TextOf(call, "rule"));
  CallArguments arguments(call, target);
  const mshadow_status status = target.function(arguments.Take(TextOf(call, "kinds")));
  if (status == MSHADOW_OK) return;
  const bool is_internal = status == MSHADOW_OUT_OF_MEMORY || status == MSHADOW_INTERNAL_ERROR;
  throw Failure{is_internal ? xla::kInternal : xla::kInvalidArgument, target.last_error()};
}

xla::Error *MakeError(const xla::Call &call, int32_t code, const char *message) {
  xla::ErrorArguments arguments = {{sizeof arguments, nullptr}, message, code};
  return call.api->make_error(&arguments);
}

/// The handler of all rules.
xla::Error *Handle(xla::Call *call) {
  const xla::Extension *const extension = call->head.extension;
  if (extension != nullptr && extension->type == xla::kMetadata) {
    xla::Metadata &metadata =
        *reinterpret_cast<const xla::MetadataExtension *>(extension)->metadata;
    metadata.version.major = xla::kMajor;
    metadata.version.minor = xla::kMinor;
    metadata.traits = 0;
    return nullptr;
  }
  try {
    Run(*call);
    return nullptr;
  } catch (const Failure &failure) {
    return MakeError(*call, failure.code, failure.message.c_str());
  } catch (const std::exception &error) {
    return MakeError(*call, xla::kInternal, error.what());
  }
}

}  // namespace

PyObject *XlaHandler(PyObject *, PyObject *) {
  return PyCapsule_New(reinterpret_cast<void *>(Handle), "xla._CUSTOM_CALL_TARGET", nullptr);
}

PyObject *XlaRegister(PyObject *, PyObject *args) {
  const char *name;
  PyObject *function, *last_error, *params;
  if (!PyArg_ParseTuple(args, "sOOO!:xla_register", &name, &function, &last_error, &PyTuple_Type,
                        &params)) {
    return nullptr;
  }
  Target target;
  target.function = reinterpret_cast<Packed>(PyLong_AsVoidPtr(function));
  target.last_error = reinterpret_cast<LastError>(PyLong_AsVoidPtr(last_error));
  if (PyErr_Occurred() != nullptr) return nullptr;
  for (Py_ssize_t i = 0; i < PyTuple_Size(params); ++i) {
    const char *const param = PyUnicode_AsUTF8AndSize(PyTuple_GetItem(params, i), nullptr);
    if (param == nullptr) return nullptr;
    target.params.push_back(ParamOf(param));
    target.names.emplace_back(param, std::strcspn(param, ":="));
  }
  const std::lock_guard<std::mutex> lock(targets_mutex);
  targets.emplace(name, std::move(target));
  Py_RETURN_NONE;
}

}  // namespace mshadow_python
