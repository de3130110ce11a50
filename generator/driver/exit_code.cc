// SPDX-License-Identifier: Apache-2.0
#include "driver/exit_code.h"

#include <system_error>

namespace mgen {

FileError::FileError(const std::string &action, const std::string &path, int error)
    : std::runtime_error("cannot " + action + " '" + path +
                         "': " + std::generic_category().message(error)) {}

}  // namespace mgen
