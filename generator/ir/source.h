// SPDX-License-Identifier: Apache-2.0
/// \file source.h
/// Where something is in a spec. Plain data: no Clang pointer survives the front end.
#ifndef MSHADOW_GENERATOR_IR_SOURCE_H_
#define MSHADOW_GENERATOR_IR_SOURCE_H_

#include <string>

namespace mgen {

/// A position in a file; line and column count from 1, 0 means unknown.
struct SourceLocation {
  std::string file;
  int line = 0;
  int column = 0;
  int end_column = 0;  ///< one past the last column on the same line; 0: only the caret
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_IR_SOURCE_H_
