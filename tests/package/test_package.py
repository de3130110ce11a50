# SPDX-License-Identifier: Apache-2.0
"""Projects that use add_mshadow_kernels(): what is rebuilt when, and what is refused."""
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CMAKE = os.environ["CMAKE_COMMAND"]
SOURCE = os.environ["MSHADOW_SOURCE_DIR"]
GEN = os.environ["MSHADOW_GEN"]


def cmake(*args, expect=0):
    result = subprocess.run([CMAKE, *map(str, args)], text=True, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, timeout=1500, check=False)
    if (result.returncode == 0) != (expect == 0):
        raise AssertionError(f"cmake {args} ended with {result.returncode}:\n{result.stdout[-6000:]}")
    return result.stdout


class Consumer:
    """A copy of consumer/ and its build."""

    def __init__(self, generator):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="mshadow consumer "))
        self.source = self.dir / "source"
        self.build_dir = self.dir / "build"
        shutil.copytree(HERE / "consumer", self.source)
        flags = ["-DCMAKE_BUILD_TYPE=Debug", f"-DMSHADOW_SOURCE_DIR={SOURCE}", f"-DMSHADOW_GEN={GEN}",
                 "-DMSHADOW_USE_BLAS=OFF"]
        if shutil.which("ccache"):
            flags.append("-DCMAKE_CXX_COMPILER_LAUNCHER=ccache")
        self.configured = cmake("-S", self.source, "-B", self.build_dir, "-G", generator, *flags)

    def build(self, expect=0):
        """What was done: lines such as 'Building CXX object ...' and 'mshadow-gen ...'."""
        output = cmake("--build", self.build_dir, "--parallel", "2", "--target", "app", expect=expect)
        compiled = re.findall(r"Building CXX object (\S+)", output)
        generated = re.findall(r"mshadow-gen (\w+)\b(?! generate)", output)
        return output, [pathlib.Path(c).name for c in compiled], generated

    def run(self):
        app, = [p for p in self.build_dir.rglob("app") if p.is_file() and os.access(p, os.X_OK)]
        return subprocess.run([app], text=True, capture_output=True, timeout=60, check=True).stdout

    def edit(self, name, old, new):
        path = self.source / name
        text = path.read_text()
        assert old in text
        path.write_text(text.replace(old, new))

    def remove(self):
        shutil.rmtree(self.dir, ignore_errors=True)


class Rebuilds:
    """What each edit costs; the same with every build tool."""
    GENERATOR = None

    def setUp(self):
        self.consumer = Consumer(self.GENERATOR)
        self.addCleanup(self.consumer.remove)

    def assert_no_work(self):
        _, compiled, generated = self.consumer.build()
        self.assertEqual((compiled, generated), ([], []))

    def test_rebuilds(self):
        consumer = self.consumer
        self.assertIn("property MSHADOW_CUDA=OFF", consumer.configured)
        self.assertIn("property MSHADOW_ISA=baseline", consumer.configured)
        self.assertRegex(consumer.configured, r"property MSHADOW_HEADER=.*/generated/vendor/tuned/tuned_rules\.h")

        _, compiled, generated = consumer.build()
        self.assertIn("main.cc.o", compiled)
        self.assertEqual(sorted(generated), ["toy_kernels", "tuned"])
        self.assertEqual(consumer.run(), "2 2 2\n")
        tuned = next(consumer.build_dir.rglob("tuned.gen.cc")).read_text()
        self.assertTrue(tuned.startswith("// Copyright of the consumer.\n"))
        self.assert_no_work()

        with self.subTest("a comment runs the generator and compiles nothing"):
            consumer.edit("kernels/step.h", "namespace toy {\n", "// A remark.\n\nnamespace toy {\n")
            _, compiled, generated = consumer.build()
            self.assertEqual((compiled, generated), ([], ["toy_kernels"]))
            self.assert_no_work()

        with self.subTest("a formula compiles its own spec and its users"):
            consumer.edit("kernels/step.h", "weight -= ", "weight += ")
            _, compiled, generated = consumer.build()
            self.assertEqual(generated, ["toy_kernels"])
            self.assertIn("step.gen.cc.o", compiled)
            self.assertNotIn("scale.gen.cc.o", compiled)
            self.assertNotIn("tuned.gen.cc.o", compiled)
            self.assertEqual(consumer.run(), "6 10 14\n")
            self.assert_no_work()

        with self.subTest("an included header counts as the spec"):
            consumer.edit("kernels/rate.h", "0.5f", "1.0f")
            _, compiled, generated = consumer.build()
            self.assertEqual(generated, ["toy_kernels"])
            self.assertIn("step.gen.cc.o", compiled)
            self.assertEqual(consumer.run(), "8 14 20\n")
            self.assert_no_work()

        with self.subTest("a generated file that was deleted is made again"):
            next(consumer.build_dir.rglob("step.gen.cc")).unlink()
            consumer.build()
            self.assertEqual(consumer.run(), "8 14 20\n")
            self.assert_no_work()

        with self.subTest("an error stops the build at its line, and mending it goes on"):
            consumer.edit("kernels/step.h", "weight += ", "weight + = ")
            output, compiled, _ = consumer.build(expect=1)
            self.assertRegex(output, r"step\.h:\d+:\d+: error: ")
            self.assertEqual(compiled, [])
            consumer.edit("kernels/step.h", "weight + = ", "weight += ")
            consumer.build()
            self.assert_no_work()


class NinjaTest(Rebuilds, unittest.TestCase):
    GENERATOR = "Ninja"


class MakefilesTest(Rebuilds, unittest.TestCase):
    GENERATOR = "Unix Makefiles"


class MisuseTest(unittest.TestCase):
    """Calls that must fail, each with the words that say why."""
    CALLS = {
        "": "SPECS is missing",
        "SPECS": "no value for: SPECS",
        "SPECS;{d}/a.h;NAMESPACE": "no value for: NAMESPACE",
        "SPECS;{d}/a.h;SPEC;{d}/b.h": "",  # SPEC is taken for a file
        "{d}/a.h": "unknown arguments",
        "SPECS;{d}/a.h;TYPE;INTERFACE": "TYPE is STATIC, OBJECT or SHARED",
        "SPECS;{d}/a.h;TYPE;STATIC;FAST": "unknown arguments: FAST",
        "SPECS;{d}/nowhere.h": "there is no spec",
        "SPECS;{d}/a.h;{d}/b/a.h": "two specs are called 'a'",
        "SPECS;{d}/my-rule.h": "must be an identifier",
        "SPECS;{d}/a.h;OUTPUT_NAME;a-b": "OUTPUT_NAME must be an identifier",
        "SPECS;{d}/a.h;OUTPUT_DIR;{d}/../elsewhere": "inside the binary directory",
        "SPECS;{d}/a.h;HEADER_PREFIX;../x": "HEADER_PREFIX",
        "SPECS;{d}/a.h;HEADER_PREFIX;/x": "HEADER_PREFIX",
        "SPECS;{d}/a.h;CUDA;MAYBE": "CUDA is AUTO, ON or OFF",
        "SPECS;{d}/a.h;CUDA;ON": "needs enable_language",
        "SPECS;{d}/a.h;OPTIONS;--name=x": "OPTIONS cannot take '--name=x'",
        "SPECS;{d}/a.h;OPTIONS;-oelsewhere": "OPTIONS cannot take",
        "SPECS;{d}/a.h;OPTIONS;@file": "OPTIONS cannot take",
    }

    def refused(self, call, *flags):
        with tempfile.TemporaryDirectory() as directory:
            directory = pathlib.Path(directory).resolve()
            (directory / "b").mkdir()
            return cmake("-S", HERE / "misuse", "-B", directory, "-G", "Ninja",
                         f"-DMSHADOW_SOURCE_DIR={SOURCE}", *flags,
                         f"-DCALL={call.format(d=directory)}", expect=1)

    def test_calls(self):
        for call, words in self.CALLS.items():
            with self.subTest(call):
                output = " ".join(self.refused(call, f"-DMSHADOW_GEN={GEN}").split())
                self.assertIn("CMake Error", output)
                self.assertIn(words, output)

    def test_generator_that_does_not_fit(self):
        call = "SPECS;{d}/a.h"
        self.assertIn("needs mshadow-gen", " ".join(self.refused(call).split()))
        self.assertIn("does not run", " ".join(self.refused(call, "-DMSHADOW_GEN=/nowhere/gen").split()))
        self.assertIn("speaks protocol", " ".join(self.refused(call, f"-DMSHADOW_GEN={shutil.which('true')}").split()))


if __name__ == "__main__":
    unittest.main()
