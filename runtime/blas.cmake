# SPDX-License-Identifier: Apache-2.0
# Finds a library with the CBLAS interface. Sets MSHADOW_CBLAS_LIBRARIES and
# MSHADOW_CBLAS_INCLUDE_DIRS; both are empty if there is none.
set(MSHADOW_CBLAS_LIBRARIES "")
set(MSHADOW_CBLAS_INCLUDE_DIRS "")

find_package(PkgConfig QUIET)
if(PKG_CONFIG_FOUND)
  pkg_check_modules(MSHADOW_OPENBLAS QUIET openblas)
endif()
if(MSHADOW_OPENBLAS_FOUND)
  set(_mshadow_blas_libraries ${MSHADOW_OPENBLAS_LINK_LIBRARIES})
  set(_mshadow_blas_hints ${MSHADOW_OPENBLAS_INCLUDE_DIRS})
else()
  find_package(BLAS QUIET)
  set(_mshadow_blas_libraries ${BLAS_LIBRARIES})
  set(_mshadow_blas_hints "")
endif()
# A library that is loaded beside others, as in Python, has its own copy.
option(MSHADOW_BLAS_STATIC "Link OpenBLAS's static library" OFF)
if(MSHADOW_BLAS_STATIC)
  find_library(MSHADOW_OPENBLAS_ARCHIVE libopenblas.a HINTS ${MSHADOW_OPENBLAS_LIBRARY_DIRS}
               PATH_SUFFIXES openblas-pthread)
  mark_as_advanced(MSHADOW_OPENBLAS_ARCHIVE)
  if(NOT MSHADOW_OPENBLAS_ARCHIVE)
    message(FATAL_ERROR "MSHADOW_BLAS_STATIC: there is no libopenblas.a")
  endif()
  set(_mshadow_blas_libraries ${MSHADOW_OPENBLAS_ARCHIVE} Threads::Threads ${CMAKE_DL_LIBS} m)
endif()
find_path(MSHADOW_CBLAS_INCLUDE_DIR cblas.h HINTS ${_mshadow_blas_hints}
          PATH_SUFFIXES openblas openblas-pthread)
mark_as_advanced(MSHADOW_CBLAS_INCLUDE_DIR)

if(_mshadow_blas_libraries AND MSHADOW_CBLAS_INCLUDE_DIR)
  include(CheckCXXSourceCompiles)
  set(CMAKE_REQUIRED_LIBRARIES ${_mshadow_blas_libraries})
  set(CMAKE_REQUIRED_INCLUDES ${MSHADOW_CBLAS_INCLUDE_DIR})
  check_cxx_source_compiles("#include <cblas.h>
int main() {
  float a = 1, c = 0;
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, 1, 1, 1, 1, &a, 1, &a, 1, 0, &c, 1);
  return c == 1 ? 0 : 1;
}" MSHADOW_CBLAS_WORKS)
  unset(CMAKE_REQUIRED_LIBRARIES)
  unset(CMAKE_REQUIRED_INCLUDES)
endif()
if(MSHADOW_CBLAS_WORKS)
  set(MSHADOW_CBLAS_LIBRARIES ${_mshadow_blas_libraries})
  set(MSHADOW_CBLAS_INCLUDE_DIRS ${MSHADOW_CBLAS_INCLUDE_DIR})
else()
  message(STATUS "No library with the CBLAS interface: matrix products use plain loops")
endif()
