// SPDX-License-Identifier: Apache-2.0
// Prints a hash of every function's results, which must not depend on the compiler, its flags or
// the region: bits.sh compares it with tests/bits/functions.txt. Fails where two regions differ.
#define MSHADOW_TEST_CASES "bits_cases.inc"
#define MSHADOW_TEST_SUITE Bits
#include <cstdio>
#include <memory>

#include "regions.inc"

namespace packet_test {
namespace {

/// FNV-1a.
uint64_t Hash(const std::string &bytes) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char byte : bytes) {
    hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001b3;
  }
  return hash;
}

}  // namespace
}  // namespace packet_test

int main(int argc, char **argv) {
  testing::InitGoogleTest(&argc, argv);
  testing::GTEST_FLAG(brief) = true;
  for (const auto &[name, elements] : packet_test::Expected()) {
    std::printf("%016llx %s\n", static_cast<unsigned long long>(packet_test::Hash(elements.bytes)),
                name.c_str());
  }
  std::fflush(stdout);
  return RUN_ALL_TESTS();
}
