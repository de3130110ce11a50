# SPDX-License-Identifier: Apache-2.0
# oracle(<name> <tables> <kernels>): the fused rules of a target against the interpreter.
function(oracle name tables kernels)
  get_target_property(specs ${kernels} MSHADOW_SPECS)
  set(ir ${CMAKE_CURRENT_BINARY_DIR}/${name}.ir)
  # The dump goes to stderr; nothing is written with --dry-run.
  add_custom_command(
    OUTPUT ${ir}
    COMMAND mshadow-gen generate --dry-run --dump-after=merge_instances --name=${name}
            -o ${CMAKE_CURRENT_BINARY_DIR}/${name}.gen --path-base=${PROJECT_BINARY_DIR} ${specs}
            -- -I${PROJECT_SOURCE_DIR} > ${ir}.plan 2> ${ir}
    DEPENDS mshadow-gen ${specs}
    COMMENT "mshadow-gen: what the rules of ${kernels} mean"
    VERBATIM)
  add_executable(${name} ${CMAKE_CURRENT_FUNCTION_LIST_DIR}/oracle_test.cc ${ir})
  target_link_libraries(${name} PRIVATE ${tables} rule_interpreter GTest::gtest_main)
  gtest_discover_tests(
    ${name}
    TEST_PREFIX ${name}.
    DISCOVERY_MODE PRE_TEST
    PROPERTIES LABELS execution ENVIRONMENT "MSHADOW_TEST_IR=${ir}" TIMEOUT 300)
endfunction()
