#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mshadow_kernels.torch's functions against PyTorch's: values and gradients, types, strides, empty
tensors, exceptions; and what PyTorch's own checks say of each custom operator."""
import importlib
import inspect
import sys
import unittest
import warnings

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing it warns of is no error of ours
        torch = importlib.import_module("torch")
except ImportError:
    sys.exit(print("SKIP: PyTorch is not installed"))
mk = importlib.import_module("mshadow_kernels")
if not hasattr(torch.library, "custom_op"):
    sys.exit(print("SKIP: PyTorch is older than 2.4"))
table = importlib.import_module("mshadow_kernels._operators").TABLE
F, ours, ops = torch.nn.functional, mk.torch, torch.ops.mshadow
HALVES = (torch.float16, torch.bfloat16)
FLOAT, HALF = [torch.float32], [torch.float32, *HALVES]
EVERY = [*HALF, torch.float64]
BOUNDS = {torch.float32: 2e-6, torch.float64: 1e-14, torch.float16: 4e-3, torch.bfloat16: 3e-2}
X = (3, 4, 6)  # a shape
HEADS = [(2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 7)]  # of queries, keys and values


def numbers(shape, dtype=torch.float32, seed=1):
    return torch.randn(shape, dtype=torch.float64, generator=torch.Generator().manual_seed(seed)).to(dtype)


def labels(*shape, classes=4):
    return torch.randint(classes, shape, generator=torch.Generator().manual_seed(1))


def rotated(x, cosine, sine):
    first, second = x.chunk(2, -1)
    return x * cosine + torch.cat([-second, first], -1) * sine


def l2_normalized(x, dim):
    return x / (x.square().sum(dim, keepdim=True) + 1e-10).sqrt()


def focal(x, y, alpha, gamma):
    p, losses = torch.sigmoid(x), F.binary_cross_entropy_with_logits(x, y, reduction="none")
    miss = torch.where(y == 1, 1 - p, p)
    return losses * miss ** gamma * torch.where(y == 1, alpha, 1 - alpha)


def grouped(q, k, v, mask=None, enable_gqa=True):
    k, v = (x.repeat_interleave(q.shape[-3] // x.shape[-3], -3) for x in (k, v))
    return F.scaled_dot_product_attention(q, k, v, mask)


def bias_reference(function):
    return lambda x, b: function(x + b.reshape(-1, *[1] * (2 if x.dim() == 4 else 0)))


# The function, PyTorch's if it is another one, the inputs (shapes, or tensors as they are), options,
# and the element types.
CASES = [
    ("relu", None, [X], {}, EVERY), ("leaky_relu", None, [X], {"negative_slope": 0.25}, EVERY),
    ("elu", None, [X], {"alpha": 0.5}, EVERY), ("silu", None, [X], {}, EVERY),
    ("gelu", None, [X], {}, EVERY), ("gelu", None, [()], {"approximate": "tanh"}, EVERY),
    ("softplus", None, [X], {"beta": 2.0}, EVERY), ("sigmoid", torch.sigmoid, [X], {}, EVERY),
    ("tanh", torch.tanh, [(1,) * 9 + (5,)], {}, EVERY),
    ("bias_relu", bias_reference(F.relu), [X, (6,)], {}, EVERY),
    ("bias_relu", bias_reference(F.relu), [(2, 3, 4, 5), (3,)], {}, EVERY),
    ("bias_sigmoid", bias_reference(torch.sigmoid), [X, (6,)], {}, EVERY),
    ("bias_tanh", bias_reference(torch.tanh), [X, (6,)], {}, EVERY),
    ("bias_gelu", bias_reference(F.gelu), [X, (6,)], {}, EVERY),
    ("bias_silu", bias_reference(F.silu), [X, (6,)], {}, EVERY),
    ("softmax", None, [X], {"dim": 1}, EVERY), ("softmax", None, [X], {"dim": -1}, EVERY),
    ("log_softmax", None, [X], {"dim": 0}, EVERY), ("log_softmax", None, [()], {"dim": 0}, EVERY),
    ("l2_normalize", l2_normalized, [X], {"dim": 1}, EVERY),
    ("layer_norm", None, [X, [4, 6], (4, 6), (4, 6)], {"eps": 1e-3}, HALF),
    ("layer_norm", None, [X, [6]], {}, HALF), ("rms_norm", None, [X, [6], (6,)], {}, HALF),
    ("rms_norm", None, [X, [4, 6]], {"eps": 1e-2}, HALF),
    ("instance_norm", None, [(2, 3, 4, 5), None, None, (3,), (3,)], {}, FLOAT),
    ("instance_norm", None, [X], {}, HALF),
    ("batch_norm", None, [(5, 3), None, None, (3,), (3,)], {"training": True}, FLOAT),
    ("batch_norm", None, [(2, 3, 4, 5), None, None, (3,), (3,)], {"training": True}, FLOAT),
    ("batch_norm", None, [X, None, None], {"training": True, "eps": 1e-3}, HALF),
    ("batch_norm", None, [(2, 3, 4, 5), numbers((3,)), numbers((3,)).abs(), (3,), (3,)], {}, FLOAT),
    ("batch_norm", None, [(5, 3), numbers((3,)), numbers((3,)).abs()], {"eps": 1e-3}, HALF),
    ("local_response_norm", None, [X], {"size": 3, "alpha": 0.5}, [torch.float32, torch.float64]),
    ("linear", None, [X, (5, 6), (5,)], {}, EVERY), ("linear", None, [(6,), (5, 6)], {}, EVERY),
    ("linear_relu", lambda *args: F.relu(F.linear(*args)), [X, (5, 6), (5,)], {}, EVERY),
    ("linear_gelu", lambda *args: F.gelu(F.linear(*args)), [X, (5, 6), (5,)], {}, EVERY),
    ("scaled_dot_product_attention", None, [(2, 3, 4, 6), (2, 3, 5, 6), (2, 3, 5, 7)], {}, EVERY),
    ("scaled_dot_product_attention", None, [(4, 6), (5, 6), (5, 7)], {"scale": 0.5}, EVERY),
    ("scaled_dot_product_attention", None, [*HEADS, (4, 5)], {}, EVERY),  # the last is the mask
    ("scaled_dot_product_attention", None, [*HEADS, (2, 3, 4, 5)], {"scale": 0.5}, EVERY),
    ("scaled_dot_product_attention", None, [*HEADS, (2, 1, 1, 5)], {}, EVERY),
    ("scaled_dot_product_attention", None, [*HEADS, (3, 1, 5)], {}, EVERY),
    ("scaled_dot_product_attention", None, HEADS, {"attn_mask": numbers((4, 5)) < 1}, EVERY),
    ("scaled_dot_product_attention", None, HEADS, {"attn_mask": numbers((2, 1, 4, 5)) < 1}, EVERY),
    ("scaled_dot_product_attention", None, HEADS, {"is_causal": True}, EVERY),
    ("scaled_dot_product_attention", None, [(5, 6), (4, 6), (4, 7)], {"is_causal": True}, EVERY),
    ("scaled_dot_product_attention", grouped, [(2, 6, 4, 6), *HEADS[1:]], {"enable_gqa": True}, EVERY),
    ("scaled_dot_product_attention", grouped, [(2, 6, 4, 6), *HEADS[1:], (2, 1, 4, 5)], {"enable_gqa": True}, EVERY),
    ("rotary_embedding", rotated, [X, numbers((4, 6)), numbers((4, 6), seed=2)], {}, FLOAT),
    ("huber_loss", None, [X, X], {"delta": 0.5}, EVERY),
    ("huber_loss", lambda x, y, weight, reduction: F.huber_loss(x, y, reduction) * weight, [X, X],
     {"weight": numbers(X, seed=3), "reduction": "none"}, FLOAT),
    ("smooth_l1_loss", None, [X, X], {"beta": 0.5, "reduction": "sum"}, EVERY),
    ("swiglu", lambda gate, up: F.silu(gate) * up, [X, X], {}, [torch.float32, torch.bfloat16]),
    ("geglu", lambda gate, up: F.gelu(gate) * up, [X, X], {}, FLOAT),
    ("binary_cross_entropy_with_logits",
     lambda x, y, pos_weight: F.binary_cross_entropy_with_logits(x, y, pos_weight=torch.tensor(pos_weight)),
     [X, torch.sigmoid(numbers(X, seed=4))], {"pos_weight": 2.5}, FLOAT),
    ("binary_cross_entropy_with_logits", None, [X, torch.sigmoid(numbers(X, seed=4))],
     {"weight": numbers(X, seed=3), "reduction": "sum"}, FLOAT),
    ("sigmoid_focal_loss", focal, [X, labels(*X, classes=2).float()], {"alpha": 0.5, "gamma": 1.5}, FLOAT),
    ("kl_div", None, [X, torch.softmax(numbers(X, seed=4), -1)], {"reduction": "batchmean"}, FLOAT),
    ("kl_div", None, [X, torch.log_softmax(numbers(X, seed=4), -1)],
     {"log_target": True, "reduction": "sum"}, FLOAT),
    ("multi_margin_loss", None, [(5, 4), labels(5)], {"margin": 0.5}, FLOAT),
]
for _reduction in ("none", "mean", "sum"):
    for _smoothing in (0.0, 0.125):
        for _weight in (None, torch.tensor([0.5, 2.0, 1.0, 0.25])):
            _options = {"reduction": _reduction, "label_smoothing": _smoothing, "weight": _weight}
            _types = HALF if _weight is None else FLOAT
            for _shape, _target in (((5, 4), labels(5)), ((3, 4, 2), labels(3, 2).masked_fill(labels(3, 2) == 2, -100)),
                                    ((5, 4), torch.softmax(numbers((5, 4)), 1))):
                CASES.append(("cross_entropy", None, [_shape, _target], _options, _types))
CASES.append(("cross_entropy", None, [(4,), torch.tensor(2)], {"ignore_index": 3}, HALF))


def arguments(inputs, dtype, change=lambda x: x):
    return [change(numbers(x, dtype, i)).detach().requires_grad_() if isinstance(x, tuple) else x
            for i, x in enumerate(inputs)]


def result(function, inputs, options):
    """The value and the gradients with respect to what requires one."""
    value = function(*inputs, **options)
    leaves = [x for x in inputs if isinstance(x, torch.Tensor) and x.requires_grad]
    return [value, *torch.autograd.grad(value, leaves, numbers(value.shape, value.dtype, 9))]


def transposed(x):
    return x.t().contiguous().t() if x.dim() == 2 else x.movedim(0, -1).contiguous().movedim(-1, 0)


class Case(unittest.TestCase):
    def assert_near(self, got, want, bound):
        for ours, theirs in zip(got, want, strict=True):
            self.assertEqual((ours.shape, ours.dtype), (theirs.shape, theirs.dtype))
            if ours.numel() > 0:
                scale = theirs.double().abs().max().clamp(min=1e-3)
                self.assertLessEqual((ours.double() - theirs.double()).abs().max(), bound * scale)


class FunctionTest(Case):
    def test_every_function_has_a_case(self):
        names = {name for name in ours.__all__ if not inspect.isclass(getattr(ours, name))}
        self.assertEqual(names - {"attention", "dropout"}, {case[0] for case in CASES})

    def test_values_and_gradients(self):
        for name, reference, inputs, options, types in CASES:
            for dtype in types:
                with self.subTest(name, inputs=inputs, dtype=dtype, **options):
                    got = result(getattr(ours, name), arguments(inputs, dtype), options)
                    # PyTorch in float32 is the reference for 16 bits, too, whose results it rounds.
                    wide = torch.float32 if dtype in HALVES else dtype
                    exact = [x.detach().to(wide).requires_grad_() if isinstance(x, torch.Tensor) and x.requires_grad
                             else x for x in arguments(inputs, dtype)]
                    want = result(reference or getattr(F, name), exact, options)
                    self.assert_near(got, [x.to(dtype) for x in want], BOUNDS[dtype])

    def test_another_option_is_beyond_the_bound(self):
        got = result(ours.elu, arguments([X], torch.float32), {"alpha": 0.5001})
        want = result(F.elu, arguments([X], torch.float32), {"alpha": 0.5})
        with self.assertRaises(AssertionError):
            self.assert_near(got, want, BOUNDS[torch.float32])

    def test_strides(self):
        for name, _, inputs, options, _ in CASES:
            with self.subTest(name, inputs=inputs, **options):
                plain = result(getattr(ours, name), arguments(inputs, torch.float32), options)
                other = arguments(inputs, torch.float32, transposed)
                for x, y in zip(plain, result(getattr(ours, name), other, options), strict=True):
                    self.assertTrue(torch.equal(x, y))

    def test_empty(self):
        empty = [("silu", [(0, 3)], {}), ("softmax", [(0, 3)], {"dim": 1}), ("softmax", [(3, 0)], {"dim": 1}),
                 ("layer_norm", [(0, 3), [3], (3,), (3,)], {}), ("rms_norm", [(0, 3), [3], (3,)], {}),
                 ("linear", [(0, 3), (2, 3), (2,)], {}), ("linear", [(2, 0), (3, 0), (3,)], {}),
                 ("huber_loss", [(0,), (0,)], {"reduction": "sum"}),
                 ("scaled_dot_product_attention", [(0, 2, 3), (0, 4, 3), (0, 4, 5)], {}),
                 ("scaled_dot_product_attention", [(0, 2, 3), (0, 4, 3), (0, 4, 5)], {"is_causal": True}),
                 ("scaled_dot_product_attention", [(2, 0, 3), (2, 4, 3), (2, 4, 5)], {"is_causal": True}),
                 ("cross_entropy", [(0, 3), labels(0)], {"reduction": "none"})]
        for name, inputs, options in empty:
            with self.subTest(name, inputs=inputs, **options):
                got, want = (result(getattr(f, name), arguments(inputs, torch.float32), options) for f in (ours, F))
                self.assert_near(got, want, BOUNDS[torch.float32])

    def test_queries_without_keys(self):
        """Their result is 0, and so are their gradients; other queries do not notice."""
        inputs = arguments([*HEADS, (4, 5)], torch.float32)
        with torch.no_grad():
            inputs[3][1] = -torch.inf
        out, q_grad, *grads = result(ours.scaled_dot_product_attention, inputs, {})
        self.assertEqual([out[..., 1, :].abs().sum(), q_grad[..., 1, :].abs().sum(), grads[2][1].abs().sum()], [0] * 3)
        mask = torch.ones(4, 5, dtype=torch.bool)
        mask[1] = False
        others = [0, 2, 3]
        self.assertEqual(ours.scaled_dot_product_attention(*inputs[:3], mask)[..., 1, :].abs().sum(), 0)
        rest = [inputs[0][..., others, :].detach().requires_grad_(), *inputs[1:3], inputs[3][others].detach().requires_grad_()]
        value = ours.scaled_dot_product_attention(*rest)
        self.assertTrue(torch.equal(value, out[..., others, :]))
        seed = numbers(out.shape, out.dtype, 9)[..., others, :]
        want = torch.autograd.grad(value, rest, seed)
        self.assert_near([q_grad[..., others, :], *grads[:2], grads[2][others]], want, BOUNDS[torch.float32])

    def test_norms_of_halves_with_weights_in_float(self):
        for name, count in (("layer_norm", 2), ("rms_norm", 1)):
            x, *weights = (numbers(shape, dtype).requires_grad_() for shape, dtype in
                           [(X, torch.bfloat16), *[((6,), torch.float32)] * count])
            got = result(getattr(ours, name), [x, [6], *weights], {"eps": 1e-3})
            wide = x.detach().float().requires_grad_()
            want = result(getattr(F, name), [wide, [6], *weights], {"eps": 1e-3})
            self.assert_near(got, [y.to(z.dtype) for y, z in zip(want, got)], BOUNDS[torch.bfloat16])
            exact = getattr(ours, name)(wide, [6], *weights, eps=1e-3)
            self.assertTrue(torch.equal(got[0], exact.bfloat16()))

    def test_in_place(self):
        for name in ("relu", "leaky_relu", "elu", "silu"):
            x = numbers(X)
            want = getattr(F, name)(x)
            self.assertIs(getattr(ours, name)(x, inplace=True), x)
            self.assert_near([x], [want], BOUNDS[torch.float32])
            got, want = (result(lambda x, f=f: getattr(f, name)(x * 2, inplace=True), arguments([X], torch.float32), {})
                         for f in (ours, F))
            self.assert_near(got, want, BOUNDS[torch.float32])

    def test_running_statistics(self):
        for shape in ((5, 3), (4, 3, 2, 2)):
            running = [[torch.zeros(3), torch.ones(3)] for _ in range(2)]
            for function, (mean, var) in zip((ours, F), running):
                function.batch_norm(numbers(shape), mean, var, training=True, momentum=0.25)
            self.assert_near(*running, BOUNDS[torch.float32])
            got, want = (function.batch_norm(numbers(shape), *running[0]) for function in (ours, F))
            self.assert_near([got], [want], BOUNDS[torch.float32])

    def test_dropout(self):
        compiled = torch.compile(ours.dropout, backend="aot_eager", fullgraph=True)
        for function in (ours.dropout, compiled):
            x = torch.ones(100, 100, requires_grad=True)
            torch.manual_seed(1)
            first = function(x, 0.25)
            self.assertEqual(first.unique().tolist(), [0, torch.tensor(1 / 0.75).item()])
            self.assertLess(abs((first != 0).double().mean() - 0.75), 0.02)
            self.assertTrue(torch.equal(torch.autograd.grad(first.sum(), x)[0], first))
            self.assertFalse(torch.equal(function(x, 0.25), first))
            torch.manual_seed(1)
            self.assertTrue(torch.equal(function(x, 0.25), first))
        out = torch.empty(3, 4)
        mk.RandomDropout(out.numpy(), torch.ones(3, 4).numpy(), 5, 7, 0.75)
        self.assertTrue(torch.equal(ops.dropout(torch.ones(3, 4), torch.tensor([5, 7]), 0.75), out))
        self.assertIs(ours.dropout(x, 0.5, training=False), x)
        self.assertEqual(ours.dropout(x, 1.0).abs().sum(), 0)
        self.assertIs(ours.dropout(out, 0.5, inplace=True), out)
        self.assertRaisesRegex(ValueError, "argument 'p'", ours.dropout, x, 1.5)

    def test_signatures(self):
        for name in filter(lambda name: inspect.isfunction(getattr(F, name, None)), ours.__all__):
            params, theirs = (inspect.signature(getattr(f, name)).parameters for f in (ours, F))
            for mine, other in zip(params.values(), theirs.values()):  # newer versions have more
                self.assertEqual((mine.name, mine.default), (other.name, other.default))

    def test_errors(self):
        x, grad = numbers(X), numbers(X).requires_grad_()
        for error, text, call in [
                (TypeError, "Silu: .*int64", lambda: ours.silu(labels(3))),
                (TypeError, "LayerNorm: .*float64", lambda: ours.layer_norm(x.double(), [6])),
                (TypeError, "Linear: .*float64", lambda: ours.linear(x, numbers((5, 6)).double())),
                (TypeError, "softmax: argument 'dim'", lambda: ours.softmax(x)),
                (ValueError, "layer_norm: argument 'normalized_shape'", lambda: ours.layer_norm(x, [5])),
                (ValueError, "Linear: argument 'weight'", lambda: ours.linear(x, numbers((5, 7)))),
                (ValueError, "gelu: argument 'approximate'", lambda: ours.gelu(x, "erf")),
                (ValueError, "elu: argument 'alpha'", lambda: ours.elu(x, -1.0)),
                (ValueError, "softplus: argument 'threshold'", lambda: ours.softplus(x, 1.0, 2.0)),
                (ValueError, "local_response_norm", lambda: ours.local_response_norm(x, 2)),
                (ValueError, "'reduction'", lambda: ours.huber_loss(x, x, "most")),
                (ValueError, "SparseSoftmaxCrossEntropy", lambda: ours.cross_entropy(numbers((2, 3)),
                                                                                     torch.tensor([0, 3]))),
                (ValueError, "cross_entropy: argument 'target'", lambda: ours.cross_entropy(numbers((3, 4)),
                                                                                            numbers((4, 3)))),
                (ValueError, "cross_entropy: argument 'target'", lambda: ours.cross_entropy(numbers((3, 4)),
                                                                                            labels(3, 1))),
                (ValueError, "attention: argument 'k': expected 2 matrices", lambda: ours.attention(
                    numbers((2, 3, 4)), numbers((3, 3, 4)), numbers((2, 3, 4)))),
                (NotImplementedError, "multi_margin_loss", lambda: ours.multi_margin_loss(
                    numbers((2, 3)), labels(2, classes=3), p=2)),
                (NotImplementedError, "dropout_p", lambda: ours.scaled_dot_product_attention(x, x, x, dropout_p=0.5)),
                (ValueError, "argument 'attn_mask': .*is_causal", lambda: ours.scaled_dot_product_attention(
                    x, x, x, numbers((4, 4)), is_causal=True)),
                (TypeError, "argument 'attn_mask': .*int64", lambda: ours.scaled_dot_product_attention(
                    x, x, x, labels(4, 4))),
                (RuntimeError, "expand", lambda: ours.scaled_dot_product_attention(x, x, x, numbers((4, 3)))),
                (ValueError, "argument 'k': expected 3 matrices, got 2", lambda: ours.attention(x, x[:2], x)),
                (NotImplementedError, "argument 'sine'", lambda: ours.rotary_embedding(x, x, grad).sum().backward()),
                (RuntimeError, "silu_backward", lambda: torch.autograd.grad(torch.autograd.grad(
                    ours.silu(grad).sum(), grad, create_graph=True)[0].sum(), grad))]:
            with self.subTest(text), self.assertRaisesRegex(error, text):
                call()


def operator_arguments(name, dtype):
    """Arguments of an operator, in the shapes of its rule."""
    def t(*shape):
        return numbers(shape, dtype, len(shape)).requires_grad_()

    floats = [numbers((3,), seed=i).abs() for i in range(2)]
    special = {
        "leaky_relu": (t(2, 3), 0.25), "elu": (t(2, 3), 0.5), "softplus": (t(2, 3), 2.0),
        "bias_relu_2d": (t(2, 3, 2, 2), t(3)), "layer_norm": (t(2, 3), t(3), t(3), 1e-3),
        "rms_norm": (t(2, 3), t(3), 1e-3), "l2_normalize": (t(2, 3), 1e-3),
        "instance_norm": (t(3, 4), t(3), t(3), 1e-3), "batch_norm": (*floats, t(4, 3), t(3), t(3), 0.5, 1e-3),
        "batch_norm_2d": (*floats, t(2, 3, 2, 2), t(3), t(3), 0.5, 1e-3),
        "batch_norm_inference": (t(2, 3), *floats, t(3), t(3), 1e-3),
        "batch_norm_2d_inference": (t(2, 3, 2, 2), *floats, t(3), t(3), 1e-3),
        "local_response_norm": (t(2, 3, 2, 2), 3, 0.5, 0.75, 1.0), "attention": (t(2, 3, 4), t(2, 5, 4), t(2, 5, 3), 0.5),
        "biased_attention": (t(4, 3, 4), t(2, 5, 4), t(2, 5, 3), t(1, 3, 5), 0.5),
        "causal_attention": (t(4, 3, 4), t(2, 5, 4), t(2, 5, 3), 0.5),
        "rotary_embedding": (t(2, 4), numbers((2, 4)), numbers((2, 4))), "huber": (t(2, 3), t(6).reshape(2, 3), 0.5),
        "softmax_cross_entropy": (t(2, 3), torch.softmax(t(2, 3).detach(), 1)),
        "sparse_softmax_cross_entropy": (t(2, 3), labels(2, classes=3)),
        "multi_margin_loss": (t(2, 3), labels(2, classes=3), 0.5), "swiglu": (t(2, 3), t(6).reshape(2, 3)),
        "geglu": (t(2, 3), t(6).reshape(2, 3)), "kl_div": (t(2, 3), torch.softmax(t(2, 3).detach(), 1)),
        "binary_cross_entropy_with_logits": (t(2, 3), torch.softmax(t(2, 3).detach(), 1), 2.5),
        "sigmoid_focal_loss": (t(2, 3), labels(2, 3, classes=2).to(dtype), 0.5, 1.5),
        "dropout": (t(2, 3), torch.tensor([5, 7]), 0.75),
        **{f"linear{what}": (t(2, 3), t(4, 3), t(4)) for what in ("", "_relu", "_gelu")},
        **{f"bias_{what}": (t(2, 3), t(3)) for what in ("relu", "sigmoid", "tanh", "gelu", "gelu_tanh", "silu")}}
    return special.get(name, (t(2, 3),))


# Rules that have no double, and so no check of their gradients by differences: test_values_and_gradients does it.
WITHOUT_DOUBLE = {"layer_norm", "rms_norm", "instance_norm", "batch_norm", "batch_norm_2d", "batch_norm_inference",
                  "batch_norm_2d_inference", "rotary_embedding", "softmax_cross_entropy",
                  "sparse_softmax_cross_entropy", "multi_margin_loss", "swiglu", "geglu", "kl_div",
                  "binary_cross_entropy_with_logits", "sigmoid_focal_loss"}


class GraphCase(Case):
    def setUp(self):
        context = warnings.catch_warnings()
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)
        warnings.simplefilter("ignore")  # what PyTorch's compilers and checks warn of


class OperatorTest(GraphCase):
    def test_results_are_those_of_the_rules(self):
        for row in table:
            args = [x.detach() if isinstance(x, torch.Tensor) else x
                    for x in operator_arguments(row.name, torch.float32)]
            got = getattr(ops, row.name)(*args)
            if isinstance(got, torch.Tensor) and not row.is_batched and not row.drawn:
                want = torch.empty_like(got)
                getattr(mk, row.forward)(*(x.numpy() if isinstance(x, torch.Tensor) else x for x in (want, *args)))
                with self.subTest(row.name):
                    self.assertTrue(torch.equal(got, want))

    def test_opcheck(self):
        for row in table:
            with self.subTest(row.name):
                torch.library.opcheck(getattr(ops, row.name).default, operator_arguments(row.name, torch.float32))

    def test_gradcheck(self):
        for row in table:
            operator, args = getattr(ops, row.name), operator_arguments(row.name, torch.float64)
            with self.subTest(row.name):
                if row.name in WITHOUT_DOUBLE:
                    self.assertRaises(TypeError, operator, *args)
                else:
                    torch.autograd.gradcheck(operator, args, check_undefined_grad=False)


class Module(torch.nn.Module):
    """A function as a module, with the tensors of its options as buffers."""

    def __init__(self, function, options):
        super().__init__()
        self.function = function
        self.numbers = {name: x for name, x in options.items() if not isinstance(x, torch.Tensor)}
        self.tensors = [name for name in options if name not in self.numbers]
        for name in self.tensors:
            self.register_buffer(name, options[name])

    def forward(self, *args):
        return self.function(*args, **self.numbers, **{name: getattr(self, name) for name in self.tensors})


class GraphTest(GraphCase):
    def test_compiled(self):
        for name, _, inputs, options, _ in CASES:
            if name == "cross_entropy" and options.get("reduction") != "mean":
                continue
            with self.subTest(name, inputs=inputs, **options):
                torch._dynamo.reset()
                function = getattr(ours, name)
                compiled = torch.compile(function, backend="aot_eager", fullgraph=True)
                want = result(function, arguments(inputs, torch.float32), options)
                got = result(compiled, arguments(inputs, torch.float32), options)
                for x, y in zip(got, want, strict=True):
                    self.assertTrue(torch.equal(x, y))

    def test_exported(self):
        for name, _, inputs, options, _ in CASES:
            if name == "cross_entropy" and options.get("reduction") != "mean":
                continue

            args = tuple(x.detach() if isinstance(x, torch.Tensor) else x for x in arguments(inputs, torch.float32))
            with self.subTest(name, inputs=inputs, **options):
                module = Module(getattr(ours, name), options)
                program = torch.export.export(module, args)
                self.assertTrue(torch.equal(program.module()(*args), module(*args)))
                self.assertIn("mshadow", str(program.graph))

    def test_shapes_that_change(self):
        compiled = torch.compile(lambda x: ours.silu(ours.layer_norm(x, [6])), backend="aot_eager", fullgraph=True,
                                 dynamic=True)
        for rows in (2, 3, 7):
            x = numbers((rows, 6))
            self.assertTrue(torch.equal(compiled(x), ours.silu(ours.layer_norm(x, [6]))))


if __name__ == "__main__":
    unittest.main()
