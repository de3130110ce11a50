# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX that reduce windows of images. A rule pools the last two dimensions. Those of
volumes are pooled first, and then the one before them."""
from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from onnx_backend import Array, Node, Operands, call, each, need, operator
from onnx_moves import padded
from onnx_rows import rows


class Windows(NamedTuple):
    """Windows along each spatial dimension."""
    size: list[int]
    stride: list[int]
    before: list[int]  # how many elements are added
    after: list[int]  # so that each window is complete
    inside: list[int]  # of those after, how many count as elements


def windows_of(node: Node, extents: tuple[int, ...]) -> Windows:
    """What the attributes say, with the padding that makes every window complete."""
    size, rank = node.get("kernel_shape"), len(extents)
    stride = node.get("strides", [1] * rank)
    need(all(d == 1 for d in node.get("dilations", [1] * rank)), "windows have no dilation")
    pads, auto = node.get("pads", [0] * 2 * rank), node.get("auto_pad", "NOTSET")
    before, after = list(pads[:rank]), list(pads[rank:])
    count = []
    for d, n in enumerate(extents):
        if auto in ("SAME_UPPER", "SAME_LOWER"):
            count.append(-(-n // stride[d]))
            total = max((count[d] - 1) * stride[d] + size[d] - n, 0)
            less, more = total // 2, total - total // 2
            before[d], after[d] = (less, more) if auto == "SAME_UPPER" else (more, less)
            continue
        steps = (n + before[d] + after[d] - size[d]) / stride[d]
        number = (math.ceil if node.get("ceil_mode", 0) else math.floor)(steps) + 1
        starts_inside = (number - 1) * stride[d] < n + before[d]
        count.append(number if starts_inside else number - 1)
    full = [(count[d] - 1) * stride[d] + size[d] - before[d] - n for d, n in enumerate(extents)]
    return Windows(size, stride, before, full, after)


def pool(rule: str, x: Array, size: list[int], stride: list[int]) -> Array:
    """Complete windows of the dimensions after the first two."""
    shape = [(n - k) // s + 1 for n, k, s in zip(x.shape[2:], size, stride)]
    if len(size) == 1:
        return pool(rule, x[:, :, np.newaxis], [1, *size], [1, *stride])[:, :, 0]
    if len(size) == 3:
        n, c, d, h, w = x.shape
        planes = pool(rule, x.reshape(n, c * d, h, w), size[1:], stride[1:])
        columns = planes.reshape(n, c, d, -1)
        return pool(rule, columns, [size[0], 1], [stride[0], 1]).reshape(n, c, *shape)
    out = np.empty((*x.shape[:2], *shape), x.dtype)
    call(rule, out, np.ascontiguousarray(x), height=size[0], width=size[1], stride_y=stride[0],
         stride_x=stride[1])
    return out


@operator("MaxPool")
def max_pool(node: Node, operands: Operands) -> Array:
    """Without the indices of the largest elements."""
    x = operands[0]
    need(len(node.outputs) == 1, "pool gives no indices")
    found = windows_of(node, x.shape[2:])
    low = -np.inf if x.dtype.kind == "f" else np.iinfo(x.dtype).min
    full = padded(x, [0, 0, *found.before], [0, 0, *found.after], low)
    return pool("MaxPool", full, found.size, found.stride)


def _sums(x: Array, found: Windows) -> Array:
    full = padded(x, [0, 0, *found.before], [0, 0, *found.after], 0.0)
    return pool("SumPool", full, found.size, found.stride)


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
