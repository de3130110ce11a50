# SPDX-License-Identifier: Apache-2.0
"""What a case is, and the tensors of cases."""

from typing import Any, Callable, NamedTuple, Optional, Sequence

import torch

COLS = 1024  # elements of a row
aten = torch.ops.aten


class Work(NamedTuple):
    """One call of each side, on tensors that are there. PyTorch's ways compute the same, each for
    itself, and return it; the fastest one counts."""

    ours: Callable[[], Any]
    outs: Sequence[torch.Tensor]  # what our call writes
    theirs: Sequence[Callable[[], Any]]
    # The first of `outs` after the first call, in double: of rules that are a function of each
    # element, whose errors count.
    exact: Optional[Callable[[], torch.Tensor]] = None
    # In units of whose last place an error is given, if that is larger than the result.
    size: Optional[torch.Tensor] = None
    tolerance: float = 2e-5  # of the results, before they are timed
    compared: Callable[[torch.Tensor], torch.Tensor] = lambda x: x  # what of each result


class Case(NamedTuple):
    """A rule. `make` gets our package and a number of rows."""

    name: str
    make: Callable[[Any, int], Work]
    since: tuple = (1, 13)  # the PyTorch that has it
    most: int = 1 << 62  # elements; more take too long or too much memory


def random(*shape):
    return torch.randn(*shape)


def matrix(rows):
    return torch.randn(rows, COLS)


def matrices(count, rows):
    return [matrix(rows) for _ in range(count)]


def images(rows, channels=16, side=28):
    """As many elements as the rows have, about."""
    return torch.randn(max(1, rows * COLS // (channels * side * side)), channels, side, side)


def backward(function, inputs, out_grad):
    """PyTorch's way to the gradients by its autograd, of a function that was computed before."""
    inputs = [x.clone().requires_grad_() for x in inputs]
    out = function(*inputs)
    return lambda: torch.autograd.grad(out, inputs, out_grad, retain_graph=True)
