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
      [ISA <isa>...]                  # baseline avx2 avx512; default: all of the target processor
      [DTYPES <type>...]              # only these element types; default: what the specs instantiate
      [CUDA AUTO|ON|OFF]              # AUTO: if the project has enabled the CUDA language
      [INCLUDE_DIRECTORIES <dir>...]  # for the specs
      [COMPILE_DEFINITIONS <def>...]  # for the specs
      [LICENSE_HEADER <file>]         # put at the top of every output
      [OPTIONS <flag>...]             # for mshadow-gen
      [DEPENDS <file-or-target>...])  # generate after these, and again when they change
]]
include_guard(GLOBAL)
cmake_policy(PUSH)
cmake_policy(VERSION 3.20)

set(MSHADOW_GEN "" CACHE FILEPATH "mshadow-gen to run; empty: the one that this project builds")
mark_as_advanced(MSHADOW_GEN)

# How to run the generator, and what to depend on so that a new generator generates anew.
function(_mshadow_find_gen command depends)
  if(MSHADOW_GEN)
    get_property(checked GLOBAL PROPERTY _MSHADOW_CHECKED_GEN)
    if(NOT checked STREQUAL MSHADOW_GEN)
      execute_process(COMMAND ${MSHADOW_GEN} --version --format=json
        OUTPUT_VARIABLE version ERROR_VARIABLE error RESULT_VARIABLE status)
      if(NOT status EQUAL 0)
        message(FATAL_ERROR "MSHADOW_GEN='${MSHADOW_GEN}' does not run: ${status} ${error}")
      endif()
      set(protocol 1)  # kProtocol of generator/driver/version.h
      string(REGEX MATCH "\"protocol\": *([0-9]+)" matched "${version}")
      if(NOT CMAKE_MATCH_1 EQUAL protocol)
        message(FATAL_ERROR "MSHADOW_GEN='${MSHADOW_GEN}' speaks protocol '${CMAKE_MATCH_1}', "
                            "add_mshadow_kernels() speaks ${protocol}; use the generator "
                            "of the same release")
      endif()
      set_property(GLOBAL PROPERTY _MSHADOW_CHECKED_GEN ${MSHADOW_GEN})
    endif()
    set(${command} ${MSHADOW_GEN} PARENT_SCOPE)
    set(${depends} ${MSHADOW_GEN} PARENT_SCOPE)
  elseif(TARGET mshadow-gen)
    set(${command} $<TARGET_FILE:mshadow-gen> PARENT_SCOPE)
    set(${depends} mshadow-gen PARENT_SCOPE)
  else()
    message(FATAL_ERROR "add_mshadow_kernels() needs mshadow-gen: set MSHADOW_BUILD_GEN=ON (it takes "
                        "Clang's development files) or MSHADOW_GEN to the path of one")
  endif()
endfunction()

# Turns SPECS into absolute paths and their stems, which name the outputs.
function(_mshadow_read_specs target specs stems)
  set(paths "")
  set(names "")
  foreach(spec IN LISTS ARGN)
    get_filename_component(path "${spec}" ABSOLUTE)
    get_source_file_property(generated "${path}" GENERATED)
    if(NOT EXISTS "${path}" AND NOT generated)
      message(FATAL_ERROR "add_mshadow_kernels(${target}): there is no spec '${spec}'")
    endif()
    get_filename_component(stem "${path}" NAME_WLE)
    if(NOT stem MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
      message(FATAL_ERROR "add_mshadow_kernels(${target}): outputs are named after the spec, so "
                          "'${stem}' must be an identifier")
    endif()
    if(stem IN_LIST names)
      message(FATAL_ERROR "add_mshadow_kernels(${target}): two specs are called '${stem}'; their "
                          "outputs would have one name")
    endif()
    list(APPEND paths "${path}")
    list(APPEND names "${stem}")
  endforeach()
  set(${specs} "${paths}" PARENT_SCOPE)
  set(${stems} "${names}" PARENT_SCOPE)
endfunction()

function(_mshadow_choose_cuda target choice result)
  if("${choice}" STREQUAL "")  # not if(NOT ...): OFF is a choice
    set(choice AUTO)
  endif()
  if(NOT choice MATCHES "^(AUTO|ON|OFF)$")
    message(FATAL_ERROR "add_mshadow_kernels(${target}): CUDA is AUTO, ON or OFF, not '${choice}'")
  endif()
  get_property(languages GLOBAL PROPERTY ENABLED_LANGUAGES)
  if(choice STREQUAL "ON" AND NOT "CUDA" IN_LIST languages)
    message(FATAL_ERROR "add_mshadow_kernels(${target}): CUDA ON needs enable_language(CUDA) before")
  endif()
  if(choice STREQUAL "AUTO")
    set(choice OFF)
    if("CUDA" IN_LIST languages)
      set(choice ON)
    endif()
  endif()
  set(${result} ${choice} PARENT_SCOPE)
endfunction()

# Flags that decide names and places belong to the function.
function(_mshadow_check_options target)
  foreach(option IN LISTS ARGN)
    if(option MATCHES "^(-o|@.*|--(output-dir|name|path-base|emit|cuda|stamp|depfile|depfile-list-outputs|dry-run|isa|dtypes|namespace|license-header)(=.*)?|--)$"
       OR option MATCHES "^-o.")
      message(FATAL_ERROR "add_mshadow_kernels(${target}): OPTIONS cannot take '${option}'; what it "
                          "decides has a keyword of its own or is fixed")
    endif()
  endforeach()
endfunction()

# Checks arg_* of add_mshadow_kernels and fills in what was left out.
macro(_mshadow_check_arguments)
  set(where "add_mshadow_kernels(${target}):")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "${where} unknown arguments: ${arg_UNPARSED_ARGUMENTS} "
                        "(known keywords: ${one};${many})")
  endif()
  if(arg_KEYWORDS_MISSING_VALUES)
    message(FATAL_ERROR "${where} no value for: ${arg_KEYWORDS_MISSING_VALUES}")
  endif()
  if(NOT arg_SPECS)
    message(FATAL_ERROR "${where} SPECS is missing")
  endif()
  if(NOT arg_TYPE)
    set(arg_TYPE STATIC)
  elseif(NOT arg_TYPE MATCHES "^(STATIC|OBJECT|SHARED)$")
    message(FATAL_ERROR "${where} TYPE is STATIC, OBJECT or SHARED, not '${arg_TYPE}'")
  endif()
  if(NOT arg_OUTPUT_NAME)
    set(arg_OUTPUT_NAME ${target})
  endif()
  if(NOT arg_OUTPUT_NAME MATCHES "^[A-Za-z_][A-Za-z0-9_]*$")
    message(FATAL_ERROR "${where} OUTPUT_NAME must be an identifier, not '${arg_OUTPUT_NAME}'")
  endif()
  if(IS_ABSOLUTE "${arg_HEADER_PREFIX}" OR arg_HEADER_PREFIX MATCHES "(^|/)\\.\\.(/|$)")
    message(FATAL_ERROR "${where} HEADER_PREFIX is a path below the output directory")
  endif()
  if(NOT arg_OUTPUT_DIR)
    set(arg_OUTPUT_DIR ${target}.gen)
  endif()
  get_filename_component(root "${arg_OUTPUT_DIR}" ABSOLUTE BASE_DIR ${CMAKE_CURRENT_BINARY_DIR})
  string(FIND "${root}/" "${CMAKE_BINARY_DIR}/" position)
  if(NOT position EQUAL 0)
    message(FATAL_ERROR "${where} OUTPUT_DIR must be inside the binary directory")
  endif()
  if(NOT arg_ISA)
    set(arg_ISA baseline)
    if(CMAKE_SYSTEM_PROCESSOR MATCHES "^(x86_64|AMD64|amd64)$")
      set(arg_ISA baseline avx2 avx512)
    endif()
  endif()
  _mshadow_check_options(${target} ${arg_OPTIONS})
endmacro()

# Sets flags and cxxflags, for mshadow-gen, and license, from arg_*.
macro(_mshadow_make_flags)
  # The .gen.cu is always written: outputs do not depend on the machine's having nvcc.
  set(flags --emit=header,cpu,cuda,manifest)
  foreach(list ISA DTYPES)
    if(arg_${list})
      string(TOLOWER ${list} flag)
      string(REPLACE ";" "," value "${arg_${list}}")
      list(APPEND flags --${flag}=${value})
    endif()
  endforeach()
  if(arg_NAMESPACE)
    list(APPEND flags --namespace=${arg_NAMESPACE})
  endif()
  set(license "")
  if(arg_LICENSE_HEADER)
    get_filename_component(license "${arg_LICENSE_HEADER}" ABSOLUTE)
    list(APPEND flags --license-header=${license})
  endif()
  if(CMAKE_GENERATOR MATCHES "Makefiles")
    # A deleted output is made again; in Ninja, which knows byproducts, this would be a cycle.
    list(APPEND flags --depfile-list-outputs)
  endif()
  set(cxxflags "")
  foreach(include IN LISTS arg_INCLUDE_DIRECTORIES)
    if(NOT include MATCHES "\\$<")
      get_filename_component(include "${include}" ABSOLUTE)
    endif()
    list(APPEND cxxflags -I${include})
  endforeach()
  foreach(definition IN LISTS arg_COMPILE_DEFINITIONS)
    string(REGEX REPLACE "^-D" "" definition "${definition}")
    list(APPEND cxxflags -D${definition})
  endforeach()
endmacro()

# Adds the command that generates, and <target>_codegen, which drives it.
macro(_mshadow_add_command)
  _mshadow_find_gen(gen gen_depends)
  set(stamp ${root}/${arg_OUTPUT_NAME}.stamp)
  set(depfile ${root}/${arg_OUTPUT_NAME}.d)
  # The stamp is always touched, the outputs only when they differ: editing a comment of a spec runs
  # the generator once and compiles nothing.
  add_custom_command(
    OUTPUT ${stamp}
    BYPRODUCTS ${outputs}
    COMMAND ${gen} generate --name=${arg_OUTPUT_NAME} --output-dir=${dir}
            --path-base=${PROJECT_SOURCE_DIR} --stamp=${stamp} --depfile=${depfile}
            ${flags} ${arg_OPTIONS} ${specs} -- ${cxxflags}
    DEPENDS ${specs} ${gen_depends} ${license} ${arg_DEPENDS}
    DEPFILE ${depfile}
    COMMENT "mshadow-gen ${target}"
    VERBATIM COMMAND_EXPAND_LISTS)
  add_custom_target(${target}_codegen DEPENDS ${stamp})
  if(NOT TARGET mshadow_codegen_all)
    add_custom_target(mshadow_codegen_all)
  endif()
  add_dependencies(mshadow_codegen_all ${target}_codegen)
  set_source_files_properties(${outputs} PROPERTIES
    GENERATED ON SKIP_AUTOGEN ON SKIP_UNITY_BUILD_INCLUSION ON SKIP_LINTING ON)
endmacro()

# Adds the library of what was generated.
macro(_mshadow_add_library)
  add_library(${target} ${arg_TYPE} ${sources})
  # For users in other directories, and for Makefiles.
  add_dependencies(${target} ${target}_codegen)
  target_compile_features(${target} PUBLIC cxx_std_17)
  # The path base is for MSHADOW_UNFUSED, with which the headers include the specs.
  target_include_directories(${target} SYSTEM PUBLIC
    $<BUILD_INTERFACE:${root}> $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}>)
  target_link_libraries(${target} PUBLIC mshadow::runtime)
  if(cuda)
    target_sources(${target} PRIVATE ${kernels})
    target_compile_features(${target} PRIVATE cuda_std_17)
    target_compile_definitions(${target} PRIVATE MSHADOW_USE_CUDA=1)
  endif()
  set_target_properties(${target} PROPERTIES
    POSITION_INDEPENDENT_CODE ON
    FOLDER mshadow
    MSHADOW_SPECS "${specs}"
    MSHADOW_OUTPUT_DIR ${dir}
    MSHADOW_HEADER ${dir}/${arg_OUTPUT_NAME}.h
    MSHADOW_OUTPUTS "${outputs}"
    MSHADOW_MANIFEST ${dir}/${arg_OUTPUT_NAME}.manifest
    MSHADOW_ISA "${arg_ISA}"
    MSHADOW_CUDA ${cuda})
endmacro()

function(add_mshadow_kernels target)
  set(one TYPE NAMESPACE OUTPUT_NAME OUTPUT_DIR HEADER_PREFIX CUDA LICENSE_HEADER)
  set(many SPECS ISA DTYPES INCLUDE_DIRECTORIES COMPILE_DEFINITIONS OPTIONS DEPENDS)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "${one}" "${many}")
  _mshadow_check_arguments()
  _mshadow_choose_cuda(${target} "${arg_CUDA}" cuda)
  _mshadow_read_specs(${target} specs stems ${arg_SPECS})

  set(dir ${root})
  if(arg_HEADER_PREFIX)
    set(dir ${root}/${arg_HEADER_PREFIX})
  endif()
  set(outputs ${dir}/${arg_OUTPUT_NAME}.h ${dir}/${arg_OUTPUT_NAME}.manifest)
  set(sources "")
  set(kernels "")
  foreach(stem IN LISTS stems)
    list(APPEND sources ${dir}/${stem}.gen.cc)
    list(APPEND kernels ${dir}/${stem}.gen.cu)
    list(APPEND outputs ${dir}/${stem}.gen.h ${dir}/${stem}.map.inc ${dir}/${stem}.loop.inc)
  endforeach()
  list(APPEND outputs ${sources} ${kernels})

  _mshadow_make_flags()
  _mshadow_add_command()
  _mshadow_add_library()
endfunction()

cmake_policy(POP)
