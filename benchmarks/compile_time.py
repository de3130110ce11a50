#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long compilers take over emitted code, and over the same rules as expression templates.

The shipped optimizers, each spec a file, each rule for its element types: as mshadow-gen emits them
and as templates for tensors of two dimensions, here and, where its headers are given, with
mshadow's own; for the baseline alone, and for three instruction sets, which templates are compiled
for one after the other. Printed are the processor seconds of all files together (the smallest of
some rounds) and their ratios to those of templates for as many instruction sets. A caller of the
emitted headers is measured, too: it is what is compiled again and again.

With --rules a row for each shipped spec, as emitted for all its instruction sets and types: lines,
and for each compiler and level the processor seconds and the size of the object, code and data."""

import argparse
import pathlib
import resource
import shutil
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
SPECS = ["adadelta", "adagrad", "adam", "adamax", "adamw", "ftrl", "lion", "rmsprop", "sgd", "signum"]
AVX2 = ["-mavx2", "-mfma", "-mf16c"]
FLAGS_OF_ISA = {"baseline": [], "avx2": AVX2,
                "avx512": [*AVX2, "-mavx512f", "-mavx512bw", "-mavx512dq", "-mavx512vl"]}
PEER_FLAGS = ["-DMSHADOW_USE_CUDA=0", "-DMSHADOW_USE_MKL=0", "-DMSHADOW_USE_CBLAS=1",
              "-DMSHADOW_USE_F16C=0", "-msse3", "-w"]

# A use of every instance, so that none is left out: the address of each is stored.
INSTANTIATE = """
#undef MSHADOW_INSTANTIATE
#define MSHADOW_INSTANTIATE(Rule, ...)                                  \\
  template <typename T>                                                 \\
  struct Rule##_address {                                               \\
    static const void *Get() { return (const void *)&Rule<mshadow::cpu, 2, T>; } \\
  };                                                                    \\
  static const int Rule##_used = Use<Rule##_address, __VA_ARGS__>()
const void *volatile used;
template <template <typename> class Address, typename... T>
int Use() {
  return ((used = Address<T>::Get(), 0) + ...);
}
"""

# What the specs need beyond mshadow's own headers.
PEER_KERNEL = """
#ifndef PEER_KERNEL_H_
#define PEER_KERNEL_H_
#include <mshadow/tensor.h>
#include <cmath>
#define MSHADOW_KERNEL
#define MSHADOW_PARAMETER
#define MSHADOW_GRADIENT
#define MSHADOW_STATE(init)
#define MSHADOW_HYPER
#define MSHADOW_STEP
#define MSHADOW_INSTANTIATE(Rule, ...)
namespace mshadow {
namespace math { using std::pow; using std::sqrt; }
namespace op {
#define PEER_UNARY(name, value) \\
  struct name { template <typename T> MSHADOW_XINLINE static T Map(T a) { return T(value); } };
#define PEER_BINARY(name, value) \\
  struct name { template <typename T> MSHADOW_XINLINE static T Map(T a, T b) { return T(value); } };
PEER_UNARY(abs, a < T(0) ? -a : a)
PEER_UNARY(square, a * a)
PEER_UNARY(square_root, sqrtf(a))
PEER_UNARY(sign, a > T(0) ? 1.0f : (a < T(0) ? -1.0f : 0.0f))
PEER_BINARY(maximum, a > b ? a : b)
PEER_BINARY(minimum, a < b ? a : b)
PEER_BINARY(clip, a > b ? b : (a < -b ? -b : a))
PEER_UNARY(negate, -a)
}  // namespace op
namespace expr {
template <typename E, typename T, int kind>
UnaryMapExp<op::negate, E, T, (kind | type::kMapper)> operator-(const Exp<E, T, kind> &e) {
  return MakeExp<op::negate>(e);
}
}  // namespace expr
}  // namespace mshadow
#endif
"""


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def compile_seconds(compiler, flag_lists, sources):
    """Of each source with each list of flags."""
    start = processor_seconds()
    for flags in flag_lists:
        for source in sources:
            subprocess.run([compiler, "-std=c++17", *flags, "-c", source, "-o", "/dev/null"], check=True)
    return processor_seconds() - start


def write_templates(directory, names, prelude):
    """A file for each spec that instantiates its rules as templates."""
    directory.mkdir()
    for name in names:
        spec = ROOT / "specs" / "optim" / f"{name}.h"
        (directory / f"{name}.cc").write_text(
            f'#include <mshadow/tensor.h>\n#include <mshadow/kernel.h>\n{prelude}\n#include "{spec}"\n')
    return sorted(directory.glob("*.cc"))


def write_callers(directory, names, instantiate):
    directory.mkdir()
    for name in names:
        (directory / f"{name}.cc").write_text(
            f'#include <mshadow/tensor.h>\n{instantiate}\n#include "{name}.gen.h"\n')
    return sorted(directory.glob("*.cc"))


def emit(gen, directory, names, isa, types):
    """The .gen.cc of each spec."""
    specs = [ROOT / "specs" / "optim" / f"{name}.h" for name in names]
    subprocess.run([gen, "generate", "--name=optim", f"--isa={isa}", f"--dtypes={types}", "-o", directory, *specs], check=True)
    return sorted(directory.glob("*.gen.cc"))


def contenders(options, directory, types, isas, instantiate):
    """(name, lists of flags, sources) of each; with mshadow's own headers those of float alone, as
    it does not compile expressions of 16-bit types that are cast to float."""
    names = options.specs
    directory.mkdir(parents=True)
    ours = [f"-I{ROOT / 'runtime' / 'include'}"]
    each_isa = [FLAGS_OF_ISA[isa] for isa in isas]
    result = [("templates", [ours + flags for flags in each_isa],
               write_templates(directory / "ours", names, instantiate))]
    if options.peer and types == "f32":
        peer_kernel = directory / "peer_include" / "mshadow"
        peer_kernel.mkdir(parents=True)
        (peer_kernel / "kernel.h").write_text(PEER_KERNEL)
        theirs = [f"-I{peer_kernel.parent}", "-isystem", str(options.peer), *PEER_FLAGS]
        result.append(("templates of mshadow", [theirs + flags for flags in each_isa],
                       write_templates(directory / "theirs", names, instantiate)))
    out = directory / "emitted"
    result.append(("emitted", [ours], emit(options.gen, out, names, ",".join(isas), types)))
    result.append(("a caller of each header", [[*ours, f"-I{out}"]],
                   write_callers(directory / "callers", names, instantiate)))
    return result


def report(options, compiler, level, title, table):
    seconds = {name: min(compile_seconds(compiler, [[*flags, "-" + level] for flags in lists], sources)
                         for _ in range(options.rounds)) for name, lists, sources in table}
    print(f"\n{compiler + ' -' + level + ', ' + title:45} {'seconds':>8} {'of templates':>13} {'of mshadow':>11}")
    theirs = seconds.get("templates of mshadow")
    for name, time in seconds.items():
        ratio = f"{time / theirs:11.2f}" if theirs else ""
        print(f"{name:45} {time:8.2f} {time / seconds['templates']:13.2f} {ratio}", flush=True)


def object_kilobytes(path):
    """Code and data, as `size` has them: what symbols and relocations take is not among them."""
    numbers = subprocess.run(["size", path], check=True, capture_output=True, text=True).stdout.splitlines()[1]
    text, data = numbers.split()[:2]
    return (int(text) + int(data)) / 1024


def compile_object(options, compiler, level, source, output):
    """(the fewest processor seconds of some rounds, kilobytes) of an emitted file."""
    command = [compiler, "-std=c++17", f"-{level}", f"-I{ROOT / 'runtime' / 'include'}", "-c", source, "-o", output]
    times = []
    for _ in range(options.rounds):
        start = processor_seconds()
        subprocess.run(command, check=True)
        times.append(processor_seconds() - start)
    return min(times), object_kilobytes(output)


def report_rules(options, temporary):
    """A table in Markdown: a row for each spec."""
    shipped = [path for path in (ROOT / "specs").glob("*/*.h") if path.name != "ops.h"]
    names = options.rules or sorted(str(path.relative_to(ROOT / "specs").with_suffix("")) for path in shipped)
    ways = [(compiler, level) for compiler in filter(shutil.which, options.compilers) for level in options.levels]
    print("| spec | lines |", " | ".join(f"{compiler} -{level}" for compiler, level in ways), "|")
    print("| --- |" + " ---: |" * (1 + len(ways)))
    totals = [(0.0, 0.0)] * len(ways)
    all_lines = 0
    for number, name in enumerate(names):
        out = temporary / f"{number}"
        subprocess.run([options.gen, "generate", "--name=rules", "--emit=header,cpu", "-o", out,
                        ROOT / "specs" / f"{name}.h"], check=True)
        stem = pathlib.Path(name).name
        lines = sum(path.read_text().count("\n") for path in out.glob(f"{stem}.*"))
        cells = [compile_object(options, *way, out / f"{stem}.gen.cc", out / "object.o") for way in ways]
        print(f"| `{name}` | {lines} |", " | ".join(f"{s:.1f} s, {k:.0f} KB" for s, k in cells), "|", flush=True)
        totals = [(a + s, b + k) for (a, b), (s, k) in zip(totals, cells)]
        all_lines += lines
    print(f"| all | {all_lines} |", " | ".join(f"{s:.0f} s, {k:.0f} KB" for s, k in totals), "|")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gen", required=True, help="mshadow-gen")
    parser.add_argument("--peer", type=pathlib.Path, help="a directory that holds mshadow/tensor.h")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--levels", nargs="+", default=["O0", "O2"])
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++-19"])
    parser.add_argument("--specs", nargs="+", default=SPECS)
    parser.add_argument("--types", nargs="+", default=["f32,f16,bf16", "f32"], choices=["f32,f16,bf16", "f32"])
    parser.add_argument("--rules", nargs="*", metavar="SPEC",
                        help="a table of the shipped specs instead, or of these: optim/adamw")
    options = parser.parse_args()
    if options.rules is not None:
        with tempfile.TemporaryDirectory() as temporary:
            report_rules(options, pathlib.Path(temporary))
        return
    all_types = {"f32,f16,bf16": INSTANTIATE, "f32": INSTANTIATE.replace("__VA_ARGS__", "float")}
    with tempfile.TemporaryDirectory() as temporary:
        for types in options.types:
            instantiate = all_types[types]
            for isas in (["baseline"], list(FLAGS_OF_ISA)):
                title = f"{types} for {','.join(isas)}"
                table = contenders(options, pathlib.Path(temporary) / title, types, isas, instantiate)
                for compiler in filter(shutil.which, options.compilers):
                    for level in options.levels:
                        report(options, compiler, level, title, table)


if __name__ == "__main__":
    main()
