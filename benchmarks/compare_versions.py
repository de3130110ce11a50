#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every shipped rule of this tree against the same rule of an earlier commit, each with its own runtime.

Each version becomes a shared library; both are loaded into one process and run in turn, on one
thread. For each instruction set and size the table gives the geometric mean over the instances of
the old time over the new one, medians of nine rounds, and every instance below --least. What is below
is measured again, in more rounds, before it is listed. Left out are rules with matrix products, where
BLAS takes the time, and those whose tensors have other names than before.

With --compile-time the tables have the new processor time and peak memory of compiling over the old
ones, of all specs whose rules and types are those of the earlier commit.

The commit's generator is built in DIR/source, an extra work tree of this repository."""

import argparse
import concurrent.futures
import ctypes
import math
import os
import pathlib
import re
import statistics
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
ISAS = ["avx512", "avx2", "avx512vl", "baseline"]
SIZES = {"2^14": (128, 128), "2^22": (2048, 2048)}
TABLES = ["arguments.cc", "fenced_memory.cc", "rules.cc"]  # of tests/execution, as far as a version has them


def run(*command):
    subprocess.run([str(word) for word in command], check=True, stdout=subprocess.DEVNULL)


def emitted_by(commit, directory):
    """(source, emitted): a work tree of that commit, and its shipped rules as its generator emits them."""
    source, build = directory / "source", directory / "build"
    if not source.exists():
        run("git", "-C", ROOT, "worktree", "add", "--detach", source, commit)
    run("git", "-C", source, "checkout", "--detach", commit)
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Release",
        "-DMSHADOW_UNITY_BUILD=ON", "-DMSHADOW_USE_CUDA=OFF", "-DMSHADOW_BUILD_TESTS=OFF",
        "-DMSHADOW_BUILD_EXAMPLES=OFF", "-DMSHADOW_BUILD_BENCHMARKS=OFF")
    run("cmake", "--build", build, "--target", "mshadow_specs_codegen")
    return source, build / "specs" / "mshadow_specs.gen"


def library(source, emitted, compiler, out):
    """The shared library of a version."""
    tests, runtime = source / "tests" / "execution", source / "runtime"
    out.mkdir(parents=True, exist_ok=True)
    # Each library keeps its own static variables. Loops begin at cache lines in both: where a loop
    # lies changes its time in the cache by up to a half.
    flags = ["-std=c++17", "-O2", "-falign-functions=64", "-falign-loops=64", "-fPIC", "-fvisibility=hidden", "-w", "-DMSHADOW_USE_CUDA=0",
             *([] if "clang" in compiler else ["-fno-gnu-unique"]),
             "-DMSHADOW_TEST_DIMS=2", "-DMSHADOW_TEST_RULES=mshadow_specs_rules",
             '-DMSHADOW_TEST_HEADER="mshadow_specs.h"',
             *(f"-I{path}" for path in (runtime / "include", source, tests, emitted))]
    sources = [ROOT / "benchmarks" / "version_side.cc", *(tests / name for name in TABLES if (tests / name).exists()),
               *runtime.glob("src/*.cc"), runtime / "src" / "cuda" / "none.cc", *emitted.glob("*.gen.cc")]

    def compiled(path):
        result = out / f"{path.stem}.o"
        run(*launcher(), compiler, *flags, "-c", path, "-o", result)
        return result

    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        objects = list(pool.map(compiled, sources))
    run(compiler, "-shared", "-Wl,-Bsymbolic", *objects, "-lpthread", "-o", out / "side.so")
    return out / "side.so"


def launcher():
    found = subprocess.run(["which", "ccache"], capture_output=True, text=True, check=False)
    return found.stdout.split()


class Side:
    """The rules of one version."""

    def __init__(self, path):
        self.library = ctypes.CDLL(str(path))
        for name, result, arguments in (
                ("Name", ctypes.c_char_p, [ctypes.c_int]), ("Products", ctypes.c_int, [ctypes.c_int]),
                ("Tensors", ctypes.c_char_p, [ctypes.c_int]), ("Function", ctypes.c_void_p, [ctypes.c_int]),
                ("Create", ctypes.c_void_p, [ctypes.c_int, ctypes.c_int64, ctypes.c_int64]),
                ("Destroy", None, [ctypes.c_void_p]),
                ("Run", ctypes.c_double, [ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int64])):
            getattr(self.library, name).restype = result
            getattr(self.library, name).argtypes = arguments
        self.tensors = {self.library.Name(rule).decode(): self.library.Tensors(rule)
                        for rule in range(self.library.Count())}
        self.rules = {self.library.Name(rule).decode(): rule for rule in range(self.library.Count())
                      if self.library.Products(rule) == 0}


def ratio(old, new, name, shape, rounds):
    """The old version's median time over the new one's."""
    run = new.library.Run
    functions = [side.library.Function(side.rules[name]) for side in (old, new)]
    arguments = new.library.Create(new.rules[name], *shape)
    for function in functions:
        run(arguments, function, 1)
    times = max(1, int(0.002 / max(run(arguments, function, 2) / 2 for function in functions)))
    seconds = ([], [])
    for index in range(rounds):
        for side in ((0, 1), (1, 0))[index % 2]:
            seconds[side].append(run(arguments, functions[side], times))
    new.library.Destroy(arguments)
    return statistics.median(seconds[0]) / statistics.median(seconds[1])


def measure(old, new, options):
    """Prints the table of one instruction set, that of MSHADOW_ISA."""
    names = [name for name in old.rules if name in new.rules and options.filter in name
             and old.tensors[name] == new.tensors[name]]
    for size, shape in SIZES.items():
        ratios = {name: ratio(old, new, name, shape, options.rounds) for name in names}
        for name in [name for name, value in ratios.items() if value < options.least]:
            ratios[name] = ratio(old, new, name, shape, 5 * options.rounds)
        mean = math.exp(statistics.fmean(map(math.log, ratios.values())))
        below = {name: value for name, value in ratios.items() if value < options.least}
        print(f"| {os.environ['MSHADOW_ISA']} | {size} | {len(ratios)} | {mean:.3f} | {min(ratios.values()):.2f} | {len(below)} |")
        for name, value in sorted(below.items(), key=lambda pair: pair[1]):
            print(f"below: {name} {value:.2f}", file=sys.stderr)


def instances(header):
    """The rules of an emitted header, each with its types."""
    return set(re.findall(r'"(\w+ is generated for[^;"]*)', header.read_text()))


def compiling(compiler, level, source, emitted, spec, out):
    """(seconds, bytes): the processor time and the peak memory of compiling a spec's emitted source."""
    process = subprocess.Popen(
        [compiler, "-std=c++17", level, "-w", "-DMSHADOW_USE_CUDA=0", f"-I{source / 'runtime' / 'include'}",
         f"-I{source}", f"-I{emitted}", "-c", emitted / f"{spec}.gen.cc", "-o", out])
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"{compiler} failed for {spec}")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


def compare_compile_time(versions, compilers, directory):
    """Prints, for each compiler and level, new over old: summed seconds, and the largest memory."""
    old, new = versions[0][1], versions[1][1]
    specs = sorted(header.name.removesuffix(".gen.h") for header in old.glob("*.gen.h")
                   if (new / header.name).exists() and instances(header) == instances(new / header.name))
    print(f"{len(specs)} specs\n\n| compiler | processor time | of the worst spec | peak memory |\n| --- | ---: | --- | ---: |")
    for compiler in compilers:
        for level in ("-O0", "-O2"):
            costs = {spec: [compiling(compiler, level, source, emitted, spec, directory / "timed.o")
                            for source, emitted, _ in versions] for spec in specs}
            total = [sum(cost[side][0] for cost in costs.values()) for side in (0, 1)]
            peak = [max(cost[side][1] for cost in costs.values()) for side in (0, 1)]
            worst = max(costs, key=lambda spec: costs[spec][1][0] / costs[spec][0][0])
            print(f"| {compiler} {level} | {total[1] / total[0]:.2f} | {worst} "
                  f"{costs[worst][1][0] / costs[worst][0][0]:.2f} | {peak[1] / peak[0]:.2f} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("commit", help="the earlier version")
    parser.add_argument("--emitted", required=True, type=pathlib.Path, help="the shipped rules as this tree emits them")
    parser.add_argument("--directory", required=True, type=pathlib.Path, help="for what is built")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--least", type=float, default=0.95, help="list instances below this ratio")
    parser.add_argument("--filter", default="", help="only rules whose name holds this")
    parser.add_argument("--compile-time", action="store_true", help="compare what emitted sources cost to compile")
    parser.add_argument("--sides", nargs=2, help=argparse.SUPPRESS)  # this process measures
    options = parser.parse_args()
    if options.sides:
        measure(*map(Side, options.sides), options)
        return
    versions = [(*emitted_by(options.commit, options.directory), "old"), (ROOT, options.emitted, "new")]
    if options.compile_time:
        compare_compile_time(versions, ["g++", "clang++-19"], options.directory)
        return
    sides = [library(source, emitted, options.compiler, options.directory / f"{name}-{options.compiler}")
             for source, emitted, name in versions]
    print("| instruction set | elements | instances | geometric mean | least | below |\n| --- | --- | ---: | ---: | ---: | ---: |",
          flush=True)
    for isa in ISAS:
        subprocess.run([sys.executable, __file__, *sys.argv[1:], "--sides", *map(str, sides)], check=True,
                       env=dict(os.environ, MSHADOW_ISA=isa, MSHADOW_NUM_THREADS="1"))


if __name__ == "__main__":
    main()
