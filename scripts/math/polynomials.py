#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes runtime/include/mshadow/packet/polynomials.inc: the polynomials and split constants of the
elementary functions. Needs mpmath (pip install mpmath). Usage: polynomials.py [OUTPUT]

The file is committed; run this again only to change a polynomial. The same input gives the same
text.
"""

import pathlib
import sys

from mpmath import atanh, erf, erfc, exp, expm1, floor, ldexp, log, log1p, mpf, nstr, sqrt

from minimax import fit, hexadecimal, round_to

LN2 = log(mpf(2))
ROOT2 = sqrt(mpf(2))
# A little more than what the reductions leave: their arguments are rounded.
EXP_END = LN2 / 2 * mpf("1.005")
ATANH_END = ((ROOT2 - 1) / (ROOT2 + 1))**2 * mpf("1.001")
ERF_NEAR_END = {"float": mpf("0.7"), "double": mpf("0.75")}
ERF_TAIL_BEGIN = mpf("1.5")
TAIL_SHIFT = 2
# Where float's pieces of erf begin, and from where it is 1.
ERF_PIECES = [mpf(0), ERF_NEAR_END["float"], mpf("1.1"), mpf("1.9"), mpf("3.92")]
TINY = mpf("1e-20")


def tail_argument(t):
    return 1 / t - TAIL_SHIFT


# Name, what it approximates in C++ terms, g, weight, interval (may depend on the type), number of
# coefficients.
POLYNOMIALS = [
    ("ExpPolynomial", "(e^r - 1 - r - r^2 / 2) / r^3 for |r| <= ln2 / 2",
     lambda r: (expm1(r) - r - r * r / 2) / r**3, lambda r: r**3 / exp(r),
     lambda ctype: (-EXP_END, EXP_END), {"float": 4, "double": 10}),
    ("LogPolynomial", "(log(1 + f) - f + f^2 / 2) / f^3 for sqrt(1/2) <= 1 + f < sqrt(2)",
     lambda f: (log1p(f) - f + f * f / 2) / f**3, lambda f: f**3 / log1p(f),
     lambda ctype: (1 / ROOT2 - 1, ROOT2 - 1), {"float": 9}),
    ("AtanhPolynomial", "(2 atanh(s) - 2 s) / s^3 at z = s^2, for |s| <= (sqrt(2) - 1)^2",
     lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z, lambda z: z / 2,
     lambda ctype: (TINY, ATANH_END), {"double": 7}),
    ("AtanhTailPolynomial", "(2 atanh(s) - 2 s - 2/3 s^3) / s^5 at z = s^2, same interval",
     lambda z: ((2 * atanh(sqrt(z)) / sqrt(z) - 2) / z - mpf(2) / 3) / z, lambda z: z * z / 2,
     lambda ctype: (TINY, ATANH_END), {"double": 7}),
    ("ErfNearPolynomial", "erf(x) / x - 1 at z = x^2, for |x| <= 0.75",
     lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: mpf(1),
     lambda ctype: (TINY, ERF_NEAR_END[ctype]**2), {"double": 11}),
    ("ErfTailPolynomial", "erfc(x) e^(x^2) at t = 1 / (x + 2), for 1.5 <= x <= 6",
     lambda t: erfc(tail_argument(t)) * exp(tail_argument(t)**2),
     lambda t: exp(-tail_argument(t)**2) / erf(tail_argument(t)),
     lambda ctype: (1 / mpf(6 + TAIL_SHIFT), 1 / (ERF_TAIL_BEGIN + TAIL_SHIFT)), {"double": 13}),
]


def truncated(value, bits):
    """The value's first bits, so that a product with a small integer is exact."""
    scale = bits - 1 - int(floor(log(abs(value), 2)))
    return ldexp(floor(ldexp(value, scale)), -scale)


def constants(ctype, hi_bits):
    hi = truncated(LN2, hi_bits)
    rows = [("kLog2E", 1 / LN2, "log2(e)"),
            ("kLn2Hi", hi, "ln(2) = hi + lo; hi times an exponent is exact"),
            ("kLn2Lo", LN2 - hi, "")]
    if ctype == "double":
        rows += [("kTwoThirds", mpf(2) / 3, "2/3 = kTwoThirds + kTwoThirdsTail"),
                 ("kTwoThirdsTail", mpf(2) / 3 - round_to(mpf(2) / 3, ctype), "")]
    lines = ["template <>", "struct MathConstants<%s> {" % ctype]
    for name, value, text in rows:
        literal = hexadecimal(round_to(value, ctype), ctype)
        lines += ["  /// " + text] if text else []
        lines.append("  static constexpr %s %s = %s;" % (ctype, name, literal))
    return lines + ["};"]


def polynomial_call(argument, coefficients, ctype):
    lines, row = [], "  return Polynomial<%s, N>(%s" % (ctype, argument)
    for c in coefficients:
        literal = hexadecimal(c, ctype)
        if len(row) + len(literal) + 4 > 100:
            lines.append(row + ",")
            row = "      " + literal
        else:
            row += ", " + literal
    return lines + [row + ");"]


def function(name, what, g, weight, interval, terms, ctype):
    a, b = interval(ctype)
    coefficients, worst = fit(g, weight, a, b, terms[ctype], ctype)
    lines = ["/// %s." % what,
             "/// Error, relative to the function that uses it: 2^%s." % nstr(log(worst, 2), 4),
             "template <int N>",
             "MSHADOW_MAP Vec<%s, N> %s(const Vec<%s, N> &x) {" % (ctype, name, ctype)]
    return lines + polynomial_call("x", coefficients, ctype) + ["}"]


def erf_center(begin, end, ctype):
    """A float near the middle at which erf is almost exactly a number of the type."""
    middle = round_to((begin + end) / 2, "float")
    candidates = [middle + i * mpf(2)**-22 for i in range(-2000, 2000)]
    return min(candidates, key=lambda c: abs(erf(c) - round_to(erf(c), ctype)))


def erf_piece(begin, end, terms, ctype):
    """Center, its erf, and P of erf(center + w) = erf(center) + w P(w)."""
    center = erf_center(begin, end, ctype)
    coefficients, worst = fit(lambda w: (erf(center + w) - erf(center)) / w,
                              lambda w: w / erf(center + w), begin - center, end - center, terms,
                              ctype)
    return center, round_to(erf(center), ctype), coefficients, worst


def erf_of_floats():
    near, near_error = fit(lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: mpf(1), TINY,
                           ERF_NEAR_END["float"]**2, 7, "float")
    pieces = [(mpf(0), mpf(0), near, near_error)]
    for begin, end, terms in zip(ERF_PIECES[1:], ERF_PIECES[2:], (8, 9, 10)):
        pieces.append(erf_piece(begin, end, terms, "float"))
    count = max(len(piece[2]) for piece in pieces)

    def row(values):
        return ", ".join(hexadecimal(v, "float") for v in values)
    errors = ", ".join("2^" + nstr(log(piece[3], 2), 4) for piece in pieces)
    picks = ["p.Pick(%s)" % row(piece[2][i] if i < len(piece[2]) else mpf(0) for piece in pieces)
             for i in range(count)]
    return ["", "/// Centers of the pieces of erf, and erf there.",
            "template <int N>",
            "MSHADOW_MAP Vec<float, N> ErfCenter(const ErfPiece<N> &p) {",
            "  return p.Pick(%s);" % row(piece[0] for piece in pieces), "}",
            "template <int N>",
            "MSHADOW_MAP Vec<float, N> ErfOfCenter(const ErfPiece<N> &p) {",
            "  return p.Pick(%s);" % row(piece[1] for piece in pieces), "}",
            "/// erf(x) / x - 1 at z = x^2 for |x| < 0.7; (erf(c + w) - erf(c)) / w for others.",
            "/// Errors, relative to erf: %s." % errors,
            "template <int N>",
            "MSHADOW_MAP Vec<float, N> ErfPolynomial(const Vec<float, N> &x, "
            "const ErfPiece<N> &p) {",
            "  return Polynomial<float, N>(", "      x, " + ",\n      ".join(picks) + ");", "}"]


def erf_of_doubles():
    center, value, coefficients, worst = erf_piece(ERF_NEAR_END["double"], ERF_TAIL_BEGIN, 16,
                                                   "double")
    return ["", "/// (erf(c + w) - erf(c)) / w, for 0.75 <= c + w <= 1.5.",
            "/// Error, relative to erf: 2^%s." % nstr(log(worst, 2), 4),
            "struct ErfMiddle {",
            "  static constexpr double kCenter = %s;" % hexadecimal(center, "double"),
            "  static constexpr double kErf = %s;" % hexadecimal(value, "double"), "};",
            "template <int N>",
            "MSHADOW_MAP Vec<double, N> ErfMiddlePolynomial(const Vec<double, N> &w) {"] + \
        polynomial_call("w", coefficients, "double") + ["}"]


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    default = root / "runtime/include/mshadow/packet/polynomials.inc"
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             "// Written by scripts/math/polynomials.py; change it there.",
             "// clang-format off",
             "", "template <typename T>", "struct MathConstants;"]
    for ctype, hi_bits in (("float", 15), ("double", 41)):
        lines += constants(ctype, hi_bits)
    for row in POLYNOMIALS:
        for ctype in ("float", "double"):
            if ctype in row[5]:
                lines += [""] + function(*row, ctype)
    lines += erf_of_floats() + erf_of_doubles()
    output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
