# SPDX-License-Identifier: Apache-2.0
"""The rules that PyTorch has, too, and how each side calls them: tables of cases, no timing."""

from . import elements, layers, losses, normalize, optimizers, rows

GROUPS = {
    "functions of elements, biases, gates, dropout": elements.CASES,
    "softmax, log-softmax, log-sum-exp, norms": rows.CASES,
    "normalisations": normalize.CASES,
    "losses of rows": losses.CASES,
    "products, attention, embedding, images": layers.CASES,
    "optimizers": optimizers.CASES,
}
CASES = [case for cases in GROUPS.values() for case in cases]
