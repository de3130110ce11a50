# SPDX-License-Identifier: Apache-2.0
include_guard(GLOBAL)

# by_clang(<target>): compiled by Clang where GCC compiles the rest and there is one. It takes half of
# GCC's time for templates without optimisation; and the two sides of a comparison come from two
# compilers.
find_program(MSHADOW_TEST_CLANG NAMES clang++-19 clang++ DOC "Compiler of some sides of comparisons")
function(by_clang target)
  # Two compilers' sanitizers are no program.
  if(MSHADOW_TEST_CLANG AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    set(with_compiler ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/with_compiler)
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER
      "${with_compiler};${MSHADOW_TEST_CLANG};${CMAKE_CXX_COMPILER_LAUNCHER};--")
    # Clang's -Wconversion holds the one, and libstdc++ of GCC 12 deprecates what it uses itself.
    target_compile_options(${target} PRIVATE -Wno-sign-conversion -Wno-deprecated-declarations)
  endif()
endfunction()
