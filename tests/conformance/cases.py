# SPDX-License-Identifier: Apache-2.0
"""What a suite reports: its cases. And the list of those that do not pass, with the reason of each.

A list is a text file. A line `why: REASON` begins an entry; the lines after it name its cases, as
GROUP/CASE with the wildcards of fnmatch. A line with `#` at its beginning is a comment."""
from __future__ import annotations

import fnmatch
import json
import pathlib
import re
import textwrap
from typing import Iterable, NamedTuple, Optional


class Case(NamedTuple):
    """A test of another project and its outcome."""
    group: str  # the function or operator, by which a table counts
    name: str  # within the group
    passed: bool
    detail: str = ""  # what was expected and what was found, if it did not pass
    ulp: Optional[float] = None  # the greatest error in units in the last place, if it is known

    @property
    def path(self) -> str:
        return f"{self.group}/{self.name}"


class Entry(NamedTuple):
    """A pattern of a list, and why its cases do not pass."""
    pattern: str
    why: str
    matches: re.Pattern[str]


def write(path: pathlib.Path, cases: Iterable[Case]) -> None:
    """Writes the cases as JSON, for `read`."""
    path.write_text(json.dumps([list(case) for case in cases]))


def read(path: pathlib.Path) -> list[Case]:
    """The cases that `write` wrote."""
    return [Case(*fields) for fields in json.loads(path.read_text())]


def read_list(path: pathlib.Path) -> list[Entry]:
    """The entries of a list; none if there is no such file. Raises a ValueError for a pattern
    without a reason."""
    entries: list[Entry] = []
    why = ""
    for line in path.read_text().splitlines() if path.exists() else []:
        text = line.strip()
        if text.startswith("why:"):
            why = text[4:].strip()
        elif text and not text.startswith("#"):
            if not why:
                raise ValueError(f"{path.name}: '{text}' has no reason: write 'why: ...' before it")
            entries.append(Entry(text, why, re.compile(fnmatch.translate(text))))
    return entries


def problems(cases: list[Case], entries: list[Entry]) -> list[str]:
    """What is not as the list says: a case that fails and is not listed, a listed case that passes,
    an entry without a case."""
    found = []
    used: set[str] = set()
    for case in cases:
        listed = [entry.pattern for entry in entries if entry.matches.match(case.path)]
        used.update(listed)
        if not case.passed and not listed:
            found.append(f"{case.path} fails and is not listed: {case.detail}")
        if case.passed and listed:
            found.append(f"{case.path} passes and is listed as '{listed[0]}'")
    found += [f"'{entry.pattern}' is listed and names no case"
              for entry in entries if entry.pattern not in used]
    return found


def table(cases: list[Case], first: str) -> list[str]:
    """A table in Markdown: a row for each group of which a case passes, and one for all cases; then
    the names of the other groups. `first` heads the groups."""
    groups: dict[str, list[Case]] = {}
    for case in cases:
        groups.setdefault(case.group, []).append(case)
    has_ulp = any(case.ulp is not None for case in cases)
    rows = [[first, "cases", "pass", "do not"] + ["largest ULP"] * has_ulp]
    rows.append(["---"] + ["---:"] * (len(rows[0]) - 1))
    names = sorted(groups, key=str.lower)
    some = [name for name in names if any(case.passed for case in groups[name])]
    rows += [_row(name, groups[name], has_ulp) for name in some]
    rows.append(_row("**all**", cases, has_ulp))
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    none = [f"{name} {len(groups[name])}" for name in names if name not in some]
    text = f"No case passes, of so many: {'; '.join(none)}."
    return lines + (["", *textwrap.wrap(text, 100)] if none else [])


def _row(name: str, cases: list[Case], has_ulp: bool) -> list[str]:
    passed = sum(case.passed for case in cases)
    errors = [case.ulp for case in cases if case.ulp is not None and case.passed]
    worst = [f"{max(errors):g}" if errors else ""] * has_ulp
    return [name, str(len(cases)), str(passed), str(len(cases) - passed)] + worst
