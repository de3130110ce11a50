#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""usage: check_blocks.py GENERATOR DOCS [BLOCK]

Gives every block of C++ in DOCS/*.md, the pages of docs/language, to mshadow-gen. Fails unless the
generator says exactly what the comments of the block say:

    out = in * half;  // error [mshadow-mixed-types]
    // fused: 1 pass, unfused: 3
    // may alias: out and in

The first is a message at its line. A block without such a comment must get no message. The others are
what the generator reports of the block's last rule. A block without an #include is wrapped in a
namespace; the statements of a block without a rule are the body of the rule RULE below, which
README.md shows. operators.md must name each operator and function of the runtime.

With BLOCK, as in views.md:20, prints what the generator says about that block.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import typing

HEAD = """#include <mshadow/kernel.h>
namespace example {
using namespace mshadow;
using namespace mshadow::expr;
"""
RULE = """template <typename xpu, typename DType>
MSHADOW_KERNEL void Rule(Tensor<xpu, 2, DType> out, Tensor<xpu, 2, DType> state,
                         Tensor<xpu, 1, DType> rows, Tensor<xpu, 1, DType> columns,
                         const Tensor<xpu, 2, DType> &in, const Tensor<xpu, 2, DType> &other,
                         const Tensor<xpu, 1, DType> &per_row, const Tensor<xpu, 1, DType> &per_column,
                         const Tensor<xpu, 1, int32_t> &indices, float s, int n) {
"""
LEAST_BLOCKS = 100


class Block(typing.NamedTuple):
    page: str
    line: int
    text: str

    def name(self):
        return f"{self.page}:{self.line}"


class Expected(typing.NamedTuple):
    messages: list  # of (severity, id, line)
    passes: list  # of [fused, unfused]
    aliases: list  # of pairs of names


def blocks_of(page):
    blocks, begin, lines = [], 0, []
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.startswith("```"):
            if begin:
                blocks.append(Block(page.name, begin, "\n".join(lines) + "\n"))
            elif line != "```cpp":
                raise SystemExit(f"{page}:{number}: a block of another kind than ```cpp")
            begin, lines = (0 if begin else number), []
        elif begin:
            lines.append(line)
    if begin:
        raise SystemExit(f"{page}:{begin}: the block has no end")
    return blocks


def spec_of(text):
    """(the whole spec, the number of lines before the block)"""
    if "#include" in text:
        return text, 0
    if "MSHADOW_KERNEL" in text or "MSHADOW_EXPRESSION" in text:
        head, tail = HEAD, "}  // namespace example\n"
    else:
        head, tail = HEAD + RULE, "}\nMSHADOW_INSTANTIATE(Rule, float);\n}  // namespace example\n"
    return head + text + tail, head.count("\n")


def expected_of(text, before):
    messages, passes, aliases = [], [], []
    for number, line in enumerate(text.splitlines(), before + 1):
        messages += [(severity, name, number) for severity, name in
                     re.findall(r"// (error|warning|performance) \[mshadow-([a-z-]+)\]", line)]  # fmt: skip
        passes += [[int(fused), int(unfused)] for fused, unfused in
                   re.findall(r"// fused: (\d+) pass(?:es)?, unfused: (\d+)", line)]  # fmt: skip
        aliases += [list(found) for found in re.findall(r"// may alias: (\w+) and (\w+)", line)]
    return Expected(sorted(messages), passes, aliases)


def generate(generator, spec):
    """(exit status, text for people, [(severity, id, line)], the report of the last rule)"""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "spec.h"
        path.write_text(spec, encoding="utf-8")
        run = subprocess.run([generator, "generate", "--name=block", "-o", f"{directory}/out", "--max-errors=0",
                              "--emit=header,cpu,cuda,report_json", "--isa=baseline", path],
                             text=True, stderr=subprocess.PIPE, timeout=120, check=False)  # fmt: skip
        messages = re.findall(r"^[^\n]*?:(\d+):\d+: (error|warning|performance): [^\n]* \[mshadow-([a-z-]+)\]$",
                              run.stderr, re.M)  # fmt: skip
        report = pathlib.Path(directory) / "out" / "block.report.json"
        kernels = json.loads(report.read_text(encoding="utf-8"))["kernels"] if report.exists() else []
        return (run.returncode, run.stderr, sorted((severity, name, int(line)) for line, severity, name in messages),
                kernels[-1] if kernels else None)  # fmt: skip


def problems_of(generator, block):
    spec, before = spec_of(block.text)
    expected = expected_of(block.text, before)
    status, said, messages, kernel = generate(generator, spec)
    fails = any(severity == "error" for severity, _, _ in expected.messages)
    if messages != expected.messages or status != (1 if fails else 0):
        return [f"{block.name()}: status {status}, expected {expected.messages}, not\n{said}"]
    problems = []
    if expected.passes:
        counts = [kernel["passes"], kernel["unfused_passes"]] if kernel else []
        problems += [f"{block.name()}: expected passes {passes}, not {counts}"
                     for passes in expected.passes if passes != counts]  # fmt: skip
    if expected.aliases and expected.aliases != (kernel["in_place"] if kernel else []):
        problems.append(f"{block.name()}: expected aliases {expected.aliases}, not {kernel and kernel['in_place']}")
    return problems


def names_missing_from(operators, runtime):
    """What mshadow::op and mshadow::math have and the text of operators.md does not name."""
    def text(name):
        return (runtime / name).read_text(encoding="utf-8")

    op = text("expr/op.h").partition("namespace op {")[2].partition("}  // namespace op")[0]
    extra = text("expr/op_extra.h") + text("expr/functions.inc")
    names = {f"op::{name}" for name in re.findall(r"^struct (\w+) \{", op, re.M)
             + re.findall(r"^MSHADOW_(?:UNARY_OP|BINARY_OP|FUNCTION\w*)\(([a-z]\w*),", extra, re.M)}  # fmt: skip
    math = re.findall(r"_OF, (\w+), \w+\)$", text("functions.h"), re.M)
    names |= {f"math::{name}" for name in math if f"op::{name}" not in names}
    assert {"op::mul", "op::square", "op::exp", "op::atan2", "op::round", "math::fma", "math::isnan"} <= names, names
    return sorted(name for name in names if f"`{name}`" not in operators)


def main():
    generator, docs = sys.argv[1], pathlib.Path(sys.argv[2])
    pages = sorted(docs.glob("*.md"))
    blocks = [block for page in pages for block in blocks_of(page)]
    if len(sys.argv) > 3:
        for block in blocks:
            if block.name() == sys.argv[3]:
                print(generate(generator, spec_of(block.text)[0])[1])
        return 0
    readme = (docs / "README.md").read_text(encoding="utf-8")
    problems = [f"README.md does not list {page.name}" for page in pages
                if page.name != "README.md" and f"]({page.name})" not in readme]  # fmt: skip
    if RULE.rstrip("\n") not in readme:
        problems.append("README.md does not show the rule around statements")
    operators = (docs / "operators.md").read_text(encoding="utf-8")
    problems += [f"operators.md does not name {name}"
                 for name in names_missing_from(operators, docs.parent.parent / "runtime/include/mshadow")]  # fmt: skip
    if len(blocks) < LEAST_BLOCKS:
        problems.append(f"only {len(blocks)} blocks in {docs}")
    with concurrent.futures.ThreadPoolExecutor() as pool:
        for found in pool.map(lambda block: problems_of(generator, block), blocks):
            problems += found
    print("\n".join(problems) or f"{len(blocks)} blocks of {len(pages)} pages")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
