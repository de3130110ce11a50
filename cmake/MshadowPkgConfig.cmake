# SPDX-License-Identifier: Apache-2.0
# mshadow-kernels.pc, for builds without CMake. The runtime is a static library: whatever it is
# linked with stands in Libs.

# "/usr/lib/x86_64-linux-gnu/libopenblas.so" → "-lopenblas" where the linker looks by itself.
function(_mshadow_link_flag library result)
  get_filename_component(directory "${library}" DIRECTORY)
  get_filename_component(name "${library}" NAME)
  set(flag "${library}")
  if(directory IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES AND name MATCHES "^lib(.*)\\.(so|a)$")
    set(flag "-l${CMAKE_MATCH_1}")
  endif()
  set(${result} "${flag}" PARENT_SCOPE)
endfunction()

set(_mshadow_flags "")
foreach(library IN LISTS _mshadow_libraries)
  if(library STREQUAL "Threads::Threads")
    list(APPEND _mshadow_flags -pthread)
  elseif(library STREQUAL "OpenMP::OpenMP_CXX")
    # By name: -fopenmp would be the user's compiler's own library.
    foreach(name IN LISTS OpenMP_CXX_LIB_NAMES)
      list(APPEND _mshadow_flags -l${name})
    endforeach()
  elseif(library STREQUAL "CUDA::cudart_static")
    find_package(CUDAToolkit REQUIRED)
    list(APPEND _mshadow_flags -L${CUDAToolkit_LIBRARY_DIR} -lcudart_static -ldl -lrt)
  elseif(library MATCHES "^CUDA::(cublas|cublasLt|curand)$")
    list(APPEND _mshadow_flags -l${CMAKE_MATCH_1})
  elseif(library MATCHES "::")
    message(FATAL_ERROR "mshadow-kernels.pc: how is ${library} linked?")
  else()
    _mshadow_link_flag("${library}" flag)
    list(APPEND _mshadow_flags ${flag})
  endif()
endforeach()
list(JOIN _mshadow_flags " " MSHADOW_PC_LIBS)
file(RELATIVE_PATH MSHADOW_PC_PREFIX /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" MSHADOW_PC_PREFIX "${MSHADOW_PC_PREFIX}")
configure_file(${CMAKE_CURRENT_LIST_DIR}/mshadow-kernels.pc.in mshadow-kernels.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/mshadow-kernels.pc COMPONENT dev
        DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
