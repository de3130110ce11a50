#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/manual/python.md's command makes a wheel of the generator that needs no Clang; build() and
CMake find it there; the example's wheel has rules that compute what NumPy does. Where PyPI is
reached."""
import os
import pathlib
import re
import shutil
import subprocess
import textwrap
import unittest
import zipfile

import wheels
from wheels import PAGE, SOURCE, run


def setUpModule():
    """Makes the wheel, which takes minutes."""
    global work, root, tools, wheel, python
    work, tools = wheels.work_and_tools()
    root = pathlib.Path(work.name)
    command, = re.findall(r"^    pip install (\./\S+)$", PAGE, re.M)
    run(tools, "-m", "pip", "wheel", "--no-deps", "-w", root / "out", "-C", f"build-dir={root}/build",
        SOURCE / command)
    wheel, = (root / "out").glob("mshadow_gen-*-py3-none-linux_*.whl")
    python = wheels.environment(root / "user", wheel, "numpy")


def tearDownModule():
    work.cleanup()


class WheelTest(unittest.TestCase):
    def test_contents(self):
        names = zipfile.ZipFile(wheel).namelist()
        for pattern in (r"mshadow_gen/bin/mshadow-gen", r"mshadow_gen/_build\.py", r"mshadow_gen/py\.typed",
                        r"mshadow_gen/include/mshadow/kernel\.h", r"mshadow_gen/lib\w*/libmshadow_runtime\.a",
                        r"mshadow_gen/lib\w*/cmake/mshadow_kernels/mshadow_kernels-config\.cmake",
                        r"mshadow_gen-.*\.data/data/share/man/man1/mshadow-gen\.1",
                        r"mshadow_gen-.*\.data/data/share/bash-completion/completions/mshadow-gen"):
            self.assertTrue(any(re.fullmatch(pattern, name) for name in names), pattern)
        licenses = [name for name in names if ".dist-info/licenses/" in name]
        self.assertEqual(len(licenses), 9, licenses)
        text = "".join(zipfile.ZipFile(wheel).read(name).decode() for name in licenses)
        for words in ("Apache License", "LLVM Exceptions", "Niels Lohmann", "Jean-loup Gailly", "Kevin Wojniak",
                      "Yann Collet", "University of Cincinnati"):
            self.assertIn(words.lower(), text.lower())
        wheels.check_manylinux(tools, wheel)

    def test_the_program_needs_no_clang(self):
        program = run(python, "-c", "import mshadow_gen; print(mshadow_gen.executable)").strip()
        dynamic = run("readelf", "-d", program)
        needed = set(re.findall(r"NEEDED.*\[(.*?)\.so", dynamic))
        self.assertLessEqual(needed, {"libc", "libm", "libpthread", "libdl", "ld-linux-x86-64", "ld-linux-aarch64"})
        self.assertIn("libc", needed)
        self.assertNotRegex(dynamic, "RPATH|RUNPATH")
        script = python.with_name("mshadow-gen")
        self.assertEqual(run(script, "--version"), run(program, "--version"))
        refused = subprocess.run([script, "generate", "absent.h"], capture_output=True, check=False)
        self.assertEqual(refused.returncode, subprocess.run([program, "generate", "absent.h"], check=False,
                                                            capture_output=True).returncode)

    def test_cmake_finds_the_package(self):
        prefix = run(python, "-c", "import mshadow_gen; print(mshadow_gen.prefix)").strip()
        run("cmake", "-S", SOURCE / "examples" / "python_rules", "-B", root / "cmake", f"-Dmshadow_kernels_ROOT={prefix}")
        commands = run("cmake", "--build", root / "cmake", "--target", "rules_codegen", "--verbose")
        self.assertIn(f"{prefix}/bin/mshadow-gen generate", commands)

    def test_the_manuals_example(self):
        """mk.build is mshadow_gen.build where both are installed; here it is alone."""
        block, = re.findall(r"^    rules = mk\.build\(.*\n(?:    .*\n)+", PAGE, re.M)
        shutil.copy(SOURCE / "examples" / "first_rule" / "update_rule.h", root)
        program = ("import numpy as np, mshadow_gen as mk\n"
                   "weight, grad = np.ones(1000, 'f4'), np.full(1000, 0.5, 'f4')\n" + textwrap.dedent(block) +
                   "assert np.allclose(weight, 1 - 0.1 * (0.5 + 0.01)), weight\n"
                   "assert mk.build('update_rule.h', out='build') is rules\n")
        clean = {k: v for k, v in os.environ.items() if k != "MSHADOW_GEN"}
        run(python, "-X", "dev", "-W", "error", "-c", program, cwd=root, env=clean)

    def test_types(self):
        good = root / "good.py"
        good.write_text("import mshadow_gen\nimport pathlib\n"
                        "rules = mshadow_gen.build('a.h', pathlib.Path('b.h'), out='build', isa=['avx2'])\n"
                        "rules.Step(1)\nprint(mshadow_gen.prefix + mshadow_gen.executable)\n")
        run(tools, "-m", "mypy", "--strict", f"--python-executable={python}", good, cwd=root)
        (root / "bad.py").write_text("import mshadow_gen\nmshadow_gen.build(1, out=2)\n")
        found = subprocess.run([tools, "-m", "mypy", f"--python-executable={python}", "bad.py"], cwd=root, text=True,
                               capture_output=True, check=False)
        self.assertEqual(len(re.findall(r"bad.py:2: error: Argument", found.stdout)), 2, found.stdout)


class ExampleTest(unittest.TestCase):
    def test_a_wheel_of_own_rules(self):
        """It is built by pip alone, and used where there is no generator."""
        command, = re.findall(r"^    pip (wheel \. .*) DIR$", PAGE, re.M)
        run(tools, "-m", "pip", *command.split(), root / "out", "--no-deps", "-w", root / "own",
            "-C", f"build-dir={root}/build_own", cwd=SOURCE / "examples" / "python_rules")
        own, = (root / "own").glob("own_rules-*-py3-none-linux_*.whl")
        wheels.check_manylinux(tools, own)
        user = wheels.environment(root / "fresh", own, "numpy")
        program = ("import numpy as np, own_rules\n"
                   "rng = np.random.default_rng(1)\n"
                   "for kind in ('f4', 'f8'):\n"
                   "    weight, velocity, grad = (rng.normal(size=(7, 33)).astype(kind) for _ in range(3))\n"
                   "    lr, momentum, limit = (np.dtype(kind).type(np.float32(x)) for x in (0.1, 0.9, 0.5))\n"
                   "    step = momentum * velocity - lr * np.clip(grad, -limit, limit)\n"
                   "    want = weight + step\n"
                   "    own_rules.ClippedSGD(weight, velocity, grad, lr=0.1, limit=0.5)\n"
                   "    assert (velocity == step).all() and (weight == want).all(), kind\n"
                   "try:\n"
                   "    own_rules.ClippedSGD(weight, velocity, grad[:2], lr=0.1)\n"
                   "except own_rules.rules.Error as error:\n"
                   "    print(error)\n")
        self.assertIn("argument 'grad'", run(user, "-X", "dev", "-W", "error", "-c", program, cwd=root))


if __name__ == "__main__":
    unittest.main()
