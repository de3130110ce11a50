# SPDX-License-Identifier: Apache-2.0
"""Fused kernels for arrays of NumPy, PyTorch, JAX, CuPy and every library with DLPack or the buffer
protocol.

    import mshadow_kernels as mk
    mk.AdamW(weight, mean, variance, grad, lr=1e-3, step=1)

Each shipped rule is a function. A rule reads and writes the memory of its arguments, and copies
nothing. help(mk.AdamW) describes a rule, docs/rules.md lists all of them. mk.List makes many calls
in one, and mk.tensor prepares an array for many calls. mk.torch has optimizers and functions for
PyTorch, and mk.jax the rules as functions that jax.jit compiles. mk.build makes rules of your own.

A wrong argument raises an exception that names it, and nothing is written. Each is an mk.Error:
a ValueError (shape, device, overlap), a TypeError (element type) or a BufferError (read-only memory,
strides).
"""
import importlib
import os
import typing

from . import rules
from .rules import *  # noqa: F401,F403  each rule is a function of the package

__version__ = "0.1.0"

rules.load(os.path.join(os.path.dirname(os.path.abspath(__file__)), "libmshadow_rules.so"))


if typing.TYPE_CHECKING:
    from ._build import BuildError as BuildError, build as build
else:  # type checkers would take every name for an attribute
    def __getattr__(name):
        if name in ("torch", "jax"):  # on demand: it imports that library
            return importlib.import_module(f"{__name__}.{name}")
        if name in ("build", "BuildError"):
            try:  # the same function, where both packages are installed
                return getattr(importlib.import_module("mshadow_gen"), name)
            except ImportError:
                return getattr(importlib.import_module(f"{__name__}._build"), name)
        raise AttributeError(f"module '{__name__}' has no attribute '{name}'")
