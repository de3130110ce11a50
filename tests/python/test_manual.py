#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The examples in Python of docs/manual/python.md run, where their libraries are installed."""
import os
import pathlib
import re
import subprocess
import sys
import unittest

PAGE = pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"]) / "docs" / "manual" / "python.md"
BLOCKS = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)
# What follows an example, by the library that it imports.
CHECKS = {
    "torch": "assert optimizer.state_dict()['state'][0]['step'] == 10",
    "numpy": "assert 0.98 < weight[0] < 0.995 and mean[0] > 0.3",
    "jax.numpy": "assert -0.002 < weight[0] < 0 and grad[0] == 0.5",
}


class ManualTest(unittest.TestCase):
    def test_every_block_is_an_example_of_a_library(self):
        found = [re.match(r"import ([a-z.]+)", block).group(1) for block in BLOCKS]
        self.assertEqual(sorted(found), sorted(CHECKS))

    def test_examples(self):
        for block in BLOCKS:
            library = re.match(r"import ([a-z.]+)", block).group(1)
            without = [sys.executable, "-c", f"import {library}"]
            if subprocess.run(without, capture_output=True, check=False).returncode:
                print(f"SKIPPED: the example with {library}, which is not installed")
                continue
            with self.subTest(library):
                run = subprocess.run([sys.executable, "-B", "-c", block + CHECKS[library]], text=True, check=False,
                                     stderr=subprocess.PIPE)
                self.assertEqual((run.returncode, run.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
