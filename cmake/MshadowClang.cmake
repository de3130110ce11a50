# SPDX-License-Identifier: Apache-2.0
# Finds the LLVM/Clang that the generator's front end is built on. Sets, in the including directory,
#   MSHADOW_CLANG_FOUND         whether there is one
#   MSHADOW_CLANG_MAJOR         its major version
#   MSHADOW_CLANG_INCLUDE_DIR   headers of Clang and LLVM
#   MSHADOW_CLANG_LIBRARIES     the shared libraries clang-cpp and LLVM, or a file that names the archives
#   MSHADOW_LLVM_LIBRARY        LLVM alone, or the same file
#   MSHADOW_CLANG_BUILTIN_DIR   Clang's own headers (stddef.h, …), embedded into the generator
#
# LLVM's package files are not used: find_package(Clang) takes the oldest of several, find_package(Clang
# 19) fails (its version file wants major.minor), libclang-14-dev ships no version file, and with
# libclang-N-dev but not clang-N the import is a hard error. The files themselves answer everything.
set(MSHADOW_CLANG_VERSIONS "19;18;17;16;15;14" CACHE STRING
    "Major versions of Clang to look for, best first")
set(MSHADOW_CLANG_PREFIX "" CACHE PATH "Prefix of the LLVM/Clang to use; empty: look for one")
option(MSHADOW_CLANG_STATIC "Link Clang and LLVM statically: the generator then runs anywhere" OFF)

# The prefixes to look in, best first: what the user names, then where distributions put LLVM.
function(_mshadow_clang_prefixes result)
  set(prefixes)
  if(MSHADOW_CLANG_PREFIX)
    set(${result} "${MSHADOW_CLANG_PREFIX}" PARENT_SCOPE)
    return()
  endif()
  foreach(dir IN ITEMS "${Clang_DIR}" "${LLVM_DIR}")  # <prefix>/lib/cmake/clang
    if(dir)
      get_filename_component(prefix "${dir}/../../.." ABSOLUTE)
      list(APPEND prefixes "${prefix}")
    endif()
  endforeach()
  list(APPEND prefixes ${Clang_ROOT} $ENV{Clang_ROOT} ${LLVM_ROOT} ${CMAKE_PREFIX_PATH})
  foreach(version IN LISTS MSHADOW_CLANG_VERSIONS)
    list(APPEND prefixes /usr/lib/llvm-${version} /usr/lib/llvm${version}
         /usr/local/opt/llvm@${version} /opt/homebrew/opt/llvm@${version} /usr/local/llvm${version})
  endforeach()
  list(APPEND prefixes /usr/local /usr)
  set(${result} "${prefixes}" PARENT_SCOPE)
endfunction()

# The first file that matches one of the patterns, or "".
function(_mshadow_first_file result)
  foreach(pattern IN LISTS ARGN)
    file(GLOB files "${pattern}")
    if(files)
      list(GET files 0 first)
      set(${result} "${first}" PARENT_SCOPE)
      return()
    endif()
  endforeach()
  set(${result} "" PARENT_SCOPE)
endfunction()

# A linker script that groups the archives of Clang and LLVM, and of the libraries that LLVM's
# configuration says it uses. "" if one is missing. The linker takes of them what the generator needs.
function(_mshadow_clang_archives result prefix config)
  set(${result} "" PARENT_SCOPE)
  file(GLOB clang "${prefix}/lib*/libclang[A-Z]*.a")
  file(GLOB llvm "${prefix}/lib*/libLLVM*.a")
  if(NOT clang OR NOT llvm)
    return()
  endif()
  set(archives ${clang} ${llvm})
  find_library(MSHADOW_TINFO_ARCHIVE libtinfo.a)  # before 19, LLVM asks whether a terminal has colours
  mark_as_advanced(MSHADOW_TINFO_ARCHIVE)
  if(MSHADOW_TINFO_ARCHIVE)
    list(APPEND archives ${MSHADOW_TINFO_ARCHIVE})
  endif()
  set(ZLIB libz.a)
  set(ZSTD libzstd.a)
  foreach(library ZLIB ZSTD)
    file(STRINGS "${config}" is_used REGEX "#define LLVM_ENABLE_${library} 1")
    if(is_used)
      find_library(MSHADOW_${library}_ARCHIVE ${${library}})
      mark_as_advanced(MSHADOW_${library}_ARCHIVE)
      if(NOT MSHADOW_${library}_ARCHIVE)
        return()
      endif()
      list(APPEND archives ${MSHADOW_${library}_ARCHIVE})
    endif()
  endforeach()
  list(JOIN archives "\n" archives)
  set(script ${CMAKE_CURRENT_BINARY_DIR}/clang-archives.ld)
  file(CONFIGURE OUTPUT ${script} CONTENT "GROUP (\n${archives}\n)\n" @ONLY)
  set(${result} ${script} PARENT_SCOPE)
endfunction()

# Looks at one prefix. Sets the result variables, or `missing` to what it lacks ("" if no LLVM at all).
macro(_mshadow_clang_probe prefix)
  set(missing "")
  set(config "${prefix}/include/llvm/Config/llvm-config.h")
  if(EXISTS "${config}")
    file(STRINGS "${config}" major REGEX "#define LLVM_VERSION_MAJOR")
    string(REGEX REPLACE "[^0-9]" "" major "${major}")
    set(so ${CMAKE_SHARED_LIBRARY_SUFFIX})
    if(MSHADOW_CLANG_STATIC)
      _mshadow_clang_archives(clang_library "${prefix}" "${config}")
      set(llvm_library "${clang_library}")
    else()
      _mshadow_first_file(clang_library "${prefix}/lib*/libclang-cpp${so}"
                          "${prefix}/lib*/libclang-cpp${so}.${major}*")
      _mshadow_first_file(llvm_library "${prefix}/lib*/libLLVM-${major}${so}"
                          "${prefix}/lib*/libLLVM${so}")
    endif()
    _mshadow_first_file(builtin "${prefix}/lib*/clang/${major}*/include/stddef.h"
                        "/usr/lib/clang/${major}*/include/stddef.h")
    if(NOT EXISTS "${prefix}/include/clang/Tooling/Tooling.h")
      set(missing "libclang-${major}-dev")
    elseif(NOT clang_library AND MSHADOW_CLANG_STATIC)
      set(missing "the archives of libclang-${major}-dev, llvm-${major}-dev, zlib1g-dev and libzstd-dev")
    elseif(NOT clang_library)
      set(missing "libclang-cpp${major}")
    elseif(NOT llvm_library)
      set(missing "llvm-${major}-dev")
    elseif(NOT builtin)
      set(missing "libclang-common-${major}-dev")
    elseif(NOT major IN_LIST MSHADOW_CLANG_VERSIONS)
      set(missing "a version that is supported (it is ${major})")
    else()
      set(MSHADOW_CLANG_FOUND TRUE)
      set(MSHADOW_CLANG_MAJOR ${major})
      set(MSHADOW_CLANG_INCLUDE_DIR "${prefix}/include")
      set(MSHADOW_CLANG_LIBRARIES "${clang_library}" "${llvm_library}")
      set(MSHADOW_LLVM_LIBRARY "${llvm_library}")
      get_filename_component(MSHADOW_CLANG_BUILTIN_DIR "${builtin}" DIRECTORY)
    endif()
  endif()
endmacro()

set(MSHADOW_CLANG_FOUND FALSE)
set(_mshadow_incomplete "")
_mshadow_clang_prefixes(_mshadow_prefixes)
foreach(prefix IN LISTS _mshadow_prefixes)
  _mshadow_clang_probe("${prefix}")
  if(MSHADOW_CLANG_FOUND)
    message(STATUS "Front end: Clang ${MSHADOW_CLANG_MAJOR} in ${prefix}")
    break()
  elseif(missing)
    string(APPEND _mshadow_incomplete "\n  ${prefix} lacks ${missing}")
  endif()
endforeach()

if(NOT MSHADOW_CLANG_FOUND)
  set(_mshadow_message "No usable LLVM/Clang: mshadow-gen cannot be built.${_mshadow_incomplete}
  On Debian: apt install libclang-19-dev llvm-19-dev
  Elsewhere: -DMSHADOW_CLANG_PREFIX=<prefix>, versions ${MSHADOW_CLANG_VERSIONS}")
  if(MSHADOW_BUILD_GEN STREQUAL "ON")
    message(FATAL_ERROR "${_mshadow_message}")
  endif()
  message(STATUS "${_mshadow_message}")
endif()
