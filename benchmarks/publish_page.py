# SPDX-License-Identifier: Apache-2.0
"""The page of one machine, as Markdown, from what publish.py measured (`results`).

`results` has "machine", "build", "date", "commit", "command" and "note", and the rows of
bench_rules ("rules", "cost"), bench_shapes ("shapes") and compare_torch.py ("torch")."""
import math
import re
import statistics
import textwrap

PEERS = {"ratio_unfused": "unfused", "ratio_hand": "handwritten", "ratio_eigen": "Eigen"}
LONGEST_BAR = 1.5  # of the share of the memory's speed
CLIFF = 2  # as in bench_shapes.cc
SLOWER = 0.95  # a ratio below it is more than noise
SMALL = 1 << 12  # elements up to which the table has times of calls


def slug(results):
    """The name of the page: processor and compiler."""
    machine, compiler = results["machine"], results["build"]["compiler"].split(".")[0]
    words = f"{machine['processor']} {machine['family']} {machine['model']} {compiler}"
    words = re.sub(r"\(R\)|\(TM\)|@.*GHz|CPU|\bProcessor\b", " ", words)
    return re.sub(r"[^a-z0-9]+", "-", words.lower()).strip("-")


def number(value):
    """Three digits, or all that are left of the point."""
    if value >= 100:
        return f"{value:,.0f}"
    return f"{value:.1f}" if value >= 10 else f"{value:.2f}" if value >= 0.1 else f"{value:.3f}"


def size_text(size):
    """Powers of two as such."""
    return f"2^{size.bit_length() - 1}" if size & (size - 1) == 0 else f"{size:,}"


def threads_text(threads):
    return "one thread" if threads == 1 else f"{threads} threads"


def paragraph(text):
    return textwrap.fill(" ".join(text.split()), 100, break_long_words=False,
                         break_on_hyphens=False)


def table(head, rows):
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join("| " + " | ".join(str(cell) for cell in line) + " |" for line in lines)


def thread_counts(results):
    return sorted({row["threads"] for row in results["rules"]})


def isa(results):
    return results["rules"][0]["isa"]


def sizes(results):
    return sorted({row["asked_size"] for row in results["rules"]})


def with_torch(results):
    """The rows of rules, each with "peers": name -> time of the peer / time of the rule."""
    torch = {(row["rule"], row["size"], row["threads"]): row["ratio_torch"]
             for row in results["torch"]}
    rows = []
    for row in results["rules"]:
        peers = {name: row[key] for key, name in PEERS.items() if row[key] is not None}
        key = row["rule"], row["asked_size"], row["threads"]
        if key in torch:
            peers["PyTorch"] = torch[key]
        rows.append({**row, "peers": peers})
    return rows


def best_peer(row):
    """(ratio, name) of the fastest peer."""
    return min((ratio, name) for name, ratio in row["peers"].items())


def shares(results):
    """rule -> {threads: share of the speed of the same mix}, at the largest size. Without rules of
    a few values, such as the parts of a step that only compute a factor."""
    largest, found = sizes(results)[-1], {}
    for row in results["rules"]:
        if row["asked_size"] == largest and row["held_bytes"] > 0:
            found.setdefault(row["rule"], {})[row["threads"]] = row["ratio_mix"]
    return found


def peer_ratios(results):
    """threads -> {size: ratios to the best peer}."""
    found = {}
    for row in with_torch(results):
        by_size = found.setdefault(row["threads"], {})
        by_size.setdefault(row["asked_size"], []).append(best_peer(row)[0])
    return found


def nanoseconds(row):
    """(for a call of the rule, for a copy of as many bytes)"""
    call = row["bytes"] * row["size"] / row["gb_per_s"]
    return call, call * row["ratio_copy"]


def cost_lines(results):
    """rule -> [(elements, ns per element, ns per element of the copy)], the rules by name."""
    lines = {}
    for row in sorted(results["cost"], key=lambda row: (row["rule"], row["size"])):
        call, copy = nanoseconds(row)
        lines.setdefault(row["rule"], []).append((row["size"], call / row["size"],
                                                  copy / row["size"]))
    return lines


def shape_name(row):
    padded = f", stride {row['stride']:,}" if row["stride"] != row["cols"] else ""
    return f"{row['rows']:,} x {row['cols']:,}{padded}"


def shape_ratios(results):
    """(names of the shapes, rule -> ratio of each shape)"""
    names, ratios = [], {}
    for row in results["shapes"]:
        name = shape_name(row)
        if name not in names:
            names.append(name)
        ratios.setdefault(row["rule"], []).append(row["ratio_best"])
    return names, ratios


def facts(results):
    machine, build = results["machine"], results["build"]
    kind = ", virtual" if machine["virtual"] else ""
    rows = [("processor", f"{machine['processor']}, family {machine['family']}, model "
                          f"{machine['model']}; {machine['processors']} processors{kind}"),
            ("instruction set", isa(results)),
            ("caches", ", ".join(machine["caches"])),
            ("memory", f"{machine['memory_gb']} GB"),
            ("system", machine["system"]),
            ("compiler", build["compiler"])]
    rows += [(f"flags of {what}", f"`{flags}`") for what, flags in build["flags"].items()]
    rows += [(name, version) for name, version in build["libraries"].items()]
    rounds = sorted({row["rounds"] for row in results["rules"]})
    rows.append(("rounds", " or ".join(map(str, rounds)) + "; a time is that of the fastest one"))
    return table(["", ""], rows)


def head(results):
    machine = results["machine"]
    text = f"""`{results['command']}` wrote this page on {results['date']}, at commit
        {results['commit']}. All figures are for float. *Peers* are the unfused rule, a handwritten
        loop and an Eigen expression. [What the figures mean](../README.md#what-the-figures-mean) is
        the same for all machines."""
    parts = [f"# {machine['processor']}, {results['build']['compiler'].split(' (')[0]}",
             paragraph(text)]
    if results["note"]:
        parts.append(paragraph(results["note"]))
    return [*parts, facts(results)]


def bandwidth(results, stem):
    largest = size_text(sizes(results)[-1])
    by_threads = {threads: sorted((share[threads], rule) for rule, share in shares(results).items()
                                  if threads in share) for threads in thread_counts(results)}
    rows = [[threads_text(threads), len(found), number(statistics.median(s for s, _ in found)),
             sum(s >= 0.95 for s, _ in found), sum(s < 0.8 for s, _ in found)]
            for threads, found in by_threads.items()]
    return ["## Share of the memory's speed", paragraph(f"""The time of a copy over the time of the
        rule, for {largest} elements. The copy reads as many bytes and writes as many bytes as the
        rule, in place where the rule updates a tensor; for a rule of several passes that is an
        estimate. At 1, memory alone limits the rule. Far below 1, arithmetic does, or the rule does
        not read its operands in the order of memory. Above 1, memcpy is no ceiling: it may use
        ordinary stores where the rule uses non-temporal ones. Bars end at {LONGEST_BAR}."""),
            f"![Time of a copy of the same bytes over that of each rule]({stem}/ceiling.svg)",
            table(["", "rules", "median", "at least 0.95", "below 0.8"], rows)]


def summary_of_peers(results):
    rows = []
    for threads, by_size in sorted(peer_ratios(results).items()):
        for size, ratios in sorted(by_size.items()):
            mean = math.exp(statistics.fmean(math.log(ratio) for ratio in ratios))
            slower = sum(ratio < SLOWER for ratio in ratios)
            rows.append([threads_text(threads), size_text(size), len(ratios), number(mean),
                         number(statistics.median(ratios)), slower])
    return table(["", "elements", "rules", "geometric mean", "median", f"below {SLOWER}"], rows)


def losses(results):
    """A table of the rules that a peer beats, if there are any."""
    found = {}
    for row in with_torch(results):
        ratio, name = best_peer(row)
        if ratio < SLOWER:
            case = row["threads"], row["asked_size"]
            found.setdefault(case, []).append((ratio, f"`{row['rule']}` {number(ratio)} {name}"))
    lines = [[threads_text(threads), size_text(size), ", ".join(text for _, text in sorted(rows))]
             for (threads, size), rows in sorted(found.items())]
    return [table(["", "elements", f"below {SLOWER}, the lowest first"], lines)] if lines else []


def against_peers(results, stem):
    torch = "PyTorch is a peer, too." if results["torch"] else "PyTorch was not measured."
    return ["## Ratio to the best peer", paragraph(f"""The time of the fastest peer over the time of
        the rule: above 1 the rule is faster than all of them. {torch} With several threads there
        are no handwritten loops that need all rows at once. A peer may be less accurate than the
        rule. Each line of the plot has the ratios of all rules, sorted."""),
            f"![Sorted ratios of all rules to the fastest peer, by size]({stem}/peers.svg)",
            summary_of_peers(results), *losses(results)]


def cost(results, stem):
    lines = cost_lines(results)
    counts = [elements for elements, _, _ in next(iter(lines.values()))]
    calls = [[size_text(size)] + [f"{number(size * line[i][1])} ({number(size * line[i][2])})"
                                  for line in lines.values()]
             for i, size in enumerate(counts) if size <= SMALL]
    elements = [[size_text(size)] + [f"{number(line[i][1])} ({number(line[i][2])})"
                                     for line in lines.values()]
                for i, size in enumerate(counts) if size > SMALL]
    return ["## Cost and number of elements", paragraph("""One thread. In brackets and as dotted
        lines: a copy of as many bytes. Rows have 1,024 columns, or all elements if these are
        fewer."""),
            f"![Nanoseconds for an element by number of elements]({stem}/cost.svg)",
            f"Nanoseconds for a call:\n\n{table(['elements', *lines], calls)}",
            *([f"Nanoseconds for an element:\n\n{table(['elements', *lines], elements)}"]
              if elements else [])]


def by_shape(results, stem):
    names, ratios = shape_ratios(results)
    size, best = results["shapes"][0]["size"], {}
    for row in results["shapes"]:
        best[row["rule"]] = min(row["ns_per_byte"], best.get(row["rule"], math.inf))
    cells = [[name] + [f"**{number(r[i])}**" if r[i] > CLIFF else number(r[i])
                       for r in ratios.values()] for i, name in enumerate(names)]
    cells.append(["best, ps for a byte"] + [number(1000 * best[rule]) for rule in ratios])
    slow = sum(ratio > CLIFF for line in ratios.values() for ratio in line)
    return ["## Shapes", paragraph(f"""`scripts/bench --shapes`, one thread, about {size_text(size)}
        elements, rows x columns. The time for a byte over that of the rule's best shape; {slow} of
        {sum(map(len, ratios.values()))} are more than {CLIFF} and in bold. Rows with a stride are
        padded. `AddTransposed` adds a matrix and a transposed one; `BiasReluGrad` reduces columns,
        `Softmax` and `LayerNorm` reduce rows."""),
            f"![Time for a byte by shape, over that of the best shape]({stem}/shapes.svg)",
            table(["rows x columns", *ratios], cells)]


def every_rule(results, threads):
    """A row for each rule: bytes, speed and share at the largest size, the best peer by size."""
    asked, rules = sizes(results), {}
    for row in with_torch(results):
        if row["threads"] == threads:
            rules.setdefault(row["rule"], {})[row["asked_size"]] = row
    lines = []
    for rule, by_size in sorted(rules.items()):
        last = by_size[asked[-1]]
        peers = [best_peer(by_size[size]) for size in asked]
        speed = [number(last["gb_per_s"]), number(last["ratio_mix"])]
        lines.append([f"`{rule}`", last["bytes"], *(speed if last["held_bytes"] else ["-", "-"]),
                      *(f"{number(r)} {name}" for r, name in peers)])
    head_of_table = ["rule", "bytes", "GB/s", "share", *(size_text(size) for size in asked)]
    return [f"## Every rule, {threads_text(threads)}", paragraph(f"""Bytes of an element; speed and
        share of the memory's speed for {size_text(asked[-1])} elements; ratio to the best peer, and
        which it is, by number of elements."""), table(head_of_table, lines)]


def page(results, stem):
    """The Markdown; its plots are in the directory `stem` beside it."""
    parts = [*head(results), *bandwidth(results, stem), *against_peers(results, stem),
             *cost(results, stem), *by_shape(results, stem)]
    for threads in thread_counts(results):
        parts += every_rule(results, threads)
    return "\n\n".join(parts) + "\n"
