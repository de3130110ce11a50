// SPDX-License-Identifier: Apache-2.0
/// \file output_file.h
/// What back ends give: names and texts. Nothing here or below touches a file system.
#ifndef MSHADOW_GENERATOR_EMIT_OUTPUT_FILE_H_
#define MSHADOW_GENERATOR_EMIT_OUTPUT_FILE_H_

#include <stdexcept>
#include <string>

namespace mgen {

struct OutputFile {
  std::string name;  ///< a file name, without a directory
  std::string text;
};

/// A plan that cannot be emitted: a name that is no identifier, a path that cannot be quoted, a
/// template and its values that do not match. The passes before have refused whatever a user can do
/// about it, so this is an internal error.
class EmitError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_OUTPUT_FILE_H_
