#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what a call from Python costs on a few elements, in microseconds: of two rules with arrays of
NumPy and PyTorch, prepared once or not, and of functions for PyTorch beside PyTorch's own. Then it prints
what a step of AdamW costs with many parameters. A library that is not installed is SKIPPED.

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


def print_steps(mk, rounds):
    """A step of AdamW by a list, by mk.torch and by PyTorch's classes, in turn. moved: gradients have other
    memory than in the step before."""
    try:
        import torch
        from mshadow_kernels import torch as fused
    except ImportError as error:
        print(f"steps: SKIPPED, {error}")
        return
    torch.set_num_threads(1)
    print(f"{'':14}{'list':>10}{'mk.torch':>10}{'fused':>10}{'foreach':>10}{'mk.torch, moved':>20}{'fused, moved':>20}")
    for count, elements in ((2000, 768), (2000, 64), (64, 49152)):
        tensors = [[torch.ones(elements) for _ in range(4)] for _ in range(count)]
        steps = [listed_step(mk, tensors)]
        for kind, options in ((fused.AdamW, {}), (torch.optim.AdamW, {"fused": True}),
                              (torch.optim.AdamW, {"foreach": True})):
            weights = [torch.nn.Parameter(torch.ones(elements)) for _ in range(count)]
            steps.append(step_of(torch, kind(weights, **options), weights))
        times = [[] for _ in range(6)]
        for _ in range(rounds):
            for i, step in enumerate(steps):
                times[i].append(step(False))
            for i in (1, 2):
                times[3 + i].append(steps[i](True))
        best = [min(each) * 1e6 for each in times]
        print(f"{f'{count:,} x {elements:,}':14}" + "".join(f"{time:10.0f}" for time in best[:4])
              + "".join(f"{time:20.0f}" for time in best[4:]))


def step_of(torch, optimizer, weights):
    """A function that makes a step, with new gradients or those of the last one, and returns its time."""
    def step(is_new):
        if is_new or weights[0].grad is None:
            grads = [torch.ones_like(weight) for weight in weights]  # beside the old ones
            for weight, grad in zip(weights, grads):
                weight.grad = grad
        start = timeit.default_timer()
        optimizer.step()
        return timeit.default_timer() - start
    step(True)
    step(False)
    return step


def listed_step(mk, tensors):
    """The same by a list, which does not keep the tensors."""
    calls = mk.List(keep=False)
    with calls:
        for each in tensors:
            mk.AdamW(*each, lr=1e-3, step=1)
    number = 1

    def step(_):
        nonlocal number
        number += 1
        start = timeit.default_timer()
        calls.set("step", number)
        calls.run()
        return timeit.default_timer() - start
    step(False)
    return step


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--elements", type=int, default=16, help="of each array (16)")
    parser.add_argument("--rounds", type=int, default=20)
    parser.add_argument("--calls", type=int, default=10000, help="in a round")
    options = parser.parse_args()
    import mshadow_kernels as mk
    print_rules(mk, options.elements, options.rounds, options.calls)
    print_functions(options.elements, options.rounds, options.calls)
    print_steps(mk, options.rounds)


if __name__ == "__main__":
    main()
