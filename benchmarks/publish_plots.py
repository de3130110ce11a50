# SPDX-License-Identifier: Apache-2.0
"""The plots of a page that publish.py writes, as SVG.

Matplotlib draws them: it has the logarithmic axes, the legends and the layout. Nobody can read its
files: a bar takes ten lines, and a plot 30 to 170 KB. So a reviewer reads the page, whose tables
have the same numbers, and looks at the plots. What this file adds is small. Text and axes have the
colour `currentColor`, which a style sheet in the file sets for light and for dark screens. Text
stays text, in the reader's own sans-serif font. Ids and metadata do not depend on the time.
"""
import io
import logging
import re

import matplotlib

matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402  (after use)
from matplotlib.ticker import FuncFormatter, LogLocator, NullFormatter  # noqa: E402

INK = "#010203"  # stands for currentColor while Matplotlib draws
# Told apart on white and on black, and by readers who cannot tell red from green.
COLOURS = ["#3b82c4", "#d9770b", "#2a9d74", "#b05fc0", "#d1495b", "#8a8f98", "#a38b1f", "#5b6ee1"]
MARKERS = "osD^vPX*"
COPY = {"linestyle": (0, (2, 2)), "linewidth": 1}  # how its line is drawn
STYLE = "svg{color:#1f2328}@media(prefers-color-scheme:dark){svg{color:#e6edf3}}"

matplotlib.rcParams.update({
    "svg.fonttype": "none", "svg.hashsalt": "mshadow-kernels", "font.sans-serif": ["sans-serif"],
    "font.size": 9, "axes.titlesize": 10, "legend.frameon": False, "lines.markersize": 4,
    "axes.spines.top": False, "axes.spines.right": False, "axes.axisbelow": True,
    "axes.prop_cycle": matplotlib.cycler(color=COLOURS), "grid.alpha": 0.2,
    **{f"{what}.color": INK for what in ("text", "xtick", "ytick", "grid")},
    "axes.labelcolor": INK, "axes.edgecolor": INK,
})  # fmt: skip
# Matplotlib looks for a font of the name sans-serif, and then measures with its own.
logging.getLogger("matplotlib.font_manager").setLevel(logging.ERROR)


def svg_of(figure):
    """The figure as the text of a file."""
    buffer = io.StringIO()
    nothing = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(buffer, format="svg", transparent=True, bbox_inches="tight", metadata=nothing)
    plt.close(figure)
    text = buffer.getvalue()
    text = text[text.index("<svg"):]  # the document type is an address, too
    text = text.replace(INK, "currentColor")
    text = text.replace('<style type="text/css">', f"<style>{STYLE}", 1)
    return re.sub(r" +$", "", text, flags=re.M)


def power_of_two(value, _=None):
    """2^20 with its exponent raised, as text."""
    exponent = str(int(value).bit_length() - 1)
    return "2" + exponent.translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))


def ratio_axis(axis):
    """Powers of two, also those below 1: 1/4."""
    axis.set_major_locator(LogLocator(base=2, numticks=12))
    axis.set_major_formatter(FuncFormatter(
        lambda value, _: f"{value:g}" if value >= 1 else f"1/{1 / value:g}"))
    axis.set_minor_formatter(NullFormatter())


def ceiling(shares, isa, longest):
    """`shares`: rule -> {threads: share of the speed of a copy of the same mix}."""
    rules = sorted(shares, key=lambda rule: (-shares[rule][min(shares[rule])], rule))
    columns = 2 if len(rules) > 40 else 1
    length = -(-len(rules) // columns)
    figure, axes = plt.subplots(1, columns, squeeze=False, sharex=True,
                                figsize=(4.6 * columns, 1.2 + 0.15 * length))  # fmt: skip
    counts = sorted({threads for share in shares.values() for threads in share})
    for column, axis in enumerate(axes[0]):
        part = rules[column * length:(column + 1) * length]
        for k, threads in enumerate(counts):
            height = 0.8 / len(counts)
            rows = [(i + (k - (len(counts) - 1) / 2) * height, shares[rule][threads])
                    for i, rule in enumerate(part) if threads in shares[rule]]
            axis.barh([row[0] for row in rows], [row[1] for row in rows], height,
                      label=threads_text(threads))
        axis.axvline(1, color=INK, linewidth=0.8)
        axis.set_xlim(0, longest)
        axis.set_yticks(range(len(part)), part, fontsize=7)
        axis.set_ylim(length - 0.4, -0.6)
        axis.tick_params(axis="y", length=0)
        axis.grid(axis="x")
        axis.xaxis.tick_top()
        axis.spines[["left", "bottom"]].set_visible(False)
    handles, labels = axes[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncol=len(counts), bbox_to_anchor=(0.5, 1),
                  title=f"time of a copy of the same bytes / time of the rule, {isa}")
    figure.tight_layout()
    return svg_of(figure)


def threads_text(threads):
    return "one thread" if threads == 1 else f"{threads} threads"


def peers(ratios):
    """`ratios`: threads -> {size: the ratios to the best peer of all rules}."""
    figure, axes = plt.subplots(1, len(ratios), squeeze=False, sharey=True,
                                figsize=(4.2 * len(ratios), 3.4))  # fmt: skip
    for axis, (threads, by_size) in zip(axes[0], sorted(ratios.items())):
        for size, values in sorted(by_size.items()):
            steps = [100 * i / max(len(values) - 1, 1) for i in range(len(values))]
            axis.plot(steps, sorted(values), label=f"{power_of_two(size)} elements")
        axis.axhline(1, color=INK, linewidth=0.8)
        axis.set_yscale("log", base=2)
        ratio_axis(axis.yaxis)
        axis.set_title(threads_text(threads))
        axis.set_xlabel("rules with a smaller ratio, %")
        axis.grid()
    axes[0][0].set_ylabel("time of the best peer / time of the rule")
    axes[0][0].legend(loc="upper left")
    figure.tight_layout()
    return svg_of(figure)


def cost(lines):
    """`lines`: rule -> [(elements, ns per element, ns per element of a copy of as many bytes)]."""
    figure, axis = plt.subplots(figsize=(8, 4.6))
    for rule, colour, marker in zip(lines, COLOURS, MARKERS):
        elements, rule_ns, copy_ns = zip(*lines[rule])
        axis.plot(elements, rule_ns, color=colour, marker=marker, label=rule)
        axis.plot(elements, copy_ns, color=colour, **COPY)
    axis.plot([], [], color=INK, label="a copy of as many bytes", **COPY)
    axis.set_xscale("log", base=2)
    axis.set_yscale("log")
    axis.xaxis.set_major_formatter(FuncFormatter(power_of_two))
    axis.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axis.yaxis.set_minor_formatter(NullFormatter())
    axis.set_xlabel("elements")
    axis.set_ylabel("nanoseconds for an element")
    axis.grid()
    figure.legend(loc="upper center", ncol=6, bbox_to_anchor=(0.5, 0))
    figure.tight_layout()
    return svg_of(figure)


def shapes(names, ratios, cliff):
    """`ratios`: rule -> for each of the shapes `names`, the time for a byte over the best one."""
    figure, axis = plt.subplots(figsize=(8, 1.2 + 0.24 * len(names)))
    for rule, colour, marker in zip(ratios, COLOURS, MARKERS):
        axis.plot(ratios[rule], range(len(names)), linestyle="", color=colour, marker=marker,
                  alpha=0.85, label=rule)
    axis.axvline(cliff, color=INK, linewidth=0.8)
    axis.set_xscale("log", base=2)
    ratio_axis(axis.xaxis)
    axis.set_yticks(range(len(names)), names)
    axis.set_ylim(len(names) - 0.4, -0.6)
    axis.tick_params(axis="y", length=0)
    axis.set_xlabel("time for a byte / that of the rule's best shape")
    axis.grid()
    figure.legend(loc="upper center", ncol=4, bbox_to_anchor=(0.5, 0))
    figure.tight_layout()
    return svg_of(figure)
