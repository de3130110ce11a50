#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Measures this machine and writes its page and plots: docs/benchmarks/machines/NAME.md, NAME/.

usage: publish.py [--build DIR] [--quick] [--note TEXT] [--json FILE] [DIR]
       publish.py --from FILE [DIR]

Runs bench_rules and bench_shapes of the build, and compare_torch.py where PyTorch is installed.
--json keeps what they measured, and what they ran on; --from makes the page of such a file, and the
same file gives the same page. --quick takes minutes instead of hours: smaller tensors, fewer
rounds, no PyTorch. Needs Matplotlib (Debian: python3-matplotlib); publish_plots.py says why."""
import argparse
import datetime
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import publish_page

ROOT = pathlib.Path(__file__).resolve().parent.parent
COST_RULES = "^(Adam|LayerNorm|SGD|Silu|Softmax)$"
FULL = {"sizes": [14, 20, 25], "cost": range(4, 28), "rounds": 15, "torch": True}
QUICK = {"sizes": [14, 20, 22], "cost": range(4, 23), "rounds": 3, "torch": False}
SHAPE_SIZE = 1 << 16  # in a second-level cache, where memory hides no cost


def first_match(pattern, path):
    found = re.search(pattern, path.read_text(), re.M) if path.is_file() else None
    return found[1].strip() if found else "unknown"


def output_of(*command):
    return subprocess.run(command, cwd=ROOT, check=True, text=True, stdout=subprocess.PIPE).stdout


def caches():
    """'L1 data 32 KB', … of the first processor."""
    found = []
    for index in sorted(pathlib.Path("/sys/devices/system/cpu/cpu0/cache").glob("index*")):
        level, kind, size = ((index / what).read_text().strip()
                             for what in ("level", "type", "size"))
        kilobytes = int(size.rstrip("K"))
        amount = f"{kilobytes // 1024} MB" if kilobytes >= 1024 else f"{kilobytes} KB"
        found.append(f"L{level} {'' if kind == 'Unified' else kind.lower() + ' '}{amount}")
    return found


def machine():
    info, memory = pathlib.Path("/proc/cpuinfo"), pathlib.Path("/proc/meminfo")
    text = info.read_text()
    return {"processor": first_match(r"^model name\s*: (.*)", info),
            "family": first_match(r"^cpu family\s*: (.*)", info),
            "model": first_match(r"^model\s*: (.*)", info),
            "processors": len(re.findall(r"^processor\s*:", text, re.M)),
            "virtual": " hypervisor " in text, "caches": caches(),
            "memory_gb": round(int(first_match(r"^MemTotal:\s*(\d+)", memory)) / 2**20),
            "system": first_match(r'^PRETTY_NAME="(.*)"', pathlib.Path("/etc/os-release"))}


def compiler_name(version):
    """'GCC 12.2.0 (Debian 12.2.0-14)' of what --version prints."""
    first = version.splitlines()[0]
    name = "Clang" if "clang" in first else "GCC"
    package = re.search(r" \(.*\)", first)
    digits = re.search(r"\d+(\.\d+)+", re.sub(r" \(.*\)", "", first))
    return f"{name} {digits[0] if digits else ''}{package[0] if package else ''}"


def flags_of(commands, source):
    """The last of each flag that changes the code, of the command that compiles `source`."""
    for command in commands:
        if command["file"].endswith(source):
            words = command["command"].split()
            return " ".join(dict.fromkeys(w for w in words if re.match("-(O|m|f|std)", w)))
    return "unknown"


def build_facts(build, torch):
    cache = build / "CMakeCache.txt"
    compiler = first_match(r"^CMAKE_CXX_COMPILER:\w+=(.*)", cache)
    commands = json.loads((build / "compile_commands.json").read_text())
    eigen = pathlib.Path(first_match(r"^Eigen3_DIR:PATH=(.*)", cache)) / "Eigen3ConfigVersion.cmake"
    libraries = {"Eigen": first_match(r'PACKAGE_VERSION "([\d.]+)"', eigen)}
    if torch:
        version = output_of(torch, "-c", "import torch; print(torch.__version__)")
        libraries["PyTorch"] = version.strip()
    return {"compiler": compiler_name(output_of(compiler, "--version")),
            "flags": {"the rules": flags_of(commands, "specs/mshadow_specs.gen/adam.gen.cc"),
                      "peers": flags_of(commands, "benchmarks/hand_adam.cc")},
            "libraries": libraries}


def commit():
    """Of the tree that is measured; changed files are said to be there."""
    changed = output_of("git", "status", "--porcelain", "--untracked-files=no")
    name = output_of("git", "rev-parse", "--short=8", "HEAD").strip()
    return name + (" with changes" if changed else "")


def rows_of(command, what):
    """Runs a program that writes rows to --json."""
    print(f"publish: {what}", flush=True)
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "rows.json"
        subprocess.run([*map(str, command), "--json", str(path)], check=True, cwd=ROOT,
                       stdout=subprocess.DEVNULL)
        return json.loads(path.read_text())


def size_options(exponents):
    return [word for exponent in exponents for word in ("--size", 1 << exponent)]


def python_with_torch():
    for python in (sys.executable, "python3", "/usr/bin/python3"):
        try:
            output_of(python, "-c", "import torch")
            return python
        except (OSError, subprocess.CalledProcessError):
            continue
    return None


def in_memory(exponents, bytes_of_element):
    """Those sizes whose tensors fit: the operands, what they are reset to, and two copies."""
    available = int(first_match(r"^MemAvailable:\s*(\d+)", pathlib.Path("/proc/meminfo"))) * 1024
    return [e for e in exponents if 4 * bytes_of_element << e < available]


def measure(build, form, torch):
    """The rows of all programs."""
    rules, rounds = build / "bin/bench_rules", ["--rounds", form["rounds"]]
    sizes = size_options(form["sizes"])
    counts = [1, 0] if machine()["processors"] > 1 else [1]
    results = {"rules": [], "torch": []}
    results["cost"] = rows_of([rules, "--filter", COST_RULES, "--threads", 1, *rounds,
                               *size_options(in_memory(form["cost"], 28))], "cost by size")
    results["shapes"] = rows_of([build / "bin/bench_shapes", "--threads", 1, "--size", SHAPE_SIZE,
                                 *rounds], "shapes")
    for count in counts:
        results["rules"] += rows_of([rules, "--threads", count, *sizes, *rounds],
                                    f"rules, {'one thread' if count else 'all threads'}")
    for count in sorted({row["threads"] for row in results["rules"]}) if torch else []:
        compare = [torch, ROOT / "benchmarks/compare_torch.py", "--library",
                   build / "python/mshadow_kernels/libmshadow_rules.so"]
        results["torch"] += rows_of([*compare, "--threads", count, *sizes, *rounds],
                                    f"PyTorch, {count} threads")
    return results


def write(results, directory):
    """The page and its plots; returns the path of the page."""
    import publish_plots as plots  # here, so that measuring does not need Matplotlib

    stem = publish_page.slug(results)
    folder = directory / stem
    folder.mkdir(parents=True, exist_ok=True)
    drawn = {"ceiling": plots.ceiling(publish_page.shares(results), publish_page.isa(results),
                                      publish_page.LONGEST_BAR),
             "peers": plots.peers(publish_page.peer_ratios(results)),
             "cost": plots.cost(publish_page.cost_lines(results)),
             "shapes": plots.shapes(*publish_page.shape_ratios(results), publish_page.CLIFF)}
    for name, svg in drawn.items():
        (folder / f"{name}.svg").write_text(svg)
    path = directory / f"{stem}.md"
    path.write_text(publish_page.page(results, stem))
    return path


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("directory", nargs="?", type=pathlib.Path, metavar="DIR",
                        default=ROOT / "docs/benchmarks/machines", help="where the page goes")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build/release",
                        help="a build with bench_rules and bench_shapes")
    parser.add_argument("--quick", action="store_true", help="in minutes")
    parser.add_argument("--note", default="", help="a sentence for the page: what else ran, …")
    parser.add_argument("--json", type=pathlib.Path, help="keep what was measured in this file")
    parser.add_argument("--from", type=pathlib.Path, dest="source", metavar="FILE",
                        help="measure nothing; take what --json kept")
    return parser.parse_args()


def main():
    options = parse_arguments()
    if options.source:
        results = json.loads(options.source.read_text())
    else:
        form = QUICK if options.quick else FULL
        torch = python_with_torch() if form["torch"] else None
        results = {"machine": machine(), "build": build_facts(options.build, torch),
                   "date": datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d"),
                   "commit": commit(), "note": options.note,
                   "command": "scripts/bench --publish" + (" --quick" if options.quick else ""),
                   **measure(options.build.resolve(), form, torch)}
    if options.json:
        options.json.write_text(json.dumps(results, indent=1) + "\n")
    print(write(results, options.directory))


if __name__ == "__main__":
    main()
