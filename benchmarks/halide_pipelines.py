#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles the pipelines of bench_halide ahead of time, for this processor: an object and a header
of each, and Halide's runtime.

usage: halide_pipelines.py DIR
       halide_pipelines.py --names      prints the pipelines' names
       halide_pipelines.py --include    prints the directory of Halide's headers

Needs Halide's package (pip install halide).
"""

import pathlib
import sys

try:
    import halide as hl
except ImportError:
    print("SKIP: Halide is not installed (pip install halide)", file=sys.stderr)
    sys.exit(77)

LANES = 16  # floats of a register of 64 bytes
UNROLLED = 2  # registers at a time; more, fewer or shorter ones are not faster
FLOAT = hl.Float(32)
x, row, lane = hl.Var("x"), hl.Var("row"), hl.Var("lane")


def whole_packets(buffer):
    """Promises what bench_halide passes: aligned memory, and a row that begins at element 0."""
    buffer.set_host_alignment(64)
    buffer.dim(0).set_min(0)
    return buffer


def image(name, rank=1):
    return whole_packets(hl.ImageParam(FLOAT, rank, name))


def elementwise(name, function):
    """Two registers at a time."""
    argument, out = image("argument"), hl.Func(name)
    out[x] = function(argument[x])
    out.vectorize(x, LANES).unroll(x, UNROLLED)
    whole_packets(out.output_buffer())
    return out, [argument]


def silu(v):
    return v / (1 + hl.exp(-v))


def gelu(v):
    return 0.5 * v * (1 + hl.erf(v * hl.f32(2**-0.5)))


def reduced(name, element, columns, initial, combine, of, registers=UNROLLED):
    """A reduction of each row, in `registers` registers whose lanes are combined at its end. It is
    computed when a row of `of` begins."""
    domain = hl.RDom([(0, columns)], name + "_domain")
    value = hl.Func(name)
    value[row] = initial
    value[row] = combine(value[row], element(domain.x))
    outer, inner = hl.RVar("outer"), hl.RVar("inner")
    partial = value.update().split(domain.x, outer, inner, registers * LANES).rfactor(inner, lane)
    partial.compute_at(of, row).vectorize(lane, LANES).unroll(lane)
    partial.update().reorder(lane, outer).vectorize(lane, LANES).unroll(lane)
    value.compute_at(of, row)
    value.update().atomic().vectorize(inner, LANES)
    return value


def plus(a, b):
    return a + b


def softmax():
    """The maximum, the exponentials and their sum, and the quotients: all for one row, then for the
    next. A row's exponentials are kept."""
    argument, out, power = image("argument", 2), hl.Func("softmax"), hl.Func("power")
    columns = argument.dim(0).extent()
    greatest = reduced("greatest", lambda i: argument[i, row], columns, FLOAT.min(), hl.max, out)
    power[x, row] = hl.exp(argument[x, row] - greatest[row])
    total = reduced("total", lambda i: power[i, row], columns, hl.f32(0), plus, out)
    factor = hl.Func("factor")
    factor[row] = 1 / total[row]
    out[x, row] = power[x, row] * factor[row]
    power.compute_at(out, row).vectorize(x, LANES)
    factor.compute_at(out, row)
    out.vectorize(x, LANES).unroll(x, UNROLLED)
    whole_packets(out.output_buffer())
    return out, [argument]


def layer_norm():
    """The mean, then the variance about it, then the result, for one row after the other."""
    argument, gain, bias = image("argument", 2), image("gain"), image("bias")
    out, mean, scale = hl.Func("layer_norm"), hl.Func("mean"), hl.Func("scale")
    eps = hl.Param(FLOAT, "eps")
    columns = argument.dim(0).extent()

    def squared(i):
        away = argument[i, row] - mean[row]
        return away * away

    total = reduced("total", lambda i: argument[i, row], columns, hl.f32(0), plus, out)
    mean[row] = total[row] / hl.f32(columns)
    squares = reduced("squares", squared, columns, hl.f32(0), plus, out)
    scale[row] = 1 / hl.sqrt(squares[row] / hl.f32(columns) + eps)
    out[x, row] = (argument[x, row] - mean[row]) * scale[row] * gain[x] + bias[x]
    mean.compute_at(out, row)
    scale.compute_at(out, row)
    out.vectorize(x, LANES).unroll(x, UNROLLED)
    whole_packets(out.output_buffer())
    return out, [argument, gain, bias, eps]


def adamw():
    """One loop that computes the weight and both states. Its outputs may be its inputs: the last
    packet is a part of one, since an element that is computed twice would be updated twice."""
    tensors = [image(name) for name in ("weight", "mean", "variance", "grad")]
    weight, mean, variance, grad = (tensor[x] for tensor in tensors)
    names = ("keep", "rate", "beta1", "beta2", "inv_root_bias2", "eps")
    scalars = [hl.Param(FLOAT, name) for name in names]
    keep, rate, beta1, beta2, inv_root_bias2, eps = scalars
    new_mean = beta1 * mean + (1 - beta1) * grad
    new_variance = beta2 * variance + (1 - beta2) * grad * grad
    quotient = new_mean / (hl.sqrt(new_variance) * inv_root_bias2 + eps)
    out = hl.Func("adamw")
    out[x] = (keep * weight - rate * quotient, new_mean, new_variance)
    out.vectorize(x, LANES, hl.TailStrategy.GuardWithIf)
    for buffer in out.output_buffers():
        buffer.set_host_alignment(64)
    return out, [*tensors, *scalars]


PIPELINES = {
    "exp": lambda: elementwise("exp", hl.exp),
    "log": lambda: elementwise("log", hl.log),
    "silu": lambda: elementwise("silu", silu),
    "gelu": lambda: elementwise("gelu", gelu),
    "softmax": softmax,
    "layer_norm": layer_norm,
    "adamw": adamw,
}


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--names":
        print(";".join(PIPELINES), end="")
    elif sys.argv[1] == "--include":
        print(pathlib.Path(hl.__file__).parent / "include", end="")
    else:
        directory = pathlib.Path(sys.argv[1])
        target = hl.get_host_target()
        for name, make in PIPELINES.items():
            out, arguments = make()
            outputs = {
                kind: str(directory / f"halide_{name}{suffix}")
                for kind, suffix in (
                    (hl.OutputFileType.object, ".o"),
                    (hl.OutputFileType.c_header, ".h"),
                )
            }
            out.compile_to(
                outputs,
                arguments,
                f"halide_{name}",
                target.with_feature(hl.TargetFeature.NoRuntime),
            )
        hl.compile_standalone_runtime(str(directory / "halide_runtime.o"), target)


if __name__ == "__main__":
    main()
