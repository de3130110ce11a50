#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# GCC makes vectors of the loops of assignments at -O2, too, where it looks for them only in loops
# of a constant length: each function of these that multiplies numbers multiplies vectors.
# Usage: vectors.sh SOURCE_DIR COMPILER
set -eu
include_dir=$1/runtime/include
compiler=$2
macros=$("$compiler" -dM -E -x c++ /dev/null)
version=$("$compiler" -dumpversion)
if [[ $macros != *__x86_64__* || $macros == *__clang__* || ${version%%.*} -lt 12 ]]; then
  echo "SKIP: this is about GCC 12 or later for x86-64"
  exit 0
fi

functions=$("$compiler" -std=c++17 -O2 -S -o - -x c++ -I"$include_dir" - <<'EOF' |
#include <mshadow/tensor.h>
using namespace mshadow;
using namespace mshadow::expr;
struct square {
  template <typename T>
  static T Map(T a) { return a * a; }
};
void Maps(Tensor<cpu, 2> y, Tensor<cpu, 2> x, Tensor<cpu, 2, double> z, Tensor<cpu, 2, double> w) {
  y = x * 2.0f;
  y += F<square>(x - 1.0f);
  z *= w;
}
void Slices(Tensor<cpu, 4> a, Tensor<cpu, 4> b) {
  slice<3>(slice<2>(a, 1, 25), 2, 25) = b * 2.0f;
  a = slice<3>(slice<2>(b, 1, 25), 2, 25) * 2.0f;
  slice<1>(a, 1, 3) += slice<1>(b, 1, 3) * b;
  concat<3>(a, b) = b * 2.0f;
  a = crop(b, Shape2(3, 3)) * swapaxis<2, 1>(b);
}
EOF
  awk '/^_ZN.*MapLoop.*:$/ { name = $1; single = packed = 0 }
       name != "" && /\tmuls[sd]\t/ { single = 1 }
       name != "" && /\tmulp[sd]\t/ { packed = 1 }
       /\t\.cfi_endproc/ { if (single || packed) print (packed ? "vectors" : "numbers"), name; name = ""; single = packed = 0 }')
if grep '^numbers' <<<"$functions"; then
  echo "FAILED: no vectors in these functions"
  exit 1
fi
count=$(grep -c '^vectors' <<<"$functions")
if [ "$count" -lt 8 ]; then
  echo "FAILED: $count functions, expected one for each assignment"
  exit 1
fi
echo "$count functions multiply vectors"
