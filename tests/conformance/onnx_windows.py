# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX that combine windows of images. A rule pools the last two dimensions. Those of
volumes are pooled first, and then the one before them."""
from __future__ import annotations

import math
from typing import NamedTuple, Optional, Sequence

import numpy as np

from onnx_backend import Array, Node, Operands, call, each, need, operator
from onnx_moves import padded, transposed
from onnx_rows import product, rows


class Windows(NamedTuple):
    """Windows along each spatial dimension."""
    size: list[int]
    stride: list[int]
    dilation: list[int]
    before: list[int]  # how many elements are added
    after: list[int]  # so that each window is complete
    inside: list[int]  # of those after, how many count as elements

    @property
    def steps(self) -> list[tuple[int, int, int]]:
        """Size, stride and dilation of each dimension."""
        return list(zip(self.size, self.stride, self.dilation))


def windows_of(node: Node, extents: tuple[int, ...], size: Optional[Sequence[int]] = None
               ) -> Windows:
    """What the attributes say, with the padding that makes every window complete."""
    size, rank = list(node.get("kernel_shape", size)), len(extents)
    stride, dilation = (list(node.get(name, [1] * rank)) for name in ("strides", "dilations"))
    spans = [(k - 1) * d + 1 for k, d in zip(size, dilation)]
    pads, auto = node.get("pads", [0] * 2 * rank), node.get("auto_pad", "NOTSET")
    before, after = list(pads[:rank]), list(pads[rank:])
    count = []
    for d, n in enumerate(extents):
        if auto in ("SAME_UPPER", "SAME_LOWER"):
            count.append(-(-n // stride[d]))
            total = max((count[d] - 1) * stride[d] + spans[d] - n, 0)
            less, more = total // 2, total - total // 2
            before[d], after[d] = (less, more) if auto == "SAME_UPPER" else (more, less)
            continue
        steps = (n + before[d] + after[d] - spans[d]) / stride[d]
        number = (math.ceil if node.get("ceil_mode", 0) else math.floor)(steps) + 1
        starts_inside = (number - 1) * stride[d] < n + before[d]
        count.append(number if starts_inside else number - 1)
    full = [(count[d] - 1) * stride[d] + spans[d] - before[d] - n for d, n in enumerate(extents)]
    return Windows(size, stride, dilation, before, full, after)


Steps = list[tuple[int, int, int]]  # of each dimension: size, stride and dilation of windows


def _counts(extents: Sequence[int], steps: Steps) -> list[int]:
    return [(n - (k - 1) * d - 1) // s + 1 for n, (k, s, d) in zip(extents, steps)]


def _columns(x: Array, steps: Steps) -> Array:
    """A matrix with a column for each window of each sample."""
    (height, stride_y, dilation_y), (width, stride_x, dilation_x) = steps
    windows = len(x) * math.prod(_counts(x.shape[2:], steps))
    out = np.empty((x.shape[1] * height * width, windows), x.dtype)
    call("WindowColumns", out, np.ascontiguousarray(x), height=height, width=width,
         stride_y=stride_y, stride_x=stride_x, dilation_y=dilation_y, dilation_x=dilation_x)
    return out


def pool(rule: str, x: Array, steps: Steps) -> Array:
    """Complete windows of the dimensions after the first two."""
    shape = [*x.shape[:2], *_counts(x.shape[2:], steps)]
    if len(steps) == 1:
        return pool(rule, x[:, :, np.newaxis], [(1, 1, 1), *steps])[:, :, 0]
    if len(steps) == 3:
        n, c, d, h, w = x.shape
        planes = pool(rule, x.reshape(n, c * d, h, w), steps[1:])
        return pool(rule, planes.reshape(n, c, d, -1), [steps[0], (1, 1, 1)]).reshape(shape)
    (height, stride_y, dilation_y), (width, stride_x, dilation_x) = steps
    if dilation_y == dilation_x == 1:
        out = np.empty(shape, x.dtype)
        call(rule, out, np.ascontiguousarray(x), height=height, width=width, stride_y=stride_y,
             stride_x=stride_x)
        return out
    columns = _columns(x.reshape(-1, 1, *x.shape[2:]), steps)
    values = np.empty(columns.shape[1], x.dtype)
    call({"MaxPool": "ReduceMax", "SumPool": "ReduceSum"}[rule], values,
         transposed(columns, (1, 0)))
    return values.reshape(shape)


@operator("Conv", is_sum=True)
def convolution(node: Node, operands: Operands) -> Array:
    """Of rows or images: a product of matrices for each group of channels."""
    x, weight, bias = (*operands, None)[:3]
    need(x.ndim in (3, 4), "no rule for convolutions of volumes")
    found = windows_of(node, x.shape[2:], weight.shape[2:])
    full = padded(x, [0, 0, *found.before], [0, 0, *found.after], 0.0)
    flat = [1] * (4 - x.ndim)
    full = full.reshape(*full.shape[:2], *flat, *full.shape[2:])
    steps = [(1, 1, 1)] * len(flat) + found.steps
    parts = []
    for images, kernels in zip(*(np.split(y, node.get("group", 1), axis) for y, axis in
                                 ((full, 1), (weight, 0)))):
        part = product(kernels.reshape(len(kernels), -1), _columns(images, steps))
        parts.append(transposed(part.reshape(len(kernels), len(x), -1), (1, 0, 2)))
    counts = _counts(full.shape[2:], steps)[len(flat):]
    out = np.concatenate(parts, 1).reshape(len(x), len(weight), *counts)
    return out if bias is None else each("Add", out, bias.reshape(-1, *[1] * len(counts)))


@operator("MaxPool")
def max_pool(node: Node, operands: Operands) -> Array:
    """Without the indices of the largest elements."""
    x = operands[0]
    need(len(node.outputs) == 1, "pool gives no indices")
    found = windows_of(node, x.shape[2:])
    low = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    full = padded(x, [0, 0, *found.before], [0, 0, *found.after], low)
    return pool("MaxPool", full, found.steps)


def _sums(x: Array, found: Windows) -> Array:
    full = padded(x, [0, 0, *found.before], [0, 0, *found.after], 0.0)
    return pool("SumPool", full, found.steps)


@operator("AveragePool", is_sum=True)
def average_pool(node: Node, operands: Operands) -> Array:
    """The padding counts if the attributes say so, but never what only completes a window."""
    x = operands[0]
    found = windows_of(node, x.shape[2:])
    counted = np.ones((1, 1, *x.shape[2:]), np.float32)
    if node.get("count_include_pad", 0):
        inside = [max(count, 0) for count in found.inside]
        counted = padded(counted, [0, 0, *found.before], [0, 0, *inside], 1.0)
        rest = [full - given for full, given in zip(found.after, found.inside)]
        counts = _sums(counted, found._replace(before=[0] * len(rest), after=rest))
    else:
        counts = _sums(counted, found)
    return each("Div", _sums(x, found), counts)


@operator("LpPool", is_sum=True)
def lp_pool(node: Node, operands: Operands) -> Array:
    """The norm of each window: the root of order p of the sum of powers."""
    x, p = operands[0], float(node.get("p", 2))
    powers = each("Pow", each("Abs", x), np.array(p, x.dtype))
    return each("Pow", _sums(powers, windows_of(node, x.shape[2:])), np.array(1 / p, x.dtype))


@operator("GlobalAveragePool", is_sum=True)
def global_average_pool(_: Node, operands: Operands) -> Array:
    """The mean of each channel."""
    return _by_channels("ReduceMean", operands[0])


@operator("GlobalMaxPool")
def global_max_pool(_: Node, operands: Operands) -> Array:
    """The largest element of each channel."""
    return _by_channels("ReduceMax", operands[0])


def _by_channels(rule: str, x: Array) -> Array:
    matrix, shape = rows(x, list(range(2, x.ndim)))
    out = np.empty(len(matrix), x.dtype)
    call(rule, out, matrix)
    return out.reshape(shape + (1,) * (x.ndim - 2))
