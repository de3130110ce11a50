# SPDX-License-Identifier: Apache-2.0
"""SciPy's tables of Boost's test data: results of special functions, for float and double.

usage: suite_scipy.py OUT"""
from __future__ import annotations

import pathlib
import sys
from typing import Any, Iterator, NamedTuple

import numpy as np
import scipy.special

from cases import Case, write
from functions import compare


class Set(NamedTuple):
    """Tables, and which columns of them are the argument and the result of a function."""
    rule: str
    names: tuple[str, ...]
    argument: int
    result: int


ERRORS = tuple(f"erf{part}_data_ipp-erf{part}_data" for part in ("", "_large", "_small"))
GAMMA = tuple(f"test_gamma_data_ipp-{part}"
              for part in ("factorials", "near_0", "near_1", "near_2", "near_m10", "near_m55"))
SETS = [
    Set("Erf", ERRORS, 0, 1), Set("Erfc", ERRORS, 0, 2), Set("Lgamma", GAMMA, 0, 2),
    Set("Log1p", ("log1p_expm1_data_ipp-log1p_expm1_data",), 0, 1),
    Set("Expm1", ("log1p_expm1_data_ipp-log1p_expm1_data",), 0, 2),
    Set("Cbrt", ("cbrt_data_ipp-cbrt_data",), 1, 0),
]


def cases() -> Iterator[Case]:
    """Every row of every table for double, and for float where float holds the argument."""
    path = pathlib.Path(scipy.special.__file__).parent / "tests" / "data" / "boost.npz"
    with np.load(path) as tables:
        for rule, names, argument, result in SETS:
            for name in names:
                x, y = (np.ascontiguousarray(tables[name][:, i]) for i in (argument, result))
                yield from both(f"{rule.lower()} {name.partition('-')[2]}", rule, x, y)


def both(group: str, rule: str, x: Any, y: Any) -> Iterator[Case]:
    """The cases of a table of doubles, for both types."""
    yield from compare(f"{group} float64", rule, x, y)
    with np.errstate(all="ignore"):
        short = x.astype(np.float32)
        fits = short == x
        yield from compare(f"{group} float32", rule, short[fits], y[fits].astype(np.float32))


if __name__ == "__main__":
    write(pathlib.Path(sys.argv[1]), cases())
