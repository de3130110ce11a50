#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes polynomials.inc and polynomials_close.inc, of runtime/include/mshadow/packet or the given
DIRECTORY: the polynomials and split constants of the elementary functions. Needs mpmath (pip install
mpmath). Usage: polynomials.py [DIRECTORY]

The files are committed; run this again only to change a polynomial. The same input gives the same
text.
"""

import pathlib
import sys

from mpmath import asin, asinh, atan, atanh, cbrt, cos, cosh, erf, erfc, exp, expm1, factorial, findroot, floor, gamma, ldexp, log, log1p, loggamma, mp, mpf, nstr, pi, sin, sinh, sqrt, tan, tanh, taylor

from minimax import fit, hexadecimal, round_to

LN2 = log(mpf(2))
LN10 = log(mpf(10))
# A little more than what the reductions leave: their arguments are rounded.
EXP_END = LN2 / 2 * mpf("1.005")
TURN_END = (pi / 4 * mpf("1.0005"))**2
ATANH_END = (mpf(1) / 5)**2 * mpf("1.001")
ARC_END = mpf(1) / 4 * mpf("1.001")
CLOSE_ARC_END = tan(pi / 8)**2 * mpf("1.001")
ERF_NEAR_END = mpf("0.75")
ERF_TAIL_BEGIN = mpf("1.5")
TAIL_SHIFT = 2
# The pieces of float's erf and tanh. The first one, which is odd, has a polynomial in x^2; from the
# end on the functions are 1. For the others the bits of a line through |x| tell the piece: of erf
# an integer from 4 to 7, of tanh half a binade from 0.75 to 12.
ERF_END, ERF_SHIFT, ERF_SLOPE = mpf("3.99"), mpf("4.1875"), mpf("0.953125")
ERF_PIECES = [mpf(0)] + [(mpf(v) - ERF_SHIFT) / ERF_SLOPE for v in (5, 6, 7)] + [ERF_END]
TANH_END, TANH_SHIFT, TANH_SLOPE = mpf("9.02"), mpf("0.75"), mpf("1.2470703125")
TANH_PIECES = [mpf(0)] + [(mpf(v) - TANH_SHIFT) / TANH_SLOPE for v in ("1.5", 2, 3, 4, 6, 8)] + [TANH_END]
# Beyond this size erf rounds to the float 1.
WHOLE_ERF_END = mpf("3.93")
# (x + ERFC_SHIFT) e^(x^2) erfc(x) is nearly constant, and a polynomial in 1 / (x + ERFC_POLE).
ERFC_SHIFT, ERFC_POLE, ROUGH_CENTER = mpf("0.625"), mpf(3), mpf(5) / 32
TINY = mpf("1e-20")
# Lgamma: up to GAMMA_FAR by values in [1, 2], from there on by Stirling's series. Below
# GAMMA_NEAR_ZERO results of negative arguments are computed from the zeros. (No float near -9 or
# beyond is near enough to one.)
GAMMA_FAR, GAMMA_NEAR_ZERO, GAMMA_LAST_ZERO = 3, mpf(2)**-9, -8


def tail_argument(t):
    return 1 / t - TAIL_SHIFT


def whole_erf_argument(t):
    return WHOLE_ERF_END * sqrt((t + 1) / 2)


def scaled_erfc(y):
    return erfc(y - ERFC_POLE) * exp((y - ERFC_POLE)**2)


def log_gamma(x):
    return loggamma(x) if x > 0 else log(abs(gamma(x)))


def stirling_rest(a):
    return log_gamma(a) - ((a - mpf(1) / 2) * log(a) - a + log(2 * pi) / 2)


# Name, what it approximates in C++ terms, g, weight, interval (may depend on the type), number of
# coefficients.
POLYNOMIALS = [
    ("ExpPolynomial", "(e^r - 1 - r - r^2 / 2) / r^3 for |r| <= ln2 / 2",
     lambda r: (expm1(r) - r - r * r / 2) / r**3, lambda r: r**3 / exp(r),
     lambda ctype: (-EXP_END, EXP_END), {"float": 4, "double": 10}),
    ("ShortExpPolynomial", "the same, a term shorter for doubles",
     lambda r: (expm1(r) - r - r * r / 2) / r**3, lambda r: r**3 / exp(r),
     lambda ctype: (-EXP_END, EXP_END), {"float": 4, "double": 9}),
    ("FloatExpPolynomial", "the same with as many digits as a float's power needs",
     lambda r: (expm1(r) - r - r * r / 2) / r**3, lambda r: r**3 / exp(r),
     lambda ctype: (-EXP_END, EXP_END), {"double": 6}),
    ("Exp2Polynomial", "(2^r - 1 - r ln(2)) / r^2 for |r| <= 1 / 2",
     lambda r: (expm1(r * LN2) - r * LN2) / r**2, lambda r: r**2 / exp(r * LN2),
     lambda ctype: (-mpf("0.5005"), mpf("0.5005")), {"float": 5, "double": 11}),
    ("LogPolynomial", "(log(1 + f) - f + f^2 / 2) / f^3 for 3/4 <= 1 + f < 3/2",
     lambda f: (log1p(f) - f + f * f / 2) / f**3, lambda f: f**3 / log1p(f),
     lambda ctype: (mpf(-1) / 4, mpf(1) / 2), {"float": 9}),
    ("AtanhPolynomial", "(2 atanh(s) - 2 s) / s^3 at z = s^2, for |s| <= 1 / 5",
     lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z, lambda z: z / 2,
     lambda ctype: (TINY, ATANH_END), {"double": 8}),
    ("FloatAtanhPolynomial", "the same with as many digits as a float's power needs",
     lambda z: (2 * atanh(sqrt(z)) / sqrt(z) - 2) / z, lambda z: z / 2,
     lambda ctype: (TINY, ATANH_END), {"double": 5}),
    ("AtanhTailPolynomial", "(2 atanh(s) - 2 s - 2/3 s^3) / s^5 at z = s^2, same interval",
     lambda z: ((2 * atanh(sqrt(z)) / sqrt(z) - 2) / z - mpf(2) / 3) / z, lambda z: z * z / 2,
     lambda ctype: (TINY, ATANH_END), {"double": 8}),
    ("SinPolynomial", "(sin(r) / r - 1) / z at z = r^2, for |r| <= pi / 4",
     lambda z: (sin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / sin(sqrt(z)),
     lambda ctype: (TINY, TURN_END), {"float": 3, "double": 6}),
    ("CosPolynomial", "(cos(r) - 1 + z / 2) / z^2 at z = r^2, for |r| <= pi / 4",
     lambda z: (cos(sqrt(z)) - 1 + z / 2) / z**2, lambda z: z * z / cos(sqrt(z)),
     lambda ctype: (mpf("1e-10"), TURN_END), {"float": 3, "double": 6}),
    ("AtanPolynomial", "(atan(t) / t - 1) / z at z = t^2, for |t| <= 1 / 2",
     lambda z: (atan(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / atan(sqrt(z)),
     lambda ctype: (TINY, ARC_END), {"float": 5, "double": 12}),
    ("AsinPolynomial", "(asin(s) / s - 1) / z at z = s^2, for |s| <= 1 / 2",
     lambda z: (asin(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / asin(sqrt(z)),
     lambda ctype: (TINY, ARC_END), {"float": 5, "double": 13}),
    ("SinhPolynomial", "(sinh(r) / r - 1) / z at z = r^2, for |r| <= ln2 / 2",
     lambda z: (sinh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / sinh(sqrt(z)),
     lambda ctype: (TINY, EXP_END**2), {"float": 3, "double": 5}),
    ("CoshPolynomial", "(cosh(r) - 1 - z / 2) / z^2 at z = r^2, for |r| <= ln2 / 2",
     lambda z: (cosh(sqrt(z)) - 1 - z / 2) / z**2, lambda z: z * z / cosh(sqrt(z)),
     lambda ctype: (mpf("1e-10"), EXP_END**2), {"float": 2, "double": 4}),
    ("AsinhPolynomial", "(asinh(t) / t - 1) / z at z = t^2, for |t| <= 1 / 2",
     lambda z: (asinh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / asinh(sqrt(z)),
     lambda ctype: (TINY, ARC_END), {"float": 5, "double": 12}),
    ("RoughAsinhPolynomial", "the same for |t| <= 0.53",
     lambda z: (asinh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / asinh(sqrt(z)),
     lambda ctype: (TINY, mpf("0.281")), {"float": 5, "double": 12}),
    ("InverseTanhPolynomial", "(atanh(s) / s - 1) / z at z = s^2, for |s| <= 1 / 4",
     lambda z: (atanh(sqrt(z)) / sqrt(z) - 1) / z, lambda z: z * sqrt(z) / atanh(sqrt(z)),
     lambda ctype: (TINY, ARC_END / 4), {"float": 4, "double": 9}),
    ("InverseCbrtPolynomial", "m^(-1/3), for 3/4 <= m < 3/2",
     lambda m: 1 / cbrt(m), lambda m: cbrt(m),
     lambda ctype: (mpf(3) / 4, mpf(3) / 2), {"float": 6, "double": 6}),
    ("RootExcessPolynomial", "((1 - e)^(-2/3) - 1) / e, for |e| <= 0.103",
     lambda e: (1 / cbrt(1 - e)**2 - 1) / e, lambda e: e,
     lambda ctype: (-mpf("0.103"), mpf("0.103")), {"float": 5}),
    ("ErfNearPolynomial", "erf(x) / x - 1 at z = x^2, for |x| <= 0.75, of floats 0.5",
     lambda z: erf(sqrt(z)) / sqrt(z) - 1, lambda z: mpf(1),
     lambda ctype: (TINY, ERF_NEAR_END**2 if ctype == "double" else ARC_END),
     {"float": 5, "double": 11}),
    ("ErfTailPolynomial", "erfc(x) e^(x^2) at t = 1 / (x + 2), for 1.5 <= x <= 6",
     lambda t: erfc(tail_argument(t)) * exp(tail_argument(t)**2),
     lambda t: exp(-tail_argument(t)**2) / erf(tail_argument(t)),
     lambda ctype: (1 / mpf(6 + TAIL_SHIFT), 1 / (ERF_TAIL_BEGIN + TAIL_SHIFT)), {"double": 13}),
    ("WholeErfPolynomial", "erf(x) / x at t = 2 (x / 3.93)^2 - 1, for |x| <= 3.93",
     lambda t: erf(whole_erf_argument(t)) / whole_erf_argument(t),
     lambda t: whole_erf_argument(t) / erf(whole_erf_argument(t)),
     lambda ctype: (TINY - 1, mpf(1)), {"double": 23}),
    ("RoughErfcPolynomial", "erfc(x) e^(x^2) at 1 / (x + 3) - 5/32, for 0 <= x <= 10.1",
     lambda w: scaled_erfc(1 / (w + ROUGH_CENTER)), lambda w: 1 / scaled_erfc(1 / (w + ROUGH_CENTER)),
     lambda ctype: (1 / (mpf("10.1") + ERFC_POLE) - ROUGH_CENTER, 1 / ERFC_POLE - ROUGH_CENTER),
     {"float": 11, "double": 17}),
    # The ends are a little outside: there both factors are 0.
    ("LgammaPolynomial", "log(gamma(y)) / ((y - 1) (y - 2)) at y - 3/2, for 1 <= y <= 2",
     lambda t: log_gamma(t + mpf(3) / 2) / (t * t - mpf(1) / 4),
     lambda t: (t * t - mpf(1) / 4) / log_gamma(t + mpf(3) / 2),
     lambda ctype: (-mpf("0.50001"), mpf("0.50001")), {"double": 13}),
    ("StirlingPolynomial", "what Stirling's formula lacks, times a, at u = 1 / a^2, for a >= 3",
     lambda u: stirling_rest(1 / sqrt(u)) / sqrt(u), lambda u: sqrt(u) / log_gamma(GAMMA_FAR),
     lambda ctype: (mpf("1e-12"), mpf(1) / GAMMA_FAR**2), {"double": 5}),
    ("SinPiPolynomial", "(sin(pi d) / (pi d) - 1) / z at z = d^2, for |d| <= 1 / 2",
     lambda z: (sin(pi * sqrt(z)) / (pi * sqrt(z)) - 1) / z,
     lambda z: z * pi * sqrt(z) / sin(pi * sqrt(z)),
     lambda ctype: (TINY, ARC_END), {"double": 6}),
]


def close(name, terms, interval=None, what=None):
    """A polynomial for functions of doubles that are then rounded correctly to float."""
    row = next(row for row in POLYNOMIALS if row[0] == name)
    return ("Close" + name, what or row[1], row[2], row[3], interval or row[4], {"double": terms})


CLOSE_POLYNOMIALS = [
    close("ExpPolynomial", 7),
    close("AtanhPolynomial", 7),
    close("SinPolynomial", 6, lambda ctype: (TINY, 4 * TURN_END),
          "(sin(r) / r - 1) / z at z = r^2, for |r| <= pi / 2"),
    close("AtanPolynomial", 8, lambda ctype: (TINY, CLOSE_ARC_END),
          "(atan(t) / t - 1) / z at z = t^2, for |t| <= tan(pi / 8)"),
    close("AsinPolynomial", 9),
    close("LgammaPolynomial", 17),
    close("StirlingPolynomial", 7),
    close("SinPiPolynomial", 7),
]


def constants(ctype):
    def pair(name, value, text):
        hi = round_to(value, ctype)
        return [(name + "Hi", hi, text + " = hi + lo"), (name + "Lo", value - hi, "")]
    rows = [("kLog2Of10", LN10 / LN2, "log2(10)")] + \
        pair("kLn2", LN2, "ln(2)") + pair("kLn10", LN10, "ln(10)") + \
        pair("kLog2E", 1 / LN2, "log2(e)") + pair("kLog10E", 1 / LN10, "log10(e)") + \
        pair("kLog10Of2", LN2 / LN10, "log10(2)")
    half_pi = pi / 2
    rows.append(("kTwoOverPi", 1 / half_pi, "2 / pi; pi / 2 in three parts"))
    for part in ("1", "2", "3"):
        rows.append(("kHalfPi" + part, half_pi, ""))
        half_pi -= round_to(half_pi, ctype)
    if ctype == "double":
        rows.append(("kLnRoot2Pi", log(2 * pi) / 2, "ln(2 pi) / 2"))
        rows += [("kTwoThirds", mpf(2) / 3, "2/3 = kTwoThirds + kTwoThirdsTail"),
                 ("kTwoThirdsTail", mpf(2) / 3 - round_to(mpf(2) / 3, ctype), "")]
    lines = ["template <>", "struct MathConstants<%s> {" % ctype]
    for name, value, text in rows:
        literal = hexadecimal(round_to(value, ctype), ctype)
        lines += ["  /// " + text] if text else []
        lines.append("  static constexpr %s %s = %s;" % (ctype, name, literal))
    return lines + ["};"]


def two_over_pi():
    """The binary digits that arguments up to 2^1024 need, after 64 zeros."""
    words = [0] + [int(floor(ldexp(2 / pi, 64 * i))) % 2**64 for i in range(1, 21)]
    lines, row = ["", "/// 64 zeros and the binary digits of 2 / pi.",
                  "#define MSHADOW_PACKET_TWO_OVER_PI \\"], ""
    rows = [words[i:i + 4] for i in range(0, len(words), 4)]
    for i, row in enumerate(rows):
        last = i + 1 == len(rows)
        lines.append("  " + ", ".join("0x%016x" % word for word in row) + ("" if last else ", \\"))
    return lines


def zeros_of_log_gamma(last):
    """Those at negative x, from the greatest on: two around -2.6, and one on the outer side of -3;
    then one on each side of every integer -n, at a distance of about 1 / n!, where |gamma(x)| is
    about 1 / (n! distance)."""
    zeros = [findroot(log_gamma, mpf(start)) for start in ("-2.457", "-2.748", "-3.1436")]
    for n in range(4, 1 - last):
        for distance in (1 / factorial(n), -1 / factorial(n)):
            zeros.append(distance * findroot(lambda e: log_gamma(-n + e * distance), mpf(1)) - n)
    return zeros


def lgamma_zeros():
    """Rows of a zero, as a pair, the slope c1 there, and c2, c3 and c4 of Taylor's series over the
    powers of c1: a series in the distance times the slope."""
    rows = []
    for zero in zeros_of_log_gamma(GAMMA_LAST_ZERO):
        c = taylor(log_gamma, zero, 4)
        hi = round_to(zero, "double")
        rows.append([hi, zero - hi, c[1]] + [c[k] / c[1]**k for k in (2, 3, 4)])
    lines = ["", "/// Zeros of log|gamma(x)| at negative x, as pairs; the slope there; and Taylor's coefficients",
             "/// of the squares, cubes and fourth powers of distances times the slope.",
             "#define MSHADOW_PACKET_LGAMMA_ZEROS \\"]
    for i, row in enumerate(rows):
        numbers = [hexadecimal(round_to(v, "double"), "double") for v in row]
        end = "}" if i + 1 == len(rows) else "}, \\"
        lines += ["  {" + ", ".join(numbers[:3]) + ", \\", "   " + ", ".join(numbers[3:]) + end]
    return lines + ["/// Results below this, of negative x, are computed from the zeros.",
                    "inline constexpr double kLgammaNearZero = %s;" %
                    hexadecimal(GAMMA_NEAR_ZERO, "double")]


def polynomial_call(argument, coefficients, ctype):
    # Loops around short ones wait for instructions, those around long ones for results.
    evaluate = "Horner" if len(coefficients) < 6 else "Polynomial"
    lines, row = [], "  return %s<%s, N>(%s" % (evaluate, ctype, argument)
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


def center_of(f, begin, end, ctype):
    """A float near the middle at which f is almost exactly a number of the type."""
    middle = (begin + end) / 2
    # Where the function is flat, none of the neighbours would do.
    middle = round_to(findroot(lambda c: f(c) - round_to(f(middle), ctype), middle), "float")
    candidates = [middle + i * mpf(2)**-22 for i in range(-2000, 2000)]
    return min(candidates, key=lambda c: abs(f(c) - round_to(f(c), ctype)))


def piece_of(f, begin, end, terms, ctype):
    """Center, the function there, and P of f(center + w) = f(center) + w P(w)."""
    center = center_of(f, begin, end, ctype)
    coefficients, worst = fit(lambda w: (f(center + w) - f(center)) / w,
                              lambda w: w / f(center + w), begin - center, end - center, terms,
                              ctype)
    # Beyond 4 the center is half a place beside a float: nothing that counts, where f is flat.
    return round_to(center, "float"), round_to(f(center), ctype), coefficients, worst


def near_0(f, end, terms):
    """The same of an odd function near 0, where it is x + x P(x^2)."""
    coefficients, worst = fit(lambda z: f(sqrt(z)) / sqrt(z) - 1, lambda z: sqrt(z) / f(sqrt(z)),
                              TINY, end**2, terms, "float")
    return mpf(0), mpf(0), coefficients, worst


def pieces_of_floats(name, f, pieces, copies=1, first=0):
    """Functions of the pieces' index; the first piece is there `copies` times, from `first` on."""
    count = max(len(piece[2]) for piece in pieces)
    lower = name.lower()
    errors = ", ".join("2^" + nstr(log(piece[3], 2), 4) for piece in pieces)

    def pick(values):
        values = list(values)
        row = values[:1] * copies + values[1:]
        row = row[len(row) - first:] + row[:len(row) - first]
        literals, lines = [hexadecimal(v, "float") for v in row], []
        for literal in literals:
            if lines and len(lines[-1]) + len(literal) < 80:
                lines[-1] += ", " + literal
            else:
                lines.append(literal)
        return "p.Pick(" + ",\n          ".join(lines) + ")"

    def of_pieces(suffix, values):
        return ["template <int N, typename Pieces>",
                "MSHADOW_MAP Vec<float, N> %s%s(const Pieces &p) {" % (name, suffix),
                "  return %s;" % pick(values), "}"]
    picks = [pick(piece[2][i] if i < len(piece[2]) else mpf(0) for piece in pieces)
             for i in range(count)]
    return ["", "/// Centers of the pieces of %s, and %s there." % (lower, lower)] + \
        of_pieces("Center", (piece[0] for piece in pieces)) + \
        of_pieces("OfCenter", (piece[1] for piece in pieces)) + \
        ["/// In the first piece {0}(x) / x - 1 at x^2; in others ({0}(c + w) - {0}(c)) / w.".format(
            lower),
         "/// Errors, relative to %s: %s." % (lower, errors),
         "template <int N, typename Pieces>",
         "MSHADOW_MAP Vec<float, N> %sPolynomial(const Vec<float, N> &x, const Pieces &p) {" % name,
         "  return Horner<float, N>(", "      x, " + ",\n      ".join(picks) + ");", "}"]


def line_of(name, end, shift, slope):
    """The line that tells the pieces."""
    rows = [("kShift", shift), ("kSlope", slope), ("kEnd", round_to(end, "float"))]
    return ["", "/// |x| is limited to kEnd; kShift + kSlope |x| tells the piece.",
            "struct %sPieces {" % name] + \
        ["  static constexpr float %s = %s;" % (row, hexadecimal(value, "float"))
         for row, value in rows] + ["};"]


def erf_of_floats():
    pieces = [near_0(erf, ERF_PIECES[1], 7)]
    for begin, end, terms in zip(ERF_PIECES[1:], ERF_PIECES[2:], (9, 9, 7)):
        pieces.append(piece_of(erf, begin, end, terms, "float"))
    return line_of("Erf", ERF_END, ERF_SHIFT, ERF_SLOPE) + pieces_of_floats("Erf", erf, pieces)


def tanh_of_floats():
    pieces = [near_0(tanh, TANH_PIECES[1], 6)]
    for begin, end in zip(TANH_PIECES[1:], TANH_PIECES[2:]):
        pieces.append(piece_of(tanh, begin, end, 7, "float"))
    # Two half binades are the first piece; the last bits of 0.75's are 5.
    return line_of("Tanh", TANH_END, TANH_SHIFT, TANH_SLOPE) + \
        pieces_of_floats("Tanh", tanh, pieces, copies=2, first=5)


def erf_of_doubles():
    center, value, coefficients, worst = piece_of(erf, ERF_NEAR_END, ERF_TAIL_BEGIN, 16, "double")
    return ["", "/// (erf(c + w) - erf(c)) / w, for 0.75 <= c + w <= 1.5.",
            "/// Error, relative to erf: 2^%s." % nstr(log(worst, 2), 4),
            "struct ErfMiddle {",
            "  static constexpr double kCenter = %s;" % hexadecimal(center, "double"),
            "  static constexpr double kErf = %s;" % hexadecimal(value, "double"), "};",
            "template <int N>",
            "MSHADOW_MAP Vec<double, N> ErfMiddlePolynomial(const Vec<double, N> &w) {"] + \
        polynomial_call("w", coefficients, "double") + ["}"]


def erfc_smooth(y):
    x = 1 / y - ERFC_POLE
    return (x + ERFC_SHIFT) * exp(x * x) * erfc(x)


def erfc_tails():
    lines = ["", "/// From 1 / 2 on (x + kShift) e^(x^2) erfc(x) is kValue + w (kSlope + w P(w)) with",
             "/// w = 1 / (x + kPole) - kCenter.",
             "template <typename T>", "struct ErfcTail;"]
    polynomials = []
    for ctype, end, terms in (("float", "10.1", 9), ("double", "27.3", 21)):
        center, value, coefficients, worst = piece_of(
            erfc_smooth, 1 / (mpf(end) + ERFC_POLE), 1 / (mpf("0.5") + ERFC_POLE), terms, ctype)
        rows = (("kEnd", mpf(end)), ("kShift", ERFC_SHIFT), ("kPole", ERFC_POLE),
                ("kCenter", center), ("kValue", value), ("kSlope", coefficients[0]))
        lines += ["template <>", "struct ErfcTail<%s> {" % ctype] + \
            ["  static constexpr %s %s = %s;" % (ctype, row, hexadecimal(round_to(number, ctype), ctype))
             for row, number in rows] + ["};"]
        polynomials += ["/// Error, relative to erfc: 2^%s." % nstr(log(worst, 2), 4), "template <int N>",
                        "MSHADOW_MAP Vec<%s, N> ErfcPolynomial(const Vec<%s, N> &w) {" % (ctype, ctype)] + \
            polynomial_call("w", coefficients[1:], ctype) + ["}"]
    return lines + polynomials


def functions(rows):
    return [line for row in rows for ctype in ("float", "double") if ctype in row[5]
            for line in [""] + function(*row, ctype)]


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    default = root / "runtime/include/mshadow/packet"
    directory = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    head = ["// SPDX-License-Identifier: Apache-2.0",
            "// Written by scripts/math/polynomials.py; change it there.",
            "// clang-format off"]
    lines = head + ["", "template <typename T>", "struct MathConstants;"]
    for ctype in ("float", "double"):
        lines += constants(ctype)
    with mp.workdps(420):
        lines += two_over_pi()
    lines += functions(POLYNOMIALS)
    lines += erf_of_floats() + tanh_of_floats() + erf_of_doubles() + erfc_tails() + \
        lgamma_zeros()
    (directory / "polynomials.inc").write_text("\n".join(lines) + "\n")
    close = head + functions(CLOSE_POLYNOMIALS)
    (directory / "polynomials_close.inc").write_text("\n".join(close) + "\n")


if __name__ == "__main__":
    main()
