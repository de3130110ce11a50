#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What scripts/conformance needs of the tree: it lists its suites, their rules generate, and a list
of what does not pass holds exactly that. The suites themselves need PyPI."""
import importlib
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

HERE = pathlib.Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))
report = importlib.import_module("cases")
run = importlib.import_module("run")
try:
    numpy = importlib.import_module("numpy")
except ImportError:
    numpy = None


def output(*command):
    return subprocess.run(list(map(str, command)), capture_output=True, text=True, check=True).stdout


class CommandTest(unittest.TestCase):
    def test_help_and_list(self):
        script = HERE.parent.parent / "scripts" / "conformance"
        self.assertIn("scripts/conformance [--build DIR] [--update] [NAME...]", output(script, "--help"))
        names = [line.split()[0] for line in output(script, "--list").splitlines()]
        self.assertEqual(names, [suite.name for suite in run.SUITES])

    def test_each_suite_has_its_files(self):
        for suite in run.SUITES:
            self.assertTrue((HERE / suite.command[0]).exists(), suite.command)
        lists = {path.stem for path in HERE.glob("*.txt")} - {"CMakeLists"}
        self.assertLessEqual(lists, {suite.name for suite in run.SUITES})
        for name in lists:
            self.assertTrue(report.read_list(HERE / f"{name}.txt"), name)

    def test_rules_generate(self):
        with tempfile.TemporaryDirectory() as out:
            output(os.environ["MSHADOW_GEN"], "generate", "--name=conformance_kernels", "--emit=python",
                   f"--output-dir={out}", *sorted(HERE.glob("*.h")))
            self.assertIn("def Lgamma(out, in_)", (pathlib.Path(out) / "conformance_kernels.py").read_text())


class ListTest(unittest.TestCase):
    CASES = [report.Case("exp", "1", True), report.Case("exp", "2", False, "3 is not 4"), report.Case("log", "1", False)]

    def problems(self, text):
        with tempfile.TemporaryDirectory() as work:
            path = pathlib.Path(work) / "list.txt"
            path.write_text(text)
            return report.problems(self.CASES, report.read_list(path))

    def test_exact(self):
        self.assertEqual(self.problems("# a comment\nwhy: a\nexp/2\n\nwhy: b\nlog/*\n"), [])
        self.assertEqual(self.problems("why: a\nlog/*\n"), ["exp/2 fails and is not listed: 3 is not 4"])
        self.assertEqual(self.problems("why: a\nlog/1\nexp/*\n"), ["exp/1 passes and is listed as 'exp/*'"])
        self.assertEqual(self.problems("why: a\nlog/1\nexp/2\nexp/3\n"), ["'exp/3' is listed and names no case"])
        self.assertRaisesRegex(ValueError, "'log/1' has no reason", self.problems, "log/1\n")

    def test_a_case_passes_if_it_does_with_every_instruction_set(self):
        one, other = report.Case("exp", "1", True, "", 0.0), report.Case("exp", "1", False, "3 is not 4", 2.0)
        self.assertEqual(list(run.merged({"avx2": [one], "avx512": [other]})), [other._replace(detail="avx512: 3 is not 4")])
        self.assertEqual(list(run.merged({"avx2": [one], "avx512": [one]})), [one])

    def test_update(self):
        """A new section is the last one; another takes the place of the old one."""
        with tempfile.TemporaryDirectory() as work, mock.patch.object(run, "PAGE", pathlib.Path(work) / "page.md"):
            run.PAGE.write_text("# Page\n\n### `a`: A\n\nold\n")
            run.update("### `b`: B\n\nfirst\n")
            run.update("### `a`: A\n\nnew\n")
            self.assertEqual(run.PAGE.read_text(), "# Page\n\n### `a`: A\n\nnew\n\n### `b`: B\n\nfirst\n")

    def test_table(self):
        self.assertEqual(report.table(self.CASES, "function"), [
            "| function | cases | pass | do not |", "| --- | ---: | ---: | ---: |", "| exp | 2 | 1 | 1 |",
            "| **all** | 3 | 1 | 2 |", "", "No case passes, of so many: log 1."])


@unittest.skipIf(numpy is None, "NumPy is not installed")
class DistanceTest(unittest.TestCase):
    def test_distance(self):
        distance = importlib.import_module("ulp").distance
        for dtype in (numpy.float16, numpy.float32, numpy.float64):
            one, tiny = dtype(1), numpy.nextafter(dtype(0), dtype(1))
            inf, nan = dtype(numpy.inf), dtype(numpy.nan)
            got = numpy.array([one, numpy.nextafter(one, inf), -tiny, dtype(-0.0), nan, nan, inf, inf, inf], dtype)
            want = numpy.array([one, numpy.nextafter(one, -inf), tiny, dtype(0), nan, one, inf, -inf, one], dtype)
            infinite = float("inf")
            self.assertEqual(distance(got, want).tolist(), [0, 2, 2, 0, 0, infinite, 0, infinite, infinite])


if __name__ == "__main__":
    unittest.main()
