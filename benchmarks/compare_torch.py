#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shipped rules against the same functions of PyTorch on the CPU.

usage: compare_torch.py --gen MSHADOW_GEN [--compiler CXX] [--threads N] [--rounds N]
                        [--size N]... [--filter REGEX] [--json FILE]

Needs PyTorch (Debian: python3-torch). Generates the rules as standalone sources with their Python module, compiles
them with -O2, and times both in turn in this process, float, on matrices with rows of 1024. Prints, for each function
and size, PyTorch's time over ours (the median of the rounds); above 1 the rule is faster. Results are compared before
they are timed. PyTorch writes into tensors that are there (its `out` forms) wherever it has such a form, and otherwise
allocates. Its optimizers are the single-tensor and the `foreach` form, whichever is faster, stepping one parameter.
What Python does for each call, some microseconds on either side, is in both times; our module's tensors are made once.
"""
import argparse
import json
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile
import time

try:
    import torch
except ImportError:
    print("SKIP: PyTorch is not installed (Debian: python3-torch)")
    sys.exit(77)

COLS = 1024
SPECS = """activation/bias activation/gelu activation/silu activation/softmax loss/sparse_softmax_cross_entropy
normalize/batch_norm_2d normalize/layer_norm optim/adagrad optim/adam optim/adamw optim/rmsprop optim/sgd""".split()
aten = torch.ops.aten


def build(gen, compiler, directory):
    """The rules as a module whose shared library is loaded."""
    root = pathlib.Path(__file__).resolve().parent.parent
    subprocess.run([gen, "generate", "--quiet", "--standalone", "--isa=baseline,avx2,avx512",
                    "--emit=header,cpu,blob,c,python", "--name=peer",
                    f"--path-base={root}", "-o", str(directory)] + [str(root / "specs" / f"{s}.h") for s in SPECS],
                   check=True)
    library = directory / "libpeer.so"
    sources = sorted(str(path) for path in directory.glob("*.cc"))
    subprocess.run([compiler, "-std=c++17", "-O2", "-fopenmp", "-fPIC", "-shared", f"-I{directory}", *sources,
                    "-o", str(library)], check=True)
    sys.path.insert(0, str(directory))
    import peer
    peer.load(str(library))
    made, make = {}, peer._tensor

    def tensor(x):
        if id(x) not in made:
            made[id(x)] = (make(x), x)  # x, so that no other object gets its id
        return made[id(x)][0]
    peer._tensor = tensor
    return peer, made


def random(*shape):
    return torch.randn(*shape)


# Each case gives (ours, [PyTorch's ways], pairs of results that must agree).

def softmax(peer, rows):
    x, out, want = random(rows, COLS), random(rows, COLS), random(rows, COLS)
    return (lambda: peer.Softmax(out, x), [lambda: aten._softmax.out(x, -1, False, out=want)], [(out, want)])


def softmax_grad(peer, rows):
    y, dy = torch.softmax(random(rows, COLS), -1), random(rows, COLS)
    dx, want = random(rows, COLS), random(rows, COLS)
    return (lambda: peer.SoftmaxGrad(dx, dy, y),
            [lambda: aten._softmax_backward_data.out(dy, y, -1, torch.float32, grad_input=want)], [(dx, want)])


def log_softmax(peer, rows):
    x, out, want = random(rows, COLS), random(rows, COLS), random(rows, COLS)
    return (lambda: peer.LogSoftmax(out, x), [lambda: aten._log_softmax.out(x, -1, False, out=want)], [(out, want)])


def cross_entropy_train(peer, rows):
    """The losses of a batch and their gradient by the logits."""
    x, label = random(rows, COLS).requires_grad_(), torch.randint(COLS, (rows,))
    data, label32, loss, dx = x.detach(), label.int(), random(rows), random(rows, COLS)
    want_loss, want = random(rows), random(rows, COLS)

    def theirs():
        losses = torch.nn.functional.cross_entropy(x, label, reduction="none")
        grad, = torch.autograd.grad(losses.sum(), x)
        want_loss.copy_(losses.detach())
        want.set_(grad)
    return (lambda: peer.SparseSoftmaxCrossEntropyTrain(loss, dx, data, label32), [theirs],
            [(loss, want_loss), (dx, want)])


def layer_norm(peer, rows):
    x, gain, bias = random(rows, COLS), random(COLS), random(COLS)
    out, mean, inv_std, want = random(rows, COLS), random(rows), random(rows), random(rows, COLS)

    def theirs():
        want.set_(torch.native_layer_norm(x, [COLS], gain, bias, 1e-5)[0])
    return lambda: peer.LayerNorm(out, mean, inv_std, x, gain, bias, 1e-5), [theirs], [(out, want)]


def batch_norm_2d(peer, rows):
    """Training, images of 28 x 28 with 16 channels."""
    images = max(1, rows * COLS // (16 * 784))
    x, out, want = random(images, 16, 28, 28), random(images, 16, 28, 28), random(1)
    gain, bias, mean, inv_std = random(16), random(16), random(16), random(16)
    stats = [[torch.zeros(16), torch.ones(16)] for _ in range(2)]

    def theirs():
        want.set_(torch.native_batch_norm(x, gain, bias, *stats[1], True, 0.1, 1e-5)[0])
    return (lambda: peer.BatchNorm2d(out, mean, inv_std, *stats[0], x, gain, bias, 0.1, 1e-5), [theirs], [(out, want)])


def gelu(peer, rows):
    x, out, want = random(rows, COLS), random(rows, COLS), random(rows, COLS)
    return lambda: peer.Gelu(out, x), [lambda: aten.gelu.out(x, out=want)], [(out, want)]


def gelu_grad(peer, rows):
    x, dy, dx, want = (random(rows, COLS) for _ in range(4))
    return lambda: peer.GeluGrad(dx, dy, x), [lambda: aten.gelu_backward.grad_input(dy, x, grad_input=want)], [(dx, want)]


def silu(peer, rows):
    x, out, want = random(rows, COLS), random(rows, COLS), random(rows, COLS)
    return lambda: peer.Silu(out, x), [lambda: aten.silu.out(x, out=want)], [(out, want)]


def bias_gelu(peer, rows):
    x, bias, out = random(rows, COLS), random(COLS), random(rows, COLS)
    sums, want = random(rows, COLS), random(rows, COLS)

    def theirs():
        torch.add(x, bias, out=sums)
        aten.gelu.out(sums, out=want)
    return lambda: peer.BiasGelu(out, x, bias), [theirs], [(out, want)]


def optimizer(rule, states, make):
    """A rule against torch.optim's, which steps a parameter of its own."""
    def case(peer, rows):
        start, grad = random(rows, COLS), random(rows, COLS)
        weight, step = start.clone(), [0]
        buffers = [torch.zeros(rows, COLS) for _ in range(states)]

        def ours():
            step[0] += 1
            getattr(peer, rule[0])(weight, *buffers, grad, **{"step": step[0], **rule[1]} if rule[2] else rule[1])
        ways, results = [], []
        for foreach in (False, True):
            parameter = torch.nn.Parameter(start.clone())
            parameter.grad = grad
            ways.append(make([parameter], foreach).step)
            results.append((weight, parameter.data))
        return ours, ways, results
    return case


CASES = {
    "Softmax": softmax,
    "SoftmaxGrad": softmax_grad,
    "LogSoftmax": log_softmax,
    "SparseSoftmaxCrossEntropyTrain": cross_entropy_train,
    "LayerNorm": layer_norm,
    "BatchNorm2d": batch_norm_2d,
    "Gelu": gelu,
    "GeluGrad": gelu_grad,
    "Silu": silu,
    "BiasGelu": bias_gelu,
    "SGDMomentum": optimizer(("SGDMomentum", {"lr": 0.01, "momentum": 0.9}, True), 1,
                             lambda p, f: torch.optim.SGD(p, lr=0.01, momentum=0.9, foreach=f)),
    "Adam": optimizer(("Adam", {"lr": 0.001}, True), 2, lambda p, f: torch.optim.Adam(p, lr=0.001, foreach=f)),
    "AdamW": optimizer(("AdamW", {"lr": 0.001, "decay": 0.01}, True), 2,
                       lambda p, f: torch.optim.AdamW(p, lr=0.001, weight_decay=0.01, foreach=f)),
    "RMSProp": optimizer(("RMSProp", {"lr": 0.001}, False), 1,
                         lambda p, f: torch.optim.RMSprop(p, lr=0.001, foreach=f)),
    "Adagrad": optimizer(("Adagrad", {"lr": 0.01}, True), 1,
                         lambda p, f: torch.optim.Adagrad(p, lr=0.01, foreach=f)),
}


def seconds(function, calls):
    begin = time.perf_counter()
    for _ in range(calls):
        function()
    return (time.perf_counter() - begin) / calls


def compare(case, peer, rows, rounds):
    """The median over the rounds of PyTorch's best time over ours."""
    ours, theirs, results = case(peer, rows)
    for function in [ours] + theirs:
        function()
    for got, want in results:
        torch.testing.assert_close(got, want.reshape(got.shape), rtol=2e-5, atol=2e-5)
    calls = max(1, int(0.01 / max(seconds(ours, 3), 1e-6)))
    ratios = []
    for _ in range(rounds):
        mine = seconds(ours, calls)
        ratios.append(min(seconds(way, calls) for way in theirs) / mine)
    return statistics.median(ratios)


def print_gelu_errors(peer):
    """The largest errors of gelu, from 0 to 5, in units of the last place of the true value."""
    x = torch.linspace(0, 5, 1 << 20)[1:].reshape(-1, 1).contiguous()
    ours, theirs, exact = torch.empty_like(x), torch.empty_like(x), x.double()
    peer.Gelu(ours, x)
    aten.gelu.out(x, out=theirs)
    exact = exact / 2 * torch.special.erfc(-exact / 2 ** 0.5)
    ulp = 2.0 ** (torch.floor(torch.log2(exact)) - 23)
    errors = [((value.double() - exact).abs() / ulp).max().item() for value in (ours, theirs)]
    print("largest error of gelu from 0 to 5: ours %.1f ULP, PyTorch %.1f ULP" % tuple(errors))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--gen", required=True, help="mshadow-gen")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--size", type=int, action="append", help="elements; default 16384, 1048576, 33554432")
    parser.add_argument("--filter", default="", help="only the rules whose name matches")
    parser.add_argument("--json", help="a file for rows of rule, size, threads, ratio_torch")
    options = parser.parse_args()
    os.environ["MSHADOW_NUM_THREADS"] = str(options.threads)  # read when the library starts
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    rows = []
    with tempfile.TemporaryDirectory() as directory:
        peer, made = build(options.gen, options.compiler, pathlib.Path(directory))
        print(f"PyTorch {torch.__version__} / ours, {options.threads} thread(s); above 1 the rule is faster")
        for name, case in CASES.items():
            if not re.search(options.filter, name):
                continue
            for size in options.size or [1 << 14, 1 << 20, 1 << 25]:
                ratio = compare(case, peer, max(1, size // COLS), options.rounds)
                made.clear()
                rows.append({"rule": name, "size": size, "threads": options.threads, "ratio_torch": round(ratio, 3)})
                print(f"{name:32}{size:>10}{ratio:8.2f}", flush=True)
        print_gelu_errors(peer)
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
