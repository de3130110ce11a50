#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs suites of other projects against a build, in a virtual environment with their packages.

usage: run.py [--list] [--update] [--venv DIR] [--build DIR] [NAME...]"""
from __future__ import annotations

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import textwrap
import venv
from typing import Iterator, NamedTuple, Optional

import cases as report

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
PAGE = ROOT / "docs" / "conformance.md"
ISAS = {"baseline": set(), "avx2": {"avx2", "fma", "f16c"},
        "avx512vl": {"avx512f", "avx512bw", "avx512vl", "avx512dq"}}
ISAS["avx512"] = ISAS["avx512vl"]


class Suite(NamedTuple):
    """Tests of a project. The lists of what does not pass fit these versions of its packages."""
    name: str
    title: str
    first: str  # what a row of its table is for
    packages: tuple[str, ...]
    command: tuple[str, ...]  # with the file for its cases appended
    each_isa: bool = False


OPERATOR_TESTS = ("suite_unittest.py", "tests/python/test_torch_operators.py")
SUITES = [
    Suite("numpy", "NumPy's validation sets of its functions", "function", ("numpy==2.4.6",),
          ("suite_numpy.py",), True),
    Suite("scipy", "Boost's test data in SciPy", "function and table",
          ("numpy==2.4.6", "scipy==1.17.1"), ("suite_scipy.py",), True),
    Suite("onnx", "ONNX's node tests", "operator", ("numpy==2.4.6", "onnx==1.23.2"),
          ("suite_onnx.py",)),
    Suite("torch", "PyTorch's configurations of its optimizers", "optimizer",
          ("numpy==2.4.6", "torch==2.15.0", "expecttest==0.3.0"), ("suite_torch.py",)),
    Suite("opcheck", "PyTorch's opcheck and gradcheck", "check",
          ("numpy==2.4.6", "torch==2.15.0"),
          (*OPERATOR_TESTS, "OperatorTest.test_opcheck", "OperatorTest.test_gradcheck")),
    Suite("optax", "Optax and other packages of optimizers, over 100 steps", "check",
          ("numpy==2.4.6", "torch==2.15.0", "optax==0.2.8", "pytorch-optimizer==4.1.0",
           "schedulefree==1.4.1", "prodigyopt==1.1.2"),
          ("suite_unittest.py", "tests/entries/test_library_optimizers.py",
           "LibraryOptimizersTest")),
]


class Skipped(Exception):
    """A suite cannot run here, and why."""


def isas_here() -> list[str]:
    """The instruction sets of this machine, as MSHADOW_ISA names them."""
    info = pathlib.Path("/proc/cpuinfo")
    found = re.search(r"^flags\s*:(.*)$", info.read_text() if info.exists() else "", re.M)
    flags = set(found[1].split()) if found else set()
    return [name for name, needed in ISAS.items() if needed <= flags]


class Machine(NamedTuple):
    """Where suites run."""
    python: pathlib.Path  # of the virtual environment
    environment: dict[str, str]


def machine(directory: pathlib.Path, build: pathlib.Path) -> Machine:
    """The virtual environment, made if there is none, with the packages and rules of a build."""
    python = directory / "bin" / "python"
    if not python.exists():
        venv.create(directory, with_pip=True)
    kernels = build / "tests" / "conformance"
    paths = [HERE, kernels / "conformance_kernels.gen", build / "python"]
    environment = dict(os.environ, PYTHONPATH=os.pathsep.join(map(str, paths)),
                       PYTHONDONTWRITEBYTECODE="1", JAX_PLATFORMS="cpu", JAX_ENABLE_X64="1",
                       CONFORMANCE_KERNELS=str(kernels / "libconformance_kernels.so"),
                       OPTIMIZER_KERNELS=str(build / "python" / "mshadow_kernels" /
                                             "libmshadow_rules.so"))
    environment.pop("MSHADOW_ISA", None)
    return Machine(python, environment)


def install(suite: Suite, python: pathlib.Path) -> None:
    """Installs what is missing of a suite's packages. Raises Skipped if PyPI does not have them."""
    wanted = " ".join(suite.packages)
    frozen = subprocess.run([python, "-m", "pip", "freeze"], capture_output=True, text=True,
                            check=True).stdout
    present = frozen.lower().replace("_", "-").split()
    missing = [package for package in suite.packages if package not in present]
    if not missing:
        return
    print(f"Installing {' '.join(missing)}", flush=True)
    command = [str(python), "-m", "pip", "install", "--quiet", "--retries", "1", *missing]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        reason = (done.stderr.strip().splitlines() or ["pip failed"])[-1]
        raise Skipped(f"pip cannot install {wanted}: {reason}")


def run_once(suite: Suite, where: Machine, isa: Optional[str]) -> list[report.Case]:
    """The cases of a suite, with one instruction set or the one that the runtime chooses."""
    environment = dict(where.environment, **({"MSHADOW_ISA": isa} if isa else {}))
    script, *arguments = suite.command
    with tempfile.TemporaryDirectory() as work:
        out = pathlib.Path(work) / "cases.json"
        subprocess.run([where.python, HERE / script, *arguments, out], env=environment, check=True,
                       cwd=work, stdout=subprocess.DEVNULL)
        return report.read(out)


def merged(runs: dict[str, list[report.Case]]) -> Iterator[report.Case]:
    """A case for each, which passes if it does with every instruction set."""
    for same in zip(*runs.values(), strict=True):
        failed = [(isa, case) for isa, case in zip(runs, same) if not case.passed]
        errors = [case.ulp for case in same if case.ulp is not None]
        detail = f"{failed[0][0]}: {failed[0][1].detail}" if failed else ""
        yield same[0]._replace(passed=not failed, detail=detail, ulp=max(errors, default=None))


def run(suite: Suite, where: Machine) -> tuple[str, list[str]]:
    """Runs a suite. Returns its section of docs/conformance.md, and what its list does not say."""
    install(suite, where.python)
    isas = isas_here() if suite.each_isa else []
    if isas:
        cases = list(merged({isa: run_once(suite, where, isa) for isa in isas}))
    else:
        cases = run_once(suite, where, None)
    setting = ", ".join(suite.packages) + (f"; {', '.join(isas)}" if isas else "")
    section = [f"### `{suite.name}`: {suite.title}", "",
               *textwrap.wrap(f"With {setting}.", 100, break_on_hyphens=False), "",
               *report.table(cases, suite.first), ""]
    found = report.problems(cases, report.read_list(HERE / f"{suite.name}.txt"))
    return "\n".join(section), found if cases else ["the suite has no cases"]


def update(section: str) -> None:
    """Writes the section of a suite into docs/conformance.md, in the place of the one before."""
    text = PAGE.read_text()
    head, _, _ = section.partition(":")
    begin = text.find(head)
    begin = len(text) if begin < 0 else begin
    end = text.find("\n### ", begin + 1) + 1 or len(text)
    parts = (text[:begin].rstrip(), section.rstrip(), text[end:].rstrip())
    PAGE.write_text("\n\n".join(part for part in parts if part) + "\n")


def outcome(suite: Suite, where: Machine, is_update: bool) -> str:
    """Runs a suite and prints its section. Returns "passed", or why it did not."""
    try:
        section, found = run(suite, where)
    except Skipped as why:
        return f"SKIPPED: {why}"
    except subprocess.CalledProcessError as error:
        return f"FAILED: {error}"
    print(f"\n{section}", flush=True)
    for line in found:
        print(f"FAILED: {line}")
    if is_update:
        update(section)
    return f"FAILED: {len(found)} lines above" if found else "passed"


def arguments() -> argparse.Namespace:
    """What the command line asks for."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--venv", type=pathlib.Path,
                        default=ROOT / "build" / "conformance" / "venv")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build" / "release")
    parser.add_argument("names", nargs="*", metavar="NAME")
    options = parser.parse_args()
    unknown = set(options.names) - {suite.name for suite in SUITES}
    if unknown:
        parser.error(f"there is no suite {', '.join(sorted(unknown))}")
    return options


def main() -> int:
    """Runs the suites that the command line names, or all. The exit status is 1 if one failed."""
    options = arguments()
    if options.list:
        for suite in SUITES:
            print(f"{suite.name:8} {suite.title} ({', '.join(suite.packages)})")
        return 0
    where = machine(options.venv, options.build.resolve())
    states = {suite.name: outcome(suite, where, options.update) for suite in SUITES
              if not options.names or suite.name in options.names}
    print("\n".join(f"{name:8} {state}" for name, state in states.items()))
    return int(any(state.startswith("FAILED") for state in states.values()))


if __name__ == "__main__":
    sys.exit(main())
