#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""mshadow_kernels.torch against torch.optim: weights and states after 100 steps, checkpoints both
ways, and what a step does besides."""
import copy
import importlib
import inspect
import io
import sys
import unittest
import warnings
from unittest import mock

try:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what importing it warns of is no error of ours
        torch = importlib.import_module("torch")
except ImportError:
    sys.exit(print("SKIP: PyTorch is not installed"))
mk = importlib.import_module("mshadow_kernels")

STEPS = 100
# The greatest difference, of the longest way that a weight goes. The reference for bfloat16 is
# PyTorch's float32, with weights that are rounded after each step; a bfloat16 has eight bits.
BOUNDS = {torch.float32: 1e-5, torch.float64: 1e-13, torch.bfloat16: 0.02}
ALL, NONE = set(BOUNDS), set()
NO_DOUBLE = {torch.float32, torch.bfloat16}
DECAY = {"weight_decay": 0.125}
# The optimizer, its options, and the types that a kernel serves with them.
EVERY_ROW = [
    ("AdamW", {}, ALL), ("AdamW", {"lr": 0.01, "betas": (0.875, 0.99), "eps": 1e-4, **DECAY}, ALL),
    ("AdamW", {"maximize": True, **DECAY}, ALL), ("AdamW", {"amsgrad": True}, ALL),
    ("Adam", {}, ALL), ("Adam", {"amsgrad": True, "maximize": True, **DECAY}, ALL),
    ("SGD", {}, ALL), ("SGD", {"lr": 0.1, "maximize": True, **DECAY}, ALL),
    ("SGD", {"momentum": 0.875, "dampening": 0.25, **DECAY}, ALL),
    ("SGD", {"momentum": 0.875, "nesterov": True, "maximize": True}, ALL),
    ("Adagrad", {"lr_decay": 0.01, "initial_accumulator_value": 0.1, **DECAY}, ALL),
    ("ASGD", {}, ALL), ("ASGD", {"lr": 0.1, "lambd": 0.01, "t0": 20, "maximize": True, **DECAY}, ALL),
    ("RMSprop", DECAY, ALL), ("RMSprop", {"momentum": 0.5, "maximize": True}, ALL),
    ("RMSprop", {"centered": True}, ALL), ("RMSprop", {"centered": True, "momentum": 0.5, **DECAY}, ALL),
    ("Adamax", {"maximize": True, **DECAY}, ALL),
    ("NAdam", {"momentum_decay": 0.01, **DECAY}, NO_DOUBLE),
    ("NAdam", {"decoupled_weight_decay": True, "maximize": True, **DECAY}, NO_DOUBLE),
    ("RAdam", DECAY, ALL), ("RAdam", {"decoupled_weight_decay": True, "maximize": True, **DECAY}, ALL),
    ("Rprop", {}, ALL), ("Adadelta", {"lr": 0.5}, ALL), ("Adadelta", DECAY, NONE),
    ("Adafactor", {}, ALL),
    ("Adafactor", {"lr": 0.1, "beta2_decay": -0.5, "eps": (1e-4, 1e-2), "d": 1.5, "maximize": True, **DECAY}, ALL),
    ("Muon", {"lr": 0.02}, ALL),
    ("Muon", {"lr": 0.02, "nesterov": False, "adjust_lr_fn": "match_rms_adamw", "ns_steps": 3}, ALL),
]
ROWS = [row for row in EVERY_ROW if hasattr(torch.optim, row[0])]
SHAPES = [(5, 7), (16,), (3, 4, 5), (), (0, 3)]
SHAPES_OF = {"Adafactor": [(5, 7), (16,), (), (7, 3)], "Muon": [(5, 7), (7, 3), (4, 4)]}


def bound(name, dtype):
    """NAdam subtracts from 1 a product that it keeps in float32, as PyTorch does. PyTorch computes the
    Newton-Schulz steps of Muon in bfloat16, beside what it rounds in any type."""
    more = BOUNDS[torch.bfloat16] if name == "Muon" else 0
    return BOUNDS[dtype] * (5 if name == "NAdam" else 1) + more


def classes(name):
    return getattr(mk.torch, name), getattr(torch.optim, name)


def numbers(*shape):
    return torch.randn(shape, generator=torch.Generator().manual_seed(1))


def shapes_of(name):
    return SHAPES_OF.get(name, SHAPES)


def parameters(dtype=torch.float32, shapes=SHAPES):
    torch.manual_seed(1)
    return [torch.nn.Parameter(torch.randn(shape, dtype=dtype)) for shape in shapes]


def train(optimizer, weights, steps, seed=2, dtype=None):
    """Gradients with a direction and noise, in new memory at each step. Gradients, and weights after
    a step, are rounded to `dtype`."""
    random = torch.Generator().manual_seed(seed)
    for _ in range(steps):
        for weight in weights:
            kind = dtype or weight.dtype
            grad = torch.randn(weight.shape, dtype=kind, generator=random) + 0.25
            weight.grad = grad.to(weight.dtype)
        optimizer.step()
        for weight in weights if dtype else ():
            weight.data = weight.data.to(dtype).to(weight.dtype)


def by_torch(kind):
    """How often the step of torch.optim updates something."""
    return mock.patch.object(kind, "_update_by_torch", autospec=True, side_effect=kind._update_by_torch)


class Case(unittest.TestCase):
    def assert_near(self, got, want, start, bound):
        for ours, theirs, begin in zip(got, want, start):
            if ours.numel() > 0:
                way = (theirs.double() - begin.double()).abs().max()
                self.assertLessEqual((ours.double() - theirs.double()).abs().max(), bound * way)


class SameAsTorchTest(Case):
    def check(self, name, options, served, dtype):
        ours, theirs = classes(name)
        start, left, right = (parameters(dtype, shapes_of(name)) for _ in range(3))
        if dtype is torch.bfloat16:
            right = [torch.nn.Parameter(weight.detach().float()) for weight in right]
        mine, reference = ours(left, **options), theirs(right, **options)
        with by_torch(ours) as other:
            train(mine, left, STEPS)
        train(reference, right, STEPS, dtype=dtype)
        self.assertEqual(other.call_count, 0 if served else STEPS)
        self.assert_near(left, right, start, bound(name, dtype) if served else 10 * BOUNDS[dtype])
        got, want = mine.state_dict(), reference.state_dict()
        self.assertEqual(got["param_groups"], want["param_groups"])
        self.assertEqual({k: set(v) for k, v in got["state"].items()}, {k: set(v) for k, v in want["state"].items()})
        for number, state in want["state"].items():
            for key, value in state.items():
                self.assertEqual(got["state"][number][key].shape, value.shape)
                if key in ("step", "eta", "mu"):
                    self.assertEqual(got["state"][number][key], value)

    def test_rows(self):
        for name, options, served in ROWS:
            for dtype in BOUNDS:
                with self.subTest(optimizer=name, dtype=dtype, **options):
                    self.check(name, options, dtype in served, dtype)

    def test_another_decay_rate_is_beyond_the_bound(self):
        start, left, right = (parameters() for _ in range(3))
        train(mk.torch.Adam(left, betas=(0.9 * 1.001, 0.999)), left, STEPS)
        train(torch.optim.Adam(right), right, STEPS)
        with self.assertRaises(AssertionError):
            self.assert_near(left, right, start, BOUNDS[torch.float32])

    def test_constructors(self):
        for name in (name for name in mk.torch.__all__ if inspect.isclass(getattr(mk.torch, name))):
            ours, theirs = classes(name)
            self.assertEqual(inspect.signature(ours), inspect.signature(theirs))
            self.assertTrue(issubclass(ours, theirs))
            weights = parameters(shapes=shapes_of(name))
            self.assertEqual(ours(weights).defaults, theirs(weights).defaults)
            self.assertRaises(ValueError, ours, weights, lr=-1)


class CheckpointTest(Case):
    def test_both_ways(self):
        for name, options, _ in ROWS:
            for first, second in [classes(name), classes(name)[::-1], classes(name)[:1] * 2]:
                with self.subTest(optimizer=name, first=first.__module__, second=second.__module__, **options):
                    start, left, right = (parameters(shapes=shapes_of(name)) for _ in range(3))
                    half = first(left, **options)
                    train(half, left, 20)
                    file = io.BytesIO()
                    torch.save(half.state_dict(), file)
                    file.seek(0)
                    rest = second(left, lr=7.0)
                    rest.load_state_dict(torch.load(file))
                    train(rest, left, 20, seed=3)
                    reference = classes(name)[1](right, **options)
                    train(reference, right, 20)
                    train(reference, right, 20, seed=3)
                    self.assert_near(left, right, start, bound(name, torch.float32))

    def test_states_of_halves_stay_floats(self):
        for name in sorted({"AdamW", "Adafactor", "Muon"} & set(mk.torch.__all__)):
            kind, weights = classes(name)[0], parameters(torch.bfloat16, shapes_of(name))
            optimizer = kind(weights)
            train(optimizer, weights, 3)
            other = kind(weights)
            other.load_state_dict(copy.deepcopy(optimizer.state_dict()))
            for weight in weights:
                for key in set(optimizer.state[weight]) - {"step"}:
                    got, want = other.state[weight][key], optimizer.state[weight][key]
                    with self.subTest(optimizer=name, state=key):
                        self.assertTrue(got.dtype is torch.float32 and torch.equal(got, want))
                        self.assertNotEqual(got.data_ptr(), want.data_ptr() or None)

    def test_copies_and_pickles(self):
        weights = parameters()
        optimizer = mk.torch.Adam(weights)
        train(optimizer, weights, 3)
        both, pair = copy.deepcopy((weights, optimizer)), (weights, optimizer)
        for tensors, each in (both, pair):
            train(each, tensors, 3, seed=3)
        for a, b in zip(both[0], weights):
            self.assertTrue(torch.equal(a, b))


class StepTest(Case):
    def test_groups_closures_and_schedules(self):
        results = []
        for kind in classes("SGD"):
            weights = parameters()
            optimizer = kind([{"params": weights[:2], "lr": 0.1}, {"params": weights[2:], "momentum": 0.5}], lr=0.01)
            schedule = torch.optim.lr_scheduler.StepLR(optimizer, 3, 0.5)
            for _ in range(8):
                def closure():
                    optimizer.zero_grad()
                    loss = sum((w * w).sum() for w in weights)
                    loss.backward()
                    return loss
                self.assertGreater(float(optimizer.step(closure).detach()), 0)
                schedule.step()
            results.append(weights)
        self.assert_near(*results, parameters(), BOUNDS[torch.float32])

    def test_asgd_takes_the_rate_of_the_step_before(self):
        results = []
        for kind in classes("ASGD"):
            weights = parameters()
            optimizer = kind(weights, lr=0.1)
            schedule = torch.optim.lr_scheduler.ExponentialLR(optimizer, 0.5)
            for step in range(4):
                train(optimizer, weights, 1, seed=step)
                schedule.step()
            results.append(weights)
        self.assert_near(*results, parameters(), BOUNDS[torch.float32])

    @unittest.skipUnless(hasattr(torch.optim, "Adafactor"), "PyTorch is older than 2.5")
    def test_adafactor_of_several_matrices(self):
        shapes, results = [(2, 3, 4), (3, 4)], []
        for kind in classes("Adafactor"):
            weights = parameters(shapes=shapes)
            train(kind(weights), weights, 5)
            results.append(weights)
        self.assertTrue(torch.equal(results[0][0], results[1][0]))  # by PyTorch's own code
        self.assert_near(*results, parameters(shapes=shapes), BOUNDS[torch.float32])

    @unittest.skipUnless(hasattr(torch.optim, "Muon"), "PyTorch is older than 2.9")
    def test_muon_of_a_gradient_of_low_rank(self):
        """The polynomial of the singular values, in double. PyTorch's bfloat16 is far from it."""
        a, b, c = 3.4445, -4.775, 2.0315
        weight = torch.nn.Parameter(torch.zeros(64, 48))
        weight.grad = numbers(64, 8) @ numbers(8, 48)
        mk.torch.Muon([weight], lr=1.0, weight_decay=0.0).step()
        left, values, right = torch.linalg.svd(weight.grad.double(), full_matrices=False)
        values = values / values.norm()
        for _ in range(5):
            values = a * values + b * values**3 + c * values**5
        want = -((left * values) @ right) * (64 / 48)**0.5
        self.assertLessEqual((weight.double() - want).norm(), 1e-4 * want.norm())

    @unittest.skipUnless(hasattr(torch.optim, "Muon"), "PyTorch is older than 2.9")
    def test_muon_leaves_to_torch_what_no_rule_has(self):
        options = {"adjust_lr_fn": "spectral_unclamped"}
        try:
            torch.optim.Muon(parameters(shapes=[(3, 4)]), **options)
        except ValueError:
            self.skipTest(f"this PyTorch has no {options}")
        results = []
        for kind in classes("Muon"):
            weights = parameters(shapes=[(3, 4)])
            train(kind(weights, **options), weights, 5)
            results.append(weights)
            self.assertRaises(ValueError, train, kind(weights, ns_steps=100), weights, 1)
        self.assertTrue(torch.equal(results[0][0], results[1][0]))

    def test_hooks_run_once(self):
        weights = [torch.nn.Parameter(torch.ones(3)), torch.nn.Parameter(torch.ones(4, 4).t())]
        torch.optim.AdamW(parameters())  # from now on its step has hooks, too
        optimizer, seen = mk.torch.AdamW(weights), []
        optimizer.register_step_pre_hook(lambda *args: seen.append("before"))
        optimizer.register_step_post_hook(lambda *args: seen.append("after"))
        for weight in weights:
            weight.grad = torch.ones_like(weight)
        optimizer.step()
        self.assertEqual(seen, ["before", "after"])

    def test_what_a_kernel_does_not_take(self):
        def weights():
            torch.manual_seed(3)
            return [torch.nn.Parameter(torch.randn(4, 3)), torch.nn.Parameter(torch.randn(3, 4).t()),
                    torch.nn.Parameter(torch.randn(2, dtype=torch.complex64)), torch.nn.Parameter(torch.ones(5))]
        results = []
        for kind in classes("Adam"):
            tensors = weights()
            optimizer = kind(tensors)
            for _ in range(5):
                for weight in tensors[:-1]:  # the last has no gradient
                    weight.grad = torch.ones_like(weight)
                optimizer.step()
            results.append(tensors)
        self.assertTrue(torch.equal(results[0][-1], torch.ones(5)))
        real = [[torch.view_as_real(w.detach()) if w.is_complex() else w for w in ts] for ts in (*results, weights())]
        self.assert_near(*(ts[:-1] for ts in real), BOUNDS[torch.float32])

    def test_sparse_gradients_and_tensor_rates(self):
        results = []
        for kind in classes("SGD"):
            weight = torch.nn.Parameter(torch.ones(4, 2))
            optimizer = kind([weight], lr=torch.tensor(0.5))
            weight.grad = torch.sparse_coo_tensor([[1]], [[1.0, 2.0]], (4, 2), check_invariants=True)
            optimizer.step()
            weight.grad = torch.ones(4, 2)
            optimizer.step()
            results.append(weight.tolist())
        self.assertEqual(*results)

    def test_memory_that_changes(self):
        for change in ("data", "grad kept", "no grad now and then"):
            results = []
            for kind in classes("AdamW"):
                weights = parameters(shapes=[(6,), (2, 3)])
                optimizer, grads = kind(weights), [torch.ones(6), torch.ones(2, 3)]
                for step in range(12):
                    for i, (weight, grad) in enumerate(zip(weights, grads)):
                        if change == "data" and step % 3 == 0:
                            weight.data = weight.data.clone()
                        weight.grad = grad if change == "grad kept" else grad.clone() * step
                        if change.startswith("no") and (step + i) % 3 == 0:
                            weight.grad = None
                    optimizer.step()
                results.append(weights)
            with self.subTest(change):
                self.assert_near(*results, parameters(shapes=[(6,), (2, 3)]), BOUNDS[torch.float32])

    def test_list_calls_of_a_group(self):
        """One; Adafactor runs three rules for matrices, and one for vectors; Muon seven, for wide
        matrices and for tall ones."""
        run = mk.List.run
        for name, count in (("AdamW", 1), ("Adafactor", 4), ("Muon", 14)):
            if name not in mk.torch.__all__:
                continue
            weights = parameters(shapes=[(5, 7), (7, 3), (4, 4)] if name == "Muon" else [(5, 7), (16,), (7, 3)])
            optimizer = classes(name)[0](weights)
            train(optimizer, weights, 1)
            with mock.patch.object(mk.List, "run", autospec=True, side_effect=run) as calls:
                train(optimizer, weights, 3)
            with self.subTest(name):
                self.assertEqual(calls.call_count, 3 * count)

    def test_backward_sees_a_step(self):
        weight = torch.nn.Parameter(torch.ones(3))
        optimizer = mk.torch.SGD([weight])
        loss = (weight * weight).sum()
        weight.grad = torch.ones(3)
        optimizer.step()
        with self.assertRaisesRegex(RuntimeError, "modified by an inplace operation"):
            loss.backward()

    def test_wrong_gradients_write_nothing(self):
        for name, options in (("AdamW", {}), ("AdamW", {"amsgrad": True}), ("Adafactor", {})):
            for before in (0, 2):  # steps
                if name not in mk.torch.__all__:
                    continue
                memory = torch.ones(4)
                weight = torch.nn.Parameter(memory[:3])
                optimizer = classes(name)[0]([weight], **options)
                train(optimizer, [weight], before)
                kept = copy.deepcopy((weight.tolist(), optimizer.state[weight]))
                weight.grad = memory[1:]
                with self.subTest(name, steps=before, **options):
                    with self.assertRaisesRegex(ValueError, "argument '(weight|grad)': .*overlap"):
                        optimizer.step()
                    self.assertEqual(weight.tolist(), kept[0])
                    for key, state in kept[1].items():
                        self.assertTrue(torch.equal(optimizer.state[weight][key], state))

    def test_scaled_gradients(self):
        for name in ("AdamW", "SGD"):
            results = []
            for kind in classes(name):
                weight = torch.nn.Parameter(torch.ones(4))
                optimizer = kind([weight], fused=True)
                scaler = torch.amp.GradScaler("cpu", init_scale=8.0)
                scaler.scale((weight * weight).sum()).backward()
                scaler.step(optimizer)
                scaler.update()
                results.append(weight.tolist())
            self.assertEqual([round(x, 5) for x in results[0]], [round(x, 5) for x in results[1]])


if __name__ == "__main__":
    unittest.main()
