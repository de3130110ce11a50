#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the generator takes.

usage: generator_speed.py --gen MSHADOW_GEN [--rules N...]

Prints, for targets of so many rules, the wall and processor time and the memory of one run. Rules are Adam's three
statements. How long compilers take over what is emitted: compile_time.py.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

HEAD = """#include <mshadow/kernel.h>

namespace many {
using namespace mshadow;
using namespace mshadow::expr;

"""
RULE = """/// Adam, number {i}.
/// \\param weight parameters, updated in place
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Adam{i}(MSHADOW_PARAMETER Tensor<xpu, dim, DType> weight,
                            MSHADOW_STATE(0) Tensor<xpu, dim, float> mean,
                            MSHADOW_STATE(0) Tensor<xpu, dim, float> variance,
                            MSHADOW_GRADIENT const Tensor<xpu, dim, DType> &grad, float lr,
                            float beta1 = 0.9f, float beta2 = 0.999f, float eps = 1e-8f, int step = 1) {{
  const float step_size = lr / (1.0f - math::pow(beta1, step));
  const float inv_bias2 = 1.0f / math::sqrt(1.0f - math::pow(beta2, step));
  auto g = tcast<float>(grad);
  mean = beta1 * mean + (1.0f - beta1) * g;
  variance = beta2 * variance + (1.0f - beta2) * F<op::square>(g);
  weight = tcast<DType>(tcast<float>(weight) -
                        step_size * mean / (F<op::square_root>(variance) * inv_bias2 + eps + {i}.0f));
}}
MSHADOW_INSTANTIATE(Adam{i}, {types});

"""
TAIL = "}  // namespace many\n"
TYPES = {"float": "float", "3 types": "float, half::half_t, bfloat::bf16_t"}
RULES_PER_SPEC = 20


def write_specs(directory, rules, types):
    """Specs of up to RULES_PER_SPEC rules each."""
    specs = []
    for first in range(0, rules, RULES_PER_SPEC):
        path = directory / f"s{first}.h"
        body = "".join(RULE.format(i=i, types=types) for i in range(first, min(rules, first + RULES_PER_SPEC)))
        path.write_text(HEAD + body + TAIL)
        specs.append(path)
    return specs


def measure(args):
    """(wall seconds, processor seconds, MB of memory) of a command that must succeed."""
    start = time.perf_counter()
    process = subprocess.Popen([str(a) for a in args], stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    if status != 0:
        sys.exit(f"failed: {' '.join(map(str, args))}")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def best(args, runs=5):
    return min((measure(args) for _ in range(runs)), key=lambda m: m[0])


def generate(options, out, specs, isa="baseline,avx2,avx512"):
    return [options.gen, "generate", "--name=many", "-o", out, "--cuda=on", f"--isa={isa}", *specs]


def time_generator(options, directory):
    print(f"{'generate':24} {'wall':>9} {'processor':>10} {'memory':>9}")
    for rules in options.rules:
        for name, types in TYPES.items():
            specs = write_specs(directory, rules, types)
            # Every run writes: unchanged files would be cheaper.
            out = tempfile.mkdtemp(dir=directory)
            wall, processor, memory = best(generate(options, out, specs), runs=5 if rules <= 100 else 2)
            print(f"{rules:5} rules, {name:10} {1000 * wall:7.0f} ms {1000 * processor:7.0f} ms {memory:6.0f} MB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gen", required=True)
    parser.add_argument("--rules", type=int, nargs="+", default=[10, 1000])
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        time_generator(options, pathlib.Path(directory))


if __name__ == "__main__":
    main()
