// SPDX-License-Identifier: Apache-2.0
// rulesmith SEED FIRST COUNT: prints a spec of random rules.
#include <cstdlib>
#include <iostream>

#include "rulesmith.h"

int main(int argc, char **argv) {
  if (argc != 4) {
    std::cerr << "usage: rulesmith SEED FIRST COUNT\n";
    return 2;
  }
  std::cout << mshadow_test::RandomSpec(std::strtoull(argv[1], nullptr, 0), std::atoi(argv[2]),
                                        std::atoi(argv[3]));
  return std::cout.good() ? 0 : 1;
}
