#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each header of the runtime compiles alone and without warnings; with __MSHADOW_GEN__ defined
# kernel.h includes no header but the runtime's own (and the one that compilers include unasked).
# tensor.h costs at most 0.35 of mshadow's to parse (scripts/bench --header-cost): with GCC's
# library, so many lines.
# Expressions of users' compile with Clang, too, if there is one.
# Usage: headers.sh SOURCE_DIR COMPILER
set -u
include_dir=$1/runtime/include
compiler=$2

check() {
  echo "#include <$1>" | "$compiler" -std=c++17 -Wall -Wextra -Wconversion -Werror -I"$include_dir" \
    -fsyntax-only -x c++ - || echo "FAILED: $1"
}
export -f check
export compiler include_dir

# gen_*.h are the generator's; cuda/ needs the CUDA toolkit; strict_push.h and strict_pop.h
# are halves of one thing.
log=$(cd "$include_dir" && find mshadow -name '*.h' ! -path '*/cuda/*' ! -name 'strict_p*.h' \
  ! -name gen_instantiate.h ! -name gen_index.h ! -name gen_views.h | sort | xargs -P2 -I{} bash -c 'check {}' 2>&1)
status=0
if [ -n "$log" ]; then
  echo "$log" | head -n 40
  status=1
fi

foreign=$(echo "#include <mshadow/kernel.h>" |
  "$compiler" -std=c++17 -D__MSHADOW_GEN__ -I"$include_dir" -M -x c++ - |
  tr ' \\' '\n\n' | grep '\.' | grep -v -e "^$include_dir/" -e '/stdc-predef\.h$' -e '\.o:$' -e '^-\.o')
if [ -n "$foreign" ]; then
  echo "kernel.h includes, when the generator parses it:"
  echo "$foreign"
  status=1
fi

clang=$(compgen -c clang++ | sort -V | tail -n 1)
user_test=$(dirname "$0")/extension_user_test.cc
if [ -n "$clang" ] && ! log=$("$clang" -std=c++17 -I"$include_dir" -fsyntax-only "$user_test" 2>&1); then
  echo "$clang does not compile $user_test:"
  echo "$log" | head -n 20
  status=1
fi

lines=$(echo "#include <mshadow/tensor.h>" |
  "$compiler" -std=c++17 -I"$include_dir" -E -x c++ - | wc -l)
if [ "$lines" -gt 37500 ]; then
  echo "tensor.h is $lines preprocessed lines: at most 37500"
  status=1
fi
exit $status
