# SPDX-License-Identifier: Apache-2.0
"""Every message has an explanation, in docs/messages/ and in `mshadow-gen help`, whose examples are
what they claim to be."""
import collections
import concurrent.futures
import os
import pathlib
import re
import unittest

from support import CliCase

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs" / "messages"
ROW = re.compile(r'^MGEN_DIAG\(\w+, "([a-z-]+)", k(Error|Warning|Performance)', re.M)
EXAMPLE = re.compile(r"^(Wrong|Right):\n\n```(cpp|sh)\n(.*?)^```$", re.M | re.S)

Section = collections.namedtuple("Section", "text examples")
Example = collections.namedtuple("Example", "is_code text")

# What an id needs in order to be an error at all.
FLAGS = collections.defaultdict(list, {"determinism": ["--determinism=everywhere"]})
for slow in re.findall(r"^## (.*)$", (PAGES / "performance.md").read_text(), re.M):
    FLAGS[slow] = ["-Wperformance"]


def severities():
    """The ids with their severities, from the generator's own list."""
    rows = ROW.findall((ROOT / "generator" / "diag" / "diagnostics.def").read_text())
    return {name: severity.lower() for name, severity in rows}


def sections():
    """A list of (id, Section): what the pages say."""
    found = []
    for page in sorted(PAGES.glob("*.md")):
        if page.name != "README.md":
            for part in page.read_text().split("\n## ")[1:]:
                name, _, text = part.partition("\n")
                examples = {kind: Example(language == "cpp", code) for kind, language, code in EXAMPLE.findall(text)}
                found.append((name, Section(text.strip() + "\n", examples)))
    return found


def frame():
    """What stands before and after an example: the block of the index page."""
    block = re.search(r"```cpp\n(.*?)```", (PAGES / "README.md").read_text(), re.S).group(1)
    return block.split("// the example\n")


def unfenced(markdown):
    """The text with its code indented, as the program prints it."""
    lines, code = [], False
    for line in markdown.split("\n"):
        if line.startswith("```"):
            code = not code
        else:
            lines.append("    " + line if code and line else line)
    return "\n".join(lines)


class MessagesTest(CliCase):
    def run_example(self, name, kind, example):
        """The status, and the ids of the messages in their order, notes left out."""
        directory = self.dir / f"{name}-{kind}"
        directory.mkdir()
        (directory / "step.h").write_text(self.step.read_text())
        if example.is_code:
            before, after = frame()
            whole = example.text if "#include" in example.text else before + example.text + after
            (directory / "spec.h").write_text(whole)
            arguments = ["generate", "--name=toy", "-o", "out", *FLAGS[name], "spec.h"]
        else:
            arguments = example.text.split()[1:]
        result = self.run_gen(*arguments, cwd=directory)
        return result, re.findall(r"\[mshadow-([a-z-]+)\]$", result.stderr, re.M)

    def run_examples(self, kind):
        examples = [(name, section.examples[kind]) for name, section in sections()]
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            results = pool.map(lambda e: self.run_example(e[0], kind, e[1]), examples)
            return [(name, *result) for (name, _), result in zip(examples, results)]

    def test_every_id_has_one_section_with_two_examples(self):
        self.assertEqual(sorted(name for name, _ in sections()), sorted(severities()))
        for name, section in sections():
            with self.subTest(name):
                self.assertEqual(list(section.examples), ["Wrong", "Right"])
                self.assertNotRegex(EXAMPLE.sub("", section.text), r"\]\(", "a link, which a terminal does not show")

    def test_a_wrong_example_gives_its_id(self):
        for name, result, ids in self.run_examples("Wrong"):
            with self.subTest(name):
                if name == "unreadable":  # the driver looks first, and its messages have no id
                    self.assert_status(result, 4)
                    self.assertIn("cannot read 'stap.h'", result.stderr)
                    continue
                if name == "missing-return":  # Clang warns of it as well
                    self.assertEqual(ids.pop(0), "cxx-warning")
                self.assertEqual(set(ids), {name}, result.stderr)
                self.assert_status(result, 1 if severities()[name] == "error" else 0)

    def test_a_right_example_gives_no_message(self):
        for name, result, _ in self.run_examples("Right"):
            with self.subTest(name):
                self.assert_ok(result)
                self.assertEqual(result.stderr, "")

    def test_the_index_names_every_section(self):
        links = re.findall(r"\[([a-z-]+)\]\((\w+\.md)#([a-z-]+)\)", (PAGES / "README.md").read_text())
        self.assertEqual(sorted(name for name, _, _ in links), sorted(severities()))
        for name, page, anchor in links:
            self.assertEqual(name, anchor)
            self.assertIn(f"\n## {name}\n", (PAGES / page).read_text())


class HelpTest(CliCase):
    def test_it_prints_the_section_of_the_page(self):
        for name, section in sections():
            with self.subTest(name):
                result = self.run_gen("help", name)
                self.assert_ok(result)
                self.assertEqual(result.stderr, "")
                self.assertEqual(result.stdout, f"mshadow-{name} ({severities()[name]})\n\n{unfenced(section.text)}")

    def test_an_id_as_messages_show_it(self):
        plain = self.run_gen("help", "const-write").stdout
        for spelling in ("mshadow-const-write", "[mshadow-const-write]"):
            self.assertEqual(self.run_gen("help", spelling).stdout, plain)

    def test_without_an_id_it_says_how_to_use_it(self):
        for arguments in (["help"], ["--help=help"], ["help", "--help"], ["help", "help"]):
            result = self.run_gen(*arguments)
            self.assert_ok(result)
            self.assertTrue(result.stdout.startswith("mshadow-gen help [ID|COMMAND]\n"), result.stdout)
            ids = re.findall(r"[a-z-]+", result.stdout.split("IDS\n")[1])
            self.assertEqual(ids, sorted(severities()))

    def test_an_unknown_id(self):
        self.assert_usage(self.run_gen("help", "const-wrote"), "did you mean 'const-write'?", "mshadow-gen help")
        self.assert_usage(self.run_gen("help", "mshadow-lop"), "'mshadow-lop'", "did you mean 'loop'?")
        self.assert_usage(self.run_gen("help", "loop-note"), "no message has the id 'loop-note'")
        self.assert_usage(self.run_gen("help", "loop", "view"), "unknown argument 'view'")

    def test_a_command(self):
        self.assertEqual(self.run_gen("help", "list").stdout, self.run_gen("--help=list").stdout)

    def test_the_manual_and_the_completion_know_it(self):
        self.assertIn("mshadow-gen help [ID|COMMAND]", self.run_gen("--help").stdout)
        self.assertIn(".B mshadow\\-gen help\n", self.run_gen("--print-man").stdout)
        self.assertRegex(self.run_gen("--print-completion").stdout, r"\bhelp\) .*values='.*\bconst-write\b")


if __name__ == "__main__":
    unittest.main()
