// SPDX-License-Identifier: Apache-2.0
/// \file made_name.h
/// Names made of others. A name of the spec may end in an underscore, and C++ reserves those in
/// which two stand beside each other.
#ifndef MSHADOW_GENERATOR_IR_MADE_NAME_H_
#define MSHADOW_GENERATOR_IR_MADE_NAME_H_

#include <string>

namespace mgen {

/// "in__slice", which was "in_" and "_slice" -> "in_slice".
std::string MadeName(const std::string &name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_MADE_NAME_H_
