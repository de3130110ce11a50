#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The commands of docs/quick-start.md and docs/manual/python.md make a wheel that works alone, where
PyPI is reached."""
import os
import pathlib
import re
import subprocess
import unittest
import zipfile

import wheels
from wheels import PAGE, SOURCE, run

QUICK_START = (SOURCE / "docs" / "quick-start.md").read_text()


def setUpModule():
    """A virtual environment with what the tests need."""
    global work, python
    work, python = wheels.work_and_tools()


def tearDownModule():
    work.cleanup()


class WheelTest(unittest.TestCase):
    def test_wheel(self):
        command, = re.findall(r"^    pip wheel \. (-C .*)$", PAGE, re.M)
        for page in (PAGE, QUICK_START):
            self.assertIn("    pip install .\n", page)
        flags = command.replace("$PWD/mshadow-gen", os.environ["MSHADOW_GEN"]).split()
        out = pathlib.Path(work.name) / "out"
        # Kernels compile in two thirds of the time at -O1.
        flags += ["-C", f"build-dir={work.name}/build", "-C", "cmake.define.MSHADOW_SPECS_COMPILE_OPTIONS=-O1"]
        run(python, "-m", "pip", "wheel", "--no-deps", "-w", out, SOURCE, *flags)
        wheel, = out.glob("mshadow_kernels-*-cp311-abi3-linux_*.whl")
        self.check_files(wheel)
        run(python, "-m", "pip", "install", "--no-deps", wheel)
        self.check_rules()
        self.check_types()

    def check_files(self, wheel):
        names = {name.split("/", 1)[1] for name in zipfile.ZipFile(wheel).namelist() if name.startswith("mshadow_kernels/")}
        self.assertLessEqual({"__init__.py", "_build.py", "_call.abi3.so", "_call.pyi", "_functional.py", "_fused.py", "_repeat.py",
                              "_operators.py", "jax.py",
                              "libmshadow_rules.so", "py.typed", "rules.py", "rules.pyi", "torch.py"}, names)
        shown = wheels.check_manylinux(python, wheel)
        needed = set(re.findall(r"\b(lib[\w+-]+)\.so", shown))
        self.assertIn("libc", needed)
        self.assertEqual(needed - {"libc", "libm", "libpthread", "libdl"}, set())

    def check_rules(self):
        program = ("import inspect, numpy as np, mshadow_kernels as mk\n"
                   "a = [np.ones(8, 'f4') for _ in range(4)]\n"
                   "mk.AdamW(*a, lr=0.1)\n"
                   "assert a[0][7] < 1\n"
                   "out, x = np.zeros((4, 5), 'f4'), np.ones((4, 3), 'f4')\n"
                   "mk.Linear(out, x, np.ones((5, 3), 'f4'), np.zeros(5, 'f4'))\n"
                   "assert (out == x @ np.ones((3, 5), 'f4')).all()\n"
                   "rules = [f for n, f in vars(mk).items() if inspect.isfunction(f) and f.__module__ == 'mshadow_kernels.rules']\n"
                   "assert len(rules) > 100 and all(f.__doc__ for f in rules)\n")
        run(python, "-X", "dev", "-W", "error", "-c", program, cwd=work.name)

    def check_types(self):
        """Type checkers read the stubs."""
        good = pathlib.Path(work.name) / "good.py"
        good.write_text("import array\nimport mshadow_kernels as mk\nimport mshadow_kernels.rules\n"
                        "x = array.array('f', [1])\nmk.AdamW(x, x, x, x, lr=0.1, step=2)\nwith mk.List() as calls:\n"
                        "    mk.SGD(x, x, maximize=True)\ncalls.set('lr', 1)\n"
                        "try:\n    mk.build('own.h', out='build', isa='avx2').Own(x)\n"
                        "except mk.BuildError as error:\n    print(error)\n")
        run(python, "-m", "mypy", "--strict", good, cwd=work.name)
        bad = pathlib.Path(work.name) / "bad.py"
        bad.write_text("import mshadow_kernels as mk\nmk.AdamW(1, 2, 3, 4, lr='fast')\n")
        found = subprocess.run([python, "-m", "mypy", bad], text=True, check=False, capture_output=True, cwd=work.name).stdout
        self.assertEqual(len(re.findall(r"bad.py:2: error: Argument", found)), 5, found)


if __name__ == "__main__":
    unittest.main()
