# SPDX-License-Identifier: Apache-2.0
"""Elementary functions by the rules of functions.h, compared with tables of other projects."""
from __future__ import annotations

import importlib
import os
from typing import Any, Iterator

import numpy as np

from cases import Case
from ulp import distance

kernels: Any = importlib.import_module("conformance_kernels")
kernels.load(os.environ["CONFORMANCE_KERNELS"])

BOUND = 1  # in units in the last place, of the rounded result that a table has


def compare(group: str, rule: str, inputs: Any, wanted: Any) -> Iterator[Case]:
    """A case for each element of two arrays of one type: whether the rule's result is within BOUND.
    A case is named after its argument's bits."""
    got = np.empty_like(inputs)
    getattr(kernels, rule)(got, np.ascontiguousarray(inputs))
    bits = inputs.view(f"u{inputs.dtype.itemsize}")
    for x, number, ours, theirs, error in zip(inputs, bits, got, wanted, distance(got, wanted)):
        detail = "" if error <= BOUND else f"{rule}({x!r}) is {ours!r}, not {theirs!r}"
        yield Case(group, f"{number:#x}", not detail, detail, float(error))
