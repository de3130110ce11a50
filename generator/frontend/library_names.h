// SPDX-License-Identifier: Apache-2.0
/// \file library_names.h
/// Names that headers of C, POSIX, CUDA and mshadow give away: emitted code includes them, and the
/// parse of a spec does not.
#ifndef MSHADOW_GENERATOR_FRONTEND_LIBRARY_NAMES_H_
#define MSHADOW_GENERATOR_FRONTEND_LIBRARY_NAMES_H_

#include <string_view>

namespace mgen {

/// A macro, which no name may be.
bool IsLibraryMacro(std::string_view name);

/// A function, type or variable outside of namespaces, where nothing else may have its name.
bool IsLibraryGlobal(std::string_view name);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LIBRARY_NAMES_H_
