#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What `#include <mshadow/tensor.h>` costs to parse, here and with mshadow's own headers.

Each compiler parses both in turn; printed are the medians of its processor seconds and of their
ratios, and the preprocessed lines. A compiler that is not installed is left out."""

import argparse
import pathlib
import resource
import shutil
import statistics
import subprocess

FLAGS = ["-std=c++17", "-O3", "-DNDEBUG", "-msse3", "-mf16c", "-w", "-x", "c++"]
PEER_FLAGS = ["-DMSHADOW_USE_CUDA=0", "-DMSHADOW_USE_MKL=0", "-DMSHADOW_USE_CBLAS=1"]
PROGRAM = b"#include <mshadow/tensor.h>\n"


def processor_seconds():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(compiler, flags, mode):
    command = [compiler, *FLAGS, *flags, mode, "-"]
    return subprocess.run(command, input=PROGRAM, check=True, stdout=subprocess.PIPE).stdout


def parse_seconds(compiler, flags):
    start = processor_seconds()
    run(compiler, flags, "-fsyntax-only")
    return processor_seconds() - start


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("peer", type=pathlib.Path, help="a directory that holds mshadow/tensor.h")
    parser.add_argument("--rounds", type=int, default=15, help="how often each is parsed")
    parser.add_argument("--compilers", nargs="+", default=["g++", "clang++-19"])
    options = parser.parse_args()
    here = pathlib.Path(__file__).resolve().parent.parent / "runtime" / "include"
    ours = ["-isystem", str(here)]
    theirs = ["-isystem", str(options.peer), *PEER_FLAGS]
    print(f"{'compiler':12} {'ours s':>7} {'theirs s':>8} {'ratio':>6} {'lines':>7} {'theirs':>7}")
    for compiler in filter(shutil.which, options.compilers):
        times = [(parse_seconds(compiler, ours), parse_seconds(compiler, theirs))
                 for _ in range(options.rounds)]
        median = [statistics.median(column) for column in zip(*times)]
        ratio = statistics.median(a / b for a, b in times)
        lines = [run(compiler, flags, "-E").count(b"\n") for flags in (ours, theirs)]
        print(f"{compiler:12} {median[0]:7.3f} {median[1]:8.3f} {ratio:6.2f} {lines[0]:7} {lines[1]:7}")


if __name__ == "__main__":
    main()
