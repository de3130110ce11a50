# SPDX-License-Identifier: Apache-2.0
"""docs/internals.md follows a rule through the passes: what it shows is what the passes print."""
import pathlib
import re
import unittest

from support import CliCase

ROOT = pathlib.Path(__file__).resolve().parents[2]


def shown():
    """(pass, lines) of each step: the block behind the last "After `PASS`" above it."""
    text = (ROOT / "docs/internals.md").read_text()
    section = text.split("## One rule through the passes")[1].split("\n## ")[0]
    steps, name = [], None
    for line in section.splitlines():
        found = re.findall(r"[Aa]fter `(\w+)`", line)
        if found:
            name = found[0]
            steps.append((name, []))
        elif line.startswith("    "):
            steps[-1][1].append(line.strip())
    return [(name, lines) for name, lines in steps if lines]


class InternalsTest(CliCase):
    def test_each_step_is_what_the_pass_prints(self):
        steps = shown()
        self.assertGreaterEqual(len(steps), 6)
        for name, lines in steps:
            result = self.run_gen("generate", "--name=attention", "-o", self.out, "--path-base=.",
                                  f"--dump-after={name}", "specs/layer/attention.h", "--", "-I.",
                                  cwd=ROOT)
            self.assert_ok(result)
            # Without the remarks, which quote the spec.
            printed = iter([re.sub(r'  ; ".*', "", line).strip()
                            for line in result.stderr.splitlines()])
            for line in lines:
                self.assertIn(line, printed, f"after {name}, in this order")


if __name__ == "__main__":
    unittest.main()
