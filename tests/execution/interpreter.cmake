# SPDX-License-Identifier: Apache-2.0
# rule_interpreter: the reference meaning of RuleIR, and its own tests.
add_library(rule_interpreter STATIC
  ${CMAKE_CURRENT_LIST_DIR}/checked_argument.cc
  ${CMAKE_CURRENT_LIST_DIR}/drawn_array.cc
  ${CMAKE_CURRENT_LIST_DIR}/estimate.cc
  ${CMAKE_CURRENT_LIST_DIR}/estimate_float.cc
  ${CMAKE_CURRENT_LIST_DIR}/estimate_integer.cc
  ${CMAKE_CURRENT_LIST_DIR}/interpreter.cc
  ${CMAKE_CURRENT_LIST_DIR}/made_arrays.cc
  ${CMAKE_CURRENT_LIST_DIR}/moved_array.cc
  ${CMAKE_CURRENT_LIST_DIR}/program.cc
  ${CMAKE_CURRENT_LIST_DIR}/product.cc
  ${CMAKE_CURRENT_LIST_DIR}/reduced_array.cc
  ${CMAKE_CURRENT_LIST_DIR}/row_reduction.cc
  ${CMAKE_CURRENT_LIST_DIR}/rounding.cc
  ${CMAKE_CURRENT_LIST_DIR}/saved.cc
  ${CMAKE_CURRENT_LIST_DIR}/scatter.cc
  ${CMAKE_CURRENT_LIST_DIR}/sorted_rows.cc
  ${CMAKE_CURRENT_LIST_DIR}/view_reader.cc
  ${CMAKE_CURRENT_LIST_DIR}/workspaces.cc)
target_include_directories(rule_interpreter PUBLIC ${CMAKE_CURRENT_LIST_DIR})
target_link_libraries(rule_interpreter PUBLIC mgen_ir)

add_executable(interpreter_test ${CMAKE_CURRENT_LIST_DIR}/interpreter_test.cc)
target_link_libraries(interpreter_test PRIVATE rule_interpreter mgen_passes GTest::gtest_main)
discover_tests(interpreter_test PROPERTIES LABELS execution)
