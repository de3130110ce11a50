#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shipped rules that PyTorch has, too, against PyTorch on the CPU.

usage: compare_torch.py [--library FILE] [--threads N] [--rounds N] [--size N]... [--filter REGEX]
                        [--json FILE] [--check] [--from FILE]...

Needs PyTorch, 2 or Debian's 1.13, and the package mshadow_kernels: that of its library FILE, or
the one that Python finds. Times both in turn in this process, float, on matrices with rows of 1024.
Prints, for each rule and size, PyTorch's time over ours: the median of the rounds; above 1 the rule
is faster. What is below 1 is measured again, in three times the rounds. If each element of the
result is computed in double, too, it also prints the worst error of each side: the distance to that
result, in units of its last place; of an optimizer in units of the last place of the weight before,
if that is larger. Then come the geometric means, and what PyTorch is faster in.

Results are compared before they are timed; the exit status is 1 if some differ. PyTorch writes into
tensors that are there (its `out` forms) wherever it has such a form, and otherwise allocates. Its
optimizers take the fastest of their forms: for one tensor, `foreach` and `fused`. What Python does
for each call, some microseconds on either side, is in both times. --check compares the results
alone.

The cases are in torch_cases/.
"""

import argparse
import json
import math
import pathlib
import re
import statistics
import sys
from typing import NamedTuple, Optional

from package import import_package, seconds

try:
    import torch
except ImportError:
    print("SKIP: PyTorch is not installed (Debian: python3-torch)")
    sys.exit(77)

from torch_cases import CASES, GROUPS
from torch_cases.case import COLS

ERRORS_OF = 1 << 18  # elements of which the errors are taken


class Errors(NamedTuple):
    """The worst of ours, and of each of PyTorch's ways; None if nobody knows the exact result."""

    ours: Optional[float]
    theirs: list


class Row(NamedTuple):
    rule: str
    size: int
    ratio: float
    ulp: Optional[float]
    ulp_torch: Optional[float]


def version():
    return tuple(int(part) for part in re.findall(r"\d+", torch.__version__)[:2])


def worst_error(result, exact, size):
    """In units of the last place of a float of the size."""
    if size is not None:
        size = torch.maximum(size.double().abs(), exact.abs())
    _, exponent = torch.frexp(exact if size is None else size)
    exponent = torch.where(exact == 0, torch.full_like(exponent, -125), exponent).clamp(min=-125)
    unit = torch.ldexp(torch.ones_like(exact), exponent - 24)
    return ((result.double().reshape(exact.shape) - exact).abs() / unit).max().item()


def as_list(results):
    return [results] if isinstance(results, torch.Tensor) else list(results)


def check(case, mk):
    """Whether both sides compute the same, and their errors."""
    rows = max(2, min(ERRORS_OF, case.most) // COLS)
    work = case.make(mk, rows)
    work.ours()
    exact = work.exact() if work.exact else None
    theirs = [as_list(way()) for way in work.theirs]
    for results in theirs:
        for got, want in zip(work.outs, results):
            torch.testing.assert_close(
                work.compared(got),
                work.compared(want.reshape(got.shape)),
                rtol=work.tolerance,
                atol=work.tolerance,
            )
    if exact is None:
        return Errors(None, [None] * len(theirs))
    return Errors(
        worst_error(work.outs[0], exact, work.size),
        [worst_error(results[0], exact, work.size) for results in theirs],
    )


def rows_of(size):
    """Some rows more than the size if it is large. Of tensors of 2^25 floats, the allocator puts
    neighbours 2^27 + 2^12 bytes apart. Their elements have the same tag in the way predictor of
    AMD's first cache (Lipp et al. 2020, "Take A Way"), so a loop over both takes twice as long."""
    return max(2, size // COLS) + (3 if size >= 1 << 20 else 0)


def compare(case, mk, size, rounds, errors):
    """The median over the rounds of PyTorch's best time over ours."""
    work = case.make(mk, rows_of(size))
    for function in [work.ours, *work.theirs]:
        function()
    calls = max(1, int(0.01 / max(seconds(work.ours, 3), 1e-6)))
    ratios, ways = [], []
    for _ in range(rounds):
        mine = seconds(work.ours, calls)
        times = [seconds(way, calls) for way in work.theirs]
        ways.append(times.index(min(times)))
        ratios.append(min(times) / mine)
    fastest = statistics.mode(ways)
    return Row(case.name, size, statistics.median(ratios), errors.ours, errors.theirs[fastest])


def ulp(error):
    return "-" if error is None else f"{error:.3g}"


def print_groups(rows, sizes):
    """A table: of each group the geometric mean, the smallest and the largest ratio."""
    print(f"\n| rules | {' | '.join(map(str, sizes))} |\n|{' --- |' * (1 + len(sizes))}")
    for group, cases in GROUPS.items():
        names, cells, most = {case.name for case in cases}, [], 0
        for size in sizes:
            ratios = [row.ratio for row in rows if row.size == size and row.rule in names]
            most = max(most, len(ratios))
            mean = statistics.geometric_mean(ratios) if ratios else 0
            cells.append(
                f"{mean:.2g} ({min(ratios):.2g} to {max(ratios):.2g})" if ratios else ""
            )
        if most:
            print(f"| {group}, {most} | {' | '.join(cells)} |")


def print_summary(rows):
    sizes = sorted({row.size for row in rows})
    print_groups(rows, sizes)
    print("\ngeometric mean of the ratios:")
    for size in sizes:
        of_size = [math.log(row.ratio) for row in rows if row.size == size]
        print(
            f"  {size} elements: {math.exp(statistics.mean(of_size)):.2f} of {len(of_size)} rules"
        )
    print(f"  all: {math.exp(statistics.mean(math.log(row.ratio) for row in rows)):.2f}")
    slower = sorted((row for row in rows if row.ratio < 1), key=lambda row: row.ratio)
    print(f"PyTorch is faster in {len(slower)} of {len(rows)}, with its error beside ours:")
    for row in slower:
        errors = f"{ulp(row.ulp_torch)} ULP, ours {ulp(row.ulp)}"
        print(f"  {row.rule:37}{row.size:>9}{row.ratio:7.2f}   {errors}")


def options():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", help="libmshadow_rules.so in a directory mshadow_kernels")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument(
        "--size", type=int, action="append", help="elements; default 16384, 1048576, 33554432"
    )
    parser.add_argument("--filter", default="", help="only the rules whose name matches")
    parser.add_argument(
        "--json", help="a file for rows of rule, size, threads, ratio_torch, ulp, ulp_torch"
    )
    parser.add_argument("--check", action="store_true", help="only compare the results")
    parser.add_argument(
        "--from",
        dest="files",
        action="append",
        help="measure nothing, print the summary of a file of --json, or of several",
    )
    return parser.parse_args()


def measure(case, mk, given):
    """The rows of a case; None if its results differ."""
    torch.manual_seed(1)
    try:
        errors = check(case, mk)
    except AssertionError as error:
        print(f"{case.name}: DIFFERENT\n{error}")
        return None
    if given.check:
        print(f"{case.name}: the same")
        return []
    rows = []
    for size in given.size or [1 << 14, 1 << 20, 1 << 25]:
        if size <= case.most:
            row = compare(case, mk, size, given.rounds, errors)
            if row.ratio < 1:  # noise, perhaps
                row = compare(case, mk, size, 3 * given.rounds, errors)
            rows.append(row)
            print(
                f"{row.rule:37}{size:>9}{row.ratio:8.2f}{ulp(row.ulp):>12}{ulp(row.ulp_torch):>12}",
                flush=True,
            )
    return rows


def rows_of_file(name):
    return [
        Row(row["rule"], row["size"], row["ratio_torch"], row["ulp"], row["ulp_torch"])
        for row in json.loads(pathlib.Path(name).read_text())
    ]


def main():
    given = options()
    if given.files:
        print_summary([row for name in given.files for row in rows_of_file(name)])
        return
    mk = import_package(given.library, given.threads)
    torch.set_num_threads(given.threads)
    rows, same = [], True
    print(
        f"PyTorch {torch.__version__} / ours, {given.threads} thread(s); above 1 ours is faster\n"
        f"{'':37}{'elements':>9}{'ratio':>8}{'ULP, ours':>12}{'PyTorch':>12}"
    )
    for case in CASES:
        if not re.search(given.filter, case.name):
            continue
        if version() < case.since:
            print(f"{case.name}: SKIPPED, it takes PyTorch {'.'.join(map(str, case.since))}")
            continue
        found = measure(case, mk, given)
        same = same and found is not None
        rows += found or []
    if rows:
        print_summary(rows)
    if given.json:
        pathlib.Path(given.json).write_text(
            json.dumps(
                [
                    {
                        "rule": row.rule,
                        "size": row.size,
                        "threads": given.threads,
                        "ratio_torch": round(row.ratio, 3),
                        "ulp": row.ulp,
                        "ulp_torch": row.ulp_torch,
                    }
                    for row in rows
                ],
                indent=1,
            )
            + "\n"
        )
    sys.exit(not same)


if __name__ == "__main__":
    main()
