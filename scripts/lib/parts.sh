# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash disable=SC2034
# What scripts/test builds and runs: in CI, with --quick, and for each part of --full. A function
# tests_of_NAME for each sets
#   flags      for CMake, after those of build.sh and test_flags
#   targets    to build
#   select     arguments of ctest
#   variables  the tests' environment

# Kernels compile in two thirds of the time at -O1; part `compilers` holds that no level changes a bit.
test_flags=(
  -DMSHADOW_SPECS_CUDA=OFF -DMSHADOW_SPECS_COMPILE_OPTIONS=-O1 -DMSHADOW_BUILD_BENCHMARKS=OFF
  -DMSHADOW_DEMO_LINKS_SPECS=ON
)
parts_file=tests/parts.txt

# The parts' names, in the order of tests/parts.txt, whose lines are "name|date|what it runs".
part_names() { grep -v '^#' "$parts_file" | cut -d '|' -f 1; }
is_part() { part_names | grep -qx -- "$1"; }

list_parts() {
  grep -v '^#' "$parts_file" | while IFS='|' read -r name passed what; do
    printf '%-12s last passed %-10s  %s\n' "$name" "$passed" "$what"
  done
}

note_that_part_passed() {
  sed -i "s/^$1|[^|]*|/$1|$(date -u +%Y-%m-%d)|/" "$parts_file"
}

# part NAME: the flags of a part whose tests are a target of the same name and have its label.
part() {
  flags=("-DMSHADOW_TEST_PART=$1")
  targets=("part_$1")
  select=(-L "^part\\.$1\$")
  variables=(MSHADOW_TEST_FULL=1)
}

tests_of_ci() {
  targets=(all tests/all)
  # CTest calls a program that is not built a test without labels.
  select=(-LE '^(quick|part\..*)$' -E '^quick_same_bits_NOT_BUILT$')
  variables=(-u MSHADOW_TEST_FULL)
}

tests_of_quick() {
  targets=(quick)
  select=(-L '^(quick|passes|emit|frontend|errors|style|runtime_units|driver|golden_units)$')
  variables=(-u MSHADOW_TEST_FULL)
}

tests_of_ranks() {
  part ranks
  flags+=(-DMSHADOW_SPECS_COMPILE_OPTIONS=)
}
tests_of_views() { part views; }
tests_of_cuda() {
  part cuda
  flags+=(-DMSHADOW_SPECS_CUDA=AUTO)
}
tests_of_compilers() { part compilers; }
tests_of_functions() { part functions; }
tests_of_correct() { part correct; }
tests_of_names() { part names; }
tests_of_packages() { part packages; }
tests_of_extending() { part extending; }
tests_of_random() { part random; }
tests_of_benchmarks() {
  part benchmarks
  flags+=(-DMSHADOW_BUILD_BENCHMARKS=ON -DMSHADOW_SPECS_COMPILE_OPTIONS=
          "-DMSHADOW_HALIDE_PYTHON=$(python_with halide || true)")
}
