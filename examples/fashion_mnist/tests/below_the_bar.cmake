# SPDX-License-Identifier: Apache-2.0
# cmake -D DEMO=fashion_mnist -P below_the_bar.cmake: a demo that learns nothing must fail.
execute_process(COMMAND ${DEMO} --quick --set lr=0 RESULT_VARIABLE status OUTPUT_QUIET
                ERROR_VARIABLE errors)
if(status EQUAL 3)
  message("SKIPPED: ${errors}")
elseif(NOT status EQUAL 1 OR NOT errors MATCHES "the test accuracy is 0.[0-9]+, expected at least")
  message(FATAL_ERROR "expected status 1 and the accuracy, got ${status} and: ${errors}")
endif()
