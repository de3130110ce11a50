#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch's kernels on a GPU: medians of 15 rounds. Every call moves 512 MiB.

So the matrices have 512 MiB over the bytes that the call moves for each element, as those of a rule in
`scripts/gpu -- --megabytes 512`, and the times of a function and of its rule may be compared.
"""
import statistics

import torch

MOVED = 512 << 20


def milliseconds(call, rounds=15):
    for _ in range(3):
        call()
    times = []
    for _ in range(rounds):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        call()
        end.record()
        torch.cuda.synchronize()
        times.append(begin.elapsed_time(end))
    return statistics.median(times)


# name, bytes that the call moves for each element, the call for (x, out, grad, gain)
CALLS = [
    ("copy", 8, lambda x, out, grad, gain: out.copy_(x)),
    ("softmax", 8, lambda x, out, grad, gain: torch.softmax(x, 1, out=out)),
    ("softmax backward", 12,
     lambda x, out, grad, gain: torch.ops.aten._softmax_backward_data(grad, x, 1, torch.float32)),
    ("layer norm", 8, lambda x, out, grad, gain: torch.nn.functional.layer_norm(x, gain.shape, gain, gain)),
    ("sum of columns", 4, lambda x, out, grad, gain: grad.sum(0)),
]


def main():
    for cols in (1024, 8192):
        for name, bytes_of_element, call in CALLS:
            x = torch.randn(MOVED // bytes_of_element // cols, cols, device="cuda")
            out, grad, gain = torch.empty_like(x), torch.randn_like(x), torch.ones(cols, device="cuda")
            time = milliseconds(lambda: call(x, out, grad, gain))
            print(f"{cols} columns, {name}, {x.numel() * 4 >> 20} MiB a matrix: {time:.3f} ms", flush=True)


if __name__ == "__main__":
    main()
