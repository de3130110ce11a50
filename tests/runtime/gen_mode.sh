#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# In the generator's parse MSHADOW_INSTANTIATE makes Clang instantiate the rule and every operator in
# it, for each listed tuple of element types.
# Usage: gen_mode.sh SOURCE_DIR
set -u
source_dir=$1
status=0 tried=0

expect() {  # TEXT WHAT: the dump must hold TEXT
  grep -qE -- "$1" <<<"$dump" || { echo "$compiler: $2 is not instantiated"; status=1; }
}

for compiler in clang++ clang++-14 clang++-19; do
  command -v "$compiler" >/dev/null || continue
  tried=1
  dump=$("$compiler" -std=c++17 -D__MSHADOW_GEN__ -I"$source_dir/runtime/include" -fsyntax-only \
    -Xclang -ast-dump -fno-color-diagnostics "$source_dir/tests/runtime/strict_bits_rule.h" 2>&1) ||
    { echo "$dump" | head -n 20; exit 1; }
  for type in float double half_t bf16_t; do
    expect "used Rule 'void \(.*Tensor<.*cpu, 2, (mshadow::[a-z]+::)?$type>" "the rule for $type"
    expect "used Map '(mshadow::[a-z]+::)?$type \((mshadow::[a-z]+::)?$type\)' .*static" \
      "the unary operator for $type"
  done
  expect 'AnnotateAttr.*"mshadow::state=0.5"' "the annotation of a parameter"
done
if [ $tried -eq 0 ]; then echo "SKIP: no Clang in PATH"; fi
exit $status
