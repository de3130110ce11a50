# SPDX-License-Identifier: Apache-2.0
"""What each edit costs; the same with every build tool."""
import os
import shutil
import unittest

from support import GEN, PACKAGE, ProjectCase, need


class Rebuilds:
    GENERATOR = None

    def setUp(self):
        # A generator of its own, to be renewed.
        self.gen = self.directory() / "mshadow-gen"
        shutil.copy(GEN, self.gen)
        self.consumer = self.project("consumer", generator=self.GENERATOR,
                                     flags=[*PACKAGE, f"-DMSHADOW_GEN={self.gen}"])

    def assert_built(self, compiled, generated):
        _, was_compiled, was_generated = self.consumer.build("app")
        self.assertEqual((sorted(was_compiled), sorted(was_generated)),
                         (sorted(compiled), sorted(generated)))

    def assert_no_work(self):
        self.assert_built([], [])

    def test_edits(self):
        consumer = self.consumer
        consumer.build("app")
        self.assertEqual(consumer.run(), "2 2 2\n")
        self.assert_no_work()

        with self.subTest("ordinary comments run the generator and compile nothing"):
            consumer.edit("kernels/step.h", "namespace toy {\n", "// A remark.\n\nnamespace toy {\n")
            consumer.edit("kernels/step.h", "  weight -= F<rate>(grad);",
                          "  // Downhill.\n  weight -= /* scaled */ F<rate>(grad);  // once")
            consumer.edit("kernels/rate.h", "struct rate {", "// How fast.\nstruct rate {")
            self.assert_built([], ["toy_kernels"])
            self.assert_no_work()

        with self.subTest("a doc comment, which the header carries, compiles its users"):
            consumer.edit("kernels/step.h", "/// One step", "/// A single step")
            self.assert_built(["main.cc.o", "step.gen.cc.o"], ["toy_kernels"])
            self.assert_no_work()

        with self.subTest("a formula compiles its own spec and its users"):
            consumer.edit("kernels/step.h", "weight -= ", "weight += ")
            self.assert_built(["main.cc.o", "step.gen.cc.o"], ["toy_kernels"])
            self.assertEqual(consumer.run(), "6 10 14\n")
            self.assert_no_work()

        with self.subTest("an included header counts as the spec"):
            consumer.edit("kernels/rate.h", "0.5f", "1.0f")
            self.assert_built(["main.cc.o", "step.gen.cc.o"], ["toy_kernels"])
            self.assertEqual(consumer.run(), "8 14 20\n")
            self.assert_no_work()

        with self.subTest("a header that gets another name runs the generator once"):
            (consumer.source / "kernels" / "rate.h").rename(consumer.source / "kernels" / "pace.h")
            consumer.edit("kernels/step.h", '"rate.h"', '"pace.h"')
            self.assert_built([], ["toy_kernels"])
            self.assert_no_work()

        with self.subTest("an option: what it changes is compiled"):
            consumer.edit("kernels/CMakeLists.txt", "COMPILE_DEFINITIONS -DTUNED_BODY=tuned_rate",
                          "COMPILE_DEFINITIONS -DTUNED_BODY=tuned_rate TUNED_MORE=1")
            self.assert_built([], ["tuned"])  # a definition that no spec reads
            consumer.edit("kernels/CMakeLists.txt", "TUNED_FACTOR=0.5f", "TUNED_FACTOR=1.0f")
            # The entries for C, too: they call what has the rule's hash in its name.
            self.assert_built(["main.cc.o", "tuned.blob.cc.o", "tuned.gen.cc.o", "tuned_rules_c.cc.o"], ["tuned"])
            self.assertEqual(consumer.run(), "10 16 22\n")
            self.assert_no_work()

        with self.subTest("another generator that writes the same compiles nothing"):
            os.utime(self.gen)
            self.assert_built([], ["toy_kernels", "tuned"])
            self.assert_no_work()

        with self.subTest("a generated file that was deleted is made again"):
            next(consumer.build_dir.rglob("step.gen.cc")).unlink()
            consumer.build("app")
            self.assertEqual(consumer.run(), "10 16 22\n")
            self.assert_no_work()

        with self.subTest("an error stops the build at its line, and mending it goes on"):
            consumer.edit("kernels/step.h", "weight += ", "weight + = ")
            output, compiled, _ = consumer.build("app", expect=1)
            self.assertRegex(output, r"step\.h:\d+:\d+: error: ")
            self.assertEqual(compiled, [])
            consumer.edit("kernels/step.h", "weight + = ", "weight += ")
            consumer.build("app")
            self.assert_no_work()

        with self.subTest("clean, and everything again"):
            consumer.build("clean")
            consumer.build("app")
            self.assertEqual(consumer.run(), "10 16 22\n")


class NinjaTest(Rebuilds, ProjectCase):
    GENERATOR = "Ninja"


class MultiConfigTest(Rebuilds, ProjectCase):
    GENERATOR = "Ninja Multi-Config"


class MakefilesTest(Rebuilds, ProjectCase):
    GENERATOR = "Unix Makefiles"

    def setUp(self):
        need("make")
        super().setUp()


if __name__ == "__main__":
    unittest.main()
