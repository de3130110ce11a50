#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mshadow_kernels.jax against calls with NumPy: the same bits for every rule, compiled by jax.jit;
memory that is updated in place; scalars that are arrays; exceptions."""
import functools
import importlib
import inspect
import os
import re
import sys
import unittest
import warnings

os.environ.setdefault("JAX_PLATFORMS", "cpu")
os.environ.setdefault("JAX_ENABLE_X64", "1")
try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing it warns of is no error of ours
        jax = importlib.import_module("jax")
        importlib.import_module("jax.ffi")
except ImportError:
    sys.exit(print("SKIP: JAX with jax.ffi is not installed"))
numpy = importlib.import_module("numpy")
mk = importlib.import_module("mshadow_kernels")
jnp = jax.numpy
FUNCTIONS = {name[6:]: getattr(mk.rules, name[6:]) for name in vars(mk.rules) if name.startswith("_call_")}
SHAPES = {1: (6,), 2: (6, 6), 3: (2, 6, 2), 4: (2, 6, 2, 2)}


def arguments(function):
    """Arguments that a rule accepts: it starts with equal matrices, and does what the errors say."""
    rule = getattr(mk.rules, f"_call_{function.__name__}")
    defaults = inspect.signature(function).parameters.values()
    names = [param.partition(":")[0].rstrip("=") for param in rule.params]
    shapes, types = {}, {}
    for _ in range(40):
        random = numpy.random.default_rng(1)
        args = []
        for name, param, default in zip(names, rule.params, defaults):
            if ":" in param:
                args.append(1 if default.default is default.empty else default.default)
            else:
                kind = types.get(name, "float32")
                low, high = (0, 2) if "int" in kind else (0.125, 1)
                values = random.uniform(low, high, shapes.get(name, SHAPES[2]))
                args.append(values.astype(kind))
        try:
            function(*(x.copy() if isinstance(x, numpy.ndarray) else x for x in args))
            return args
        except mk.Error as error:
            text = str(error)
        several = re.search(r"arguments (.*): expected .*?<((?:float\d+(?:, )?)+)>", text)
        if several:  # of the lists of types, the first that NumPy has
            types.update(zip(re.findall(r"'(\w+)'", several[1]), several[2].split(", ")))
            continue
        name = re.search(r"argument '(\w+)'", text)[1]
        rank, shape = re.search(r"expected (\d) dim", text), re.search(r"expected shape \(([\d, ]+)\)", text)
        kind = re.search(r"expected (?:bfloat16 or )?(float\d+|u?int\d+)", text)
        if rank:
            shapes[name] = SHAPES[int(rank[1])]
        elif shape:
            shapes[name] = tuple(int(extent) for extent in shape[1].split(",") if extent.strip())
        elif kind:
            types[name] = kind[1]
        else:
            raise AssertionError(text)
    raise AssertionError(text)


class RuleTest(unittest.TestCase):
    def test_every_rule_has_the_bits_of_a_call_with_numpy(self):
        self.assertGreater(len(FUNCTIONS), 2)
        for name, function in FUNCTIONS.items():
            with self.subTest(name):
                args = arguments(function)
                rule = getattr(mk.rules, f"_call_{name}")
                want = [x.copy() if isinstance(x, numpy.ndarray) else x for x in args]
                function(*want)
                tensors = [i for i, _, _ in rule.tensors]

                def compiled(*given, args=args, tensors=tensors, name=name):
                    every = list(args)
                    for i, x in zip(tensors, given):
                        every[i] = x
                    return getattr(mk.jax, name)(*every)

                got = jax.jit(compiled)(*(args[i] for i in tensors))
                got = got if isinstance(got, tuple) else (got,)
                written = [want[i] for i, _, is_written in rule.tensors if is_written]
                self.assertEqual(len(got), len(written))
                for x, y in zip(got, written):
                    self.assertEqual((x.dtype, x.shape), (y.dtype, y.shape))
                    self.assertEqual(numpy.asarray(x).tobytes(), y.tobytes())


def adamw(dtype=numpy.float32):
    return [jnp.asarray(numpy.linspace(0.125, 1, 1000), dtype) for _ in range(4)]


def by_numpy(step, dtype=numpy.float32, **scalars):
    arrays = [numpy.array(x) for x in adamw(dtype)]
    mk.AdamW(*arrays, step=step, **scalars)
    return arrays[:3]


class CallTest(unittest.TestCase):
    def assert_same(self, got, want):
        for x, y in zip(got, want, strict=True):
            self.assertEqual(numpy.asarray(x).tobytes(), y.tobytes())

    def test_arguments_stay_as_they_are(self):
        given = adamw()
        self.assert_same(mk.jax.AdamW(*given, step=3), by_numpy(3))
        self.assert_same(given, [numpy.asarray(x) for x in adamw()])

    def test_memory_is_updated_in_place(self):
        step = jax.jit(mk.jax.AdamW, donate_argnums=(0, 1, 2))
        given = adamw()
        addresses = [x.unsafe_buffer_pointer() for x in given[:3]]
        got = step(*given, step=3)
        self.assertEqual([x.unsafe_buffer_pointer() for x in got], addresses)
        self.assert_same(got, by_numpy(3))

    def test_one_program_serves_all_steps(self):
        step = jax.jit(functools.partial(mk.jax.AdamW, lr=1e-3))
        for dtype in (numpy.int32, numpy.int64):
            for number in (1, 7):
                self.assert_same(step(*adamw(), step=dtype(number)), by_numpy(number, lr=1e-3))
        self.assertEqual(step._cache_size(), 2)

    def test_scalars_that_are_arrays(self):
        for lr in (jnp.float32(0.25), jnp.float64(0.25), numpy.float64(0.25)):
            self.assert_same(mk.jax.AdamW(*adamw(), lr=lr, step=3), by_numpy(3, lr=0.25))

    def test_results_without_an_operand(self):
        x = jnp.linspace(-1, 1, 12).reshape(3, 4).astype(jnp.float32)
        sums = jnp.zeros(3, jnp.float32)
        empty = jax.ShapeDtypeStruct((4,), jnp.float32)
        out = jax.jit(lambda x: mk.jax.Softmax(jax.ShapeDtypeStruct(x.shape, x.dtype), x))(x)
        want = numpy.zeros((3, 4), numpy.float32)
        mk.Softmax(want, numpy.asarray(x))
        self.assert_same([out], [want])
        with self.assertRaisesRegex(TypeError, "ShapeDtypeStruct"):
            mk.jax.Softmax(sums, empty)

    def test_other_types_and_empty_arrays(self):
        self.assert_same(mk.jax.AdamW(*(x[:0] for x in adamw()), step=1), [numpy.zeros(0, numpy.float32)] * 3)
        scalar = mk.jax.AdamW(*(x[0] for x in adamw()), step=1)
        self.assertEqual(scalar[0].shape, ())
        half = adamw(jnp.bfloat16)
        states = adamw()[1:3]
        self.assertEqual(mk.jax.AdamW(half[0], *states, half[3])[0].dtype, jnp.bfloat16)

    def test_rules_of_another_module(self):
        kernels = importlib.import_module("entry_kernels")
        self.assertRaisesRegex(mk.Error, "AdamW: call load", mk.jax.wrap, kernels.AdamW)
        kernels.load(os.environ["ENTRY_KERNELS"])
        self.assert_same(mk.jax.wrap(kernels.AdamW)(*adamw(), step=3), by_numpy(3))

    def test_vmap(self):
        batch = [jnp.stack([x, 2 * x]) for x in adamw()]
        got = jax.vmap(lambda *args: mk.jax.AdamW(*args, step=3))(*batch)
        self.assert_same([x[0] for x in got], by_numpy(3))

    def test_errors(self):
        w, m, v, g = adamw()
        for error, text, call in [
                (jax.errors.JaxRuntimeError, "AdamW: argument 'grad': expected shape",
                 lambda: mk.jax.AdamW(w, m, v, g[:3])),
                (jax.errors.JaxRuntimeError, "AdamW: argument 'grad': expected float32",
                 lambda: mk.jax.AdamW(w, m, v, g.astype(jnp.float64))),
                (jax.errors.JaxRuntimeError, "AdamW: argument 'step': expected a step of at least 1",
                 lambda: mk.jax.AdamW(w, m, v, g, step=jnp.int32(0))),
                (jax.errors.JaxRuntimeError, "argument 'step': expected int32, int64",
                 lambda: mk.jax.AdamW(w, m, v, g, step=jnp.float32(1))),
                (jax.errors.JaxRuntimeError, "argument 'lr': expected a scalar",
                 lambda: mk.jax.AdamW(w, m, v, g, lr=jnp.ones(2))),
                (jax.errors.JaxRuntimeError, "expected a type of mshadow",
                 lambda: mk.jax.AdamW(w, m, v, g.astype(jnp.complex64))),
                (TypeError, "AdamW: argument 'lr': expected a number", lambda: mk.jax.AdamW(w, m, v, g, lr="fast")),
                (TypeError, "missing a required argument: 'grad'", lambda: mk.jax.AdamW(w, m, v)),
                (AttributeError, "has no attribute 'Nothing'", lambda: mk.jax.Nothing)]:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                jax.block_until_ready(call())


if __name__ == "__main__":
    unittest.main()
