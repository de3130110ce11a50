// SPDX-License-Identifier: Apache-2.0
/// \file emitted_types.h
/// The types that emitted code in a rule's namespace names without a qualifier, such as `std::`.
/// Nothing that a spec declares may have these names.
#ifndef MSHADOW_GENERATOR_IR_EMITTED_TYPES_H_
#define MSHADOW_GENERATOR_IR_EMITTED_TYPES_H_

#include <string_view>

namespace mgen {

constexpr std::string_view kEmittedTypes[] = {"int8_t",  "uint8_t",  "int16_t", "uint16_t",
                                              "int32_t", "uint32_t", "int64_t", "uint64_t",
                                              "index_t", "size_t"};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_EMITTED_TYPES_H_
