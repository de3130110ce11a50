# SPDX-License-Identifier: Apache-2.0
"""The report as a page (--emit=report_html), in a browser."""
import html.parser
import os
import subprocess
import tempfile
import unittest

from support import GEN, SOURCE, need, run


class Elements(html.parser.HTMLParser):
    """The elements of a page: (name, attributes, the text directly in it)."""

    def __init__(self, text):
        super().__init__()
        self.all = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.all.append([tag, dict(attrs), ""])

    def handle_data(self, data):
        if self.all:
            self.all[-1][2] += data

    def having(self, tag, **attributes):
        wanted = {name.rstrip("_"): value for name, value in attributes.items()}
        return [e for e in self.all if e[0] == tag and all(e[1].get(k) == v for k, v in wanted.items())]


class ReportTest(unittest.TestCase):
    def elements(self, folder):
        """The page of attention and LAMB, after its script has drawn."""
        need("chromium")
        specs = [f"{SOURCE}/specs/{name}" for name in ("layer/attention.h", "optim/lamb.h")]
        run(GEN, "generate", *specs, "-o", folder, "--name=page", f"--path-base={SOURCE}", "--emit=report_html",
            "--", f"-I{SOURCE}")
        result = subprocess.run(
            ["chromium", "--headless", "--no-sandbox", "--disable-gpu", "--enable-logging=stderr", "--dump-dom",
             f"file://{folder}/page.report.html"],
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=300, env=dict(os.environ, HOME=folder))
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertNotIn("CONSOLE", result.stderr)
        return Elements(result.stdout)

    def test_pictures(self):
        """The statements of a rule have the same numbers in the spec's lines, in the loops and in the
        graph; the graph has the operands, and says in red why a pass ends."""
        with tempfile.TemporaryDirectory() as folder:
            page = self.elements(folder)
        marked = {}
        for tag, attributes, _ in page.all:
            if "data-s" in attributes:
                for statement in attributes["data-s"].split():
                    marked.setdefault(statement, set()).add(tag)
        self.assertEqual(set(marked), {str(n) for n in range(1, 12)})
        for statement, tags in marked.items():
            self.assertEqual(tags, {"span", "g"}, f"statement {statement}")
        lines = [text for tag, attributes, text in page.all if "mark" in attributes.get("class", "").split()]
        self.assertTrue(any("Reduce<Maximum>" in line for line in lines), "no line of the loops is marked")
        texts = {text.strip() for _, _, text in page.having("text")}
        self.assertLessEqual({"q", "weight", "matrix product", "Attention", "Lans"}, texts)
        red = {text for _, _, text in page.having("text", class_="stop")}
        self.assertIn("BLAS computes the product", red)
        self.assertIn("total is complete only after statement 3", red)
        self.assertEqual(len(page.having("circle", class_="dot")), 5)  # three of attention, Lamb and Lans
        self.assertEqual([e for e in page.all if "src" in e[1]], [])
