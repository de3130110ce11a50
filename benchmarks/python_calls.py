#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a call from Python costs on a few elements, in microseconds: of two rules with arrays of
NumPy and PyTorch, prepared once or not, and of functions for PyTorch beside PyTorch's own. A library that
is not installed is SKIPPED.

Each figure is the least mean of several rounds, on one thread. The package is the one that
`import mshadow_kernels` finds.
"""
import argparse
import importlib
import os
import timeit

os.environ.setdefault("MSHADOW_NUM_THREADS", "1")


def microseconds(call, rounds, calls):
    """The least mean time of `calls` calls."""
    call()
    return min(timeit.repeat(call, number=calls, repeat=rounds)) / calls * 1e6


def arrays_of(library, elements):
    """Four arrays of floats, or None without the library."""
    try:
        module = importlib.import_module(library)
    except ImportError as error:
        print(f"{library}: SKIPPED, {error}")
        return None
    one = module.ones(elements, dtype=module.float32)
    return [one * number for number in range(1, 5)]


def print_rules(mk, elements, rounds, calls):
    """A rule of two arrays, one of four, and both with prepared arrays."""
    print(f"{'':8}{'L2Step':>10}{'AdamW':>10}{'L2Step, prepared':>20}{'AdamW, prepared':>20}")
    for library in ("numpy", "torch"):
        arrays = arrays_of(library, elements)
        if arrays is None:
            continue
        times = []
        for kind in (arrays, [mk.tensor(array) for array in arrays]):
            weight, mean, variance, grad = kind
            step = lambda: mk.L2Step(weight, grad, eta=0.1)  # noqa: E731
            adam = lambda: mk.AdamW(weight, mean, variance, grad, lr=0.1, step=1)  # noqa: E731
            times += [microseconds(call, rounds, calls) for call in (step, adam)]
        print(f"{library:8}{times[0]:10.2f}{times[1]:10.2f}{times[2]:20.2f}{times[3]:20.2f}")


def print_functions(elements, rounds, calls):
    """Functions for PyTorch and PyTorch's own, without and with the gradient."""
    try:
        import torch
        from mshadow_kernels import torch as fused
    except ImportError as error:
        print(f"functions for PyTorch: SKIPPED, {error}")
        return
    print(f"{'':8}{'ours':>10}{'torch':>10}{'ours, gradient':>20}{'torch, gradient':>20}")
    for name in ("silu", "gelu"):
        row = f"{name:8}"
        for requires_grad, width in ((False, 10), (True, 20)):
            x = torch.ones(elements, requires_grad=requires_grad)
            for module in (fused, torch.nn.functional):
                function = getattr(module, name)
                call = (lambda: function(x).sum().backward()) if requires_grad else (lambda: function(x))
                row += f"{microseconds(call, rounds, calls // 10):{width}.2f}"
        print(row)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=16, help="of each array (16)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=10000, help="in a round")
    options = parser.parse_args()
    import mshadow_kernels as mk
    print_rules(mk, options.elements, options.rounds, options.calls)
    print_functions(options.elements, options.rounds, options.calls)


if __name__ == "__main__":
    main()
