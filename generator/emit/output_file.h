// SPDX-License-Identifier: Apache-2.0
/// \file output_file.h
/// What back ends return: the names and texts of files. No code of emit/ or backends/ accesses a
/// file system.
#ifndef MSHADOW_GENERATOR_EMIT_OUTPUT_FILE_H_
#define MSHADOW_GENERATOR_EMIT_OUTPUT_FILE_H_

#include <stdexcept>
#include <string>

namespace mgen {

struct OutputFile {
  std::string name;  ///< a file name, without a directory
  std::string text;
};

/// A Plan that cannot be emitted: a name is not an identifier, a path cannot be quoted, or a
/// template and its values do not match. Earlier passes report all mistakes that a user can mend,
/// so this is an internal error.
class EmitError : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_EMIT_OUTPUT_FILE_H_
