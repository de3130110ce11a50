// SPDX-License-Identifier: Apache-2.0
/// \file sha256.h
/// SHA-256, for the manifest's fingerprints. Not for secrets.
#ifndef MSHADOW_GENERATOR_DRIVER_SHA256_H_
#define MSHADOW_GENERATOR_DRIVER_SHA256_H_

#include <llvm/ADT/StringExtras.h>
#include <llvm/Support/SHA256.h>

#include <string>

namespace mgen {

/// The digest of `data` as 64 lower-case hexadecimal digits.
inline std::string Sha256(llvm::StringRef data) {
  return llvm::toHex(llvm::SHA256::hash(llvm::arrayRefFromStringRef(data)), /*LowerCase=*/true);
}

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_SHA256_H_
