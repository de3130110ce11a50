#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes runtime/include/mshadow/packet/tables_of_pairs.inc: what functions of floats look up that
compute pairs. Needs mpmath (pip install mpmath). Usage: tables_of_pairs.py [OUTPUT]

The file is committed; run this again only to change a table. The same input gives the same text.
"""

import pathlib
import sys

from mpmath import log, log1p, mpf, nint, nstr

from minimax import fit, hexadecimal, round_to

# Sums of a multiple of ln(2) and of a logarithm have no more digits than this after the point.
LOG_DIGITS = 2**16
KINDS = {8: "EightPieces", 16: "SixteenPieces"}


def powers(pieces):
    """2^(i / pieces) as a float, and what the float is too small by, relative to it."""
    exact = [mpf(2)**(mpf(i) / pieces) for i in range(pieces)]
    floats = [round_to(power, "float") for power in exact]
    return [floats, [power / a - 1 for power, a in zip(exact, floats)]]


def farthest(piece, pieces, inverse):
    """|m * inverse - 1| at most, for the mantissas m of a piece."""
    half = mpf(1) / 2
    begin, end = max(mpf("0.75"), (piece - half) / pieces), min(mpf("1.5"), (piece + half) / pieces)
    return max(abs(begin * inverse - 1), abs(end * inverse - 1))


def short_inverse(piece, pieces):
    """An inverse of piece / pieces with so few digits that m * inverse - 1 is exact."""
    last_place = mpf(2)**(-24 if piece - mpf("0.5") < pieces else -23)
    candidates = []
    for digits in range(12):
        for i in range(1, 2**(digits + 1)):
            inverse = mpf(i) / 2**digits
            size = farthest(piece, pieces, inverse)
            if size < last_place / 2**digits * 2**24: candidates.append((size, inverse))
    return mpf(1) if piece == pieces else min(candidates)[1]


def logarithms(pieces):
    """Short inverses of mantissas near i / pieces, and their negative logarithms in two parts."""
    inverses, high, low = [mpf(1)] * pieces, [mpf(0)] * pieces, [mpf(0)] * pieces
    for piece in range(pieces * 3 // 4, pieces * 3 // 2 + 1):
        inverse = short_inverse(piece, pieces)
        exact = -log(inverse)
        i = piece % pieces
        inverses[i], high[i] = inverse, nint(exact * LOG_DIGITS) / LOG_DIGITS
        low[i] = exact - high[i]
    return [inverses, high, low]


def call(start, numbers):
    """The lines of a call: its start and as many numbers as a line holds."""
    lines, line = [], "  return " + start
    indent = " " * len(line[:line.index("(") + 1])
    for i, number in enumerate(numbers):
        text = hexadecimal(round_to(number, "float"), "float")
        text += ", " if i + 1 < len(numbers) else ");"
        if len(line) + len(text.rstrip()) > 100:
            lines.append(line.rstrip())
            line = indent
        line += text
    return lines + [line]


def function(name, pieces, values):
    """A function of the piece that looks its value up."""
    head = "MSHADOW_MAP Vec<float, N> %s(const %s<N> &piece) {" % (name, KINDS[pieces])
    return ["template <int N>", head] + call("piece.Pick(", values) + ["}"]


def cubic_of_log(pieces, terms):
    """(log(1 + f) - f + f^2 / 2) / f^3 up to the farthest f of any piece."""
    end = max(farthest(i, pieces, short_inverse(i, pieces))
              for i in range(pieces * 3 // 4, pieces * 3 // 2 + 1))
    coefficients, worst = fit(lambda f: (log1p(f) - f + f * f / 2) / f**3, lambda f: 3, -end, end,
                              terms, "float")
    return ["/// (log(1 + f) - f + f^2 / 2) / f^3. Error, relative to it: 2^%s." %
            nstr(log(worst, 2), 4), "template <int N>",
            "MSHADOW_MAP Vec<float, N> CubicOfLog(const %s<N> &, const Vec<float, N> &f) {" %
            KINDS[pieces]] + call("Horner<float, N>(f, ", coefficients) + ["}"]


def tables_of(pieces, terms):
    one, rest = powers(pieces)
    inverse, high, low = logarithms(pieces)
    lines = ["/// 2^(i / %d), and what it is too small by, relative to it." % pieces]
    lines += function("PowerOfPiece", pieces, one) + function("RestOfPiece", pieces, rest)
    lines += ["/// An inverse c of i / %d, and -log(c), whose first part has 16 digits after the point." %
              pieces]
    lines += function("InverseOfPiece", pieces, inverse) + function("LogOfPiece", pieces, high)
    return lines + function("LogRestOfPiece", pieces, low) + cubic_of_log(pieces, terms)


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    default = root / "runtime/include/mshadow/packet/tables_of_pairs.inc"
    output = sys.argv[1] if len(sys.argv) > 1 else default
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             "// Written by scripts/math/tables_of_pairs.py.", ""] + tables_of(8, 6) + \
        ["#if MSHADOW_PACKET_AVX512"] + tables_of(16, 5) + ["#endif"]
    pathlib.Path(output).write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
