# SPDX-License-Identifier: Apache-2.0
"""A backend of ONNX whose operators are rules: shipped ones, and those of functions.h and
onnx_rules.h.

NumPy reads the operands and gives them the shape that a rule takes: it broadcasts, reshapes and
transposes copies. It computes no element. Operators that only name or reshape tensors, such as
Reshape, are not counted: a graph needs at least one rule."""
from __future__ import annotations

import importlib
import os
from typing import Any, Callable, NamedTuple, Sequence

import numpy as np
import onnx
from onnx.backend.base import Backend as OnnxBackend
from onnx.backend.base import BackendRep

mk: Any = importlib.import_module("mshadow_kernels")
kernels: Any = importlib.import_module("conformance_kernels")
kernels.load(os.environ["CONFORMANCE_KERNELS"])

Array = Any  # numpy.ndarray
Operands = Sequence[Any]  # arrays; None where one is left out


class Unsupported(Exception):
    """There is no rule for what a node asks for, and why."""


class Node(NamedTuple):
    """An operator of a graph with its attributes."""
    kind: str
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    attributes: dict[str, Any]

    def get(self, name: str, default: Any = None) -> Any:
        """An attribute; text is no bytes."""
        value = self.attributes.get(name, default)
        return value.decode() if isinstance(value, bytes) else value


Operator = Callable[[Node, Operands], Any]  # returns an array or several
OPERATORS: dict[str, Operator] = {}
SHAPES_ONLY: set[str] = set()  # operators without a rule, which only name or reshape
SUMS: set[str] = set()  # operators whose elements are sums of several


def operator(*names: str, is_sum: bool = False, shapes_only: bool = False
             ) -> Callable[[Operator], Operator]:
    """Registers a function for operators of ONNX."""
    def register(function: Operator) -> Operator:
        OPERATORS.update({name: function for name in names})
        SUMS.update(names if is_sum else ())
        SHAPES_ONLY.update(names if shapes_only else ())
        return function
    return register


def call(rule: str, *arguments: Any, **scalars: Any) -> None:
    """Calls a rule of the conformance library, or a shipped one. Raises Unsupported if it has no
    instance for the element types."""
    library = kernels if hasattr(kernels, rule) else mk
    try:
        getattr(library, rule)(*map(_tensor, arguments), **scalars)
    except (kernels.NoInstance, mk.NoInstance) as error:
        raise Unsupported(str(error)) from error
    except TypeError as error:
        if isinstance(error, (kernels.Error, mk.Error)):
            raise Unsupported(str(error)) from error
        raise
    except (kernels.Error, mk.Error) as error:
        if "type" in str(error):
            raise Unsupported(str(error)) from error
        raise


def _tensor(x: Any) -> Any:
    """Rules take contiguous arrays of at least one dimension."""
    if not isinstance(x, np.ndarray):
        return x
    return x.reshape(1) if x.ndim == 0 else x


def each(rule: str, *operands: Array, dtype: Any = None, **scalars: Any) -> Array:
    """A rule for each element of the operands, which are broadcast. The result has `dtype`, or the
    type of the last operand."""
    shape = np.broadcast_shapes(*(x.shape for x in operands))
    full = [np.ascontiguousarray(np.broadcast_to(x, shape)) for x in operands]
    out = np.empty(shape, dtype or operands[-1].dtype)
    call(rule, out, *full, **scalars)
    return out


def cast(x: Array, dtype: Any) -> Array:
    """The array in another type, by the rule Cast."""
    return x if x.dtype == dtype else each("Cast", x, dtype=dtype)


def need(condition: bool, why: str) -> None:
    """Raises Unsupported unless the condition holds."""
    if not condition:
        raise Unsupported(why)


class Graph(BackendRep):
    """A model that runs node by node."""

    def __init__(self, model: onnx.ModelProto) -> None:
        graph = model.graph
        self.inputs = [value.name for value in graph.input]
        self.outputs = [value.name for value in graph.output]
        self.constants = {x.name: onnx.numpy_helper.to_array(x) for x in graph.initializer}
        self.nodes = [_node(node) for node in graph.node]

    @property
    def is_sum(self) -> bool:
        """Whether elements of the result are sums."""
        return any(node.kind in SUMS for node in self.nodes)

    def run(self, inputs: Any, **_: Any) -> tuple[Any, ...]:
        """The outputs of the graph. Raises Unsupported if a node has no rule."""
        if all(node.kind in SHAPES_ONLY for node in self.nodes):
            raise Unsupported(" and ".join(node.kind for node in self.nodes) + " computes nothing")
        for node in self.nodes:
            need(node.kind in OPERATORS, f"there is no rule for {node.kind}")
        values: dict[str, Any] = {**self.constants, **dict(zip(self.inputs, inputs)), "": None}
        for node in self.nodes:
            operands = [values[name] for name in node.inputs]
            found = OPERATORS[node.kind](node, operands)
            results = found if isinstance(found, tuple) else (found,)
            need(len(results) >= len(node.outputs), f"{node.kind} has more results than rules give")
            values.update(zip(node.outputs, results))
        return tuple(values[name] for name in self.outputs)


def _node(proto: onnx.NodeProto) -> Node:
    attributes = {x.name: onnx.helper.get_attribute_value(x) for x in proto.attribute}
    return Node(proto.op_type, tuple(proto.input), tuple(proto.output), attributes)


class Backend(OnnxBackend):
    """Runs models of ONNX by rules, on the CPU."""

    @classmethod
    def prepare(cls, model: onnx.ModelProto, device: str = "CPU", **_: Any) -> Graph:
        """The model, ready to run."""
        need(cls.supports_device(device), f"rules of this library do not run on {device}")
        return Graph(model)

    @classmethod
    def supports_device(cls, device: str) -> bool:
        """Whether models run there."""
        return device == "CPU"


for part in ("elements", "rows", "moves", "windows"):
    importlib.import_module(f"onnx_{part}")
