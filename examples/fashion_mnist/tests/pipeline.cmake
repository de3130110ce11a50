# SPDX-License-Identifier: Apache-2.0
# cmake -D DEMO=fashion_mnist -P pipeline.cmake: the demo trains with --pipeline, and prints its bytes.
execute_process(COMMAND ${DEMO} --quick --pipeline RESULT_VARIABLE status OUTPUT_VARIABLE output
                ERROR_VARIABLE errors)
if(status EQUAL 3)
  message("SKIPPED: ${errors}")
elseif(NOT status EQUAL 0 OR NOT output MATCHES "42 bytes for each element in 2 passes, against 74 in 7")
  message(FATAL_ERROR "expected status 0 and the bytes, got ${status}, ${errors} and: ${output}")
endif()
