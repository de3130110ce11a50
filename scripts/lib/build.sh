# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# Configuring and building quietly: the log is shown when something fails.

# Users' settings: scripts/test, which builds in the same directory, may have left others there.
cmake_flags=(
  -DMSHADOW_SPECS_CUDA=AUTO -DMSHADOW_SPECS_COMPILE_OPTIONS= -DMSHADOW_BUILD_BENCHMARKS=ON
  -DMSHADOW_DEMO_LINKS_SPECS=OFF -DMSHADOW_TEST_PART= -DMSHADOW_HALIDE_PYTHON=
)

# run_quietly WHAT COMMAND...
run_quietly() {
  local what=$1 log
  shift
  log=$(mktemp)
  printf '%s ...' "$what"
  local start=$SECONDS
  if ! "$@" >"$log" 2>&1; then
    printf ' failed\n'
    # What failed stands at FAILED: or error:; the end alone may be other jobs' output.
    grep -n -E -A 12 'FAILED:|error:|CMake Error' "$log" | head -n 60 >&2 || true
    echo "The whole log is in $log" >&2
    return 1
  fi
  printf ' %d s\n' "$((SECONDS - start))"
  rm -f "$log"
}

# How many processors this machine or container may use: nproc knows no control group.
processors() {
  local count quota period allowed
  count=$(nproc)
  if read -r quota period 2>/dev/null </sys/fs/cgroup/cpu.max && [ "$quota" != max ]; then
    allowed=$(((quota + period - 1) / period))
    [ "$allowed" -ge "$count" ] || count=$allowed
  fi
  echo "$count"
}

# build_preset PRESET [TARGET...]: configures and builds in build/PRESET. Further flags for CMake are
# taken from the array cmake_flags.
build_preset() {
  local preset=$1 flags=("${cmake_flags[@]}")
  shift
  if command -v ccache >/dev/null; then
    export CCACHE_SLOPPINESS=pch_defines,time_macros  # what precompiled headers need, ccache(1)
    flags+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  run_quietly "Configuring build/$preset" cmake --preset "$preset" "${flags[@]}" || return 1
  local targets=()
  [ $# -eq 0 ] || targets=(--target "$@")
  run_quietly "Building build/$preset" cmake --build --preset "$preset" --parallel "$(processors)" \
    "${targets[@]}"
}
