# SPDX-License-Identifier: Apache-2.0
"""The blocks of commands and code that the manuals show, and the commands within their sentences."""
import os
import pathlib
import re
import typing

ROOT = pathlib.Path(os.environ["MSHADOW_SOURCE_DIR"])
# All but docs/decisions: they say why something is as it is, with pieces of rules and of what was
# before; docs/messages, whose examples tests/cli/test_messages.py runs; and CHANGES.md.
PAGES = [str(path.relative_to(ROOT)) for pattern in (
    "README.md", "CONTRIBUTING.md", "SECURITY.md", "docs/*.md", "docs/guide/*.md", "docs/language/*.md", "docs/manual/*.md",
    "docs/benchmarks/*.md", "docs/benchmarks/machines/*.md") for path in sorted(ROOT.glob(pattern))]  # fmt: skip
PROGRAMS = re.compile(r"(scripts/[\w/.-]+|tests/extending/try|cmake|ctest|cpack|pkg-config|mshadow-gen)(?=\s|$)")


class Block(typing.NamedTuple):
    page: str
    line: int
    section: str
    kind: str  # of a fence, such as cpp; "" where the block is indented
    text: str


def read_page(page):
    """(blocks, the text without them)"""
    blocks, prose, lines, section = [], [], [], ""
    kind, begin = None, 0  # of the block that these lines are in

    def close():
        if kind is not None:
            blocks.append(Block(page, begin, section, kind, "\n".join(lines).rstrip() + "\n"))
        lines.clear()

    blank = True
    for number, line in enumerate((ROOT / page).read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            close()
            kind, begin = (None if kind else line.strip()[3:] or "text"), number
        elif kind:  # fenced
            lines.append(line)
        elif line.startswith("    ") and (kind == "" or blank):
            if kind is None:
                kind, begin = "", number
            lines.append(line[4:])
        elif kind == "" and not line.strip():
            lines.append("")
        else:
            if kind == "":
                close()
                kind = None
            if line.startswith("#"):
                section = line.lstrip("#").strip()
            prose.append(line)
        blank = not line.strip()
    close()
    return blocks, "\n".join(prose)


def all_blocks():
    return [block for page in PAGES for block in read_page(page)[0]]


def block(page, beginning):
    """The text of the one block of a page that begins so."""
    found = [b.text for b in read_page(page)[0] if b.text.startswith(beginning)]
    assert len(found) == 1, f"{page} has {len(found)} blocks that begin with '{beginning}'"
    return found[0]


def commands(text):
    """Of a shell block: [[word, ...], ...], without comments."""
    lines = [re.sub(r"(^|\s)#.*", "", line) for line in text.splitlines()]
    return [command.split() for line in lines for command in line.split("&&") if command.strip()]


def commands_in_sentences(page):
    """`scripts/test --quick` and its like."""
    spans = re.findall(r"`([^`]+)`", read_page(page)[1])
    return [" ".join(span.split()).split() for span in spans if PROGRAMS.match(span)]
