#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Times PyTorch's kernels on a GPU beside a copy: float matrices of 256 MiB, medians of 15 runs.

The times of our kernels for matrices of the same size are those of scripts/gpu (--megabytes 512).
"""
import statistics

import torch

BYTES = 256 << 20


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


def main():
    for cols in (8192, 1024):
        x = torch.randn(BYTES // 4 // cols, cols, device="cuda")
        out, grad, gain = torch.empty_like(x), torch.randn_like(x), torch.ones(cols, device="cuda")
        calls = {
            "copy": lambda: out.copy_(x),
            "softmax": lambda: torch.softmax(x, 1, out=out),
            "softmax backward": lambda: torch.ops.aten._softmax_backward_data(grad, x, 1, torch.float32),
            "layer norm": lambda: torch.nn.functional.layer_norm(x, (cols,), gain, gain),
            "sum of columns": lambda: grad.sum(0),
        }
        for name, call in calls.items():
            print(f"{cols} columns, {name}: {milliseconds(call):.3f} ms", flush=True)


if __name__ == "__main__":
    main()
