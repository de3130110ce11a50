# SPDX-License-Identifier: Apache-2.0
"""The rules that PyTorch has, too, and how each side calls them: tables of cases, no timing."""

from . import elements, layers, losses, normalize, optimizers, rows

CASES = [
    *elements.CASES,
    *rows.CASES,
    *normalize.CASES,
    *losses.CASES,
    *layers.CASES,
    *optimizers.CASES,
]
