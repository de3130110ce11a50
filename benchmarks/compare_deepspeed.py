#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""AdamW of whole models from Python: ours against DeepSpeed's CPU Adam and PyTorch's.

usage: compare_deepspeed.py [--library FILE] [--threads N]... [--rounds N] [--steps N] [--check]

Needs DeepSpeed and PyTorch (pip install torch, then pip install deepspeed --no-build-isolation).
DeepSpeed's kernel is compiled when it is first used, which takes minutes, a compiler and ninja. Our
side is the package mshadow_kernels: that of its library FILE, or the one that Python finds.

For each list of tensors it prints the least time of a step by mk.List(keep=False), in microseconds,
and over that time those of mk.List(), which also tells PyTorch what it has written; of our class
for PyTorch; of DeepSpeed's class; of PyTorch's in its fused form and in its form for lists; and of
a copy of as many bytes as the step moves. All take turns in one process, which is started anew for
each number of threads: 1, and that of the processors. A turn is several steps (--steps). The first
finds the others' tensors in the cache ("cold"), the rest find their own there, as far as these fit
("hot"). Weights are compared after the first step; the exit status is 1 if some differ. --check
does that alone.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import time

from package import import_package

MODELS = {
    "1 x 1,048,576": [1 << 20],
    "1 x 4,194,304": [1 << 22],
    "1 x 16,777,216": [1 << 24],
    "2,000 x 768": [768] * 2000,
    "2,000 x 64": [64] * 2000,
    "64 x 49,152": [49152] * 64,
}
BYTES = (
    28  # that a step moves for each parameter: weight and two states, read and written; gradient
)
NAMES = ("kept", "class", "DeepSpeed", "fused", "foreach", "copy")  # of what is over our time
HYPER = dict(lr=1e-3, betas=(0.9, 0.999), eps=1e-8, weight_decay=0.01)


def libraries():
    """PyTorch, and DeepSpeed's class, whose kernel is compiled now if need be."""
    os.environ["DS_ACCELERATOR"] = "cpu"
    # ninja is where this Python is, whether or not its environment is activated.
    os.environ["PATH"] = f"{pathlib.Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    try:
        import torch
        from deepspeed.ops.adam import DeepSpeedCPUAdam
    except ImportError as error:
        print(
            f"SKIP: DeepSpeed and PyTorch are not installed (pip install torch; "
            f"pip install deepspeed --no-build-isolation): {error}"
        )
        sys.exit(77)
    try:
        DeepSpeedCPUAdam([torch.nn.Parameter(torch.zeros(1))])
    except RuntimeError as error:
        print(f"SKIP: DeepSpeed's kernel cannot be compiled: {error}: {error.__cause__}")
        sys.exit(77)
    return torch, DeepSpeedCPUAdam


def parameters(torch, sizes):
    """The same ones at each call."""
    torch.manual_seed(1)
    made = [torch.nn.Parameter(torch.randn(size)) for size in sizes]
    for parameter in made:
        parameter.grad = torch.randn_like(parameter)
    return made


def by_list(mk, torch, sizes, keep):
    """A step of mk.List, and the weights."""
    model, updates, step = parameters(torch, sizes), mk.List(keep=keep), [0]
    states = [(torch.zeros_like(weight), torch.zeros_like(weight)) for weight in model]
    with torch.no_grad(), updates:
        for weight, of_weight in zip(model, states):
            mk.AdamW(weight, *of_weight, weight.grad, lr=HYPER["lr"], decay=HYPER["weight_decay"])

    def run(_=states):  # without `keep` it is the caller who keeps them
        step[0] += 1
        updates.set("step", step[0])
        updates.run()

    return run, model


def by_optimizer(make, torch, sizes):
    model = parameters(torch, sizes)
    return make(model).step, model


def contenders(mk, torch, deepspeed, sizes):
    """Of each its step and its weights; ours first."""
    from mshadow_kernels import torch as fused

    return {
        "list": by_list(mk, torch, sizes, False),
        "kept": by_list(mk, torch, sizes, True),
        "class": by_optimizer(lambda p: fused.AdamW(p, **HYPER), torch, sizes),
        "DeepSpeed": by_optimizer(lambda p: deepspeed(p, adamw_mode=True, **HYPER), torch, sizes),
        "fused": by_optimizer(lambda p: torch.optim.AdamW(p, fused=True, **HYPER), torch, sizes),
        "foreach": by_optimizer(
            lambda p: torch.optim.AdamW(p, foreach=True, **HYPER), torch, sizes
        ),
    }


def copy_of(torch, bytes_moved):
    """A copy that reads half of the bytes and writes as many."""
    source = torch.ones(bytes_moved // 8)
    destination = torch.zeros_like(source)
    return lambda: destination.copy_(source)


def are_same(torch, found):
    """Whether all have the same weights after a step, but for roundings."""
    _, want = found["list"]
    same = True
    for name, (_, model) in found.items():
        try:
            for got, weight in zip(model, want):
                torch.testing.assert_close(got.data, weight.data, rtol=1e-5, atol=1e-6)
        except AssertionError as error:
            print(f"{name}: DIFFERENT\n{error}")
            same = False
    return same


def least_times(functions, rounds, steps):
    """Of each function the least time of a first step in its turn, and that of the others."""
    cold, hot = [[float("inf")] * len(functions) for _ in range(2)]
    for _ in range(rounds):
        for i, function in enumerate(functions):
            for step in range(steps):
                begin = time.perf_counter()
                function()
                least = hot if step else cold
                least[i] = min(least[i], time.perf_counter() - begin)
    return {"cold": cold, "hot": hot}


def compare(mk, torch, deepspeed, name, given):
    sizes = MODELS[name]
    found = contenders(mk, torch, deepspeed, sizes)
    for run, _ in found.values():
        run()
    if not are_same(torch, found):
        return False
    if given.check:
        print(f"{name}: the same weights")
        return True
    runs = [run for run, _ in found.values()] + [copy_of(torch, BYTES * sum(sizes))]
    for when, (list_time, *others) in least_times(runs, given.rounds, given.steps).items():
        print(
            f"{name:16}{when:6}{list_time * 1e6:11.0f}"
            + "".join(f"{other / list_time:11.2f}" for other in others),
            flush=True,
        )
    return True


def run_with(threads, given):
    """In this process, which has begun with this number of threads."""
    torch, deepspeed = libraries()
    mk = import_package(given.library, threads)
    torch.set_num_threads(threads)
    print(
        f"{threads} thread(s), PyTorch {torch.__version__}: "
        f"microseconds of a list's step, and times over it\n"
        f"{'':22}{'list':>11}" + "".join(f"{name:>11}" for name in NAMES)
    )
    results = [compare(mk, torch, deepspeed, name, given) for name in MODELS]
    sys.exit(not all(results))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--library", help="libmshadow_rules.so in a directory mshadow_kernels")
    parser.add_argument(
        "--threads", type=int, action="append", help="default: 1, and that of the processors"
    )
    parser.add_argument("--rounds", type=int, default=20, help="turns of each contender")
    parser.add_argument("--steps", type=int, default=5, help="in a turn, at least 2")
    parser.add_argument("--check", action="store_true", help="only compare the weights")
    given = parser.parse_args()
    if given.steps < 2:
        parser.error("--steps is at least 2: one cold, one hot")
    chosen = given.threads or sorted({1, len(os.sched_getaffinity(0))})
    if os.environ.get("OMP_NUM_THREADS") == str(chosen[0]) and len(chosen) == 1:
        run_with(chosen[0], given)
    for threads in chosen:  # DeepSpeed's OpenMP takes its number of threads when it starts
        environment = {**os.environ, "OMP_NUM_THREADS": str(threads)}
        options = [f"--threads={threads}", f"--rounds={given.rounds}", f"--steps={given.steps}"]
        options += ["--check"] * given.check
        options += [f"--library={given.library}"] if given.library else []
        code = subprocess.run(
            [sys.executable, "-B", __file__, *options], env=environment, check=False
        ).returncode
        if code:
            sys.exit(code)


if __name__ == "__main__":
    main()
