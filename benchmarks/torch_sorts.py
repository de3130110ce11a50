#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs bench_sorts, and after each of its lines the same sort of PyTorch, one thread: two more columns,
PyTorch's time and that time over ours. Above 1 ours is faster.

usage: torch_sorts.py BENCH_SORTS [NAME]

PyTorch finds values and columns in each case, since it has no function for one of them alone."""
import statistics
import subprocess
import sys
import time

import torch

ROUNDS = 15
SECONDS = 2e-3  # a round takes as long, or one call


def seconds(function, calls):
    begin = time.process_time()
    for _ in range(calls):
        function()
    return (time.process_time() - begin) / calls


def sort_of(name, rows, columns, count):
    """The function of PyTorch that does the same."""
    data = torch.randn(rows, columns)
    if "TopK" in name:
        return lambda: torch.topk(data, count, dim=1)
    return lambda: torch.sort(data, dim=1, stable=True)


def microseconds(function):
    calls = max(1, int(SECONDS / max(seconds(function, 1), 1e-6)))
    return 1e6 * statistics.median(seconds(function, calls) for _ in range(ROUNDS))


def main():
    torch.set_num_threads(1)
    with subprocess.Popen(sys.argv[1:], stdout=subprocess.PIPE, text=True) as program:
        print(f"{next(program.stdout).rstrip()}{'torch us':>12}{'torch':>10}", flush=True)
        for line in program.stdout:
            words = line.split()
            if len(words) != 6:
                sys.exit(line.rstrip())
            time_there = microseconds(sort_of(words[0], *map(int, words[1:4])))
            print(f"{line.rstrip()}{time_there:12.1f}{time_there / float(words[4]):10.2f}", flush=True)
    return program.returncode


if __name__ == "__main__":
    sys.exit(main())
