// SPDX-License-Identifier: Apache-2.0
/// \file library_names.h
/// Names that headers of C, POSIX, CUDA and mshadow give away: emitted code includes them, and the
/// parse of a spec does not.
#ifndef MSHADOW_GENERATOR_FRONTEND_LIBRARY_NAMES_H_
#define MSHADOW_GENERATOR_FRONTEND_LIBRARY_NAMES_H_

#include <string>
#include <string_view>

namespace mgen {

/// A macro, which no name may be.
bool IsLibraryMacro(std::string_view name);

/// Why neither a rule nor a namespace may have this name, `is_global` outside of other namespaces:
/// "it is a type that emitted code uses", "a library has it outside of namespaces"; or "".
std::string WhyTaken(std::string_view name, bool is_global);
/// The same, and more, of namespaces alone.
std::string WhyNoNamespace(std::string_view name, bool is_global);

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_FRONTEND_LIBRARY_NAMES_H_
