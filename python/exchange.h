// SPDX-License-Identifier: Apache-2.0
/// \file exchange.h
/// DLPack's structs, as far as calls read them, in the layout of DLPack 1.2. A library has a table
/// of C functions, which its tensors' types name by `__dlpack_c_exchange_api__`.
#ifndef MSHADOW_PYTHON_EXCHANGE_H_
#define MSHADOW_PYTHON_EXCHANGE_H_

#include <cstdint>

namespace mshadow_python {

struct DLTensor {
  void *data;
  int32_t device_type, device_id;
  int32_t ndim;
  uint8_t code, bits;
  uint16_t lanes;
  int64_t *shape, *strides;
  uint64_t byte_offset;
};

struct ExchangeApi {
  uint32_t major, minor;
  const ExchangeApi *previous;  ///< of an older major version
  void *allocate, *export_managed, *import_managed;
  /// Borrows the tensor of a Python object. Returns 0, or sets an exception. It may be null.
  int (*borrow)(void *object, DLTensor *tensor);
  void *current_stream;
};

constexpr char kExchangeName[] = "dlpack_exchange_api";  ///< of the capsule

}  // namespace mshadow_python

#endif  // MSHADOW_PYTHON_EXCHANGE_H_
