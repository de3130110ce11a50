// SPDX-License-Identifier: Apache-2.0
/// \file xla_ffi.h
/// The structs of XLA's foreign function interface (FFI), as far as a handler reads them, in the
/// layout of version 0.1, which later versions keep. A test compares them with the headers of
/// jaxlib. With declarations of its own the package needs no jaxlib when it is built, and one wheel
/// serves all versions of jaxlib from 0.5 on.
#ifndef MSHADOW_PYTHON_XLA_FFI_H_
#define MSHADOW_PYTHON_XLA_FFI_H_

#include <cstddef>
#include <cstdint>

namespace mshadow_python {
namespace xla {

constexpr int32_t kMajor = 0, kMinor = 1;  ///< the version

/// What every struct begins with.
struct Head {
  size_t bytes;
  struct Extension *extension;
};

/// Asks or tells more than a struct has members for.
struct Extension {
  size_t bytes;
  int32_t type;  ///< kMetadata: of a MetadataExtension
  Extension *next;
};
constexpr int32_t kMetadata = 1;

struct Version {
  Head head;
  int32_t major, minor;
};

/// XLA asks a handler for its version before the first call.
struct Metadata {
  size_t bytes;
  Version version;
  uint32_t traits;
};
struct MetadataExtension {
  Extension extension;
  Metadata *metadata;
};

struct Error;
struct ErrorArguments {
  Head head;
  const char *message;
  int32_t code;
};
constexpr int32_t kInvalidArgument = 3, kInternal = 13;

/// XLA's functions. There are more.
struct Api {
  Head head;
  Version version;
  const void *internal;
  Error *(*make_error)(ErrorArguments *arguments);
};

/// Element types.
constexpr int32_t kBool = 1, kInt8 = 2, kInt16 = 3, kInt32 = 4, kInt64 = 5,
                  kUint8 = 6;
constexpr int32_t kFloat16 = 10, kFloat32 = 11, kFloat64 = 12, kBfloat16 = 16;

struct Buffer {
  Head head;
  int32_t type;  ///< an element type
  void *data;
  int64_t rank;
  int64_t *shape;
};

struct Text {
  const char *data;
  size_t size;
};

struct Array {
  int32_t type;  ///< an element type
  size_t size;
  void *data;
};

/// Operands, or results.
struct Buffers {
  Head head;
  int64_t size;
  int32_t *kinds;  ///< 1: a Buffer
  Buffer **all;
};

struct Attributes {
  Head head;
  int64_t size;
  int32_t *kinds;
  Text **names;
  void **all;  ///< kArray: an Array; kText: a Text
};
constexpr int32_t kArray = 1, kText = 4;

struct Call {
  Head head;
  const Api *api;
  void *context;
  int32_t stage;
  Buffers operands, results;
  Attributes attributes;
};

}  // namespace xla
}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_XLA_FFI_H_
