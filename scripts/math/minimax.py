# SPDX-License-Identifier: Apache-2.0
"""Minimax polynomials by Remez' exchange, with coefficients that are exact floats or doubles.

fit() approximates g on [a, b] so that max |weight * (g - p)| is least, and rounds the coefficients.
The weight is what the polynomial's factor in the final formula makes of its error, relative to the
function's value: errors are then relative ones of the result.
"""

from mpmath import mp, mpf, matrix, lu_solve, cos, pi, frexp, floor, ldexp

mp.dps = 60

PRECISION = {"float": 24, "double": 53}


def round_to(value, ctype):
    """The nearest number with the type's precision; coefficients are far from its range's ends."""
    if value == 0:
        return mpf(0)
    mantissa, exponent = frexp(value)
    bits = PRECISION[ctype]
    return ldexp(floor(ldexp(mantissa, bits) + mpf(1) / 2), exponent - bits)


def horner(coefficients, x):
    result = mpf(0)
    for c in reversed(coefficients):
        result = result * x + c
    return result


def extrema(error, a, b, count):
    """The points where |error| is locally largest, one for each run of equal signs."""
    best = []
    for x in nodes(a, b, 30 * count):
        e = error(x)
        if best and (best[-1][1] > 0) == (e > 0):
            if abs(e) > abs(best[-1][1]):
                best[-1] = (x, e)
        else:
            best.append((x, e))
    while len(best) > count:
        best.pop(0 if abs(best[0][1]) < abs(best[-1][1]) else -1)
    return best


def nodes(a, b, count):
    """Chebyshev nodes, moved a little so that none is 0, where g may be a limit."""
    return [a + (b - a) * (1 - cos(pi * (2 * i + 1) / (2 * count))) / 2 + (b - a) * mpf("1e-9")
            for i in range(count)]


def remez(g, weight, a, b, terms):
    """The coefficients of the best polynomial with the given number of terms."""
    if terms == 0:
        return []
    points = nodes(a, b, terms + 1)
    coefficients = None
    for _ in range(12):
        system = matrix(terms + 1, terms + 1)
        right = matrix(terms + 1, 1)
        for row, x in enumerate(points):
            for column in range(terms):
                system[row, column] = weight(x) * x**column
            system[row, terms] = (-1)**row
            right[row] = weight(x) * g(x)
        solution = lu_solve(system, right)
        coefficients = [solution[i] for i in range(terms)]
        found = extrema(lambda x: weight(x) * (g(x) - horner(coefficients, x)), a, b, terms + 1)
        if len(found) < terms + 1:
            break
        points = [x for x, _ in found]
        sizes = [abs(e) for _, e in found]
        if max(sizes) < min(sizes) * mpf("1.01"):
            break
    return coefficients


def made_up_for(coefficients, index, difference, weight, points):
    """The coefficients after `index`, changed so that they make up for the difference of that one."""
    later = range(index + 1, len(coefficients))
    if difference == 0 or not later:
        return coefficients
    system, right = matrix(len(later), len(later)), matrix(len(later), 1)
    for x in points:
        scale = weight(x)**2
        for row, i in enumerate(later):
            right[row] -= scale * x**i * difference * x**index
            for column, j in enumerate(later):
                system[row, column] += scale * x**i * x**j
    solution = lu_solve(system, right)
    return coefficients[:index + 1] + [coefficients[i] + solution[row]
                                       for row, i in enumerate(later)]


def fit(g, weight, a, b, terms, ctype):
    """Returns (coefficients, largest weighted error after rounding).

    The coefficients are rounded one after the other, and those that follow make up for it (by least
    squares, which is near enough for what is this small).
    """
    a, b = mpf(a), mpf(b)
    # Where the weight is 0 (often at x = 0) any value would do; a floor keeps the system regular.
    least = max(abs(weight(a)), abs(weight(b))) * mpf("1e-3")
    found = remez(g, lambda x: abs(weight(x)) + least, a, b, terms)
    points = nodes(a, b, 4 * terms)
    for i in range(terms):
        rounded = round_to(found[i], ctype)
        found = made_up_for(found, i, rounded - found[i], weight, points)
        found[i] = rounded
    worst = max(abs(weight(x) * (g(x) - horner(found, x))) for x in nodes(a, b, 500))
    return found, worst


def hexadecimal(value, ctype):
    """A C++ literal with exactly this value."""
    text = float(value).hex()
    mantissa, exponent = text.split("p")
    mantissa = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    return mantissa + "p" + str(int(exponent)) + ("f" if ctype == "float" else "")
