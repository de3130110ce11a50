// SPDX-License-Identifier: Apache-2.0
/// \file verify.h
/// A second opinion on what the back ends give, by code that shares nothing with them: that a text
/// is made only of what emitted code consists of, whatever a spec says. So no part of a spec can
/// end a comment or a string early, pull in a file, reach a function that is no rule's, or bring in
/// a language feature that no kernel has; and no index is an int.
#ifndef MSHADOW_GENERATOR_VERIFY_VERIFY_H_
#define MSHADOW_GENERATOR_VERIFY_VERIFY_H_

#include <set>
#include <string>
#include <string_view>

#include "verify/lexer.h"

namespace mgen {

/// What the outputs of one target may name besides the runtime.
struct Permitted {
  std::set<std::string, std::less<>> includes;  ///< in quotes: the target's outputs and specs
  std::set<std::string, std::less<>> globals;   ///< after a leading `::`: namespaces, functions
};

/// What is wrong with an emitted C++ file, by line; empty if nothing is.
Findings Verify(std::string_view text, const Permitted &permitted);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_VERIFY_VERIFY_H_
