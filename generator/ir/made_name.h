// SPDX-License-Identifier: Apache-2.0
/// \file made_name.h
/// Names that join other names, and words that cannot be names. A name of the spec may end in an
/// underscore, and C++ reserves names that contain two underscores in a row.
#ifndef MSHADOW_GENERATOR_IR_MADE_NAME_H_
#define MSHADOW_GENERATOR_IR_MADE_NAME_H_

#include <string>
#include <string_view>

namespace mgen {

/// "in__slice", which joins "in_" and "_slice" -> "in_slice".
std::string MadeName(const std::string &name);

/// Whether a compiler of emitted code has the word for itself.
bool IsCxxKeyword(std::string_view name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_MADE_NAME_H_
