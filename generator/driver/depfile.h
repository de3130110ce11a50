// SPDX-License-Identifier: Apache-2.0
/// \file depfile.h
/// Makefile rules that list the files which a run has read.
#ifndef MSHADOW_GENERATOR_DRIVER_DEPFILE_H_
#define MSHADOW_GENERATOR_DRIVER_DEPFILE_H_

#include <string>
#include <vector>

namespace mgen {

/// `target: prerequisites`, one prerequisite on each line, in the syntax of gcc -M: '$' is doubled,
/// and '#' and spaces get a backslash.
std::string MakeDepfile(const std::string &target, const std::vector<std::string> &prerequisites);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_DEPFILE_H_
