#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Compiles strict_bits.cc with two compilers at the level that differs most, or with all compilers and
# levels where MSHADOW_TEST_FULL is set, and compares the hashes it prints.
#
# usage: strict_bits.sh SOURCE_DIR WORK_DIR
set -u
source_dir=$1
work=$2
rm -rf "$work"
mkdir -p "$work"

compilers=()
seen=" "
candidates="g++ clang++-19"
[ -z "${MSHADOW_TEST_FULL-}" ] || candidates="g++ clang++ clang++-14 clang++-19"
for compiler in $candidates; do
  path=$(command -v "$compiler") || continue
  path=$(readlink -f "$path")
  case $seen in *" $path "*) continue ;; esac
  seen="$seen$path "
  compilers+=("$compiler")
done
if [ "${#compilers[@]}" -eq 0 ]; then
  echo "SKIP: no compiler in PATH"
  exit 0
fi

# The compiled part of the runtime, once: what it computes with is integers.
objects=()
for name in address_map cpu_limit error memory overlap parallel streaming worker_threads workspace; do
  "${compilers[0]}" -std=c++17 -O1 -I "$source_dir/runtime/include" \
    -c "$source_dir/runtime/src/$name.cc" -o "$work/$name.o" || exit 1
  objects+=("$work/$name.o")
done

# Prints the hash, or why there is none. COMPILER FLAGS...
hash_of() {
  local compiler=$1 program
  program=$(mktemp "$work/program.XXXXXX")
  shift
  if "$compiler" -std=c++17 "$@" -I "$source_dir/runtime/include" \
      "$source_dir/tests/runtime/strict_bits.cc" "${objects[@]}" -o "$program" -lpthread \
      2>"$program.log"; then
    "$program"
  else
    echo "does not compile: $(grep -m1 error "$program.log")"
  fi
  rm -f "$program"
}

ways=("-O3 -march=native")
if [ -n "${MSHADOW_TEST_FULL-}" ]; then
  ways+=("-O0" "-O3" "-O0 -march=native" "-O2 -march=native")
  if grep -qw f16c /proc/cpuinfo 2>/dev/null; then ways+=("-O2 -mf16c"); else ways+=("-O2"); fi
fi

# The first compiler also has the level that every test is compiled with, and the control.
first_ways=("${ways[@]}" "-O1")

# One file for each compiler, lines of "<hash> <way>". The compilers work side by side.
for compiler in "${compilers[@]}"; do
  {
    [ "$compiler" != "${compilers[0]}" ] || ways=("${first_ways[@]}")
    for flags in "${ways[@]}"; do
      # shellcheck disable=SC2086  # several flags
      echo "$(hash_of "$compiler" $flags) $compiler $flags"
    done >"$work/guarded.$compiler"
    if [ "$compiler" = "${compilers[0]}" ] || [ -n "${MSHADOW_TEST_FULL-}" ]; then
      echo "$(hash_of "$compiler" -O3 -march=native -DMSHADOW_TEST_WITHOUT_GUARD) $compiler" \
        >"$work/unguarded.$compiler"
    fi
  } &
done
wait

status=0
reference=$(head -n1 "$work/guarded.${compilers[0]}" | cut -d ' ' -f1)
while read -r hash way; do
  verdict=same
  [ "$hash" = "$reference" ] || { verdict=DIFFERENT; status=1; }
  echo "$hash $verdict: $way"
done < <(cat "$work"/guarded.*)

# The control: without the guard the flags do decide, on a machine that has FMA at all.
if grep -qw fma /proc/cpuinfo 2>/dev/null; then
  while read -r hash way; do
    verdict="different, as it must be"
    [ "$hash" != "$reference" ] || { verdict="THE SAME: this test cannot fail"; status=1; }
    echo "$hash $verdict: $way -O3 -march=native, guard removed"
  done < <(cat "$work"/unguarded.*)
fi
exit $status
