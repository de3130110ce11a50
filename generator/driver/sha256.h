// SPDX-License-Identifier: Apache-2.0
/// \file sha256.h
/// SHA-256 (FIPS 180-4), for the manifest's fingerprints. Not for secrets.
#ifndef MSHADOW_GENERATOR_DRIVER_SHA256_H_
#define MSHADOW_GENERATOR_DRIVER_SHA256_H_

#include <string>
#include <string_view>

namespace mgen {

/// The digest of `data` as 64 lower-case hexadecimal digits.
std::string Sha256(std::string_view data);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_SHA256_H_
