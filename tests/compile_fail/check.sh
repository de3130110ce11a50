#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# A case is a file that compiles as it is and must not compile with MUST_FAIL defined. The line
# "// expected: TEXT" names what the compiler must then say, in its only error.
# Usage: check.sh CASE INCLUDE_DIR WORK_DIR COMPILER [FLAGS...]
# CASE "tensor.h" precompiles that header into WORK_DIR for the others.
set -u
case_file=$1 include_dir=$2 work=$3
shift 3
command=("$@" -std=c++17 -I"$work" -I"$include_dir")
if [ "$case_file" = tensor.h ]; then
  mkdir -p "$work/mshadow"
  exec "${command[@]}" -x c++-header "$include_dir/mshadow/tensor.h" -o "$work/mshadow/tensor.h.gch"
fi
command+=(-fsyntax-only "$case_file")

expected=$(sed -n 's|^// expected: ||p' "$case_file")
if [ -z "$expected" ]; then
  echo "$case_file names no expected message"
  exit 1
fi
if ! output=$("${command[@]}" 2>&1); then
  echo "the control does not compile:"
  echo "$output" | head -n 20
  exit 1
fi
if output=$("${command[@]}" -DMUST_FAIL 2>&1); then
  echo "the mistake compiles"
  exit 1
fi
if ! grep -m 1 "error:" <<<"$output" | grep -qF -- "$expected"; then
  echo "the compiler's first error is not \"$expected\":"
  echo "$output" | head -n 20
  exit 1
fi
if [ "$(grep -c "error:" <<<"$output")" != 1 ]; then
  echo "more than one error:"
  grep "error:" <<<"$output"
  exit 1
fi
