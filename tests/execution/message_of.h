// SPDX-License-Identifier: Apache-2.0
// What a launch throws, for tests of misuse.
#ifndef MSHADOW_TESTS_EXECUTION_MESSAGE_OF_H_
#define MSHADOW_TESTS_EXECUTION_MESSAGE_OF_H_

#include <mshadow/detail/exception.h>

#include <string>

namespace mshadow_test {

/// The message of what `run` throws; "nothing" if it throws nothing.
template <typename Run>
std::string MessageOf(const Run &run) {
  try {
    run();
  } catch (const mshadow::Error &error) {
    return error.what();
  }
  return "nothing";
}

}  // namespace mshadow_test

#endif  // MSHADOW_TESTS_EXECUTION_MESSAGE_OF_H_
