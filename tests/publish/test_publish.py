# SPDX-License-Identifier: Apache-2.0
"""scripts/bench --publish: the page says what the rows say, and its plots are files of their own."""
import json
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as ElementTree

ROOT = pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"])
BUILD = pathlib.Path(os.environ["MSHADOW_BINARY_DIR"])
sys.path.insert(0, str(ROOT / "benchmarks"))
import publish  # noqa: E402
import publish_page  # noqa: E402


def rule(name, threads, size, **ratios):
    """A row of bench_rules."""
    return {"rule": name, "asked_size": size, "size": size, "threads": threads, "isa": "AVX2",
            "rounds": 3, "statements": 3, "bytes": 28, "held_bytes": 16, "written_bytes": 12, "unfused_bytes": 40,
            "gb_per_s": 8.0, "ratio_unfused": 2.5, "ratio_hand": None, "ratio_eigen": None,
            "ratio_copy": 0.5, "ratio_mix": 0.875, **ratios}  # fmt: skip


def shape(name, rows, cols, stride, ns_per_byte, ratio):
    """A row of bench_shapes."""
    return {"rule": name, "size": 64, "rows": rows, "cols": cols, "stride": stride, "bytes": 512.0,
            "threads": 1, "isa": "AVX2", "rounds": 3, "ns_per_byte": ns_per_byte,
            "ratio_best": ratio}  # fmt: skip


RESULTS = {
    "machine": {"processor": "Imaginary(R) Abacus(TM) CPU @ 3.00GHz", "family": "7", "model": "42",
                "processors": 4, "virtual": True, "caches": ["L1 data 48 KB", "L2 2 MB"],
                "memory_gb": 31, "system": "Debian GNU/Linux 12 (bookworm)"},
    "build": {"compiler": "GCC 12.2.0 (Debian 12.2.0-14)",
              "flags": {"the rules": "-O3 -std=c++17", "peers": "-O3 -march=native"},
              "libraries": {"Eigen": "3.4.0", "PyTorch": "2.15.0"}},
    "date": "2026-02-03", "commit": "0123abcd", "note": "The machine was shared.",
    "command": "scripts/bench --publish --quick",
    "rules": [
        rule("Adam", 1, 1 << 14, ratio_hand=1.25, ratio_eigen=1.5),
        rule("Adam", 1, 1 << 20, ratio_hand=0.8125, gb_per_s=12.5, ratio_mix=0.9875),
        rule("Silu", 1, 1 << 14, ratio_eigen=0.375, bytes=8),
        rule("Silu", 1, 1 << 20, bytes=8, gb_per_s=4.25, ratio_mix=0.5625),
        rule("Adam", 4, 1 << 14), rule("Adam", 4, 1 << 20, ratio_mix=1.125),
        rule("Silu", 4, 1 << 14), rule("Silu", 4, 1 << 20, ratio_mix=1.0625),
        rule("OneFactor", 1, 1 << 14, held_bytes=0, bytes=8),
        rule("OneFactor", 1, 1 << 20, held_bytes=0, bytes=8, ratio_mix=30000.0)],
    "cost": [rule("Adam", 1, 16, gb_per_s=5.6, ratio_copy=0.25),
             rule("Adam", 1, 1 << 20, gb_per_s=14.0, ratio_copy=0.75)],
    "shapes": [shape("Relu", 64, 1, 1, 0.03, 3.0), shape("Relu", 1, 64, 64, 0.01, 1.0),
               shape("Relu", 6, 10, 16, 0.02, 2.0)],
    "torch": [{"rule": "Adam", "size": 1 << 14, "threads": 1, "ratio_torch": 0.625}],
}  # fmt: skip


def sections(page):
    """heading -> its text, up to the next heading"""
    parts = re.split(r"^#+ (.*)\n", page, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def tables(text):
    """Each table as rows of cells, the heads first."""
    found = []
    for block in re.findall(r"(?:^\|.*\n)+", text, flags=re.M):
        rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in block.splitlines()]
        found.append([rows[0], *rows[2:]])
    return found


class PageTest(unittest.TestCase):
    def setUp(self):
        self.page = publish_page.page(RESULTS, "abacus")
        self.sections = sections(self.page)

    def test_facts(self):
        self.assertTrue(self.page.startswith("# Imaginary(R) Abacus(TM) CPU @ 3.00GHz, GCC 12.2.0\n"))
        facts = dict(tables(self.page)[0][1:])
        self.assertEqual(facts["compiler"], "GCC 12.2.0 (Debian 12.2.0-14)")
        self.assertEqual(facts["flags of peers"], "`-O3 -march=native`")
        self.assertEqual(facts["caches"], "L1 data 48 KB, L2 2 MB")
        self.assertEqual(facts["PyTorch"], "2.15.0")
        self.assertRegex(facts["rounds"], "^3;")
        for text in ("2026-02-03", "0123abcd", "`scripts/bench --publish --quick`", "machine was shared"):
            self.assertIn(text, self.page)
        self.assertEqual(publish_page.slug(RESULTS), "imaginary-abacus-7-42-gcc-12")

    def test_every_rule(self):
        one, = tables(self.sections["Every rule, one thread"])
        self.assertEqual(one[0], ["rule", "bytes", "GB/s", "share", "2^14", "2^20"])
        self.assertEqual(one[1], ["`Adam`", "28", "12.5", "0.99", "0.62 PyTorch", "0.81 handwritten"])
        self.assertEqual(one[2], ["`OneFactor`", "8", "-", "-", "2.50 unfused", "2.50 unfused"])
        self.assertEqual(one[3], ["`Silu`", "8", "4.25", "0.56", "0.38 Eigen", "2.50 unfused"])
        four, = tables(self.sections["Every rule, 4 threads"])
        self.assertEqual([row[3] for row in four[1:]], ["1.12", "1.06"])

    def test_share_of_memory(self):
        rows, = tables(self.sections["Share of the memory's speed"])
        self.assertEqual(rows[1], ["one thread", "2", "0.78", "1", "1"])  # 0.9875 and 0.5625
        self.assertEqual(rows[2], ["4 threads", "2", "1.09", "2", "0"])

    def test_peers(self):
        rows, losses = tables(self.sections["Ratio to the best peer"])
        mean = math.pow(0.625 * 0.375 * 2.5, 1 / 3)
        self.assertEqual(rows[1], ["one thread", "2^14", "3", f"{mean:.2f}", "0.62", "2"])
        mean = math.pow(0.8125 * 2.5 * 2.5, 1 / 3)
        self.assertEqual(rows[2], ["one thread", "2^20", "3", f"{mean:.2f}", "2.50", "1"])
        self.assertEqual(rows[3][3], "2.50")
        self.assertEqual(losses[1:], [["one thread", "2^14", "`Silu` 0.38 Eigen, `Adam` 0.62 PyTorch"],
                                      ["one thread", "2^20", "`Adam` 0.81 handwritten"]])

    def test_cost(self):
        calls, elements = tables(self.sections["Cost and number of elements"])
        # 16 elements of 28 bytes at 5.6 GB/s, and a copy in a quarter of the time.
        self.assertEqual(calls, [["elements", "Adam"], ["2^4", "80.0 (20.0)"]])
        self.assertEqual(elements, [["elements", "Adam"], ["2^20", "2.00 (1.50)"]])

    def test_shapes(self):
        rows, = tables(self.sections["Shapes"])
        self.assertEqual(rows[1:], [["64 x 1", "**3.00**"], ["1 x 64", "1.00"],
                                    ["6 x 10, stride 16", "2.00"], ["best, ps for a byte", "10.0"]])
        self.assertIn("1 of 3 are more than 2", " ".join(self.sections["Shapes"].split()))

    def test_lines_are_short_and_the_link_leads_somewhere(self):
        for line in self.page.splitlines():
            if not line.startswith("|"):
                self.assertLessEqual(len(re.sub(r"\]\([^)]*\)", "]", line)), 100, line)
        readme = (ROOT / "docs/benchmarks/README.md").read_text()
        self.assertIn("](../README.md#what-the-figures-mean)", self.page)
        self.assertIn("\n## What the figures mean\n", readme)

    def test_names_of_compilers(self):
        gcc = "c++ (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc."
        self.assertEqual(publish.compiler_name(gcc), "GCC 12.2.0 (Debian 12.2.0-14+deb12u1)")
        clang = "Debian clang version 19.1.7 (3+b1)\nTarget: x86_64-pc-linux-gnu"
        self.assertEqual(publish.compiler_name(clang), "Clang 19.1.7 (3+b1)")


def python_with_matplotlib():
    for python in (sys.executable, "/usr/bin/python3"):  # where Debian's packages are
        if shutil.which(python) and not subprocess.run(
                [python, "-c", "import matplotlib"], stderr=subprocess.DEVNULL, check=False).returncode:
            return python
    print("SKIP: Matplotlib is not installed (Debian: python3-matplotlib)")
    raise unittest.SkipTest("no Matplotlib")


class PlotsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        python = python_with_matplotlib()
        directory = tempfile.mkdtemp()
        cls.addClassCleanup(shutil.rmtree, directory)
        cls.outputs = []
        source = pathlib.Path(directory) / "results.json"
        source.write_text(json.dumps(RESULTS))
        for seed in ("1", "2"):
            output = pathlib.Path(directory) / seed
            subprocess.run([python, "-B", str(ROOT / "benchmarks/publish.py"), "--from", str(source),
                            str(output)], check=True, env={**os.environ, "PYTHONHASHSEED": seed})
            cls.outputs.append({str(path.relative_to(output)): path.read_text()
                                for path in sorted(output.rglob("*")) if path.is_file()})
        cls.plots = {name: text for name, text in cls.outputs[0].items() if name.endswith(".svg")}

    def test_the_same_file_gives_the_same_page(self):
        self.assertEqual(self.outputs[0], self.outputs[1])

    def test_each_plot_is_in_the_page(self):
        page = self.outputs[0]["imaginary-abacus-7-42-gcc-12.md"]
        self.assertEqual(set(re.findall(r"!\[[^]]+\]\(([^)]+)\)", page)), set(self.plots))
        self.assertEqual(len(self.plots), 4)

    def test_plots_are_files_of_their_own(self):
        for name, text in self.plots.items():
            ElementTree.fromstring(text)  # well formed
            for outside in ("<!DOCTYPE", "@import", "url(h", 'href="h', "<script", "<image"):
                self.assertNotIn(outside, text, name)
            self.assertIn("prefers-color-scheme:dark", text)
            self.assertNotIn("#010203", text)  # the stand-in for currentColor
            self.assertNotIn("#000000", text)  # black text on a black screen
            self.assertLess(len(text), 100_000)

    def texts(self, plot):
        root = ElementTree.fromstring(self.plots[f"imaginary-abacus-7-42-gcc-12/{plot}.svg"])
        return {"".join(element.itertext()).strip() for element in root.iter("{http://www.w3.org/2000/svg}text")}

    def test_plots_name_what_they_show(self):
        self.assertLessEqual({"Adam", "Silu", "one thread", "4 threads"}, self.texts("ceiling"))
        self.assertLessEqual({"2¹⁴ elements", "2²⁰ elements", "one thread"}, self.texts("peers"))
        self.assertLessEqual({"Adam", "elements", "a copy of as many bytes"}, self.texts("cost"))
        self.assertLessEqual({"64 x 1", "6 x 10, stride 16", "Relu"}, self.texts("shapes"))

    def test_bars_are_as_long_as_the_numbers(self):
        """The bars of one thread: Adam's share is 0.9875, Silu's 0.5625."""
        text = self.plots["imaginary-abacus-7-42-gcc-12/ceiling.svg"]
        bars = re.findall(r'd="M ([\d.]+) [\d.]+\nL ([\d.]+) [^"]*" clip-path[^>]*fill: #3b82c4', text)
        lengths = [float(end) - float(begin) for begin, end in bars]
        self.assertEqual(len(lengths), 2)
        self.assertAlmostEqual(lengths[0] / lengths[1], 0.9875 / 0.5625, places=4)


class RowsTest(unittest.TestCase):
    def test_the_programs_measure_what_the_page_shows(self):
        if not (BUILD / "bin/bench_rules").exists():
            print("SKIP: bench_rules is not built")
            raise unittest.SkipTest("not built")
        form = {"sizes": [10], "cost": [4, 5], "rounds": 1}
        results = {**RESULTS, "machine": publish.machine(), "build": publish.build_facts(BUILD, None),
                   **publish.measure(BUILD, form, None)}
        page = publish_page.page(results, "here")
        found = sections(page)
        one, = tables(found["Every rule, one thread"])
        self.assertGreater(len(one), 150)
        calls, = tables(found["Cost and number of elements"])
        self.assertEqual(calls[0], ["elements", "Adam", "LayerNorm", "SGD", "Silu", "Softmax"])
        self.assertEqual([row[0] for row in calls[1:]], ["2^4", "2^5"])
        self.assertNotIn("unknown", page)
        self.assertNotIn("nan", page)


if __name__ == "__main__":
    unittest.main()
