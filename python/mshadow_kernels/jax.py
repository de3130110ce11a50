# SPDX-License-Identifier: Apache-2.0
"""The rules as functions of arrays of JAX, 0.5 or newer, for programs that jax.jit compiles.

    step = jax.jit(mk.jax.AdamW, donate_argnums=(0, 1, 2))
    weight, mean, variance = step(weight, mean, variance, grad, lr=1e-3, step=1)

Each rule is a function of this module. It takes the rule's arguments and changes none of them. It
returns what the rule writes: a tuple in the order of the parameters, or the array if there is only
one.

* A tensor that the rule writes is an array of which the function returns the new value. XLA updates
  its memory in place if nothing else needs the old value, as when jax.jit donates the argument. If
  the rule does not read the tensor, it may be a jax.ShapeDtypeStruct instead.
* A scalar is a number, which is compiled into the program, or an array without dimensions: int32,
  int64, bool, float32 or float64. With an array for `step` a program serves all steps.

Calls run on the CPU only. There are no derivatives: use the rules for gradients in a
jax.custom_vjp. jax.vmap calls the rule for each element of the batch. A wrong scalar raises what the
rule itself raises. XLA raises a JaxRuntimeError that names the rule and the argument for a wrong
element type or shape, since the rule checks it when it runs.
"""
from __future__ import annotations

import functools
import inspect
import sys
from typing import Any, Callable

import jax
import numpy as np

from . import _call, rules

_TARGET = "mshadow_rule"
jax.ffi.register_ffi_target(_TARGET, _call.xla_handler(), platform="cpu")


class _Rule:
    """A rule that XLA's handler knows."""

    def __init__(self, function: Callable[..., None]) -> None:
        module: Any = sys.modules[function.__module__]
        self.rule = getattr(module, f"_call_{function.__name__}")
        self.name = f"{function.__module__}.{function.__name__}"
        if module._library is None:
            raise rules.Error(f"{self.name}: call load() before the first rule")
        self.signature = inspect.signature(function)
        address = module._address_of
        _call.xla_register(self.name, address(getattr(module._library, self.rule.packed)),
                           address(module._library.mshadow_last_error), self.rule.params)
        self.tensors = {i: is_written for i, _, is_written in self.rule.tensors}
        self.integers = {i: limits for i, *limits in self.rule.integers}
        self.reals = dict(self.rule.reals)

    def __call__(self, *args: Any, **named: Any) -> Any:
        bound = self.signature.bind(*args, **named)
        bound.apply_defaults()
        call = _Call(self, bound.args)
        results = jax.ffi.ffi_call(
            _TARGET, call.results, vmap_method="sequential",
            input_output_aliases=call.aliases)(
                *call.operands, rule=self.name, kinds="".join(call.kinds), reals=call.reals,
                integers=call.whole)
        return results[0] if len(results) == 1 else tuple(results)


class _Call:
    """What XLA's handler gets."""

    def __init__(self, rule: _Rule, args: tuple[Any, ...]) -> None:
        self.kinds: list[str] = []  # a letter for each parameter; xla_handler.cc has a list
        self.operands: list[Any] = []
        self.results: list[jax.ShapeDtypeStruct] = []
        self.aliases: dict[int, int] = {}
        self.reals, self.whole = np.zeros(len(args)), np.zeros(len(args), np.int64)
        for i, x in enumerate(args):
            if i in rule.tensors:
                self.kinds.append(self.tensor(x, rule.tensors[i]))
            elif isinstance(x, (jax.Array, np.ndarray)):
                self.kinds.append("o")
                self.operands.append(x)
            else:
                self.kinds.append("v")
                self.number(rule, i, x)

    def tensor(self, x: Any, is_written: bool) -> str:
        if isinstance(x, jax.ShapeDtypeStruct) and is_written:
            self.results.append(x)
            return "w"
        array = jax.numpy.asarray(x)
        if is_written:
            self.aliases[len(self.operands)] = len(self.results)
            like = jax.ShapeDtypeStruct(array.shape, array.dtype)  # type: ignore[no-untyped-call]
            self.results.append(like)
        self.operands.append(array)
        return "u" if is_written else "r"

    def number(self, rule: _Rule, i: int, x: Any) -> None:
        if i in rule.reals:
            self.reals[i] = rule.rule.real(rule.reals[i], x)
        elif i in rule.integers:
            name, least, greatest = rule.integers[i]
            value = rule.rule.integer(name, x, least, greatest)
            self.whole[i] = (value + 2**63) % 2**64 - 2**63  # a uint64 by its bits
        else:
            self.whole[i] = bool(x)


@functools.lru_cache(maxsize=None)
def wrap(function: Callable[..., None]) -> Callable[..., Any]:
    """The function of JAX arrays for a rule: `function` is one of mshadow_kernels, or of a module of
    rules of your own."""
    return _Rule(function)


def __getattr__(name: str) -> Callable[..., Any]:
    function = getattr(rules, name, None)
    if getattr(rules, f"_call_{name}", None) is None:
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
    return wrap(function)
