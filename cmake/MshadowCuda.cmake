# SPDX-License-Identifier: Apache-2.0
# Enables the CUDA language where MSHADOW_USE_CUDA asks for it. A consumer's project decides for
# itself: as a subproject AUTO never enables a language.
if(MSHADOW_USE_CUDA STREQUAL "OFF" OR CMAKE_CUDA_COMPILER_LOADED)
  return()
endif()
if(MSHADOW_USE_CUDA STREQUAL "AUTO" AND NOT MSHADOW_TOP_LEVEL)
  return()
endif()

# nvcc is often installed but not in PATH.
if(NOT CMAKE_CUDA_COMPILER AND NOT DEFINED ENV{CUDACXX})
  find_program(MSHADOW_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
  mark_as_advanced(MSHADOW_NVCC)
  if(MSHADOW_NVCC)
    set(CMAKE_CUDA_COMPILER ${MSHADOW_NVCC})
  endif()
endif()
# One real architecture keeps the build cheap and its PTX runs on every later GPU. CMake's own
# default may be older than anything the installed nvcc supports.
if(NOT DEFINED CMAKE_CUDA_ARCHITECTURES AND NOT DEFINED ENV{CUDAARCHS})
  set(CMAKE_CUDA_ARCHITECTURES 80 CACHE STRING "CUDA architectures")
endif()

if(MSHADOW_USE_CUDA STREQUAL "ON")
  enable_language(CUDA)
else()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
  else()
    message(STATUS "CUDA parts are not built: no nvcc")
  endif()
endif()
if(CMAKE_CUDA_COMPILER_LOADED AND NOT DEFINED CMAKE_CUDA_STANDARD)
  set(CMAKE_CUDA_STANDARD 17)
  set(CMAKE_CUDA_STANDARD_REQUIRED ON)
endif()
