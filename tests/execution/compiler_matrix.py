#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds print_bits for a target with every compiler, optimisation level and -march=native, and
requires the same bits from all: fused and unfused, with every instruction set.

Two controls show that the comparison can fail: the bits change without the contraction guard, and
with one cast removed from the emitted code.

With --shipped the target is that of all shipped specs. Then every compiler builds the emitted code in
two ways, those that differ most; the rules' tables, and with them the unfused rules, without
optimisation and for one rank.
"""
import argparse
import concurrent.futures
import itertools
import os
import pathlib
import shutil
import subprocess
import sys

COMPILERS = ["g++", "clang++-19", "clang++-14"]
ISAS = ["baseline", "avx2", "avx512"]


class Matrix:
    def __init__(self, options):
        self.options = options
        self.root = pathlib.Path(options.source)
        self.tests = self.root / "tests" / "execution"
        self.work = pathlib.Path(options.work)
        self.generated = pathlib.Path(options.generated)
        self.includes = [f"-I{path}" for path in (
            self.root / "runtime" / "include", self.root, self.tests, self.generated)]
        all_ranks = options.full and not options.shipped
        self.defines = [f'-DMSHADOW_TEST_HEADER="{options.header}"', f"-DMSHADOW_TEST_RULES={options.rules}",
                        "-DMSHADOW_TEST_DIMS=" + ("1,2,3" if all_ranks else "2")]
        if not options.shipped:
            self.defines.append("-DMSHADOW_TEST_LITERAL_CALLS")

    def compile(self, compiler, flags, source, output, *more):
        command = [compiler, "-std=c++17", "-w", *flags, *self.includes, *self.defines, *more,
                   "-c", str(source), "-o", str(output)]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}\n{done.stderr[-3000:]}")
        return str(output)

    def common_objects(self, pool):
        """What is not under test: the data, and the runtime as the project built it."""
        out = self.work / "common"
        out.mkdir(parents=True, exist_ok=True)
        sources = [self.tests / "arguments.cc", self.tests / "fenced_memory.cc"]
        objects = pool.map(lambda source: self.compile("g++", ["-O1"], source, out / f"{source.stem}.o"), sources)
        return [*objects, *self.options.runtime]

    def tables(self, name, compiler, flags, sources):
        """The rules by name, fused and unfused."""
        out = self.work / name
        out.mkdir(parents=True, exist_ok=True)
        objects = []
        for source in sources:
            path = self.tests / f"{source}.cc"
            objects.append(self.compile(compiler, flags, path, out / f"{source}_fused.o"))
            objects.append(self.compile(compiler, flags, path, out / f"{source}_unfused.o", "-DMSHADOW_UNFUSED"))
        return objects

    def build(self, name, compiler, flags, common, tables=None):
        """`tables`: a future of those of this compiler, if these flags are not to be theirs."""
        out = self.work / name
        out.mkdir(parents=True, exist_ok=True)
        objects = [self.compile(compiler, flags, source, out / f"{source.stem}.o")
                   for source in sorted(self.generated.glob("*.gen.cc"))]
        objects += tables.result() if tables else self.tables(name, compiler, flags, ["rules", "literal_calls"])
        objects.append(self.compile(compiler, ["-O1"], self.tests / "print_bits.cc", out / "print_bits.o"))
        return self.link(compiler, objects + common, out)

    def link(self, compiler, objects, out):
        program = out / "print_bits"
        subprocess.run([compiler, *objects, "-lgomp", "-lpthread", "-o", str(program)], check=True)
        return program

    def build_with(self, changed, like, common):
        """The program that `like`, of g++, built, but for one emitted file, which is `changed`."""
        out = self.work / "control"
        out.mkdir(parents=True, exist_ok=True)
        objects = [str(path) for path in sorted((self.work / like).glob("*.o")) if path.stem != changed.stem]
        objects.append(self.compile("g++", ["-O0"], changed, out / f"{changed.stem}.o"))
        return self.link("g++", objects + common, out)

    def bits(self, program, isa):
        """{rule: (fused, unfused)} with one instruction set."""
        environment = dict(os.environ, MSHADOW_ISA=isa, MSHADOW_NUM_THREADS="2")
        done = subprocess.run([str(program)], env=environment, capture_output=True, text=True, check=True)
        rows = [line.rsplit(" ", 2) for line in done.stdout.splitlines()]
        return {rule: (fused, unfused) for rule, fused, unfused in rows}

    def differences(self, program, expected):
        """What differs from `expected`, or within the program between fused and unfused."""
        found = []
        for isa in ISAS:
            for rule, (fused, unfused) in self.bits(program, isa).items():
                want = expected.setdefault(rule, fused)
                if fused != want:
                    found.append(f"{isa}: {rule} fused")
                if unfused != want:
                    found.append(f"{isa}: {rule} unfused")
        return found


def installed(compilers):
    for compiler in compilers:
        if shutil.which(compiler):
            yield compiler
        else:
            print(f"SKIPPED {compiler}: not installed")


def configurations(compilers, full, shipped):
    """(name, compiler, flags): every level with every compiler, or (CI) GCC's highest."""
    for compiler in compilers:
        ways = list(itertools.product(["-O0", "-O1", "-O2", "-O3"], [[], ["-march=native"]]))
        if shipped:
            ways = [("-O0", []), ("-O3", ["-march=native"])]
        elif not full:
            ways = [("-O3", ["-march=native"])] if compiler == "g++" else []
        for level, native in ways:
            yield f"{compiler}{level}{''.join(native)}", compiler, [level, *native]


def contraction_control(matrix, common, expected):
    """Contraction allowed, on a machine whose compiler would contract."""
    if "fma" not in pathlib.Path("/proc/cpuinfo").read_text():
        print("SKIPPED control: this processor has no fma")
        return []
    program = matrix.build("guard_control", "g++", ["-O3", "-march=native", "-DMSHADOW_TEST_WITHOUT_GUARD"], common)
    if matrix.differences(program, dict(expected)):
        print("ok      control: without the contraction guard the bits differ")
        return []
    return ["control: the bits are the same without the contraction guard, so this test cannot fail"]


def cast_control(matrix, common, expected):
    """One cast removed: rounded.h's sum reads the product before it was rounded."""
    copy = matrix.work / "cast_control_generated"
    shutil.copytree(matrix.generated, copy, dirs_exist_ok=True)
    formula = copy / "rounded.map.inc"
    text = formula.read_text()
    if text.count("Cast<float>(low)") != 1:
        return [f"control: {formula.name} does not hold the cast that is to be removed"]
    formula.write_text(text.replace("Cast<float>(low)", "(a * a)"))
    program = matrix.build_with(copy / "rounded.gen.cc", "g++-O3-march=native", common)
    different = matrix.differences(program, dict(expected))
    rounding = {text.split(": ")[1] for text in different}
    if rounding == {"rounded::Rounded<half_t> fused", "rounded::Rounded<bf16_t> fused"}:
        print("ok      control: without one cast the bits differ")
        return []
    return [f"control: one cast less changes {sorted(rounding) or 'nothing'}"]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("source", "generated", "header", "rules", "work"):
        parser.add_argument(f"--{name}", required=True)
    parser.add_argument("--runtime", nargs="+", required=True, help="its library, and what that is linked to")
    parser.add_argument("--full", action="store_true", default=bool(os.environ.get("MSHADOW_TEST_FULL")))
    parser.add_argument("--shipped", action="store_true", help="a target of many specs")
    parser.add_argument("--compilers", nargs="+", default=COMPILERS)
    matrix = Matrix(parser.parse_args())
    expected, failures, compilers = {}, [], list(installed(matrix.options.compilers))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        common = matrix.common_objects(pool)
        tables = {}
        if matrix.options.shipped:  # before the jobs that wait for them
            flags = ["-O0", "-DMSHADOW_XINLINE=inline"]
            tables = {compiler: pool.submit(matrix.tables, f"tables-{compiler}", compiler, flags, ["rules"])
                      for compiler in compilers}
        jobs = {name: pool.submit(matrix.build, name, compiler, flags, common, tables.get(compiler))
                for name, compiler, flags in configurations(compilers, matrix.options.full, matrix.options.shipped)}
        for name, job in jobs.items():
            found = matrix.differences(job.result(), expected)
            print(f"{'FAILED ' if found else 'ok     '} {name}: {len(found)} differences", flush=True)
            failures += [f"{name}: {text}" for text in found]
    if matrix.options.full and not matrix.options.shipped:  # strict_bits.sh has this control for less
        failures += contraction_control(matrix, common, expected)
    if not matrix.options.shipped:
        failures += cast_control(matrix, common, expected)
    print("\n".join(failures[:40]))
    print(f"{len(expected)} rules, {len(failures)} failures")
    return 1 if failures or not expected else 0


if __name__ == "__main__":
    sys.exit(main())
