# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX that move elements, that choose elements by indices, and that only reshape."""
from __future__ import annotations

import math
from functools import partial, reduce
from typing import Any, Sequence

import numpy as np
import onnx

from onnx_backend import Array, Node, Operands, call, each, need, operator
from onnx_rows import by_rows


def _matrix(x: Array, axis: int) -> Array:
    """A row for all that lies along an axis and behind it."""
    return np.ascontiguousarray(x).reshape(math.prod(x.shape[:axis]), math.prod(x.shape[axis:]))


def transposed(x: Array, order: Sequence[int]) -> Array:
    """A permutation of dimensions: each that moves forward is an exchange of two blocks."""
    sizes, now = x.shape, list(range(x.ndim))
    for place, axis in enumerate(order):
        here = now.index(axis)
        if here == place:
            continue
        before, middle, after = (math.prod(sizes[a] for a in part)
                                 for part in (now[:place], now[place:here], now[here + 1:]))
        source = np.ascontiguousarray(x).reshape(before, middle, sizes[axis], after)
        x = np.empty((before, sizes[axis], middle, after), x.dtype)
        call("Exchange", x, source)
        now.insert(place, now.pop(here))
    return x.reshape([sizes[axis] for axis in order])


@operator("Transpose")
def transpose(node: Node, operands: Operands) -> Array:
    """Without a permutation all dimensions are reversed."""
    x = operands[0]
    return transposed(x, node.get("perm", range(x.ndim)[::-1]))


@operator("DepthToSpace")
def depth_to_space(node: Node, operands: Operands) -> Array:
    """Channels become blocks of pixels."""
    x, size = operands[0], node.get("blocksize")
    n, c, h, w = x.shape
    if node.get("mode", "DCR") == "DCR":
        parts = transposed(x.reshape(n, size, size, c // size**2, h, w), (0, 3, 4, 1, 5, 2))
    else:
        parts = transposed(x.reshape(n, c // size**2, size, size, h, w), (0, 1, 4, 2, 5, 3))
    return parts.reshape(n, c // size**2, h * size, w * size)


@operator("SpaceToDepth")
def space_to_depth(node: Node, operands: Operands) -> Array:
    """Blocks of pixels become channels."""
    x, size = operands[0], node.get("blocksize")
    n, c, h, w = x.shape
    order = (0, 3, 5, 1, 2, 4) if node.get("mode", "DCR") == "DCR" else (0, 1, 3, 5, 2, 4)
    parts = transposed(x.reshape(n, c, h // size, size, w // size, size), order)
    return parts.reshape(n, c * size**2, h // size, w // size)


@operator("Concat")
def concat(node: Node, operands: Operands) -> Array:
    """Two tensors at a time."""
    axis = node.get("axis") % operands[0].ndim

    def pair(a: Array, b: Array) -> Array:
        shape = list(a.shape)
        shape[axis] += b.shape[axis]
        out = np.empty(shape, a.dtype)
        call("Concat", _matrix(out, axis), _matrix(a, axis), _matrix(b, axis))
        return out

    return operands[0] if len(operands) == 1 else reduce(pair, operands)


def _sliced(x: Array, axis: int, begin: int, end: int) -> Array:
    shape = list(x.shape)
    shape[axis] = max(end - begin, 0)
    out = np.empty(shape, x.dtype)
    if out.size:
        first = begin * math.prod(x.shape[axis + 1:])
        call("Slice", _matrix(out, axis), _matrix(x, axis), begin=first)
    return out


@operator("Slice")
def slices(_: Node, operands: Operands) -> Array:
    """Ranges along some axes. With a step they are indices."""
    x, starts, ends, axes, steps = (*operands, None, None)[:5]
    axes = range(len(starts)) if axes is None else axes
    for i, axis in enumerate(map(int, axes)):
        step = 1 if steps is None else int(steps[i])
        indices = range(x.shape[axis])[int(starts[i]):int(ends[i]):step]
        if step == 1:
            x = _sliced(x, axis % x.ndim, indices.start, indices.stop)
        else:
            x = taken(x, axis % x.ndim, _steps(indices))
    return x


def _steps(indices: range) -> Array:
    out = np.empty(len(indices), np.int64)
    call("Range", out, start=indices.start, delta=indices.step)
    return out


@operator("Range")
def arithmetic_range(_: Node, operands: Operands) -> Array:
    """Of the element type of the operands."""
    start, limit, delta = (x.item() for x in operands)
    out = np.empty(max(math.ceil((limit - start) / delta), 0), operands[0].dtype)
    call("Range", out, start=start, delta=delta)
    return out


@operator("EyeLike")
def eye_like(node: Node, operands: Operands) -> Array:
    """Ones on a diagonal."""
    dtype = onnx.helper.tensor_dtype_to_np_dtype(node.get("dtype")) if node.get("dtype") else None
    out = np.empty(operands[0].shape, dtype or operands[0].dtype)
    call("EyeLike", out, k=node.get("k", 0))
    return out


@operator("Split")
def split(node: Node, operands: Operands) -> tuple[Array, ...]:
    """Ranges of given or equal lengths, the last of which may be shorter."""
    x, sizes = (*operands, None)[:2]
    axis = node.get("axis", 0) % x.ndim
    sizes = node.get("split") if sizes is None else sizes
    if sizes is None:
        each_size = -(-x.shape[axis] // len(node.outputs))
        sizes = [each_size] * len(node.outputs)
    ends = np.minimum(np.cumsum(sizes), x.shape[axis])
    begins = [0, *ends[:-1]]
    return tuple(_sliced(x, axis, int(a), int(b)) for a, b in zip(begins, ends))


def padded(x: Array, before: Sequence[int], after: Sequence[int], value: float) -> Array:
    """A constant on both sides of each dimension; negative numbers cut."""
    for axis, (low, high) in enumerate(zip(before, after)):
        x = _sliced(x, axis, max(-low, 0), x.shape[axis] - max(-high, 0))
        if low > 0 or high > 0:
            shape = list(x.shape)
            shape[axis] += max(low, 0) + max(high, 0)
            out = np.empty(shape, x.dtype)
            call("Pad", _matrix(out, axis), _matrix(x, axis), value=value,
                 begin=max(low, 0) * math.prod(x.shape[axis + 1:]))
            x = out
    return x


@operator("Pad")
def pad(node: Node, operands: Operands) -> Array:
    """With a constant."""
    x, pads, value, axes = (*operands, None, None)[:4]
    need(node.get("mode", "constant") == "constant", "Pad pads with a constant")
    axes = np.arange(x.ndim) if axes is None else axes % x.ndim
    sides = np.zeros((2, x.ndim), int)
    sides[:, axes] = pads.reshape(2, -1)
    before, after = sides.tolist()
    return padded(x, before, after, 0.0 if value is None else value.item())


def taken(x: Array, axis: int, indices: Array) -> Array:
    """Slices along an axis, by a vector of indices."""
    front = np.ascontiguousarray(np.moveaxis(x, axis, 0))
    out = np.empty((len(indices), math.prod(front.shape[1:])), x.dtype)
    call("Gather", out, front.reshape(len(front), out.shape[1]), indices)
    return np.ascontiguousarray(np.moveaxis(out.reshape(-1, *front.shape[1:]), 0, axis))


@operator("Gather")
def gather(node: Node, operands: Operands) -> Array:
    """Slices along an axis, by indices of any shape."""
    x, indices = operands
    axis = node.get("axis", 0) % x.ndim
    vector = np.ascontiguousarray(indices, np.int64).reshape(-1)
    found = taken(x, axis, each("WrapIndex", vector, extent=x.shape[axis]))
    return found.reshape(x.shape[:axis] + indices.shape + x.shape[axis + 1:])


@operator("GatherElements")
def gather_elements(node: Node, operands: Operands) -> Array:
    """An element for each index, of the row that the index is in."""
    x, indices = operands
    axis = node.get("axis", 0) % x.ndim
    wrapped = np.moveaxis(each("WrapIndex", indices, extent=x.shape[axis]), axis, -1)
    matrix = np.moveaxis(x, axis, -1)
    matrix = np.broadcast_to(matrix[..., np.newaxis, :], wrapped.shape + matrix.shape[-1:])
    out = np.empty(wrapped.size, x.dtype)
    call("GatherElements", out, np.ascontiguousarray(matrix).reshape(out.size, -1),
         np.ascontiguousarray(wrapped).reshape(-1))
    return np.ascontiguousarray(np.moveaxis(out.reshape(wrapped.shape), -1, axis))


@operator("OneHot")
def one_hot(node: Node, operands: Operands) -> Array:
    """Two values along a new axis."""
    indices, depth, (off, on) = operands
    axis, depth = node.get("axis", -1) % (indices.ndim + 1), int(depth.item())
    wrapped = each("WrapIndex", np.ascontiguousarray(indices).reshape(-1), extent=depth)
    out = np.empty((wrapped.size, depth), off.dtype)
    call("OneHot", out, wrapped, off=off.item(), on=on.item())
    return np.ascontiguousarray(np.moveaxis(out.reshape(indices.shape + (depth,)), -1, axis))


@operator("Trilu")
def triangle(node: Node, operands: Operands) -> Array:
    """Of the last two dimensions."""
    x, k = (*operands, None)[:2]
    matrices = np.ascontiguousarray(x).reshape(math.prod(x.shape[:-2]), *x.shape[-2:])
    out = np.empty_like(matrices)
    for result, matrix in zip(out, matrices):
        call("Trilu", result, matrix, k=0 if k is None else int(k.item()),
             upper=bool(node.get("upper", 1)))
    return out.reshape(x.shape)


@operator("CumSum", "CumProd")
def scan(node: Node, operands: Operands) -> Array:
    """Along one axis, from either end, with or without the element itself."""
    x, axis = operands[0], int(operands[1].item())
    backwards = bool(node.get("reverse", 0))
    x = by_rows("Reverse", x, axis) if backwards else x
    x = by_rows(node.kind + ("Before" if node.get("exclusive", 0) else ""), x, axis)
    return by_rows("Reverse", x, axis) if backwards else x


@operator("Tile")
def tile(_: Node, operands: Operands) -> Array:
    """Copies, one after the other along each dimension."""
    x, repeats = operands
    for axis, count in enumerate(repeats.tolist()):
        x = concat(Node("Concat", (), (), {"axis": axis}), [x] * count)
    return x


shape_operator = partial(operator, shapes_only=True)


@shape_operator("Constant")
def constant(node: Node, _: Operands) -> Array:
    """The value of an attribute."""
    (name, value), = node.attributes.items()
    if name == "value":
        return onnx.numpy_helper.to_array(value)
    types: dict[str, Any] = {"value_float": np.float32, "value_floats": np.float32,
                             "value_int": np.int64, "value_ints": np.int64}
    need(name in types, "constants are numbers")
    return np.array(value, types[name])


@shape_operator("ConstantOfShape")
def constant_of_shape(node: Node, operands: Operands) -> Array:
    """One value everywhere."""
    value = node.get("value")
    one = np.zeros(1, np.float32) if value is None else onnx.numpy_helper.to_array(value)
    return np.full(operands[0].tolist(), one[0], one.dtype)


@shape_operator("Identity")
def identity(_: Node, operands: Operands) -> Array:
    """The operand."""
    return operands[0]


@shape_operator("Shape")
def shape_of(node: Node, operands: Operands) -> Array:
    """The extents, or some of them."""
    return np.array(operands[0].shape[node.get("start", 0):node.get("end")], np.int64)


@shape_operator("Size")
def size_of(_: Node, operands: Operands) -> Array:
    """The number of elements."""
    return np.array(operands[0].size, np.int64)


@shape_operator("Reshape")
def reshape(node: Node, operands: Operands) -> Array:
    """An extent of 0 is that of the operand."""
    x, shape = operands
    keeps = not node.get("allowzero", 0)
    return x.reshape([x.shape[i] if n == 0 and keeps else n for i, n in enumerate(shape.tolist())])


@shape_operator("Flatten")
def flatten(node: Node, operands: Operands) -> Array:
    """A matrix."""
    x, axis = operands[0], node.get("axis", 1)
    return x.reshape(math.prod(x.shape[:axis]), -1)


@shape_operator("Expand")
def expand(_: Node, operands: Operands) -> Array:
    """The operand, repeated along dimensions of extent 1."""
    x, shape = operands
    return np.array(np.broadcast_to(x, np.broadcast_shapes(x.shape, tuple(shape.tolist()))))


@shape_operator("Squeeze")
def squeeze(node: Node, operands: Operands) -> Array:
    """Without dimensions of extent 1."""
    x, axes = (*operands, None)[:2]
    axes = node.get("axes") if axes is None else axes
    return np.squeeze(x, None if axes is None else tuple(int(axis) for axis in axes))


@shape_operator("Unsqueeze")
def unsqueeze(node: Node, operands: Operands) -> Array:
    """With new dimensions of extent 1."""
    x, axes = (*operands, None)[:2]
    axes = node.get("axes") if axes is None else axes
    return np.expand_dims(x, tuple(int(axis) for axis in axes))
