// SPDX-License-Identifier: Apache-2.0
// Logging where nothing includes <ostream>: compiled without the precompiled headers of the tests.
#include <mshadow/api.h>

namespace testing_runtime {

namespace {
enum Kind { kFirst, kSecond };
struct Constants {
  static const int kUndefined = 7;  // no definition: to be printed by value
};
}  // namespace

std::string LightText() {
  const std::string text = "text";
  char letters[] = "letters";
  char *pointer = letters;
  const void *const null = nullptr;
  try {
    LOG(FATAL) << text << ' ' << letters << ' ' << pointer << ' ' << 1.5f << ' ' << -2L << ' '
               << true << ' ' << null << ' ' << nullptr << ' ' << kSecond << ' '
               << Constants::kUndefined << ' ' << mshadow::half::half_t(0.5f) << ' ' << int8_t{'a'}
               << ' ' << mshadow::Shape2(1, 2) << ' ' << mshadow::TShape(mshadow::Shape1(3));
  } catch (const dmlc::Error &error) {
    return error.what();
  }
  return "";
}

std::string LightComparison() {
  try {
    CHECK_EQ(mshadow::kFloat32, mshadow::kFloat64) << "kinds";
  } catch (const std::runtime_error &error) {
    return error.what();
  }
  return "";
}

}  // namespace testing_runtime
