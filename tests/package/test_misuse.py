# SPDX-License-Identifier: Apache-2.0
"""Calls of add_mshadow_kernels() that must fail, each with the words that say why."""
import json
import pathlib
import re
import shutil
import unittest

from support import GEN, HERE, NO_GEN, SOURCE, ProjectCase, cmake, run, words


class MisuseTest(ProjectCase):
    CALLS = {
        "": "SPECS is missing",
        "SPECS": "no value for: SPECS",
        "SPECS;{d}/a.h;NAMESPACE": "no value for: NAMESPACE",
        "SPECS;{d}/a.h;SPEC;{d}/b.h": "'SPEC' is no keyword",
        "SPECS;{d}/a.h;EMIT;ir;NUMERCIS;FAST": "'NUMERCIS' is no keyword",
        "SPECS;{d}/a.h;LINK_LIBRARIES;x;CUDAA;ON": "'CUDAA' is no keyword",
        "SPECS;{d}/a.h;COMPILE_DEFINITIONS;A=1;NUMERCIS;FAST": "'NUMERCIS' is no keyword; did you mean NUMERICS?",
        "SPECS;{d}/a.h;COMPILE_DEFINITIONS;A;OPTION;--werror": "did you mean OPTIONS?",
        "SPECS;{d}/a.h;COMPILE_DEFINITIONS;A;LINK_LIBRARY;x": "did you mean LINK_LIBRARIES?",
        "SPECS;{d}/a.h;COMPILE_DEFINITIONS;A;NO_CHEK_TEST": "did you mean NO_CHECK_TEST?",
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
        "SPECS;{d}/a.h;EMIT;irs": "EMIT knows blob;c;ir;python;report_html;report_json, not 'irs'",
        "SPECS;{d}/a.h;NUMERICS;FATS": "NUMERICS is STRICT, CORRECT, CONTRACT or FAST, not 'FATS'",
        "SPECS;{d}/a.h;OPTIONS;--name=x": "OPTIONS cannot take '--name=x'",
        "SPECS;{d}/a.h;OPTIONS;-oelsewhere": "OPTIONS cannot take",
        "SPECS;{d}/a.h;OPTIONS;@file": "OPTIONS cannot take",
    }

    def refused(self, call, *flags):
        directory = self.directory()
        (directory / "b").mkdir()
        return words(cmake("-S", HERE / "misuse", "-B", directory, "-G", "Ninja",
                           f"-DMSHADOW_SOURCE_DIR={SOURCE}", *flags,
                           f"-DCALL={call.format(d=directory)}", expect=1))

    def test_calls(self):
        for call, text in self.CALLS.items():
            with self.subTest(call):
                output = self.refused(call, f"-DMSHADOW_GEN={GEN}")
                self.assertIn("CMake Error", output)
                self.assertIn(text, output)

    def test_definitions_in_capitals(self):
        """Those that are no slip away from a keyword, and any with -D or a value."""
        output = self.refused("SPECS;{d}/a.h;COMPILE_DEFINITIONS;NDEBUG;CUDNN;FAST;LINK;-DOPTION;NUMERIC=1;TYPE_;TYPE;X",
                              f"-DMSHADOW_GEN={GEN}")
        self.assertIn("'TYPE_' is no keyword", output)
        output = self.refused("SPECS;{d}/a.h;COMPILE_DEFINITIONS;NDEBUG;CUDNN;FAST;LINK;-DOPTION;NUMERIC=1;TYPE;X",
                              f"-DMSHADOW_GEN={GEN}")
        self.assertIn("TYPE is STATIC, OBJECT or SHARED, not 'X'", output)

    def test_no_generator_names_three_ways_out(self):
        output = self.refused("SPECS;{d}/a.h", *NO_GEN)
        for way in ("-DMSHADOW_GEN=<path>", "-DMSHADOW_BUILD_GEN=ON", "VENDORED <dir>"):
            self.assertIn(way, output)

    def test_a_generator_that_does_not_fit(self):
        call = "SPECS;{d}/a.h"
        self.assertIn("does not run", self.refused(call, "-DMSHADOW_GEN=/nowhere/gen"))
        self.assertIn("speaks protocol", self.refused(call, f"-DMSHADOW_GEN={shutil.which('true')}"))

    def test_modes(self):
        self.assertIn("MSHADOW_KERNELS_MODE is", self.refused("SPECS;{d}/a.h", "-DMSHADOW_KERNELS_MODE=ON"))
        # VENDORED runs no generator, even if there is one.
        self.assertIn("there is none", self.refused("SPECS;{d}/a.h", f"-DMSHADOW_GEN={GEN}",
                                                    "-DMSHADOW_KERNELS_MODE=VENDORED"))


class KeywordsTest(unittest.TestCase):
    def test_kinds_of_bazel_are_those_of_the_generator(self):
        """Bazel cannot read the generator's table."""
        text = (pathlib.Path(SOURCE) / "bazel" / "defs.bzl").read_text()
        further = re.findall(r'^    "([a-z_]+)": struct\(brings', text, re.M)
        kinds = set(json.loads(run(GEN, "--print-config", "--format=json"))["emit"])
        self.assertEqual(set(further), kinds - {"header", "cpu", "cuda"})

    def test_every_kind_is_in_a_test(self):
        consumer = (HERE / "consumer" / "kernels" / "CMakeLists.txt").read_text()
        used = set(re.search(r"EMIT ([a-z_ ]+)", consumer).group(1).split())
        kinds = set(json.loads(run(GEN, "--print-config", "--format=json"))["emit"])
        self.assertEqual(kinds - used, {"header", "cpu", "cuda", "manifest"})

    def test_every_keyword_is_in_the_manual_and_in_a_test(self):
        function = (pathlib.Path(SOURCE) / "cmake" / "MshadowKernels.cmake").read_text()
        keywords = re.findall(r"^  set\((?:switches|one|many) ([^)]*)\)", function, re.M)
        manual = (pathlib.Path(SOURCE) / "docs" / "manual" / "cmake.md").read_text()
        projects = "".join(p.read_text() for p in HERE.rglob("CMakeLists.txt"))
        for keyword in " ".join(keywords).split():
            with self.subTest(keyword):
                self.assertTrue(keyword in manual, "not in docs/manual/cmake.md")
                self.assertTrue(re.search(rf"\b{keyword}\b", projects), "in no test")


if __name__ == "__main__":
    unittest.main()
