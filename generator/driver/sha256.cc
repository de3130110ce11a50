// SPDX-License-Identifier: Apache-2.0
#include "driver/sha256.h"

#include <llvm/ADT/ArrayRef.h>
#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <cstdint>

namespace mgen {

std::string Sha256(std::string_view data) {
  const auto *bytes = reinterpret_cast<const uint8_t *>(data.data());
  const auto digest = llvm::SHA256::hash(llvm::ArrayRef<uint8_t>(bytes, data.size()));
  return llvm::toHex(digest, /*LowerCase=*/true);
}

}  // namespace mgen
