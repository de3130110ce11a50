#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Builds the generator on the oldest Clang that it supports, and requires that it writes what the one
# at hand writes, byte by byte. It takes minutes: part `compilers` of scripts/test --full.
# usage: other_clang.sh SOURCE_ROOT WORK_DIRECTORY MSHADOW_GEN
set -eu
root=$1
work=$2
gen=$3
major=14
prefix=/usr/lib/llvm-$major

cmake -S "$root" -B "$work/build" -G Ninja -DCMAKE_BUILD_TYPE=Release \
  -DMSHADOW_CLANG_PREFIX="$prefix" -DMSHADOW_USE_CUDA=OFF -DMSHADOW_BUILD_SPECS=OFF \
  -DMSHADOW_BUILD_EXAMPLES=OFF -DMSHADOW_BUILD_BENCHMARKS=OFF -DMSHADOW_BUILD_TESTS=OFF
cmake --build "$work/build" --target mshadow-gen
other=$work/build/bin/mshadow-gen
ldd "$other" | grep "libclang-cpp.*$major"

"$root/scripts/update-goldens" --check --gen "$other"

# emit GENERATOR DIRECTORY: the shipped rules.
emit() {
  rm -rf "$2"
  # shellcheck disable=SC2046  # paths of our own
  (cd "$root" && "$1" generate --quiet --name=rules -o "$2" --path-base=. \
    --isa=baseline,avx2,avx512 --cuda=on --emit=header,cpu,cuda \
    $(find specs -name '*.h' ! -name ops.h | sort))
}
emit "$gen" "$work/here"
emit "$other" "$work/other"
diff -r "$work/here" "$work/other"
echo "the same bytes with Clang $major"
