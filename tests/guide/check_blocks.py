#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_blocks.py DIR

Fails unless every block of C++ in DIR/README.md is a piece of a program DIR/*.cc, and every program
is named in the text.
"""
import glob
import os
import re
import sys


def main():
    directory = sys.argv[1]
    with open(os.path.join(directory, "README.md"), encoding="utf-8") as file:
        text = file.read()
    programs = {}
    for path in sorted(glob.glob(os.path.join(directory, "*.cc"))):
        with open(path, encoding="utf-8") as file:
            programs[os.path.basename(path)] = file.read()
    blocks = re.findall(r"^```cpp\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    problems = [f"no program has this block:\n{b}" for b in blocks if not any(b in p for p in programs.values())]
    problems += [f"{name} is not in the text" for name in programs if f"({name})" not in text]
    if not blocks or not programs:
        problems.append("there are no blocks or no programs")
    print("\n".join(problems) or f"{len(blocks)} blocks, {len(programs)} programs")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
