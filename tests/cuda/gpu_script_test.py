#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""scripts/gpu without a GPU: what --pack writes suffices, without a generator, to build the check for
the fake CUDA runtime, which finds the same bits; and other bits in the one kernel that is broken here."""
import argparse
import json
import os
import pathlib
import shutil
import subprocess

SPECS = "blas1/"  # short ones: nearly all of the time is the runtime's


def run(command, environment, expected=0):
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode != expected:
        raise SystemExit(f"{' '.join(command)}: exit status {done.returncode}\n{done.stdout[-4000:]}")
    return done.stdout


def break_kernel(generated, stem):
    """Makes the kernels of one spec, and only these, compute something else."""
    formula = (generated / f"{stem}.map.inc").read_text()
    (generated / "broken.map.inc").write_text(formula.replace(" + ", " - "))
    kernel = generated / f"{stem}.gen.cu"
    kernel.write_text(kernel.read_text().replace(f'"{stem}.map.inc"', '"broken.map.inc"'))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--source", type=pathlib.Path, required=True)
    parser.add_argument("--work", type=pathlib.Path, required=True)
    parser.add_argument("--gen", required=True)
    options = parser.parse_args()
    shutil.rmtree(options.work, ignore_errors=True)
    options.work.mkdir(parents=True)
    pack, results = options.work / "pack", options.work / "results.json"
    run([str(options.source / "scripts" / "gpu"), "--pack", str(pack), "--filter", SPECS],
        dict(os.environ, MSHADOW_GEN=options.gen))

    break_kernel(pack / "generated", "l2_step")
    run([str(pack / "scripts" / "gpu"), "--fake", "--json", str(results), "--", "--no-large", "--rounds", "1",
         "--megabytes", "1"], dict(os.environ, MSHADOW_GEN="/nonexistent"), expected=1)
    bits = {row["rule"]: row["bits"] for row in json.loads(results.read_text())["rules"]}
    same = {rule for rule, found in bits.items() if found == "same"}
    broken = {rule for rule in bits if rule.startswith("blas1::L2Step<")}
    assert broken and same and same == bits.keys() - broken, bits


if __name__ == "__main__":
    main()
