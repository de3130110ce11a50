// SPDX-License-Identifier: Apache-2.0
/// \file version.h
/// The versions of this tool. The code revision, which says what emitted code needs, is in
/// backends/emit_options.h.
#ifndef MSHADOW_GENERATOR_DRIVER_VERSION_H_
#define MSHADOW_GENERATOR_DRIVER_VERSION_H_

namespace mgen {

/// The project's version, from CMake.
inline constexpr char kVersion[] = MSHADOW_VERSION;

/// What add_mshadow_kernels() and the tool agree on: flags, output names, exit statuses. A change
/// that an older CMake function cannot work with takes the next number, also in
/// cmake/MshadowKernels.cmake.
constexpr int kProtocol = 1;

}  // namespace mgen

#endif  // MSHADOW_GENERATOR_DRIVER_VERSION_H_
