#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
# Each header of the runtime compiles alone and without warnings, whatever names includers declared
# before it, outside of all namespaces; with __MSHADOW_GEN__ defined
# kernel.h includes no header but the runtime's own (and the one that compilers include unasked).
# api.h costs at most 0.35 of mshadow's to parse (scripts/bench --header-cost): with GCC's
# library, so many lines.
# Expressions of users' compile with Clang, too, if there is one.
# What headers and emitted files make of templates is as quiet, for those who ask for many warnings.
# Code of mshadow's days finds what it takes for granted, also with mshadow's own folder on the
# include path, where no header has the name of one of the system's.
# What includes headers by the paths that they had before they got folders compiles.
# Usage: headers.sh SOURCE_DIR COMPILER
set -u
include_dir=$1/runtime/include
compat_dir=$1/runtime/compat
compiler=$2

# Whoever includes them may have declared their names before, outside of their namespaces.
names=$(mktemp -d)
trap 'rm -rf "$names"' EXIT
namespaces=$names/namespaces.h functions=$names/functions.h
touch "$namespaces" "$functions"
if command -v python3 >/dev/null; then
  "$(dirname "$0")/user_names.py" namespaces "$compiler" >"$namespaces"
  "$(dirname "$0")/user_names.py" functions "$compiler" >"$functions"
fi

check() {
  echo "#include <$1>" | "$compiler" -std=c++17 $warnings -Werror -include "$namespaces" -I"$include_dir" \
    -fsyntax-only -x c++ - || echo "FAILED: $1"
}
warnings="-Wall -Wextra -Wconversion -Wundef -Wshadow -Wdouble-promotion -Wold-style-cast \
  -Wsign-conversion"
export -f check
export compiler include_dir warnings namespaces

# spec/ is the generator's; cuda/ needs the CUDA toolkit; strict_push.h and strict_pop.h are halves
# of one thing.
log=$(cd "$include_dir" && find mshadow -name '*.h' ! -path '*/cuda/*' ! -path '*/spec/*' \
  ! -name 'strict_p*.h' | sort | xargs -P2 -I{} bash -c 'check {}' 2>&1)
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

many_warnings=$(dirname "$0")/many_warnings.cc
emitted=$(dirname "$0")/../golden/adamw/expected/adamw.gen.cc
for file in "$many_warnings" "$emitted"; do
  if ! log=$("$compiler" -std=c++17 $warnings -Werror -I"$include_dir" -I"$(dirname "$file")" \
    -fsyntax-only "$file" 2>&1); then
    echo "$file does not compile without warnings:"
    echo "$log" | head -n 20
    status=1
  fi
done

after_names() {  # KIND WHAT FLAG...: a file compiles after such names
  local before=$1 what=$2
  shift 2
  if ! log=$("$compiler" -std=c++17 -w -include "$before" -I"$include_dir" -fsyntax-only -x c++ "$@" 2>&1); then
    echo "$what does not compile where names of the runtime were declared before:"
    echo "$log" | grep -A3 'error' | head -n 20
    status=1
  fi
}
after_names "$functions" "what takes operators of a user's" "$(dirname "$0")/user_functions.cc"
golden=$(cd "$(dirname "$0")/../golden" && pwd)
for file in "$golden"/*/expected/*.gen.h; do echo "#include \"$file\""; done >"$names/emitted.h"
after_names "$namespaces" "an emitted header" "$names/emitted.h"
after_names "$namespaces" "an emitted file" "$golden/rows/expected/softmax.gen.cc"
cuda=(-I"$(dirname "$0")/../cuda/fake/include" -DMSHADOW_FAKE_CUDA)
for file in adamw/expected/adamw rows/expected/softmax columns/expected/centre channels/expected/whiten; do
  echo "#include \"$golden/$file.gen.cu\""
done >"$names/emitted.cu"
after_names "$namespaces" "an emitted file for CUDA" "${cuda[@]}" "$names/emitted.cu"

clang=$(compgen -c clang++ | sort -V | tail -n 1)
user_test=$(dirname "$0")/extension_user_test.cc
# Clang's optimiser warns, too: of loops that it was asked to make vectors of and cannot.
if [ -n "$clang" ] && ! log=$("$clang" -std=c++17 -I"$include_dir" -fsyntax-only "$user_test" &&
  "$clang" -std=c++17 -O1 $warnings -Werror -I"$include_dir" -c -o /dev/null "$many_warnings" 2>&1 &&
  "$clang" -std=c++17 $warnings -Werror -I"$include_dir" -I"$(dirname "$emitted")" -fsyntax-only \
    "$emitted" 2>&1); then
  echo "$clang does not compile $user_test, $many_warnings or $emitted:"
  echo "$log" | head -n 20
  status=1
fi

# The index_t of a file is named by what its linker does not find.
object=$names/index.o
if ! log=$(printf '#include "index_mixes.h"\nvoid Call() { index_mixes::OfEveryType(); }\n' |
  "$compiler" -std=c++17 -O0 -DMSHADOW_INDEX_TYPE=int32_t -DMSHADOW_XINLINE=inline \
    -I"$include_dir" -I"$(dirname "$0")" -c -o "$object" -x c++ - 2>&1) ||
  ! nm -Cu "$object" | grep -q 'v1_MSHADOW_INDEX_TYPE_int32_t::detail::'; then
  echo "index_mixes.h does not compile for an index_t of int32_t, or the runtime's for another:"
  echo "$log" | grep 'error' | head -n 20
  status=1
fi

old_style() {
  cat <<'EOF'
#include "tensor.h"
#include "tensor_container.h"
#include <math.h>
#include <memory.h>
#include <error.h>
std::map<std::string, std::vector<float>> Sizes(const mshadow::Tensor<mshadow::cpu, 2> &t) {
  std::ostringstream name;
  name << t.shape_;
  const std::function<float(float)> f = [](float x) { return std::max(std::sqrt(x), sqrtf(x)); };
  std::cout << name.str() << std::endl;
  error(0, 0, "%d", static_cast<int>(std::min(1, 2)));
  return {{name.str(), {f(t[0][0])}}};
}
EOF
}
if ! log=$(old_style | "$compiler" -std=c++17 -I"$include_dir/mshadow" -I"$include_dir" \
  -fsyntax-only -x c++ - 2>&1); then
  echo "code of mshadow's days does not compile:"
  echo "$log" | head -n 20
  status=1
fi
if ! old_style | "$compiler" -std=c++17 -I"$include_dir/mshadow" -fsyntax-only -x c++ - 2>&1 |
  grep -q 'error: #error "mshadow.s headers include each other'; then
  echo "nothing says that the folder above mshadow's is missing"
  status=1
fi

foreign_names=$(for name in $(cd "$include_dir/mshadow" && find . -mindepth 1 | cut -c3-) \
  $(cd "$compat_dir/mshadow" && ls); do
  echo "#if __has_include(<$name>)"
  echo "#pragma message \"$name is also a header of the system\""
  echo "#endif"
done | "$compiler" -std=c++17 -fsyntax-only -x c++ - 2>&1 | grep -o '[a-z0-9_/.-]* is also .*system')
if [ -n "$foreign_names" ]; then
  echo "$foreign_names"
  status=1
fi

# Older paths: each leads to a header, all of which compile alone, above; then all in one file.
check_older() {
  echo "#include <mshadow/$1>" | "$compiler" -std=c++17 -I"$include_dir" -I"$compat_dir" -E -x c++ - \
    >/dev/null || echo "FAILED: mshadow/$1"
}
all_older() {
  echo "$older" | sed 's|.*|#include <mshadow/&>|'
  cat <<'EOF'
#include <mshadow/strict_push.h>
inline float Twice(const mshadow::Tensor<mshadow::cpu, 1> &t) { return t[0] * 2.0f; }
#include <mshadow/strict_pop.h>
static_assert(mshadow::TypeList<mshadow::Types<float>>::Has<mshadow::Types<float>>());
inline void OfOldStages(mshadow::Tensor<mshadow::cpu, 2> in) {
  mshadow::TensorArg<float> kept = mshadow::ShapedAs<float>(mshadow::Arg(in));
  mshadow::TensorArg<double> other = mshadow::Shaped<double>("Rule", "other", {in.size(0), 2});
  const mshadow::StageMemory memory(mshadow::cpu(), nullptr, kept, other);
  mshadow::LaunchMemory inner;
  kept.dptr[0] = *inner.Take<float>(in.size(0) * in.size(1));
}
EOF
}
export -f check_older
export compat_dir
older=$(cd "$compat_dir/mshadow" && ls | grep -v '^strict_p')
if ! log=$(echo "$older" | xargs -P2 -I{} bash -c 'check_older {}' 2>&1) || [ -n "$log" ] ||
  ! log=$(all_older | "$compiler" -std=c++17 $warnings -Werror -I"$include_dir" -I"$compat_dir" \
    -fsyntax-only -x c++ - 2>&1); then
  echo "what includes headers by older paths does not compile:"
  echo "$log" | head -n 40
  status=1
fi
# They stand for no header that is there, and the runtime and emitted code need none of them.
if log=$(cd "$compat_dir" && ls mshadow/* | grep -xF "$(cd "$include_dir" && find mshadow -type f)"); then
  echo "in both of the runtime's include directories: $log"
  status=1
fi
older=$(cd "$compat_dir/mshadow" && ls | paste -sd'|')
if log=$(cd "$1" && grep -rnE "include [<\"]mshadow/($older)[>\"]" runtime/include runtime/src templates); then
  echo "included by an older path:"
  echo "$log" | head -n 20
  status=1
fi

lines=$(echo "#include <mshadow/api.h>" |
  "$compiler" -std=c++17 -I"$include_dir" -E -x c++ - | wc -l)
if [ "$lines" -gt 39000 ]; then
  echo "api.h is $lines preprocessed lines: at most 39000"
  status=1
fi
exit $status
