#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes runtime/include/mshadow/packet/polynomials_gamma.inc: the polynomials and zeros of lgamma of
doubles. Needs mpmath (pip install mpmath). Usage: lgamma_of_double.py [OUTPUT]

As polynomials.py, whose lgamma of floats needs half of the digits.
"""

import pathlib
import sys

from mpmath import factorial, findroot, floor, gamma, ldexp, log, loggamma, mp, mpf, nstr, pi, psi, sin, sqrt

from minimax import fit, hexadecimal, round_to
from polynomials import log_gamma, polynomial_call, zeros_of_log_gamma

# From FAR on Stirling's series.
FAR = mpf(3)
# Around the two zeros in (-3, -2), between which all results are small, a polynomial.
MIDDLE_BEGIN, MIDDLE_END, MIDDLE_CENTER = mpf("-2.78"), mpf("-2.42"), mpf("-2.6015625")
# Next to integers below LAST_ZERO no double is near a zero.
LAST_ZERO, NEAR_ZERO, NEAR_SHARE = -16, mpf(2)**-4, mpf("0.09375")
ZERO_TERMS = 8


def near(t):
    return log_gamma(t + mpf(3) / 2) / (t * t - mpf(1) / 4)


def stirling(u):
    """What Stirling's formula lacks, times a, at u = 1 / a^2."""
    a = 1 / sqrt(u)
    return (log_gamma(a) - ((a - mpf(1) / 2) * log(a) - a + log(2 * pi) / 2)) * a


def sine(z):
    d = sqrt(z)
    return sin(pi * d) / (pi * d)


# Near the far zeros the terms of a pole, which cancel, have a hundred digits more than the rest.
ZERO_DIGITS = 170
with mp.workdps(ZERO_DIGITS):
    ZEROS = zeros_of_log_gamma(LAST_ZERO)


def middle(u):
    x = u + MIDDLE_CENTER
    return log_gamma(x) / ((x - ZEROS[0]) * (x - ZEROS[1]))


NEAR_VALUE = log_gamma(mpf(3) / 2) / (-mpf(1) / 4)
NEAR_SLOPE = psi(0, mpf(3) / 2) / (-mpf(1) / 4)
SINE_SLOPE, SINE_CURVE = -pi**2 / 6, pi**4 / 120
MIDDLE_VALUE = middle(mpf(0))

# Name, what it approximates, g, the factor of its error in the result, interval, coefficients.
POLYNOMIALS = [
    ("LgammaNearPolynomial",
     "(G(t) - kNearValue - kNearSlope t) / t^2, G(t) = log(gamma(y)) / ((y - 1) (y - 2)), t = y - 3/2",
     lambda t: (near(t) - NEAR_VALUE - NEAR_SLOPE * t) / t**2, lambda t: t**2 / near(t),
     -mpf("0.50001"), mpf("0.50001"), 20),
    ("LgammaFarPolynomial",
     "(S(u) - 1/12) / u at u = 1 / a^2 for a >= 3, where S(u) / a is what Stirling's formula lacks",
     lambda u: (stirling(u) - mpf(1) / 12) / u, lambda u: u * sqrt(u) / log_gamma(FAR),
     mpf("1e-12"), 1 / FAR**2, 11),
    ("LgammaSinePolynomial",
     "(sin(pi d) / (pi d) - 1 - kSineSlope z - kSineCurve z^2) / z^3 at z = d^2, for |d| <= 1 / 2",
     lambda z: (sine(z) - 1 - SINE_SLOPE * z - SINE_CURVE * z * z) / z**3,
     lambda z: z**3 / sine(z), mpf("1e-8"), mpf("0.2502"), 7),
    ("LgammaMiddlePolynomial",
     "(G(u) - kMiddleValue) / u, G(u) = log|gamma(x)| over both distances, -2.78 <= x <= -2.42",
     lambda u: (middle(u) - MIDDLE_VALUE) / u, lambda u: u / middle(u),
     MIDDLE_BEGIN - MIDDLE_CENTER, MIDDLE_END - MIDDLE_CENTER, 27),
]


def last_finite():
    """The greatest argument whose result does not round to Inf."""
    limit = ldexp(mpf(1), 1024) - ldexp(mpf(1), 970)
    end = findroot(lambda s: loggamma(ldexp(s, 1015)) / limit - 1, mpf("0.7"))
    return ldexp(floor(ldexp(end, 53)), 1015 - 53)


def constants():
    rows = [("kEnd", last_finite(), "From beyond kEnd on the result is Inf."),
            ("kNearZero", NEAR_ZERO, "Results below this may be near a zero,"),
            ("kNearShare", NEAR_SHARE, "whose distance over its distance from the pole is below this."),
            ("kMiddleBegin", MIDDLE_BEGIN, "The range of LgammaMiddlePolynomial, and its center."),
            ("kMiddleEnd", MIDDLE_END, ""), ("kMiddleCenter", MIDDLE_CENTER, "")]
    for name, value in (("kNearValue", NEAR_VALUE), ("kNearSlope", NEAR_SLOPE),
                        ("kFarValue", log(2 * pi) / 2 - mpf(1) / 2), ("kTwelfth", mpf(1) / 12),
                        ("kSineSlope", SINE_SLOPE), ("kSineCurve", SINE_CURVE),
                        ("kMiddleValue", MIDDLE_VALUE), ("kMiddleZero1", ZEROS[0]), ("kMiddleZero2", ZEROS[1])):
        hi = round_to(value, "double")
        text = "Sums of two numbers each; kFarValue is ln(2 pi) / 2 - 1/2." if name == "kNearValue" else ""
        rows += [(name, hi, text), (name + "Tail", value - hi, "")]
    lines = ["", "struct LgammaOfDouble {"]
    for name, value, text in rows:
        lines += ["  /// " + text] if text else []
        lines.append("  static constexpr double %s = %s;" %
                     (name, hexadecimal(round_to(value, "double"), "double")))
    return lines + ["};"]


def function(name, what, g, weight, a, b, terms):
    coefficients, worst = fit(g, weight, a, b, terms, "double")
    return ["", "/// %s." % what,
            "/// Error, relative to the function that uses it: 2^%s." % nstr(log(worst, 2), 4),
            "template <int N>",
            "MSHADOW_MAP Vec<double, N> %s(const Vec<double, N> &x) {" % name] + \
        polynomial_call("x", coefficients, "double") + ["}"]


def in_parts(value, count):
    parts = []
    for _ in range(count):
        parts.append(round_to(value, "double"))
        value -= parts[-1]
    return parts


def row_of(zero):
    """A zero as the sum of three numbers, so that the distance of the nearest double has all of its
    digits; the inverse of the zero's distance e from the pole as that of two; and Taylor's
    coefficients of log|gamma(zero + d)| + log(1 + d / e), which no pole nearby disturbs."""
    distance = zero - floor(zero + mpf(1) / 2)
    row = in_parts(zero, 3) + in_parts(1 / distance, 2)
    for k in range(1, ZERO_TERMS + 1):
        row.append(psi(k - 1, zero) / factorial(k) - (-1)**k / (k * distance**k))
    return row


def zeros():
    lines = ["", "/// Zeros of log|gamma(x)| at x < -3, as sums of three numbers; the inverses of their distances e",
             "/// from the nearest pole, as sums of two; and Taylor's coefficients, from the first on, of",
             "/// log|gamma(zero + d)| + log(1 + d / e).",
             "#define MSHADOW_PACKET_LGAMMA_ZEROS_OF_DOUBLE \\"]
    with mp.workdps(ZERO_DIGITS):
        rows = [row_of(zero) for zero in ZEROS[2:]]
    for i, row in enumerate(rows):
        numbers = [hexadecimal(round_to(v, "double"), "double") for v in row]
        for first, last in ((0, 3), (3, 5), (5, 9), (9, 13)):
            begin = "   " if first else "  {"
            end = ", \\" if last < len(numbers) else "}, \\" if i + 1 < len(rows) else "}"
            lines.append(begin + ", ".join(numbers[first:last]) + end)
    return lines


def main():
    root = pathlib.Path(__file__).resolve().parents[2]
    default = root / "runtime/include/mshadow/packet/polynomials_gamma.inc"
    output = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else default
    lines = ["// SPDX-License-Identifier: Apache-2.0",
             "// Written by scripts/math/lgamma_of_double.py; change it there.", "// clang-format off"]
    lines += constants()
    for row in POLYNOMIALS:
        lines += function(*row)
    lines += zeros()
    output.write_text("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
