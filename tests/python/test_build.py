#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mshadow_kernels.build(): a module and a library that needs no other; what a change repeats; what a
mistake says, and that it writes nothing; processes that build at the same time."""
import array
import hashlib
import importlib
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import types
import unittest
from unittest import mock

import mshadow_kernels as mk

_build = importlib.import_module("mshadow_kernels._build")
GENERATOR = os.environ["MSHADOW_GEN"]
SPEC = """#include <mshadow/kernel.h>
#include "rate.h"

namespace own {
using namespace mshadow;
using namespace mshadow::expr;

/// One step of descent.
/// \\param lr  the learning rate
template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void Descend(Tensor<xpu, dim, DType> weight, Tensor<xpu, dim, DType> grad, float lr) {
  weight -= lr * kRate * grad;
}
MSHADOW_INSTANTIATE(Descend, float);
}  // namespace own
"""
TWICE = SPEC.replace("-= lr", "-= 2 * lr")
RATE = "constexpr float kRate = {};\n"
# What is compiled matters, not how fast it runs; and a test goes back to what another one compiled.
CCACHE = ["ccache"] if shutil.which("ccache") else []
OPTIONS = {"isa": ["baseline"], "compile_options": ["-O1"], "compiler": [*CCACHE, "c++"]}


def floats(*values):
    return array.array("f", values)


class Case(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.root = pathlib.Path(temporary.name) / "with space"
        cls.root.mkdir()
        cls.out = cls.root / "made" / "here"
        cls.write_spec()

    @classmethod
    def write_spec(cls, text=SPEC, rate=2):
        cls.spec = cls.root / "descend.h"
        cls.spec.write_text(text)
        (cls.root / "rate.h").write_text(RATE.format(rate))

    @classmethod
    def build(cls, **more):
        return _build.build(cls.spec, **{"out": cls.out, **OPTIONS, **more})

    def check_step(self, rules, weight, text=None):
        weights = floats(10, 20)
        rules.Descend(weights, floats(1, 2), lr=0.5)
        self.assertEqual(weights[0], weight, text)

    def refused(self, text, kind=_build.BuildError, **more):
        with self.assertRaisesRegex(kind, text) as caught:
            self.build(**more)
        return str(caught.exception)


def files_of(directory):
    return {path: hashlib.sha256(path.read_bytes()).digest() for path in directory.rglob("*") if path.is_file()}


class RebuildTest(Case):
    """Each test leaves the directory for the next, since a first build takes seconds."""

    def build_and_list(self, **more):
        """The rules, and what ran: "generate", "link" and the names of compiled sources."""
        ran, execute = set(), _build._execute

        def note(command, what):
            source = [a for a, b in zip(command[1:], command) if b == "-c"]
            ran.add(pathlib.Path(source[0]).name if source else "link" if "-shared" in command else "generate")
            execute(command, what)

        with mock.patch.object(_build, "_execute", note):
            return self.build(**more), ran

    def setUp(self):
        self.write_spec()
        self.rules = self.build()

    def test_result(self):
        self.check_step(self.rules, 9)
        self.assertIn("the learning rate", self.rules.Descend.__doc__)
        self.assertIsNotNone(self.rules._call)
        self.assertIs(sys.modules["descend"], self.rules)
        self.assertIn("def Descend(", (self.out / "descend.pyi").read_text())
        library = self.out / "libdescend.so"
        dynamic = subprocess.run(["readelf", "-d", library], text=True, capture_output=True, check=True).stdout
        needed = {line.split("[")[1].split(".")[0] for line in dynamic.splitlines() if "NEEDED" in line}
        self.assertLessEqual(needed, {"libc", "libm", "ld-linux-x86-64", "ld-linux-aarch64"})
        shown = subprocess.run(["nm", "-D", "--defined-only", library], text=True, capture_output=True, check=True)
        self.assertIn(" T own_Descend\n", shown.stdout)
        self.assertNotIn(" _Z", shown.stdout)

    def test_the_three_files_need_nothing_else(self):
        program = ("import array, descend\ndescend.load('./libdescend.so')\n"
                   "w = array.array('f', [10])\ndescend.Descend(w, array.array('f', [1]), 0.5)\nprint(w[0])\n")
        run = subprocess.run([sys.executable, "-B", "-c", program], cwd=self.out, text=True, check=False,
                             env={}, capture_output=True)
        self.assertEqual((run.stdout, run.stderr), ("9.0\n", ""))

    def test_nothing_changed(self):
        rules, ran = self.build_and_list()
        self.assertEqual((rules is self.rules, ran), (True, set()))

    def test_an_edit_repeats_what_it_changes(self):
        runtime = "descend.runtime.cc"
        self.write_spec(TWICE)
        rules, ran = self.build_and_list()
        self.check_step(rules, 8)
        self.check_step(self.rules, 9, "of an earlier build, which is still loaded")
        self.assertLessEqual({"generate", "descend.gen.cc", "link"}, ran)
        self.assertNotIn(runtime, ran)
        self.write_spec(rate=4)  # an included file
        rules, ran = self.build_and_list()
        self.check_step(rules, 8)
        self.assertIn("descend.gen.cc", ran)
        self.assertNotIn(runtime, ran)
        self.write_spec(SPEC + "// A comment.\n", rate=4)
        same, ran = self.build_and_list()
        self.assertEqual((same is rules, ran), (True, {"generate"}))

    def test_options(self):
        rules, ran = self.build_and_list(namespace="more")
        self.check_step(rules, 9)
        self.assertLessEqual({"generate", "descend.gen.cc", "link"}, ran)

    def test_deleted_and_damaged_files(self):
        (self.out / "libdescend.so").unlink()
        self.check_step(self.build(), 9)
        (self.out / "descend.gen" / "descend.gen.cc").write_text("nonsense")
        rules, ran = self.build_and_list()
        self.check_step(rules, 9)
        self.assertIn("generate", ran)
        (self.out / "descend.gen" / "generate.json").write_text("{")
        self.assertEqual(self.build_and_list()[1], {"generate"})

    def test_an_interrupted_build(self):
        before, execute = (self.out / "libdescend.so").read_bytes(), _build._execute

        def interrupt(command, what):
            if "-shared" in command:
                raise KeyboardInterrupt
            execute(command, what)

        self.write_spec(TWICE)
        with mock.patch.object(_build, "_execute", interrupt), self.assertRaises(KeyboardInterrupt):
            self.build()
        self.assertEqual((self.out / "libdescend.so").read_bytes(), before)
        self.check_step(self.build(), 8)

    def test_mistakes_change_nothing(self):
        before = files_of(self.out)
        self.write_spec(SPEC.replace("* grad", "* gradient"))
        text = self.refused(r"descend\.h:\d+:\d+: error: use of undeclared identifier 'gradient'")
        self.assertIn("weight -= lr * kRate * gradient;\n      |", text)
        self.assertRegex(text, r"\^~+")
        self.assertEqual(files_of(self.out), before)
        self.write_spec()
        self.assertIs(self.build(), self.rules)

    def test_processes_at_the_same_time(self):
        """One of them builds; all get its rules."""
        log, wrapper = self.root / "log", self.root / "generator"
        wrapper.write_text(f"#!/bin/sh\necho run >>'{log}'\nexec '{GENERATOR}' \"$@\"\n")
        wrapper.chmod(0o755)
        self.write_spec(TWICE)
        program = ("import array, json, sys, mshadow_kernels as mk\n"
                   "rules = mk.build(sys.argv[1], out=sys.argv[2], **json.loads(sys.argv[3]))\n"
                   "w = array.array('f', [10])\nrules.Descend(w, array.array('f', [1]), 0.5)\nprint(w[0])\n")
        command = [sys.executable, "-B", "-c", program, self.spec, self.out, json.dumps(OPTIONS)]
        environment = {**os.environ, "MSHADOW_GEN": str(wrapper)}
        processes = [subprocess.Popen(command, text=True, stdout=subprocess.PIPE, env=environment) for _ in range(3)]
        self.assertEqual([p.communicate()[0] for p in processes], ["8.0\n"] * 3)
        self.assertEqual(log.read_text(), "run\n")


class MistakeTest(Case):
    """Nothing is built here, so nothing may be written."""

    def tearDown(self):
        self.assertEqual(sorted(path.name for path in self.root.iterdir()), ["descend.h", "rate.h"])
        self.write_spec()

    def test_specs(self):
        self.write_spec(SPEC.replace("float lr", "double *lr"))
        self.refused(r"descend\.h:12:\d+: error: .*\[mshadow-cxx\]\n.*12 |   weight -= ")
        self.refused("error: unknown numerics mode 'wrong'", numerics="wrong")
        with self.assertRaisesRegex(_build.BuildError, "absent.h"):
            _build.build(self.root / "absent.h", out=self.out)
        with self.assertRaisesRegex(TypeError, "at least one spec"):
            _build.build(out=self.out)

    def test_names(self):
        self.refused("'my-rule' cannot be the name of a module; pass another one", ValueError, name="my-rule")
        for taken in ("json", "sys", "tabnanny"):
            self.refused(f"another module '{taken}'", ValueError, name=taken)

    def test_compilers(self):
        self.refused("needs a C.. compiler, and there is none: no-compiler", compiler="no-compiler")
        with mock.patch.dict(os.environ, CXX="'no compiler' -O3"):
            self.refused("there is none: no compiler. Pass one as compiler=, or set CXX", compiler=None)
        with mock.patch.dict(os.environ, PATH=str(self.root)):
            os.environ.pop("CXX", None)
            self.refused("there is none: c.., g.., clang..", compiler=None)

    def test_generators(self):
        where = "set the variable MSHADOW_GEN, install the package mshadow-gen"
        self.refused(f"/absent, which the argument gen names, is not a program.*{where}", gen="/absent")
        self.refused("does not run: .*Exec format error", gen=self.program("", self))
        package = types.ModuleType("mshadow_gen")
        package.build, package.executable = object(), self.program("#!/bin/sh\necho of the package; exit 1\n", self)
        on_path = pathlib.Path(self.program("#!/bin/sh\necho in PATH; exit 1\n", self))
        path = f"{on_path.parent}:{os.environ['PATH']}"
        with mock.patch.dict(sys.modules, mshadow_gen=package), mock.patch.dict(os.environ, PATH=path):
            self.assertIs(mk.build, package.build)
            self.refused("in PATH", gen="mshadow-gen")
            with mock.patch.dict(os.environ, MSHADOW_GEN="/wrong"):
                self.refused("/wrong, which the variable MSHADOW_GEN names, is not a program")
            del os.environ["MSHADOW_GEN"]
            self.refused("of the package")
            sys.modules["mshadow_gen"] = None  # as if it were not installed
            self.refused("in PATH")
            os.environ["PATH"] = "/bin:/usr/bin"
            self.refused(where)
        self.refused("ended with -9",
                     gen=self.program("#!/bin/sh\nkill -9 $$\n", self))

    @staticmethod
    def program(text, test):
        directory = tempfile.TemporaryDirectory()
        test.addCleanup(directory.cleanup)
        path = pathlib.Path(directory.name) / "mshadow-gen"
        path.write_text(text)
        path.chmod(0o755)
        return str(path)


class CompilerErrorTest(Case):
    def test_its_words_are_in_the_exception(self):
        self.refused(r"the compiler: .*\n(.*\n)*.*error: .*absent\.h", compile_options=["-include", "absent.h"])
        self.assertFalse((self.out / "libdescend.so").exists())
        self.refused("ffast-math", compile_options=["-ffast-math"])


if __name__ == "__main__":
    unittest.main()
