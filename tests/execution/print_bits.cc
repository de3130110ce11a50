// SPDX-License-Identifier: Apache-2.0
// print_bits: a line "rule fused-hash unfused-hash" for every rule and instance of a target, over
// fixed data. The compiler matrix compares these lines between builds; tests/bits/rules.txt
// keeps them between versions.
#include <mshadow/emitted/fused.h>

#include <cstdio>

#include "arguments.h"

namespace mshadow_test {

// literal_calls.cc, where a target has one: hashes of rules called with literal scalars.
#ifdef MSHADOW_TEST_LITERAL_CALLS
uint64_t FusedLiteralCalls();
uint64_t UnfusedLiteralCalls();
#endif

namespace {

const Layout kLayouts[] = {{1, 1, 257, 0, 0}, {2, 7, 45, 0, 3}, {2, 5, 33, 2, 1}, {3, 6, 19, 1, 0}};

uint64_t Bits(const RuleEntry &rule) {
  uint64_t hash = 0;
  for (uint64_t seed = 0; seed < 4; ++seed) {
    for (Layout layout : kLayouts) {
      // Matrices of the same rows, where the table has no such rank of the instance.
      if (rule.call[layout.dim] == nullptr) layout.dim = 2;
      Arguments arguments(rule, layout);
      arguments.Fill(seed % 2 == 0 ? Data::kMixed : Data::kTame, seed);
      arguments.PickScalars(seed);
      arguments.Call(rule);
      hash = (hash ^ arguments.Hash()) * 0x9e3779b97f4a7c15u;
    }
  }
  return hash;
}

void PrintBits() {
  const RuleTable fused = FusedRules(), unfused = UnfusedRules();
  for (size_t i = 0; i < fused.size(); ++i) {
    if (fused[i].info->products > 0) continue;  // the BLAS of the machine decides
    std::printf("%s %016llx %016llx\n", fused[i].Name().c_str(),
                static_cast<unsigned long long>(Bits(fused[i])),
                static_cast<unsigned long long>(Bits(unfused[i])));
  }
#ifdef MSHADOW_TEST_LITERAL_CALLS
  std::printf("literal_calls %016llx %016llx\n",
              static_cast<unsigned long long>(FusedLiteralCalls()),
              static_cast<unsigned long long>(UnfusedLiteralCalls()));
#endif
}

}  // namespace
}  // namespace mshadow_test

int main() {
  mshadow_test::PrintBits();
  return 0;
}
