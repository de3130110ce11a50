#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Compiles bits.cc with two compilers, each with other flags, and compares what it prints with
# tests/bits/functions.txt. MSHADOW_TEST_FULL: every compiler at hand, with all flags that tempt it to
# other bits.
# usage: bits.sh SOURCE_ROOT WORK_DIRECTORY
set -eu
root=$1
work=$2
here=$root/tests/packet
expected=$root/tests/bits/functions.txt
mkdir -p "$work"
software='-O0 -DMSHADOW_TEST_SOFTWARE_FMA'
native='-O2 -march=native -ffp-contract=fast'
all_flags="$software|$native|-O0|-O1|-O2|-O3 -march=native|-Os -mavx2 -mfma"

status=0
tried=0
seen=' '
candidates='g++ clang++-19'
[ -z "${MSHADOW_TEST_FULL-}" ] || candidates='g++ clang++ clang++-14 clang++-19'
for compiler in $candidates; do
  path=$(command -v "$compiler") || continue
  path=$(readlink -f "$path")
  case "$seen" in *" $path "*) continue ;; esac  # clang++ is one of the others
  seen="$seen$path "
  case $compiler in
    clang*) flag_sets=$software ;;
    *) flag_sets=$native ;;
  esac
  [ -z "${MSHADOW_TEST_FULL-}" ] || flag_sets=$all_flags
  echo "$flag_sets" | tr '|' '\n' > "$work/flags"
  while read -r flags; do
    # shellcheck disable=SC2086  # flags are words
    "$compiler" -std=c++17 $flags -I "$root/runtime/include" -I "$here" "$here/bits.cc" \
      -o "$work/bits" -lgtest -pthread
    tried=$((tried + 1))
    if "$work/bits" > "$work/printed" 2>&1 &&
        grep -E '^[0-9a-f]{16} ' "$work/printed" | diff "$expected" - > "$work/difference"; then
      echo "$compiler $flags: the same bits"
    else
      status=1
      echo "$compiler $flags: OTHER BITS"
      cat "$work/difference" "$work/printed" | head -40
    fi
  done < "$work/flags"
done

# The comparison can fail: without its guard against contraction GCC fuses.
if [ -n "${MSHADOW_TEST_FULL-}" ] && command -v g++ > /dev/null && grep -qw fma /proc/cpuinfo; then
  g++ -std=c++17 -O2 -march=native -DMSHADOW_TEST_WITHOUT_GUARD -I "$root/runtime/include" \
    -I "$here" "$here/bits.cc" -o "$work/bits" -lgtest -pthread
  if "$work/bits" > "$work/printed" 2>&1; then
    status=1
    echo "g++ without the guard: the same bits, though it should have contracted"
  fi
fi
[ "$tried" -gt 0 ] || { echo "SKIP: no compiler found"; exit 0; }
exit "$status"
