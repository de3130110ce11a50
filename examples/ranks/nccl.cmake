# SPDX-License-Identifier: Apache-2.0
# Defines the target ranks_nccl where CUDA is in use and NCCL is found. NCCL comes with NVIDIA's
# packages, or from PyPI (nvidia-nccl-cu12): -DNCCL_ROOT=<site-packages>/nvidia/nccl.
if(NOT CMAKE_CUDA_COMPILER_LOADED)
  return()
endif()
find_package(CUDAToolkit QUIET)
find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES include)
find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS ${NCCL_ROOT} ENV NCCL_ROOT PATH_SUFFIXES lib)
mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
if(NOT NCCL_INCLUDE_DIR OR NOT NCCL_LIBRARY)
  message(STATUS "examples/ranks: without NCCL, which was not found (-DNCCL_ROOT=DIR names its place)")
  return()
endif()
add_library(ranks_nccl INTERFACE)
target_include_directories(ranks_nccl SYSTEM INTERFACE ${NCCL_INCLUDE_DIR})
target_link_libraries(ranks_nccl INTERFACE ${NCCL_LIBRARY} CUDA::cudart_static)
