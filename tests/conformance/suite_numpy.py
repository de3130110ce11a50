# SPDX-License-Identifier: Apache-2.0
"""NumPy's validation sets: results of 20 functions, for float and double.

usage: suite_numpy.py OUT"""
from __future__ import annotations

import csv
import pathlib
import sys
from typing import Iterator

import numpy as np

from cases import Case, write
from functions import compare

DATA = pathlib.Path(np.__file__).parent / "_core" / "tests" / "data"
PREFIX = "umath-validation-set-"
TYPES = {"np.float32": (np.float32, np.uint32), "np.float64": (np.float64, np.uint64)}


def rows_of(path: pathlib.Path) -> Iterator[tuple[str, int, int]]:
    """The type, the argument and the result of each row of a set, the last two as bits."""
    with path.open(newline="") as file:
        lines = csv.reader(line for line in file if line[0] not in "#$")
        for row in lines:
            if len(row) >= 3 and row[0] in TYPES:
                yield row[0], int(row[1], 16), int(row[2], 16)


def rule_of(function: str) -> str:
    """Our name of a function of NumPy."""
    return function.replace("arc", "a").capitalize()


def cases() -> Iterator[Case]:
    """Every row of every set."""
    for path in sorted(DATA.glob(PREFIX + "*.csv")):
        function = path.stem[len(PREFIX):]
        rows = list(rows_of(path))
        for name, (dtype, integer) in TYPES.items():
            columns = np.array([row[1:] for row in rows if row[0] == name], integer).T.copy()
            inputs, wanted = columns.view(dtype)
            yield from compare(f"{function} {np.dtype(dtype)}", rule_of(function), inputs, wanted)


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), cases())
