#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""No spec may have a namespace of a name that nvcc declares or defines in every file.

Each word of what nvcc includes becomes a namespace. What nvcc then refuses, the generator must, too.
So it must refuse nvcc's macros.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

from name_lists import KEYWORDS

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "cuda"))
from nvcc_test import find_nvcc


def run(*command):
    return subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)


def taken(nvcc, directory):
    """The words that nvcc has declared."""
    source = directory / "words.cu"
    source.write_text("")
    words = set(re.findall(r"\b[A-Za-z]\w*", run(nvcc, "-E", str(source)).stdout)) - set(KEYWORDS)
    words = sorted(word for word in words if "__" not in word)
    source.write_text("".join("namespace %s {}\n" % word for word in words))
    errors = run(nvcc, "-c", str(source), "-o", os.devnull, "-Xcudafe", "--error_limit=1000000").stdout
    lines = re.findall(r"words\.cu\((\d+)\): error", errors)
    return {words[int(line) - 1] for line in lines if int(line) <= len(words)}


def macros(nvcc, directory):
    """Those that a spec can meet: other names with two underscores are the compiler's."""
    source = directory / "macros.cu"
    source.write_text("")
    defined = re.findall(r"^#define ([A-Za-z]\w*)", run(nvcc, "-E", "-Xcompiler", "-dM", str(source)).stdout, re.M)
    return {name for name in defined if "__" not in name} - set(KEYWORDS)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("--nvcc", default="")
    parser.add_argument("--generator", required=True)
    options = parser.parse_args()
    nvcc = find_nvcc(options.nvcc)
    with tempfile.TemporaryDirectory() as directory:
        names = taken(nvcc, pathlib.Path(directory)) | macros(nvcc, pathlib.Path(directory))

    def is_refused(name):
        said = run(options.generator, "check", "--namespace=" + name, "none.h").stdout
        return "--namespace cannot take '%s'" % name in said

    # What both must say of two names, so that nothing else is taken for an answer.
    assert {"norm", "cudaStreamLegacy"} <= names and is_refused("norm")
    assert "my_rules" not in names and not is_refused("my_rules")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        allowed = [name for name, refused in zip(sorted(names), pool.map(is_refused, sorted(names))) if not refused]
    print("%d names are nvcc's, %d of them allowed: %s" % (len(names), len(allowed), " ".join(allowed)))
    return int(bool(allowed))


if __name__ == "__main__":
    sys.exit(main())
