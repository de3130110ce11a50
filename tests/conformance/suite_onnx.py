# SPDX-License-Identifier: Apache-2.0
"""The node tests of ONNX, by the operators of onnx_backend.py.

Elements of results are held to 4 ULP. Where they are sums, whose order ONNX does not define, they
are held to the tolerance that the case itself has.

usage: suite_onnx.py OUT"""
from __future__ import annotations

import pathlib
import sys
import warnings
from typing import Any, Iterable, Iterator, Optional

import numpy as np
import onnx
from onnx.backend.test.loader import load_model_tests

from cases import Case, write
from onnx_backend import Backend, Unsupported
from ulp import distance

ULP = 4
EXPANDED = "_expanded"


def tensors(values: Iterable[Any]) -> list[Any]:
    """The arrays of a data set. Raises Unsupported if one is none."""
    found = [onnx.numpy_helper.to_array(x) if isinstance(x, onnx.TensorProto) else x
             for x in values]
    if not all(isinstance(x, (np.ndarray, np.generic)) for x in found):
        raise Unsupported("sequences and optional values are no tensors")
    return [np.asarray(x) for x in found]


def difference(got: Any, want: Any, case: Any, is_sum: bool) -> tuple[str, Optional[float]]:
    """What is wrong with an output, or nothing; and its error in ULP if it is held to that."""
    if (got.dtype, got.shape) != (want.dtype, want.shape):
        return f"{got.dtype}{got.shape}, not {want.dtype}{want.shape}", None
    if want.dtype.kind != "f" and want.dtype.name != "bfloat16":
        return ("" if np.array_equal(got, want) else f"{got.tolist()}, not {want.tolist()}"), None
    if is_sum:
        near = np.isclose(got, want, rtol=case.rtol, atol=case.atol, equal_nan=True)
        if near.all():
            return "", None
        return f"{got[~near][0]!r}, not {want[~near][0]!r}", None
    errors = np.atleast_1d(distance(got, want))
    worst = float(errors.max(initial=0.0))
    if worst <= ULP:
        return "", worst
    at = np.unravel_index(errors.argmax(), errors.shape)
    return f"{np.atleast_1d(got)[at]!r}, not {np.atleast_1d(want)[at]!r}: {worst:g} ULP", worst


def outcome(case: Any) -> tuple[str, Optional[float]]:
    """Why a case does not pass, or nothing; and its error in ULP if it is held to that."""
    worst: Optional[float] = None
    try:
        graph = Backend.prepare(case.model)
        for inputs, outputs in case.data_sets:
            results = graph.run(tensors(inputs))
            for got, want in zip(results, tensors(outputs), strict=True):
                wrong, error = difference(got, want, case, graph.is_sum)
                worst = max((x for x in (worst, error) if x is not None), default=None)
                if wrong:
                    return wrong, worst
    except Unsupported as why:
        return str(why), None
    except Exception as error:  # what a rule or the backend raises is the case's outcome
        return f"{type(error).__name__}: {error}", None
    return "", worst


def operators_of(tests: list[Any]) -> dict[str, str]:
    """The operator of each test. That of a graph of several is the operator that it expands."""
    kinds = {}
    for case in tests:
        nodes = case.model.graph.node
        kinds[case.name] = nodes[0].op_type if len(nodes) == 1 else ""
    found = {}
    for name, kind in kinds.items():
        whole = name.partition(EXPANDED)[0]
        is_expanded = whole != name and kinds.get(whole)
        found[name] = f"{kinds[whole]}, expanded" if is_expanded else kind or "several operators"
    return found


def cases() -> Iterator[Case]:
    """Every node test."""
    tests = load_model_tests(kind="node")
    operators = operators_of(tests)
    for case in tests:
        wrong, error = outcome(case)
        yield Case(operators[case.name], case.name.removeprefix("test_"), not wrong, wrong, error)


if __name__ == "__main__":
    warnings.simplefilter("ignore")  # of the library's own
    write(pathlib.Path(sys.argv[1]), cases())
