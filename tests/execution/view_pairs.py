#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every function of mshadow that reads elements at other places, around every other: rules of one statement each.

    view_pairs.py check --generator mshadow-gen   all pairs: generated, or refused with the diagnostic that is due
    view_pairs.py spec [--batch=I/N]              a spec of some pairs, in which each function is on both sides; or of
                                                  the I-th of N batches of the others
    view_pairs.py calls [--batch=I/N]             the calls of these, for view_pairs_cases.cc

With --any-rank, a batch of the rules for any rank, called at ranks 1, 2 and 3.
"""

import argparse
import collections
import math
import pathlib
import re
import subprocess
import sys
import tempfile

Value = collections.namedtuple("Value", "text shape assignable", defaults=[False])

ARGUMENTS = {"v": (4,), "one": (1,), "m": (4, 4), "r": (1, 4), "c": (4, 1), "t": (2, 4, 4), "q": (2, 2, 4, 4)}
INDICES = {"index": 4}  # of rows and columns of m


def shape_text(shape):
    """A tensor's shape where one has it: elsewhere only views take it."""
    for name, known in ARGUMENTS.items():
        if known == tuple(shape):
            return f"{name}.shape_"
    return f"Shape{len(shape)}({', '.join(map(str, shape))})"


def numbers(values):
    values = list(values)
    return f"Shape{len(values)}({', '.join(map(str, values))})"


FUNCTIONS = {}
REPEATING = []


def function(*kinds):
    """Registers a function from Value to Value, or None where it does not take such a one."""

    def register(make):
        name = make.__name__.rstrip("_")
        FUNCTIONS[name] = make
        for kind in kinds:
            kind.append(name)
        return make

    return register


MAPS = {
    "arithmetic": "({0} * {0} + 1.0f)",
    "compared": "where({0} > 1.0f, {0}, 2.0f)",
    "rounded": "tcast<float>(tcast<half::half_t>({0}))",
    "mapped": "F<op::relu>({0})",
}
for name, text in MAPS.items():
    FUNCTIONS[name] = lambda e, text=text: Value(text.format(e.text), e.shape)


@function(REPEATING)
def broadcast_rows(e):
    shape = (4,) + e.shape
    return Value(f"broadcast<1>({e.text}, {shape_text(shape)})", shape) if len(e.shape) == 1 else None


@function(REPEATING)
def broadcast_columns(e):
    shape = e.shape + (4,)
    return Value(f"broadcast<0>({e.text}, {shape_text(shape)})", shape) if len(e.shape) == 1 else None


@function(REPEATING)
def broadcast_channels(e):
    shape = (2,) + e.shape + (4,)
    return Value(f"broadcast<1>({e.text}, {shape_text(shape)})", shape) if len(e.shape) == 1 else None


@function(REPEATING)
def broadcast_scalar(e):
    return Value(f"broadcast_scalar({e.text}, m.shape_)", (4, 4)) if e.shape == (1,) else None


@function(REPEATING)
def repmat(e):
    return Value(f"repmat({e.text}, m.size(0))", (4,) + e.shape) if len(e.shape) == 1 else None


@function(REPEATING)
def with_axis(e):
    return Value(f"broadcast_with_axis({e.text}, 0, 3)", e.shape[:1] + (3,) + e.shape[1:])


@function(REPEATING)
def with_axis_in_front(e):
    return Value(f"broadcast_with_axis({e.text}, -1, 3)", (3,) + e.shape)


def lengthened(shape):
    """The first dimension of extent 1, and the shape with 4 there."""
    if 1 not in shape:
        return None
    d = shape.index(1)
    return d, shape[:d] + (4,) + shape[d + 1 :]


@function(REPEATING)
def keepdim(e):
    longer = lengthened(e.shape)
    return longer and Value(f"broadcast_keepdim({e.text}, {longer[0]}, 4)", longer[1])


@function(REPEATING)
def multi_axes(e):
    longer = lengthened(e.shape)
    return longer and Value(f"broadcast_multi_axes({e.text}, Shape1({longer[0]}), Shape1(4))", longer[1])


@function(REPEATING)
def broadcast_to(e):
    longer = lengthened(e.shape)
    return longer and Value(f"broadcast_to({e.text}, {shape_text(longer[1])})", longer[1])


@function()
def reshape(e):
    size = 1
    for extent in e.shape:
        size *= extent
    shape = (size // 2, 2) if size % 2 == 0 else (size,)
    return Value(f"reshape({e.text}, {numbers(shape)})", shape)


@function()
def swapaxis(e):
    if len(e.shape) < 2:
        return None
    return Value(f"swapaxis<1, 0>({e.text})", (e.shape[1], e.shape[0]) + e.shape[2:])


@function()
def transpose(e):
    return Value(f"transpose({e.text}, {numbers(reversed(range(len(e.shape))))})", e.shape[::-1])


@function()
def transposed(e):
    return Value(f"{e.text}.T()", e.shape[::-1]) if e.assignable and len(e.shape) == 2 else None


@function()
def slice_(e):
    if not e.assignable or e.shape[0] < 2:
        return None
    return Value(f"slice<0>({e.text}, 1, {e.shape[0]})", (e.shape[0] - 1,) + e.shape[1:], True)


@function()
def slice_of_rows(e):
    last = len(e.shape) - 1
    if not e.assignable or e.shape[last] < 2:
        return None
    return Value(f"slice<{last}>({e.text}, 0, {e.shape[last] - 1})", e.shape[:last] + (e.shape[last] - 1,), True)


@function()
def slice_of_all(e):
    if not e.assignable:
        return None
    begins, ends = numbers([e.shape[0] // 2] + [0] * (len(e.shape) - 1)), numbers(e.shape)
    return Value(f"slice({e.text}, {begins}, {ends})", (e.shape[0] - e.shape[0] // 2,) + e.shape[1:], True)


@function()
def concat(e):
    return Value(f"concat<0>({e.text}, {e.text})", (2 * e.shape[0],) + e.shape[1:], True) if e.assignable else None


@function()
def flip(e):
    return Value(f"flip({e.text}, 0)", e.shape, True) if e.assignable else None


@function()
def diag(e):
    if len(e.shape) == 1:
        return Value(f"diag({e.text})", 2 * e.shape)
    return Value(f"diag({e.text})", e.shape[:1]) if len(e.shape) == 2 and e.shape[0] == e.shape[1] else None


@function()
def mirror(e):
    return Value(f"mirror({e.text})", e.shape)


@function()
def pad(e):
    if len(e.shape) < 2:
        return None
    return Value(f"pad({e.text}, 1)", e.shape[:-2] + (e.shape[-2] + 2, e.shape[-1] + 2))


@function()
def crop(e):
    if len(e.shape) < 2 or e.shape[-2] < 2:
        return None
    size = (e.shape[-2] - 1, e.shape[-1])
    return Value(f"crop({e.text}, Shape2({size[0]}, {size[1]}), 1, 0)", e.shape[:-2] + size)


@function()
def upsampling(e):
    if len(e.shape) < 2:
        return None
    return Value(f"upsampling_nearest({e.text}, 2)", e.shape[:-2] + (2 * e.shape[-2], 2 * e.shape[-1]))


@function()
def pool(e):
    if len(e.shape) < 2 or e.shape[-1] < 2:
        return None
    return Value(f"pool<red::sum>({e.text}, 1, 2, 1)", e.shape[:-1] + (e.shape[-1] - 1,))


@function()
def pool_cut_off(e):
    if len(e.shape) < 2:
        return None
    shape = (e.shape[-2], e.shape[-1] // 2 + 1)
    return Value(f"pool<red::maximum>({e.text}, {numbers(shape)}, 2, 2, 1, 2)", e.shape[:-2] + shape)


@function()
def pool_dilated(e):
    if len(e.shape) < 2 or e.shape[-2] < 3 or e.shape[-1] < 3:
        return None
    shape = (e.shape[-2] - 2, (e.shape[-1] - 3) // 2 + 1)
    return Value(f"pool<red::sum>({e.text}, 2, 2, 1, 2, 2, 2)", e.shape[:-2] + shape)


@function()
def unpool_dilated(e):
    if len(e.shape) < 2 or e.shape[-1] < 2:
        return None
    return Value(f"unpool<red::sum>({e.text}, {e.text}, {e.text}, 2, 2, 1, 1, 2, 1)", e.shape)


@function()
def unpool(e):
    if len(e.shape) < 2 or e.shape[-1] < 2:
        return None
    return Value(f"unpool<red::sum>({e.text}, {e.text}, {e.text}, 2, 3, 1, 1)", e.shape)


@function()
def ch_unpool(e):
    return Value(f"ch_unpool<red::sum>({e.text}, {e.text}, {e.text}, 3)", e.shape) if len(e.shape) > 2 else None


@function()
def chpool(e):
    if len(e.shape) < 3 or e.shape[-3] < 2:
        return None
    return Value(f"chpool<red::maximum>({e.text}, 2, 1, 0)", e.shape[:-3] + (e.shape[-3] - 1,) + e.shape[-2:])


@function()
def unpack(e):
    if len(e.shape) not in (3, 4) or min(e.shape[-2:]) < 2:
        return None
    patches = (e.shape[-2] - 1) * (e.shape[-1] - 1) * (e.shape[0] if len(e.shape) == 4 else 1)
    return Value(f"unpack_patch2col({e.text}, 2, 2, 1)", (e.shape[-3] * 4, patches))


@function()
def pack(e):
    if len(e.shape) != 2:
        return None
    shape = (e.shape[0], 1, e.shape[1])
    return Value(f"pack_col2patch({e.text}, {numbers(shape)}, 1, 1, 1)", shape)


@function()
def take(e):
    return Value(f"take(index, {e.text})", (4, e.shape[1])) if len(e.shape) == 2 and e.shape[0] >= 4 else None


@function()
def choose(e):
    if len(e.shape) != 2 or e.shape[0] != 4 or e.shape[1] < 4:
        return None
    return Value(f"mat_choose_row_element({e.text}, index)", (4,))


@function()
def fill(e):
    if len(e.shape) != 2 or e.shape[0] != 4:
        return None
    return Value(f"mat_fill_row_element({e.text}, v, index)", e.shape)


@function()
def fill_values(e):
    return Value(f"mat_fill_row_element(m, {e.text}, index)", (4, 4)) if e.shape == (4,) else None


@function()
def one_hot(e):
    return Value(f"one_hot_encode<float>({e.text}, m.size(1))", (e.shape[0], 4)) if e.shape == (4,) else None


@function()
def scatter_columns(e):
    return Value(f"scatter_columns({e.text}, m, 4)", (4, 4)) if e.shape == (4, 4) else None


@function()
def scatter_by(e):
    return Value(f"scatter_columns(m, {e.text}, 4)", (4, 4)) if e.shape == (4, 4) else None


@function()
def mask(e):
    return Value(f"mask(v, {e.text})", e.shape) if len(e.shape) == 2 and e.shape[0] == 4 else None


@function()
def mask_by(e):
    return Value(f"mask({e.text}, m)", (4, 4)) if e.shape == (4,) else None


@function()
def conj(e):
    return Value(f"conj({e.text})", e.shape) if e.shape[-1] % 2 == 0 else None


@function()
def implicit_dot(e):
    return Value(f"implicit_dot({e.text}, m)", (e.shape[0], 4)) if len(e.shape) == 2 and e.shape[1] == 4 else None


@function()
def reduce_with_axis(e):
    return Value(f"reduce_with_axis<red::sum, false>({e.text}, 0)", e.shape[1:]) if len(e.shape) > 1 else None


@function()
def reduce_keepdim(e):
    return Value(f"reduce_keepdim<red::maximum, false>({e.text}, 0)", (1,) + e.shape[1:])


@function()
def reduce_multi_axes(e):
    return Value(f"reduce_multi_axes<red::sum>({e.text}, Shape1(0))", (1,) + e.shape[1:])


# What is made of numbers alone.
NUMBERS = {
    "range": Value("range<float>(0, m.size(1))", (4,)),
    "steps": Value("range<float>(0.0f, 2.0f, 0.5f)", (4,)),
}
# What the generator gives a meaning of its own: numbers there are those of elements.
OF_ITS_OWN = ["arithmetic", "compared", "rounded", "mapped", "choose", "fill", "fill_values", "one_hot",
              "repmat", "broadcast_rows", "broadcast_columns", "broadcast_channels"]  # fmt: skip


Pair = collections.namedtuple("Pair", "outer inner value refused")


def refused(outer, inner):
    """The diagnostic that is due, if one is."""
    numbers_of_elements = inner in NUMBERS or "one_hot" in (outer, inner)
    reads_matrix = inner == "choose" or (inner not in NUMBERS and inner not in OF_ITS_OWN)
    if numbers_of_elements and outer in OF_ITS_OWN and not reads_matrix:
        return "extent"  # m is no tensor of these rules' kernels, nor is 2 the extent of one
    return None


def pairs():
    """Each function of each, over the first argument that both take."""
    for outer, wrap in FUNCTIONS.items():
        for inner, make in FUNCTIONS.items():
            for name, shape in ARGUMENTS.items():
                inside = make(Value(name, shape, True))
                value = inside and wrap(inside)
                if value and len(value.shape) <= 5:
                    yield Pair(outer, inner, value, refused(outer, inner))
                    break
        for inner, inside in NUMBERS.items():
            value = wrap(inside)
            if value:
                yield Pair(outer, inner, value, refused(outer, inner))


def sample():
    """Broadcasts of broadcasts, and so many more that each function stands on both sides."""
    outside, inside = set(), set()
    for pair in pairs():
        if pair.refused:
            continue
        repeats = pair.outer in REPEATING and pair.inner in REPEATING
        if repeats or pair.outer not in outside or pair.inner not in inside:
            outside.add(pair.outer)
            inside.add(pair.inner)
            yield pair


def batch(text):
    """The I-th of N batches of the pairs that are in no sample, neighbours in several of them; "" is the sample."""
    if not text:
        return list(sample())
    number, count = map(int, text.split("/"))
    sampled = set(map(name_of, sample()))
    others = [pair for pair in pairs() if not pair.refused and name_of(pair) not in sampled]
    return others[number - 1 :: count]


def name_of(pair):
    return f"{pair.outer}_of_{pair.inner}"


def rule(pair):
    # The outermost shape is the result's, which a broadcast may name.
    text = pair.value.text
    if text.startswith("broadcast<"):
        text = re.sub(r", (Shape\d\([^()]*\)|\w+\.shape_)\)$", ", out.shape_)", text)
    arguments = [f"const Tensor<xpu, {len(shape)}, DType> &{name}" for name, shape in ARGUMENTS.items()]
    arguments += [f"const Tensor<xpu, 1, int32_t> &{name}" for name in INDICES]
    return f"""template <typename xpu, typename DType>
MSHADOW_KERNEL void {name_of(pair)}(Tensor<xpu, {len(pair.value.shape)}, DType> out,
    {', '.join(arguments)}) {{
  out = {text};
}}
MSHADOW_INSTANTIATE({name_of(pair)}, float);
"""


# In rules for any rank, what is made of an expression of that rank, %, with its shape if `in` has the shape `of`;
# None where it takes no such shape.
def resized(first=None, last=None):
    return lambda e, of: (e[:-2] + (first(e[-2]), last(e[-1]))) if len(e) > 1 else None


def joined(dim):
    return lambda e, of: tuple(2 * n if d == dim % len(e) else n for d, n in enumerate(e))


def with_extent(dim, extent, least=1):
    def shape(e, of):
        d = dim % len(e)
        return e[:d] + (extent,) + e[d + 1 :] if e[d] >= least else None

    return shape


def repeated(dim, extent):
    return lambda e, of: with_extent(dim, extent(of))(e, of) if e[dim] == 1 else None


def broadcast_shape(e, of):
    return of if all(n in (1, to) for n, to in zip(e, of)) else None


def reshaped(e, of):
    return of if math.prod(e) == math.prod(of) else None


def cropped(e, of):
    return e[:-2] + (2, 3) if len(e) > 1 and e[-2] >= 2 and e[-1] >= 3 else None


def pooled(e, of):
    return e[:-1] + (e[-1] - 1,) if len(e) > 1 and e[-1] >= 2 else None


def same(e, of):
    return e


ANY_RANK = {
    "(% * % + DType(1))": same,
    "where(% > DType(1), %, DType(2))": same,
    "F<op::relu>(%)": same,
    "mirror(%)": same,
    "broadcast_keepdim(%, 0, in.size(0))": repeated(0, lambda of: of[0]),
    "broadcast_keepdim(%, dim - 1, in.size(0))": repeated(-1, lambda of: of[0]),
    "broadcast_multi_axes(%, Shape1(0), Shape1(4))": repeated(0, lambda of: 4),
    "broadcast_to(%, in.shape_)": broadcast_shape,
    "reshape(%, in.shape_)": reshaped,
    "swapaxis<dim - 1, 0>(%)": lambda e, of: e[-1:] + e[1:-1] + e[:1] if len(e) > 1 else None,
    "pad(%, 1)": resized(lambda n: n + 2, lambda n: n + 2),
    "crop(%, Shape2(2, 3))": cropped,
    "upsampling_nearest(%, 2)": resized(lambda n: 2 * n, lambda n: 2 * n),
    "pool<red::maximum>(%, 1, 2, 1)": pooled,
    "unpool<red::sum>(%, %, %, 1, 2, 1)": lambda e, of: e if len(e) > 1 else None,
    "chpool<red::maximum>(%, 3)": lambda e, of: e if len(e) > 2 else None,
    "ch_unpool<red::sum>(%, %, %, 3)": lambda e, of: e if len(e) > 2 else None,
    "reduce_keepdim<red::maximum, false>(%, 0)": with_extent(0, 1),
    "reduce_multi_axes<red::sum>(%, Shape1(0))": with_extent(0, 1),
}
ANY_RANK_ASSIGNABLE = {
    "slice<0>(%, 1, 2)": with_extent(0, 1, least=2),
    "slice<dim - 1>(%, 0, 1)": with_extent(-1, 1),
    "flip(%, dim - 1)": same,
    "flip(%, 0)": same,
    "flip(%, dim - 2)": lambda e, of: e if len(e) > 1 else None,
    "concat<0>(%, %)": joined(0),
    "concat<0>(%, concat<0>(%, %))": lambda e, of: (3 * e[0],) + e[1:],
    "concat<dim - 2>(%, %)": lambda e, of: joined(-2)(e, of) if len(e) > 1 else None,
    "concat<dim - 1>(%, %)": joined(-1),
}
# Of a vector, whose length is `e`.
ANY_RANK_VECTOR = {
    "broadcast<dim - 1>(%, in.shape_)": lambda e, of: of if e == of[-1] else None,
    "broadcast_scalar(%, in.shape_)": lambda e, of: of if e == 1 else None,
}
VECTORS = {
    "v": lambda v, of: v,
    "mirror(v)": lambda v, of: v,
    "(v * v)": lambda v, of: v,
    "range<DType>(0, in.size(dim - 1))": lambda v, of: of[-1],
    "slice<0>(v, 0, 1)": lambda v, of: 1,
}
# The shapes of `in`, of each rank, of which the first that a pair takes is called.
ANY_RANK_SHAPES = [[(4,), (1,)], [(4, 4), (1, 4), (4, 1), (1, 1)], [(2, 3, 4), (4, 3, 4), (1, 3, 4), (4, 3, 1)]]

RankedPair = collections.namedtuple("RankedPair", "text refused shape")


def any_rank_pairs():
    """Each of these functions of each, with the shape that it has if `in` has shape `of`, and `v` length `v`."""
    functions = ANY_RANK | ANY_RANK_ASSIGNABLE
    inner = [(text.replace("%", "in"), text, lambda v, of, make=make: make(of, of)) for text, make in functions.items()]
    for text, make in ANY_RANK_VECTOR.items():
        for vector, length in VECTORS.items():
            shape = lambda v, of, make=make, length=length: make(length(v, of), of)
            inner.append((text.replace("%", vector), text, shape))
    for outer, wrap in functions.items():
        for text, inside, make in inner:
            if outer in ANY_RANK_ASSIGNABLE and inside not in ANY_RANK_ASSIGNABLE:
                continue
            due = "view" if outer.startswith("broadcast") and inside.startswith("reduce") else None

            def shape(v, of, make=make, wrap=wrap):
                inner_shape = make(v, of)
                return inner_shape and wrap(inner_shape, of)

            yield RankedPair(outer.replace("%", text), due, shape)


def any_rank_batch(text):
    """The I-th of N batches of the pairs that are not refused, with their numbers."""
    number, count = map(int, text.split("/"))
    kept = [(i, pair) for i, pair in enumerate(any_rank_pairs()) if not pair.refused]
    return kept[number - 1 :: count]


def any_rank_rule(number, text):
    return f"""template <typename xpu, int dim, typename DType>
MSHADOW_KERNEL void any_rank{number}(Tensor<xpu, dim, DType> out, const Tensor<xpu, dim, DType> &in,
                                     const Tensor<xpu, 1, DType> &v) {{
  out = {text};
}}
MSHADOW_INSTANTIATE(any_rank{number}, float);
"""


def any_rank_calls(chosen):
    """Each pair at each rank at which there is a shape for it."""
    for number, pair in chosen:
        for shapes in ANY_RANK_SHAPES:
            known = ((of, v, pair.shape(v, of)) for of in shapes for v in (of[-1], 1))
            for of, v, out in known:
                if out:
                    yield f"CALL_AT_RANK(any_rank{number}, {numbers(out)}, {numbers(of)}, {v})"
                    break


def spec(rules):
    return (
        "// Made by view_pairs.py.\n#include <mshadow/kernel.h>\n\nnamespace view_pairs {\n"
        "using namespace mshadow;\nusing namespace mshadow::expr;\n\n" + "\n".join(rules) + "}  // namespace view_pairs\n"
    )


def diagnosed(generator, rules):
    """The ids of the errors in these rules, by the number of the rule."""
    with tempfile.TemporaryDirectory() as directory:
        path = pathlib.Path(directory) / "pairs.h"
        text = spec(rules)
        path.write_text(text)
        command = [generator, "generate", "--max-errors=0", "--name=pairs", "-o", directory, str(path)]
        result = subprocess.run(command, capture_output=True, text=True, check=False)
    if result.returncode not in (0, 1):
        raise RuntimeError(f"mshadow-gen: status {result.returncode}: {result.stderr[-2000:]}")
    starts, line = [], text[: text.index("template")].count("\n") + 1
    for one in rules:
        starts.append(line)
        line += one.count("\n") + 1
    found = collections.defaultdict(set)
    for error in re.finditer(r"pairs\.h:(\d+):\d+: error: .*\[mshadow-([\w-]+)\]", result.stderr):
        at = int(error.group(1))
        found[max(i for i, start in enumerate(starts) if start <= at)].add(error.group(2))
    return found


def check(generator):
    """Whether all pairs are generated but those that are to be refused."""
    fixed, ranked = list(pairs()), list(any_rank_pairs())
    wrong = []
    cases = [(name_of(pair) + ": " + pair.value.text, pair.refused) for pair in fixed]
    found = diagnosed(generator, [rule(pair) for pair in fixed])
    for name, rules, expected in (
        ("fixed rank", found, cases),
        ("any rank", diagnosed(generator, [any_rank_rule(i, pair.text) for i, pair in enumerate(ranked)]),
         [pair[:2] for pair in ranked]),
    ):
        for i, (text, due) in enumerate(expected):
            if rules.get(i, set()) != ({due} if due else set()):
                wrong.append(f"{name}, {text}: expected {due or 'code'}, got {sorted(rules.get(i, [])) or 'code'}")
        refusals = sum(due is not None for _, due in expected)
        print(f"{name}: {len(expected)} pairs, {refusals} of them refused")
    print("\n".join(wrong))
    return 1 if wrong else 0


def calls(chosen):
    for pair in chosen:
        yield f"CALL({name_of(pair)}, {numbers(pair.value.shape)})"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["check", "spec", "calls"])
    parser.add_argument("--generator", default="mshadow-gen")
    parser.add_argument("--output", type=pathlib.Path)
    parser.add_argument("--batch", default="", metavar="I/N")
    parser.add_argument("--any-rank", action="store_true", help="of the pairs in rules for any rank")
    args = parser.parse_args()
    if args.what == "check":
        return check(args.generator)
    if args.any_rank:
        chosen = any_rank_batch(args.batch)
        rules, lines = [any_rank_rule(i, pair.text) for i, pair in chosen], any_rank_calls(chosen)
    else:
        chosen = batch(args.batch)
        rules, lines = [rule(pair) for pair in chosen], calls(chosen)
    text = spec(rules) if args.what == "spec" else "\n".join(lines) + "\n"
    if args.output:
        args.output.write_text(text)
    else:
        print(text, end="")
    return 0


if __name__ == "__main__":
    sys.exit(main())
