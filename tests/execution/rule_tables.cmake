# SPDX-License-Identifier: Apache-2.0
# What the execution tests and the benchmarks share: every rule of a target by name.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/../by_clang.cmake)

add_library(execution_support STATIC ${CMAKE_CURRENT_LIST_DIR}/arguments.cc
                                     ${CMAKE_CURRENT_LIST_DIR}/fenced_memory.cc)
target_include_directories(execution_support PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(execution_support PUBLIC mshadow::runtime)

# rule_tables(<name> <kernels> <header> <rules> [DIMS <d,d,...>] [LATER_DIMS <d,d,...>] [FLOAT_ONLY]):
# a library with the FusedRules and UnfusedRules of a target of add_mshadow_kernels, at these ranks
# (default: 1,2,3,4; a rule's instances after its first: 2), of all element types or of float alone.
function(rule_tables name kernels header rules)
  cmake_parse_arguments(PARSE_ARGV 4 arg FLOAT_ONLY "DIMS;LATER_DIMS" "")
  if(NOT arg_LATER_DIMS)
    set(arg_LATER_DIMS 2)
  endif()
  foreach(variant fused unfused)
    add_library(${name}_${variant} OBJECT ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/rules.cc)
    target_link_libraries(${name}_${variant} PRIVATE ${kernels} execution_support)
    target_compile_definitions(${name}_${variant} PRIVATE MSHADOW_TEST_HEADER="${header}"
                                                          MSHADOW_TEST_RULES=${rules})
    if(NOT MSHADOW_TEST_PART STREQUAL "ranks")
      target_compile_definitions(${name}_${variant}
                                 PRIVATE MSHADOW_TEST_LATER_DIMS=${arg_LATER_DIMS})
    endif()
    if(arg_DIMS)
      target_compile_definitions(${name}_${variant} PRIVATE MSHADOW_TEST_DIMS=${arg_DIMS})
    endif()
    if(arg_FLOAT_ONLY)
      target_compile_definitions(${name}_${variant} PRIVATE MSHADOW_TEST_FLOAT_ONLY=true)
    endif()
  endforeach()
  target_compile_definitions(${name}_unfused PRIVATE MSHADOW_UNFUSED)
  add_library(${name} INTERFACE)
  target_link_libraries(${name} INTERFACE ${kernels} execution_support)
  target_sources(${name} INTERFACE $<TARGET_OBJECTS:${name}_fused> $<TARGET_OBJECTS:${name}_unfused>)
endfunction()

# fast_to_compile(<target> <level>): expression templates by the hundred, at this level of
# optimisation and without forced inlining. Not for files with regions of instruction sets: packets
# must be inlined, since GCC does not take a function's target into account where it passes them.
function(fast_to_compile target level)
  target_compile_options(${target} PRIVATE ${level})
  target_compile_definitions(${target} PRIVATE MSHADOW_XINLINE=inline)
endfunction()
fast_to_compile(execution_support -O1)

# quick_tables(<name>): tables without optimisation, which takes GCC four times as long for what runs
# for seconds. The compiler matrix compares levels.
function(quick_tables name)
  fast_to_compile(${name}_fused -O0)
  fast_to_compile(${name}_unfused -O0)
  by_clang(${name}_unfused)
endfunction()
