#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints why tests were skipped, which failed, and "N passed, N failed, N skipped".

usage: summarize_tests.py JUNIT-FILE     (as written by ctest --output-junit)

Exit status 1 if a test failed, or if there was none.
"""
import collections
import re
import sys
import xml.etree.ElementTree


def skip_reason(output):
    """The text that a test gave when it skipped itself: GoogleTest's, or a line "SKIP: ..."."""
    match = re.search(r": Skipped\n(.*?)\n\s*\n?\[  SKIPPED", output, re.S)
    match = match or re.search(r"^SKIP:? *(.*)$", output, re.M)
    return " ".join(match.group(1).split()) if match else "no reason given"


def main():
    passed, failed, skipped = [], [], collections.defaultdict(list)
    for case in xml.etree.ElementTree.parse(sys.argv[1]).getroot().iter("testcase"):
        name = case.get("name")
        output = case.findtext("system-out") or ""
        if case.find("failure") is not None or case.get("status") == "fail":
            failed.append(name)
        elif case.find("skipped") is not None or case.get("status") in ("notrun", "disabled"):
            # A test whose program is missing did not choose to skip.
            if "[  SKIPPED" in output or re.search(r"^SKIP", output, re.M):
                skipped[skip_reason(output)].append(name)
            else:
                failed.append(name + " (not run)")
        else:
            passed.append(name)
    print()
    for reason, names in sorted(skipped.items()):
        shown = ", ".join(names[:3]) + (f" and {len(names) - 3} more" if len(names) > 3 else "")
        print(f"skipped: {reason}: {shown}")
    for name in failed:
        print(f"failed: {name}")
    count = sum(len(names) for names in skipped.values())
    print(f"{len(passed)} passed, {len(failed)} failed, {count} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
