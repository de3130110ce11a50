#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compiles emitted kernels with nvcc and looks at the PTX: usage in main().

Needs no GPU. Exit status 77 (ctest: skipped) where there is no nvcc.
"""
import argparse
import os
import re
import shutil
import subprocess
import sys

# What strict kernels may not hold, whatever nvcc's flags: contraction, flushed subnormals,
# approximations. The elementary functions' own fused multiply-adds are inline assembly.
FORBIDDEN = re.compile(r"\bfma\.|\.ftz\b|\.approx\b")
OUR_FMA = re.compile(r"// begin inline asm\s+fma\.rn\.f(?:32|64) [^;]*;\s+// end inline asm")
FAST = ["--use_fast_math", "-fmad=true"]

# ptxas gives up a few registers to keep another block resident, where that pays; more than these
# bytes of a thread mean that the kernel takes too many elements at once.
SPILL_LIMIT = 32

CONTROL = """
__global__ void Control(float *p) { p[0] = p[0] * p[1] + p[2] / p[3]; }
"""


def find_nvcc(given):
    for candidate in (given, os.environ.get("CUDACXX"), shutil.which("nvcc"), "/usr/local/cuda/bin/nvcc"):
        if candidate and os.path.exists(candidate):
            return candidate
    print("skipped: no nvcc")
    sys.exit(77)


def run(command):
    result = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if result.returncode != 0:
        sys.exit(f"failed: {' '.join(command)}\n{result.stdout}")
    return result.stdout


def architectures(nvcc):
    """sm_80, sm_90 and the newest one, as far as this nvcc knows them; in CI sm_80."""
    if not os.environ.get("MSHADOW_TEST_FULL"):
        return [80]
    known = sorted(int(n) for n in re.findall(r"compute_(\d+)\b", run([nvcc, "--list-gpu-arch"])))
    return sorted({known[-1]} | {n for n in (80, 90) if n in known})


def compile_all(nvcc, flags, source, work, failures):
    """Device code for each architecture and the host's side; no warnings, registers suffice."""
    command = [nvcc, "-c", "-o", os.path.join(work, "kernels.o"), "-Xptxas", "-v", *flags, source]
    for number in architectures(nvcc):
        command.append(f"-gencode=arch=compute_{number},code=sm_{number}")
    log = run(command)
    spills = [int(n) for n in re.findall(r"(\d+) bytes spill stores", log)]
    if not spills:
        failures.append(f"ptxas says nothing about {source}")
    worst = max(spills, default=0)
    if worst > SPILL_LIMIT:
        failures.append(f"{source}: a kernel spills {worst} bytes of registers")


def ptx_of(nvcc, flags, source, work):
    target = os.path.join(work, "kernels.ptx")
    run([nvcc, "-ptx", "-arch=sm_90", "-o", target, *flags, *FAST, source])
    with open(target, encoding="utf-8") as ptx:
        return ptx.read()


def check_ptx(ptx, source, wants_vectors, failures):
    found = sorted(set(match.group(0) for match in FORBIDDEN.finditer(OUR_FMA.sub("", ptx))))
    if found:
        failures.append(f"{source}: the PTX holds {', '.join(found)}")
    for access in ("ld", "st") if wants_vectors else ():
        if not re.search(rf"\b{access}\.global\.v4\.(f32|b32|u32)", ptx):
            failures.append(f"{source}: no {access}.global of 16 bytes")


def check_length(ptx, limit, source, failures):
    """ptxas takes minutes for a kernel ten times as long, and no test is timed."""
    kernels = re.findall(r"\.entry ([^(]+)\((.*?)\n\}\n", ptx, re.DOTALL)
    if not kernels:
        failures.append(f"{source}: the PTX holds no kernel")
    for name, body in kernels:
        lines = body.count("\n")
        if lines > limit:
            failures.append(f"{source}: {name} is {lines} lines of PTX; expected at most {limit}")


def check_control(nvcc, work, failures):
    """The same flags do contract and flush where arithmetic is left to them."""
    source = os.path.join(work, "control.cu")
    with open(source, "w", encoding="utf-8") as out:
        out.write(CONTROL)
    if not FORBIDDEN.search(ptx_of(nvcc, [], source, work)):
        failures.append("the control kernel holds no fma: the check cannot fail")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--include", action="append", default=[])
    parser.add_argument("--work", required=True)
    parser.add_argument("--compile-only", action="store_true", help="do not look at the PTX")
    parser.add_argument("--any-access", action="store_true", help="no loads and stores of 16 bytes are required")
    parser.add_argument("--longest", type=int, default=0, metavar="LINES",
                        help="compile to PTX only, of which each kernel has this much at most")
    parser.add_argument("source")
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    os.makedirs(options.work, exist_ok=True)
    flags = ["-std=c++17", "-Werror", "all-warnings", "-Xcompiler", "-Wall,-Wextra,-Wconversion",
             *(f"-I{path}" for path in options.include)]
    failures = []
    if options.longest:
        ptx = ptx_of(nvcc, flags, options.source, options.work)
        check_length(ptx, options.longest, options.source, failures)
        check_ptx(ptx, options.source, False, failures)
        sys.exit("\n".join(failures) or 0)
    compile_all(nvcc, flags, options.source, options.work, failures)
    if not options.compile_only:
        check_ptx(ptx_of(nvcc, flags, options.source, options.work), options.source,
                  not options.any_access, failures)
        check_control(nvcc, options.work, failures)
    if failures:
        sys.exit("\n".join(failures))


if __name__ == "__main__":
    main()
