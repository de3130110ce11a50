# SPDX-License-Identifier: Apache-2.0
"""A test program of this tree as a suite: a case for each test, or for each of its subtests.

usage: suite_unittest.py SCRIPT TEST... OUT"""
from __future__ import annotations

import importlib
import importlib.util
import pathlib
import sys
import traceback
import unittest
from typing import Any, Optional

from cases import Case, write

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent


def _method(test: unittest.TestCase) -> str:
    return test.id().rpartition(".test_")[2].replace("_", " ")


class Recorder(unittest.TestResult):
    """What each test and subtest comes to."""

    def __init__(self) -> None:
        super().__init__()
        self.cases: list[Case] = []
        self.with_subtests: set[str] = set()

    def _add(self, test: unittest.TestCase, name: str, error: Optional[Any],
             group: str = "") -> None:
        group = group or _method(test)
        detail = traceback.format_exception_only(error[1])[-1].strip() if error else ""
        self.cases.append(Case(group, name, error is None, " ".join(detail.split())[:300]))

    def addSubTest(self, test: unittest.TestCase, subtest: unittest.TestCase,
                   err: Optional[Any]) -> None:
        """A subtest is a case."""
        super().addSubTest(test, subtest, err)
        self.with_subtests.add(test.id())
        library = getattr(subtest, "params", {}).get("library", "")  # rows of several libraries
        self._add(test, subtest.id()[len(test.id()):].strip(" ()[]"), err, library)

    def addSuccess(self, test: unittest.TestCase) -> None:
        """A test without subtests is a case."""
        super().addSuccess(test)
        if test.id() not in self.with_subtests:
            self._add(test, "all", None)

    def addError(self, test: unittest.TestCase, err: Any) -> None:
        """Also of a class or a module that cannot be set up."""
        super().addError(test, err)
        self._add(test, "all", err)

    def addFailure(self, test: unittest.TestCase, err: Any) -> None:
        """A failed test."""
        super().addFailure(test, err)
        self._add(test, "all", err)

    def addSkip(self, test: unittest.TestCase, reason: str) -> None:
        """What is skipped here has not passed."""
        super().addSkip(test, reason)
        self._add(test, "all", (None, unittest.SkipTest(reason), None))


def load(script: pathlib.Path) -> Any:
    """The program as a module."""
    sys.argv = [str(script)]
    sys.path.insert(0, str(script.parent))
    spec = importlib.util.spec_from_file_location(script.stem, script)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def main() -> None:
    """Runs the tests and writes their cases."""
    script, *names, out = sys.argv[1:]
    # The shipped rules under the name that the tests of optimizers import.
    sys.modules["optimizer_kernels"] = importlib.import_module("mshadow_kernels.rules")
    module = load(ROOT / script)
    recorder = Recorder()
    unittest.defaultTestLoader.loadTestsFromNames(names, module).run(recorder)
    write(pathlib.Path(out), recorder.cases)


if __name__ == "__main__":
    main()
