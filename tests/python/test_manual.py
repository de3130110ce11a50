#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples in Python of docs/quick-start.md and docs/manual/python.md run, where their libraries
are installed."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

DOCS = pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"]) / "docs"
PAGES = (DOCS / "quick-start.md").read_text() + (DOCS / "manual" / "python.md").read_text()
BLOCKS = re.findall(r"```python\n(.*?)```", PAGES, re.S)
# What follows each example, beside the library that it imports first.
CHECKS = [
    ("torch", "assert optimizer.state_dict()['state'][0]['step'] == 10"),
    ("numpy", "assert 0.98 < weight[0] < 0.995 and mean[0] > 0.3"),
    ("jax", "assert -0.011 < weight[0] < -0.009 and mean[0] > 0.3"),
    ("torch", "assert gain.grad.shape == (64,) and gain.grad.abs().sum() > 0"),
    ("jax.numpy", "assert -0.002 < weight[0] < 0 and grad[0] == 0.5"),
]


def library_of(block):
    return re.match(r"import ([a-z.]+)", block).group(1)


class ManualTest(unittest.TestCase):
    def test_every_block_is_an_example_of_a_library(self):
        self.assertEqual([library_of(block) for block in BLOCKS], [library for library, _ in CHECKS])

    def test_examples(self):
        for block, (library, check) in zip(BLOCKS, CHECKS):
            without = [sys.executable, "-c", f"import {library}"]
            if subprocess.run(without, capture_output=True, check=False).returncode:
                print(f"SKIPPED: an example with {library}, which is not installed")
                continue
            with self.subTest(library):
                run = subprocess.run([sys.executable, "-B", "-c", block + check], text=True, check=False,
                                     stderr=subprocess.PIPE)
                self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
