// SPDX-License-Identifier: Apache-2.0
#include <mshadow/kernel.h>

namespace errors {
using namespace mshadow;
using namespace mshadow::expr;

constexpr int Forever() {  // expected-error [cxx] {{never produces a constant expression}}
  int n = 0;
  while (n >= 0) n = 0;  // expected-note {{constexpr evaluation hit maximum step limit}}
  return n;
}
constexpr int kForever = Forever();  // expected-error [cxx] {{must be initialized by a constant expression}}
}  // namespace errors
