#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""How long the generator takes, and how long compilers take over what it writes.

usage: generator_speed.py --gen MSHADOW_GEN --include RUNTIME_INCLUDE [--compiler CXX]
                          [--rules N...] [--skip-compile]

Prints, for targets of so many rules, the wall and processor time and the memory of one run; then the time to compile
ten rules as emitted, all instruction sets and baseline alone, against compiling the same rules as expression templates
(calls of each for each element type), with the ratio. Rules are Adam's three statements.
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


CALLS = """#include <mshadow/tensor.h>
#include "{header}"
using namespace mshadow;
template <typename T>
void Call(Tensor<cpu, 2, T> w, Tensor<cpu, 2, float> m, Tensor<cpu, 2, float> v, Tensor<cpu, 2, T> g) {{
{calls}}}
template void Call(Tensor<cpu, 2, float>, Tensor<cpu, 2, float>, Tensor<cpu, 2, float>, Tensor<cpu, 2, float>);
template void Call(Tensor<cpu, 2, half::half_t>, Tensor<cpu, 2, float>, Tensor<cpu, 2, float>,
                   Tensor<cpu, 2, half::half_t>);
template void Call(Tensor<cpu, 2, bfloat::bf16_t>, Tensor<cpu, 2, float>, Tensor<cpu, 2, float>,
                   Tensor<cpu, 2, bfloat::bf16_t>);
"""


def time_compiler(options, directory):
    rules = 10
    specs = write_specs(directory, rules, TYPES["3 types"])
    calls = "".join(f"  many::Adam{i}(w, m, v, g, 0.1f);\n" for i in range(rules))
    unfused = directory / "unfused.cc"
    unfused.write_text(CALLS.format(header=specs[0], calls=calls))
    user = directory / "user.cc"
    user.write_text(CALLS.format(header="many.h", calls=calls))
    print(f"\n{'compile ten rules':44} {'time':>8} {'ratio':>6}")
    for level in ("-O0", "-O2"):
        def compiled(source, *includes):
            return best([options.compiler, "-std=c++17", level, f"-I{options.include}",
                         *(f"-I{i}" for i in includes), "-c", source, "-o", os.devnull], runs=2)[1]

        templates = compiled(unfused)
        print(f"{level}, as expression templates {'':17} {templates:6.1f} s")
        for isa in ("baseline", "baseline,avx2,avx512"):
            out = pathlib.Path(tempfile.mkdtemp(dir=directory))
            measure(generate(options, out, specs, isa))
            kernels = sum(compiled(source, out) for source in out.glob("*.gen.cc"))
            print(f"{level}, emitted, {isa:32} {kernels:6.1f} s {kernels / templates:6.2f}")
        callers = compiled(user, out)
        print(f"{level}, a caller of the emitted header {'':10} {callers:6.1f} s {callers / templates:6.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--gen", required=True)
    parser.add_argument("--include", required=True)
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("--rules", type=int, nargs="+", default=[10, 1000])
    parser.add_argument("--skip-compile", action="store_true")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as directory:
        time_generator(options, pathlib.Path(directory))
        if not options.skip_compile:
            time_compiler(options, pathlib.Path(directory))


if __name__ == "__main__":
    main()
