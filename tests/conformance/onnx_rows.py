# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX that combine elements: reductions, normalisations, losses, matrix products.
What is combined becomes the rows of a matrix."""
from __future__ import annotations

import math
from typing import Any, Iterable, Optional

import numpy as np

from onnx_backend import Array, Node, Operands, call, cast, each, need, operator

REDUCTIONS = ("ReduceL1 ReduceL2 ReduceLogSum ReduceLogSumExp ReduceMax ReduceMean ReduceMin "
              "ReduceProd ReduceSum ReduceSumSquare").split()


def _axes(axes: Optional[Iterable[int]], rank: int) -> list[int]:
    """All axes, or those named, counted from the first."""
    return list(range(rank)) if axes is None else sorted(int(axis) % rank for axis in axes)


def rows(x: Array, axes: list[int]) -> tuple[Array, tuple[int, ...]]:
    """A matrix whose rows go over `axes`, and the shape of the other dimensions."""
    kept = [axis for axis in range(x.ndim) if axis not in axes]
    shape = tuple(x.shape[axis] for axis in kept)
    matrix = np.ascontiguousarray(x.transpose(kept + axes))
    return matrix.reshape(math.prod(shape), math.prod(x.shape[axis] for axis in axes)), shape


def by_rows(rule: str, x: Array, axis: int, **scalars: Any) -> Array:
    """A rule from rows to rows, along one axis."""
    moved = np.ascontiguousarray(np.moveaxis(x, axis, -1))
    matrix = moved.reshape(math.prod(moved.shape[:-1]), moved.shape[-1])
    out = np.empty_like(matrix)
    call(rule, out, matrix, **scalars)
    return np.ascontiguousarray(np.moveaxis(out.reshape(moved.shape), -1, axis))


def _reduced(rule: str, x: Array, axes: list[int], keep: bool, dtype: Any = None) -> Array:
    matrix, shape = rows(x, axes)
    out = np.empty(matrix.shape[0], dtype or x.dtype)
    call(rule, out, matrix)
    full = tuple(1 if axis in axes else extent for axis, extent in enumerate(x.shape))
    return out.reshape(full if keep else shape)


@operator(*REDUCTIONS, is_sum=True)
def reduction(node: Node, operands: Operands) -> Array:
    """Along the axes of an operand or an attribute; along all if there are none."""
    x, given = (*operands, None)[:2]
    axes = node.get("axes") if given is None else given
    if axes is not None and len(axes) == 0:
        axes = None
    if axes is None and node.get("noop_with_empty_axes", 0):
        return x
    rule = {"ReduceLogSumExp": "LogSumExp"}.get(node.kind, node.kind)
    keep = bool(node.get("keepdims", 1))
    wider = {"bool": np.uint8, "float16": np.float32}.get(x.dtype.name, x.dtype)
    return cast(_reduced(rule, cast(x, wider), _axes(axes, x.ndim), keep), x.dtype)


@operator("ArgMax", "ArgMin")
def arg_reduction(node: Node, operands: Operands) -> Array:
    """The first or the last of equal elements."""
    rule = node.kind + ("Last" if node.get("select_last_index", 0) else "")
    axes = _axes([node.get("axis", 0)], operands[0].ndim)
    return _reduced(rule, operands[0], axes, bool(node.get("keepdims", 1)), np.int64)


@operator("Softmax", "LogSoftmax", is_sum=True)
def softmax(node: Node, operands: Operands) -> Array:
    """Along one axis."""
    return by_rows(node.kind, operands[0], node.get("axis", -1))


@operator("Hardmax")
def hardmax(node: Node, operands: Operands) -> Array:
    """Along one axis."""
    return by_rows("Hardmax", operands[0], node.get("axis", -1))


@operator("LpNormalization", is_sum=True)
def lp_normalization(node: Node, operands: Operands) -> Array:
    """By the sum of magnitudes or the Euclidean norm."""
    if node.get("p", 2) == 1:
        return by_rows("L1Normalize", operands[0], node.get("axis", -1))
    tiny = float(np.finfo(np.float32).tiny)  # changes only a row of zeros
    return by_rows("L2Normalize", operands[0], node.get("axis", -1), eps=tiny)


def _normalized(rule: str, x: Array, width: int, *parameters: Array, eps: float,
                statistics: int = 2) -> tuple[Array, list[Array]]:
    """A rule of specs/normalize over rows of `width`: the result and the statistics of the rows."""
    matrix = np.ascontiguousarray(x).reshape(-1, width)
    out = np.empty_like(matrix)
    found = [np.empty(matrix.shape[0], np.float32) for _ in range(statistics)]
    call(rule, out, *found, matrix, *map(np.ascontiguousarray, parameters), eps=eps)
    return out.reshape(x.shape), found


@operator("LayerNormalization", "RMSNormalization", is_sum=True)
def layer_norm(node: Node, operands: Operands) -> tuple[Array, ...]:
    """Over the dimensions from `axis` on."""
    x, gain, bias = (*operands, None)[:3]
    axis = node.get("axis", -1) % x.ndim
    width = math.prod(x.shape[axis:])
    eps = node.get("epsilon", 1e-5)
    parameters = [np.broadcast_to(y, x.shape[axis:]).reshape(-1)
                  for y in (gain, np.zeros(1, x.dtype) if bias is None else bias)]
    if node.kind == "RMSNormalization":
        return _normalized("RmsNorm", x, width, parameters[0], eps=eps, statistics=1)[:1]
    out, found = _normalized("LayerNorm", x, width, *parameters, eps=eps)
    shape = x.shape[:axis] + (1,) * (x.ndim - axis)
    return (out, *(y.reshape(shape) for y in found))


def _channels(x: Array, values: Array) -> Array:
    """A value for each channel, the second dimension, with the rank of x."""
    return values.reshape((1, -1) + (1,) * (x.ndim - 2))


@operator("InstanceNormalization", is_sum=True)
def instance_norm(node: Node, operands: Operands) -> Array:
    """A row is a channel of a sample."""
    x, gain, bias = operands
    tiled = [np.tile(y, x.shape[0]) for y in (gain, bias)]
    width = math.prod(x.shape[2:])
    return _normalized("InstanceNorm", x, width, *tiled, eps=node.get("epsilon", 1e-5))[0]


@operator("GroupNormalization", is_sum=True)
def group_norm(node: Node, operands: Operands) -> Array:
    """A row is a group of channels of a sample; gain and bias are those of channels."""
    x, gain, bias = operands
    count = x.shape[0] * node.get("num_groups")
    ones = np.ones(count, np.float32)
    out, _ = _normalized("InstanceNorm", x, x.size // count, ones, 0 * ones,
                         eps=node.get("epsilon", 1e-5))
    return each("Add", each("Mul", out, _channels(x, gain)), _channels(x, bias))


@operator("MeanVarianceNormalization", is_sum=True)
def mean_variance_norm(node: Node, operands: Operands) -> Array:
    """Over the axes, with neither gain nor bias."""
    axes = _axes(node.get("axes", [0, 2, 3]), operands[0].ndim)
    matrix, _ = rows(operands[0], axes)
    ones = np.ones(matrix.shape[0], np.float32)
    out, _ = _normalized("InstanceNorm", matrix, matrix.shape[1], ones, 0 * ones, eps=1e-9)
    order = [axis for axis in range(operands[0].ndim) if axis not in axes] + axes
    shape = [operands[0].shape[axis] for axis in order]
    return np.ascontiguousarray(out.reshape(shape).transpose(np.argsort(order)))


@operator("BatchNormalization", is_sum=True)
def batch_norm(node: Node, operands: Operands) -> tuple[Array, ...]:
    """Of channels, the second dimension. ONNX's running variance is that of the whole batch, ours
    is unbiased; the rule ScaledSum converts it."""
    x, gain, bias, mean, variance = operands
    images = np.ascontiguousarray(x).reshape(x.shape[0], x.shape[1], -1, 1)
    out, eps = np.empty_like(images), node.get("epsilon", 1e-5)
    if not node.get("training_mode", 0):
        call("BatchNorm2dInference", out, images, mean, variance, gain, bias, eps=eps)
        return (out.reshape(x.shape),)
    share, count = 1 - node.get("momentum", 0.9), x.size // x.shape[1]
    now = [np.array(y) for y in (mean, variance)]
    latest = [np.array(y) for y in (mean, variance)]
    for momentum, running in ((share, now), (1.0, latest)):
        call("BatchNorm2d", out, np.empty_like(gain), np.empty_like(gain), *running, images, gain,
             bias, momentum=momentum, eps=eps)
    running_variance = each("ScaledSum", latest[1], variance, alpha=share * (count - 1) / count,
                            beta=1 - share)
    return out.reshape(x.shape), now[0], running_variance


@operator("LRN", is_sum=True)
def local_response(node: Node, operands: Operands) -> Array:
    """Over neighbouring channels."""
    size = node.get("size")
    need(size % 2 == 1, "LocalResponse has windows of an odd number of channels")
    x = np.ascontiguousarray(operands[0])
    out, scale = np.empty_like(x), np.empty_like(x)
    call("LocalResponse", out, scale, x, n=size, alpha=node.get("alpha", 1e-4),
         beta=node.get("beta", 0.75), k=node.get("bias", 1.0))
    return out


def product(a: Array, b: Array) -> Array:
    """The matrix products of the last two dimensions; the others are broadcast."""
    left, right = a[np.newaxis] if a.ndim == 1 else a, b[:, np.newaxis] if b.ndim == 1 else b
    batch = np.broadcast_shapes(left.shape[:-2], right.shape[:-2])
    left, right = (np.ascontiguousarray(np.broadcast_to(x, batch + x.shape[-2:])).reshape(
        (-1,) + x.shape[-2:]) for x in (left, right))
    out = np.empty((len(left), left.shape[1], right.shape[2]), a.dtype)
    for result, x, y in zip(out, left, right):
        call("MatMul", result, x, y)
    shape = batch + out.shape[1:]
    drop = ((len(shape) - 2,) if a.ndim == 1 else ()) + ((len(shape) - 1,) if b.ndim == 1 else ())
    return np.squeeze(out.reshape(shape), drop)


@operator("MatMul", is_sum=True)
def matmul(_: Node, operands: Operands) -> Array:
    """With the shapes of numpy.matmul."""
    return product(*operands)


@operator("Gemm", is_sum=True)
def gemm(node: Node, operands: Operands) -> Array:
    """alpha a b + beta c."""
    a, b, c = (*operands, None)[:3]
    found = product(np.ascontiguousarray(a.T) if node.get("transA", 0) else a,
                    np.ascontiguousarray(b.T) if node.get("transB", 0) else b)
    c = np.zeros((), found.dtype) if c is None else c
    return each("ScaledSum", found, c, alpha=node.get("alpha", 1.0), beta=node.get("beta", 1.0))


def _losses(node: Node, log_prob: Array, label: Array, weights: Optional[Array]) -> Array:
    """The negative logarithm at each label, weighted and reduced as the attributes say."""
    shape, label = label.shape, np.ascontiguousarray(label, np.int64).reshape(-1)
    matrix, _ = rows(log_prob, [1])
    classes = matrix.shape[1]
    ignored = node.get("ignore_index", -1 - classes)
    index = each("Replace", label, old=ignored, other=0)
    weights = np.ones(classes, np.float32) if weights is None else weights
    loss, weight = np.empty(len(matrix), np.float32), np.empty(len(matrix), np.float32)
    repeated = np.ascontiguousarray(np.broadcast_to(weights, matrix.shape))
    call("RowLosses", loss, weight, matrix, repeated, label, index, ignored=ignored)
    how = node.get("reduction", "mean")
    if how == "none":
        return loss.reshape(shape)
    total = _reduced("ReduceSum", loss, [0], False)
    return total if how == "sum" else each("Div", total, _reduced("ReduceSum", weight, [0], False))


@operator("NegativeLogLikelihoodLoss", is_sum=True)
def nll_loss(node: Node, operands: Operands) -> Array:
    """Of logarithms of probabilities."""
    log_prob, label, weights = (*operands, None)[:3]
    return _losses(node, log_prob, label, weights)


@operator("SoftmaxCrossEntropyLoss", is_sum=True)
def cross_entropy(node: Node, operands: Operands) -> tuple[Array, Array]:
    """Also the logarithms of probabilities."""
    scores, label, weights = (*operands, None)[:3]
    log_prob = by_rows("LogSoftmax", scores, 1)
    return _losses(node, log_prob, label, weights), log_prob


@operator("RotaryEmbedding")
def rotary_embedding(node: Node, operands: Operands) -> Array:
    """Of the first columns of each head; pairs are half a row apart, or neighbours."""
    given, cosine, sine, positions = (*operands, None)[:4]
    x = given
    if x.ndim == 3:  # sample, position, heads of columns
        heads = node.get("num_heads")
        x = x.reshape(*x.shape[:2], heads, -1).transpose(0, 2, 1, 3)
    width = node.get("rotary_embedding_dim", 0) or x.shape[3]
    pairs = bool(node.get("interleaved", 0))
    order = list(range(0, width, 2)) + list(range(1, width, 2)) if pairs else list(range(width))
    turned = np.ascontiguousarray(x[..., order])
    angles = [(y if positions is None else y[positions])[:, np.newaxis] for y in (cosine, sine)]
    full = [np.ascontiguousarray(np.broadcast_to(np.concatenate([y, y], -1), turned.shape))
            for y in angles]
    out, shape = np.empty_like(turned), (-1, width)
    call("RotaryEmbedding", out.reshape(shape), *(y.reshape(shape) for y in (turned, *full)))
    result = x.copy()
    result[..., order] = out
    return result.transpose(0, 2, 1, 3).reshape(given.shape) if given.ndim == 3 else result
