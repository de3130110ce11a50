# SPDX-License-Identifier: Apache-2.0
# shellcheck shell=bash
# The packages that the project needs, in one place. Source this, then call ensure_packages with the
# names of the lists: build (always), demo, test, compilers, packages, ranks, publish, tsan.

# shellcheck disable=SC2034  # used by name
packages_build=(
  cmake ninja-build g++
  clang-19 libclang-19-dev llvm-19-dev                           # the generator's front end
  libcli11-dev libkainjow-mustache-dev nlohmann-json3-dev        # the generator
  libopenblas-dev                                                # matrix products
)
# shellcheck disable=SC2034
packages_demo=(dataset-fashion-mnist zlib1g-dev)
# shellcheck disable=SC2034
packages_test=(
  libgtest-dev libeigen3-dev python3 strace
  libmpfr-dev                                                    # the oracle of double functions
  python3-dev python3-numpy                                      # the package for Python
  ccache make pkg-config man-db                                  # tests/package: what users build with
)
# shellcheck disable=SC2034
packages_compilers=(clang-14 libclang-14-dev llvm-14-dev)        # parts of scripts/test --full
# shellcheck disable=SC2034
packages_packages=(
  distcc dpkg-dev bazel-bootstrap bazel-platforms bazel-rules-java bazel-rules-proto
  g++-aarch64-linux-gnu qemu-user-static qtbase5-dev
  zlib1g-dev libzstd-dev                                         # the generator's wheel
  python3-matplotlib                                             # draws the plots of benchmarks
  chromium                                                       # draws the report
)
# shellcheck disable=SC2034
packages_ranks=(openmpi-bin libopenmpi-dev)                      # examples/ranks
# shellcheck disable=SC2034
packages_publish=(python3-matplotlib)                            # scripts/bench --publish
# shellcheck disable=SC2034
packages_tsan=(libclang-rt-19-dev libomp-19-dev)

# Prints those of its arguments that dpkg does not have.
missing_packages() {
  local package
  for package in "$@"; do
    if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed'; then
      printf '%s\n' "$package"
    fi
  done
}

# ensure_packages LIST...: installs what is missing and says so; on systems without apt it only says
# what is needed. Quiet when nothing is missing.
ensure_packages() {
  local list wanted=() missing log sudo=()
  for list in "$@"; do
    local -n names="packages_$list"
    wanted+=("${names[@]}")
  done
  if ! command -v apt-get >/dev/null || ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system: nothing is installed. Needed are, by their names in Debian 12:"
    echo "  ${wanted[*]}"
    return 0
  fi
  mapfile -t missing < <(missing_packages "${wanted[@]}")
  [ "${#missing[@]}" -gt 0 ] || return 0

  echo "Installing Debian packages: ${missing[*]}"
  if [ "$(id -u)" -ne 0 ]; then
    if ! command -v sudo >/dev/null; then
      echo "This takes root. As root: apt-get install ${missing[*]}" >&2
      return 1
    fi
    sudo=(sudo)
  fi
  log=$(mktemp)
  # A machine that has just started may be updating itself.
  local apt_get=(apt-get -o DPkg::Lock::Timeout=600)
  if ! { "${sudo[@]}" "${apt_get[@]}" update &&
         "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
           "${apt_get[@]}" install -y --no-install-recommends "${missing[@]}"; } >"$log" 2>&1; then
    tail -n 20 "$log" >&2
    echo "apt-get failed; the whole log is in $log" >&2
    return 1
  fi
  rm -f "$log"
}

# python_with MODULE: an interpreter that has the module, the one on PATH or the system's, where
# Debian's packages are; fails if neither has it. It imports nothing.
python_with() {
  local python
  for python in python3 /usr/bin/python3; do
    if "$python" -c 'import importlib.util as i, sys; sys.exit(i.find_spec(sys.argv[1]) is None)' \
         "$1" 2>/dev/null; then
      command -v "$python"
      return 0
    fi
  done
  return 1
}
