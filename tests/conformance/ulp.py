# SPDX-License-Identifier: Apache-2.0
"""Distances between floating-point numbers in units in the last place."""
from __future__ import annotations

from typing import Any

import numpy as np

_INTEGERS = {2: np.int16, 4: np.int32, 8: np.int64}


def distance(got: Any, want: Any) -> Any:
    """How many numbers of their type lie between the elements of two arrays of one type of floats,
    and one more; 0 for equal numbers, zeros of either sign, and two NaNs; infinite for one NaN or
    one infinity. An array of float64."""
    with np.errstate(all="ignore"):
        steps = np.abs(_order(got) - _order(want)).astype(np.float64)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    apart = ~same & ~(np.isfinite(got) & np.isfinite(want))
    return np.where(same, 0.0, np.where(apart, np.inf, steps))


def _order(x: Any) -> Any:
    """Integers in the order of the floats. Those of float64 are halved, so that differences fit."""
    bits = x.view(_INTEGERS[x.dtype.itemsize])
    low = np.iinfo(bits.dtype).min
    ordered = np.where(bits < 0, low - bits, bits)
    return ordered.astype(np.int64) if x.dtype.itemsize < 8 else ordered.astype(np.longdouble)
