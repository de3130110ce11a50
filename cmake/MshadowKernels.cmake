# SPDX-License-Identifier: Apache-2.0
#[[
add_mshadow_kernels(): a library of fused kernels from spec files. docs/manual/cmake.md is its manual.

    add_mshadow_kernels(<target>
      SPECS <file>...                 # C++ spec files, required
      [TYPE STATIC|OBJECT|SHARED]     # default STATIC
      [NAMESPACE <ns::ns>]            # wraps the outputs; default: a kernel lives in its spec's namespace
      [OUTPUT_NAME <base>]            # the header is <base>.h; default <target>
      [OUTPUT_DIR <dir>]              # inside the binary directory; default <target>.gen
      [HEADER_PREFIX <dir>]           # #include "<dir>/<base>.h"
      [ISA <isa>...]                  # baseline avx2 avx512; default: all
      [DTYPES <type>...]              # only these element types; default: what the specs instantiate
      [CUDA AUTO|ON|OFF]              # AUTO: if the project has enabled the CUDA language
      [EMIT <kind>...]                # further outputs: blob c ir python report_html report_json
      [VENDORED <dir>]                # the outputs are checked in there; building takes no generator
      [INCLUDE_DIRECTORIES <dir>...]  # for the specs
      [COMPILE_DEFINITIONS <def>...]  # for the specs
      [LINK_LIBRARIES <target>...]    # their include directories and definitions, for the specs
      [NUMERICS STRICT|CORRECT|CONTRACT|FAST]  # the same bits everywhere, or bounds of the error
      [LICENSE_HEADER <file>]         # put at the top of headers and sources
      [OPTIONS <flag>...]             # for mshadow-gen
      [DEPENDS <file-or-target>...]   # generate after these, and again when they change
      [NO_CHECK_TEST])                # no ctest that compares VENDORED with the specs
]]
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20...3.31)

include(${CMAKE_CURRENT_LIST_DIR}/MshadowKernelsArguments.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MshadowKernelsGenerator.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MshadowKernelsManifest.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/MshadowKernelsTargets.cmake)
option(MSHADOW_VENDORED_STRICT "Vendored sources that do not fit their specs are an error" OFF)

function(add_mshadow_kernels target)
  set(_MSHADOW_CMAKE_DIR ${CMAKE_CURRENT_FUNCTION_LIST_DIR})
  set(switches NO_CHECK_TEST)
  set(one TYPE NAMESPACE OUTPUT_NAME OUTPUT_DIR HEADER_PREFIX CUDA VENDORED NUMERICS LICENSE_HEADER)
  set(many SPECS ISA DTYPES EMIT INCLUDE_DIRECTORIES COMPILE_DEFINITIONS LINK_LIBRARIES OPTIONS
           DEPENDS)
  cmake_parse_arguments(PARSE_ARGV 1 arg "${switches}" "${one}" "${many}")
  _mshadow_check_arguments()
  _mshadow_choose_root()
  _mshadow_choose_cuda(${target} "${arg_CUDA}" cuda)
  _mshadow_read_specs(${target} specs stems ${arg_SPECS})

  set(manifest ${dir}/${arg_OUTPUT_NAME}.manifest)
  set(headers ${dir}/${arg_OUTPUT_NAME}.h)
  set(sources "")
  set(kernels "")
  set(loops "")
  foreach(stem IN LISTS stems)
    list(APPEND headers ${dir}/${stem}.gen.h ${dir}/${stem}.map.inc)
    list(APPEND sources ${dir}/${stem}.gen.cc)
    list(APPEND loops ${dir}/${stem}.loop.inc)
    list(APPEND kernels ${dir}/${stem}.gen.cu)
  endforeach()
  _mshadow_extra_outputs()
  set(outputs ${headers} ${sources} ${loops} ${kernels} ${extra} ${manifest})

  _mshadow_make_flags()
  _mshadow_make_cxxflags()
  set(gen_args --path-base=${PROJECT_SOURCE_DIR} ${flags} ${arg_OPTIONS} ${specs} -- ${cxxflags})
  _mshadow_find_gen(gen gen_depends)
  if(vendored)
    _mshadow_add_vendored()
  elseif(gen)
    _mshadow_add_command()
  else()
    _mshadow_no_gen(${target})
  endif()
  _mshadow_add_library()
  _mshadow_add_spec()
  _mshadow_add_report()
endfunction()

cmake_policy(POP)
