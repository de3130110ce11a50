# SPDX-License-Identifier: Apache-2.0
"""Operators of ONNX that compute each element of the result from one element of each operand, and
its optimizers."""
from __future__ import annotations

from functools import partial, reduce
from typing import Any

import numpy as np
import onnx

from onnx_backend import Array, Node, Operands, call, cast, each, need, operator

UNARY = ("Abs Acos Acosh Asin Asinh Atan Atanh Ceil Cos Cosh Erf Exp Floor HardSwish Log Mish Neg "
         "Not Reciprocal Relu Round Sigmoid Sign Sin Sinh Softplus Softsign Sqrt Tan Tanh").split()
BINARY = "Add And Div Mul Or PRelu Sub Xor".split()
COMPARISONS = "Equal Greater GreaterOrEqual Less LessOrEqual".split()


def _each_by_its_name(node: Node, operands: Operands, dtype: Any = None) -> Array:
    """The rule has the operator's name."""
    return each(node.kind, *operands, dtype=dtype)


operator(*UNARY, *BINARY)(_each_by_its_name)
operator(*COMPARISONS)(partial(_each_by_its_name, dtype=np.bool_))


@operator("Max", "Min", "Sum", "Mean")
def fold(node: Node, operands: Operands) -> Array:
    """Any number of operands, two at a time."""
    rule = {"Sum": "Add", "Mean": "Add"}.get(node.kind, node.kind)
    first = operands[0]
    if len(operands) == 1:
        return each("Max", first, first)
    total = reduce(partial(each, rule), operands)
    if node.kind == "Mean":
        return each("Div", total, np.array(len(operands), total.dtype))
    return total


@operator("Mod")
def modulo(node: Node, operands: Operands) -> Array:
    """With `fmod` the quotient is rounded to 0."""
    rule = "Remainder" if node.get("fmod", 0) else "Mod"
    return each(f"Float{rule}" if operands[0].dtype.kind == "f" else rule, *operands)


@operator("Pow")
def power(_: Node, operands: Operands) -> Array:
    """The exponent in the type of the base."""
    base, exponent = operands
    return each("Pow", base, cast(exponent, base.dtype))


@operator("Where")
def where(_: Node, operands: Operands) -> Array:
    """One of two operands by a condition."""
    return each("Where", *operands)


@operator("Clip")
def clip(node: Node, operands: Operands) -> Array:
    """Limits that are left out are those of the type."""
    x, *limits = (*operands, None, None)[:3]
    info = np.finfo(x.dtype) if x.dtype.kind == "f" else np.iinfo(x.dtype)
    low, high = (node.get(name, default) if limit is None else limit.item() for name, default, limit
                 in zip(("min", "max"), (info.min, info.max), limits))
    number = float if x.dtype.kind == "f" else int
    return each("Clip", x, low=number(low), high=number(high))


def _with(rule: str, node: Node, operands: Operands, names: dict[str, str],
          **fixed: Any) -> Array:
    """A rule with attributes as its scalars: `names` says which is which."""
    given = {ours: node.get(theirs) for theirs, ours in names.items()
             if node.get(theirs) is not None}
    return each(rule, *operands, **{**fixed, **given})


operator("Elu")(lambda node, x: _with("Elu", node, x, {"alpha": "alpha"}))
operator("Celu")(lambda node, x: _with("Celu", node, x, {"alpha": "alpha"}))
operator("Selu")(lambda node, x: _with("Selu", node, x, {"alpha": "alpha", "gamma": "gamma"}))
operator("LeakyRelu")(lambda node, x: _with("LeakyRelu", node, x, {"alpha": "slope"}))
operator("HardSigmoid")(
    lambda node, x: _with("HardSigmoid", node, x, {"alpha": "alpha", "beta": "beta"}))
operator("ThresholdedRelu")(
    lambda node, x: _with("ThresholdedRelu", node, x, {"alpha": "alpha"}))
operator("Shrink")(lambda node, x: _with("Shrink", node, x, {"bias": "bias", "lambd": "lambda_"}))
operator("Swish")(lambda node, x: _with("Swish", node, x, {"alpha": "alpha"}))


@operator("SwiGLU")
def swiglu(node: Node, operands: Operands) -> Array:
    """The second operand, times the swish of the first."""
    gate = _with("Swish", node, operands[:1], {"alpha": "alpha"})
    return each("Mul", gate, operands[1])


@operator("Gelu")
def gelu(node: Node, operands: Operands) -> Array:
    """Exact, or its approximation by tanh."""
    return each("GeluTanh" if node.get("approximate") == "tanh" else "Gelu", *operands)


@operator("IsNaN")
def is_nan(_: Node, operands: Operands) -> Array:
    """Truth values."""
    return each("IsNaN", *operands, dtype=np.bool_)


@operator("IsInf")
def is_infinite(node: Node, operands: Operands) -> Array:
    """Truth values."""
    signs = {"negative": bool(node.get("detect_negative", 1)),
             "positive": bool(node.get("detect_positive", 1))}
    return each("IsInf", *operands, dtype=np.bool_, **signs)


@operator("Dropout")
def dropout(node: Node, operands: Operands) -> tuple[Array, Array]:
    """At inference every element stays."""
    x, _, training = (*operands, None, None)[:3]
    need(training is None or not training.item(), "ONNX draws masks by NumPy's generator")
    kept = np.ones(x.shape, np.uint8)
    return each("Dropout", x, kept, keep=1.0, dtype=x.dtype), kept.astype(np.bool_)


@operator("Cast")
def convert(node: Node, operands: Operands) -> Array:
    """To the element type that the attribute names."""
    dtype = onnx.helper.tensor_dtype_to_np_dtype(node.get("to"))
    return cast(operands[0], dtype)


@operator("CastLike")
def convert_like(_: Node, operands: Operands) -> Array:
    """To the element type of the second operand."""
    return cast(operands[0], operands[1].dtype)


def _along(x: Array, axis: int, like: Array) -> Array:
    """A scalar, or a vector along an axis."""
    if x.ndim != 1:
        return x
    return x.reshape([-1 if d == axis % like.ndim else 1 for d in range(like.ndim)])


@operator("DequantizeLinear", "QuantizeLinear")
def quantize(node: Node, operands: Operands) -> Array:
    """With a scale and a zero for the tensor or for each slice along an axis."""
    x, scale, zero = (*operands, None)[:3]
    need(zero is not None and scale.ndim < 2, "only a scale and a zero for a tensor or an axis")
    axis = node.get("axis", 1)
    full = (x, _along(scale, axis, x), _along(zero, axis, x))
    is_quantized = node.kind == "QuantizeLinear"
    return each(node.kind, *full, dtype=zero.dtype if is_quantized else scale.dtype)


def _updated(rule: str, operands: Operands, states: int, **scalars: Any) -> tuple[Array, ...]:
    """An optimizer for several tensors. The operands are a rate, a count, all weights, all
    gradients, and all of each state. The results are all weights, and all of each state."""
    tensors = [np.array(x) for x in operands[2:]]
    count = len(tensors) // (2 + states)
    groups = [tensors[i * count:(i + 1) * count] for i in range(2 + states)]
    for weight, grad, *state in zip(*groups):
        call(rule, weight, *state, grad, **scalars)
    return tuple(x for group in (groups[0], *groups[2:]) for x in group)


@operator("Adagrad")
def adagrad(node: Node, operands: Operands) -> tuple[Array, ...]:
    """The shipped rule counts steps from 1."""
    scalars = {"lr": operands[0].item(), "step": operands[1].item() + 1,
               "lr_decay": node.get("decay_factor", 0.0), "eps": node.get("epsilon", 1e-6),
               "decay": node.get("norm_coefficient", 0.0)}
    return _updated("Adagrad", operands, 1, **scalars)


@operator("Adam")
def adam(node: Node, operands: Operands) -> tuple[Array, ...]:
    """The rule of onnx_rules.h, which takes steps from 0."""
    scalars = {"lr": operands[0].item(), "step": operands[1].item(),
               "alpha": node.get("alpha", 0.9), "beta": node.get("beta", 0.999),
               "eps": node.get("epsilon", 1e-6), "decay_before": node.get("norm_coefficient", 0.0),
               "decay_after": node.get("norm_coefficient_post", 0.0)}
    return _updated("Adam", operands, 2, **scalars)


@operator("Momentum")
def momentum(node: Node, operands: Operands) -> tuple[Array, ...]:
    """The rule of onnx_rules.h, which takes steps from 0."""
    scalars = {"lr": operands[0].item(), "step": operands[1].item(), "alpha": node.get("alpha"),
               "beta": node.get("beta"), "decay": node.get("norm_coefficient"),
               "nesterov": node.get("mode") == "nesterov"}
    return _updated("Momentum", operands, 1, **scalars)
