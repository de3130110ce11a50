// SPDX-License-Identifier: Apache-2.0
/// \file checksum.h
/// CRC-64 of bytes, for files.
#ifndef MSHADOW_RUNTIME_CHECKSUM_H_
#define MSHADOW_RUNTIME_CHECKSUM_H_

#include <cstddef>
#include <cstdint>

#include "mshadow/detail/config.h"

namespace mshadow {
MSHADOW_VERSION_BEGIN
namespace detail {

/// CRC-64/XZ: the polynomial of ECMA-182, reflected. Bytes may come in pieces of any size.
class Checksum {
 public:
  void Add(const void *bytes, size_t size);
  uint64_t value() const { return ~state_; }

 private:
  uint64_t state_ = ~uint64_t{0};
};

}  // namespace detail
MSHADOW_VERSION_END
}  // namespace mshadow

#endif  // MSHADOW_RUNTIME_CHECKSUM_H_
