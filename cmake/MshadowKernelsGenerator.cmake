# SPDX-License-Identifier: Apache-2.0
# Finds the mshadow-gen that add_mshadow_kernels() runs.
set(MSHADOW_GEN "" CACHE FILEPATH
    "mshadow-gen to run; empty: the one that this project builds or the package brings, else PATH's")
set(MSHADOW_KERNELS_MODE AUTO CACHE STRING
    "AUTO; VENDORED: never run a generator; GENERATE: ignore vendored sources")
set_property(CACHE MSHADOW_KERNELS_MODE PROPERTY STRINGS AUTO VENDORED GENERATE)
mark_as_advanced(MSHADOW_GEN)

# Stops unless `path` runs and speaks this function's protocol.
function(_mshadow_check_gen path)
  get_property(checked GLOBAL PROPERTY _MSHADOW_CHECKED_GEN)
  if(path IN_LIST checked)
    return()
  endif()
  execute_process(COMMAND ${path} --version --format=json
    OUTPUT_VARIABLE version ERROR_VARIABLE error RESULT_VARIABLE status)
  if(NOT status EQUAL 0)
    message(FATAL_ERROR "mshadow-gen '${path}' does not run: ${status} ${error}")
  endif()
  set(protocol 1)  # kProtocol of generator/driver/version.h
  string(REGEX MATCH "\"protocol\": *([0-9]+)" matched "${version}")
  if(NOT CMAKE_MATCH_1 EQUAL protocol)
    message(FATAL_ERROR "mshadow-gen '${path}' speaks protocol '${CMAKE_MATCH_1}', "
                        "add_mshadow_kernels() speaks ${protocol}; use the generator of the same "
                        "release")
  endif()
  set_property(GLOBAL APPEND PROPERTY _MSHADOW_CHECKED_GEN ${path})
endfunction()

# The executable of an imported target, for the configuration that it was installed in.
function(_mshadow_imported_location target result)
  get_target_property(location ${target} IMPORTED_LOCATION)
  if(NOT location)
    get_target_property(configurations ${target} IMPORTED_CONFIGURATIONS)
    list(GET configurations 0 configuration)
    get_target_property(location ${target} IMPORTED_LOCATION_${configuration})
  endif()
  set(${result} ${location} PARENT_SCOPE)
endfunction()

# Sets `command`, which runs the generator, and `depends`, what to depend on so that a new generator
# generates anew. Both are empty if there is none. When cross-compiling, a generator that is built
# or packaged for the target's processor is passed over for one in PATH.
function(_mshadow_find_gen command depends)
  set(${command} "" PARENT_SCOPE)
  set(${depends} "" PARENT_SCOPE)
  if(MSHADOW_KERNELS_MODE STREQUAL "VENDORED")
    return()
  endif()
  set(path "${MSHADOW_GEN}")
  if(NOT path AND TARGET mshadow::gen AND NOT CMAKE_CROSSCOMPILING)
    get_target_property(is_imported mshadow::gen IMPORTED)
    if(NOT is_imported)
      set(${command} $<TARGET_FILE:mshadow::gen> PARENT_SCOPE)
      set(${depends} mshadow::gen PARENT_SCOPE)
      return()
    endif()
    _mshadow_imported_location(mshadow::gen path)
  endif()
  if(NOT path)
    find_program(MSHADOW_GEN_PROGRAM mshadow-gen CMAKE_FIND_ROOT_PATH_BOTH)
    mark_as_advanced(MSHADOW_GEN_PROGRAM)
    set(path "${MSHADOW_GEN_PROGRAM}")
  endif()
  if(path)
    _mshadow_check_gen("${path}")
    set(${command} "${path}" PARENT_SCOPE)
    set(${depends} "${path}" PARENT_SCOPE)
  endif()
endfunction()

function(_mshadow_no_gen target)
  message(FATAL_ERROR "add_mshadow_kernels(${target}) needs mshadow-gen, and there is none. "
    "Three ways out:\n"
    "  1. Install it (Debian package mshadow-gen) or name one: -DMSHADOW_GEN=<path>.\n"
    "  2. Build it with this project: -DMSHADOW_BUILD_GEN=ON. It takes Clang's development files "
    "(Debian: libclang-19-dev llvm-19-dev).\n"
    "  3. Check in what a generator writes elsewhere: VENDORED <dir>. Building that takes none.")
endfunction()
