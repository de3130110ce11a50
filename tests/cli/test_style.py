# SPDX-License-Identifier: Apache-2.0
"""scripts/check-style finds what it should in Markdown and in rules' comments, and nothing else."""
import pathlib
import shutil
import subprocess
import tempfile
import unittest

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "check-style"
WIDE = "word " * 24 + "word."


class StyleTest(unittest.TestCase):
    def setUp(self):
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="mshadow_style_"))
        self.addCleanup(shutil.rmtree, self.dir, ignore_errors=True)

    def findings(self, text, name="page.md"):
        (self.dir / name).parent.mkdir(exist_ok=True)
        (self.dir / name).write_text(text)
        result = subprocess.run([str(SCRIPT), str(self.dir)], capture_output=True, text=True, check=False)
        lines = result.stdout.splitlines()[:-1]
        self.assertEqual(result.returncode, 1 if lines else 0, result.stdout + result.stderr)
        return lines

    def test_wide_lines(self):
        for text in (WIDE, f"* {WIDE}", f"a\n    {WIDE}", f"```\ncode\n```\n{WIDE}"):
            with self.subTest(text):
                found = self.findings(text + "\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn("columns; at most 100", found[0])

    def test_what_may_be_wide(self):
        link = "[text](" + "https://example.org/" + "x" * 120 + ")"
        for text in (f"# {WIDE}", f"| {WIDE} |", f"a\n\n    {WIDE}\n\n    {WIDE}", f"```\n{WIDE}\n```", link):
            with self.subTest(text):
                self.assertEqual(self.findings(text + "\n"), [])

    def test_links(self):
        (self.dir / "other.md").write_text("# Two `words`, here\n\n    # no heading\n")
        good = "[a](other.md), [b](other.md#two-words-here), [c](#one), `[d](none.md)`, [e](https://example.org/x)"
        self.assertEqual(self.findings(f"# One\n\n{good}\n"), [])
        for target in ("none.md", "other.md#no-heading", "#two"):
            with self.subTest(target):
                found = self.findings(f"# One\n\n[a]({target})\n")
                self.assertEqual(len(found), 1, found)
                self.assertIn(f"link to '{target}'", found[0])

    def test_parameters_of_rules(self):
        licence = "// SPDX-License-Identifier: Apache-2.0\n"
        good = licence + "/// Adds.\n/// \\param out sum\n/// \\param in terms\n"
        self.assertEqual(self.findings(good, name="specs/add.h"), [])
        found = self.findings(licence + "/// Adds. \\param out sum \\param in terms\n", name="specs/add.h")
        self.assertEqual(found, ["specs/add.h:2: \\param within a line; it begins one"])

    def test_long_readme(self):
        self.assertEqual(self.findings("line\n" * 120, name="README.md"), [])
        found = self.findings("line\n" * 121, name="README.md")
        self.assertEqual(found, ["README.md:121: 121 lines; at most 120"])


if __name__ == "__main__":
    unittest.main()
