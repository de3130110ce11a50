# SPDX-License-Identifier: Apache-2.0
# The tests of every table, compiled once.
add_library(oracle_cases OBJECT ${CMAKE_CURRENT_LIST_DIR}/oracle_test.cc
                                ${CMAKE_CURRENT_LIST_DIR}/oracle.cc)
target_link_libraries(oracle_cases PRIVATE execution_support rule_interpreter GTest::gtest)

# oracle(<name> <tables> <kernels> [ULPS <n>]): the fused rules of a target against the interpreter.
# ULPS: of rules that were generated with --numerics=fast, on each instruction set.
function(oracle name tables kernels)
  cmake_parse_arguments(PARSE_ARGV 3 arg "" ULPS "")
  get_target_property(specs ${kernels} MSHADOW_SPECS)
  set(ir ${CMAKE_CURRENT_BINARY_DIR}/${name}.ir)
  # The dump goes to stderr; nothing is written with --dry-run.
  add_custom_command(
    OUTPUT ${ir}
    COMMAND mshadow-gen generate --dry-run --dump-after=check_extents --name=${name}
            -o ${CMAKE_CURRENT_BINARY_DIR}/${name}.gen --path-base=${PROJECT_BINARY_DIR} ${specs}
            -- -I${PROJECT_SOURCE_DIR} > ${ir}.plan 2> ${ir}
    DEPENDS mshadow-gen ${specs}
    COMMENT "mshadow-gen: what the rules of ${kernels} mean"
    VERBATIM)
  set(meaning ${CMAKE_CURRENT_BINARY_DIR}/${name}_meaning.cc)
  file(GENERATE OUTPUT ${meaning} CONTENT
    "namespace mshadow_test {\nextern const char *const kMeaning = \"${ir}\";\n}\n")
  add_executable(${name} ${meaning} ${ir})
  target_link_libraries(${name} PRIVATE ${tables} rule_interpreter GTest::gtest_main)
  if(NOT arg_ULPS)
    target_sources(${name} PRIVATE $<TARGET_OBJECTS:oracle_cases>)
    discover_tests(${name} TEST_PREFIX ${name}. PROPERTIES LABELS execution TIMEOUT 300)
    return()
  endif()
  target_sources(${name} PRIVATE ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/oracle_test.cc
                                 ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/oracle.cc)
  target_compile_definitions(${name} PRIVATE MSHADOW_TEST_ULPS=${arg_ULPS})
  foreach(isa baseline avx2 avx512)
    discover_tests(${name} TEST_PREFIX ${name}. TEST_SUFFIX .${isa}
                   PROPERTIES LABELS execution TIMEOUT 300 ENVIRONMENT MSHADOW_ISA=${isa})
  endforeach()
endfunction()
