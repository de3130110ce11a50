#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Steps of mshadow_kernels.torch that repeat the last one: when they do, and that they have the bits
of steps that are made anew."""
import copy
import importlib
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
if not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
    sys.exit(print("SKIP: this PyTorch has no functions of DLPack 1.2"))
mk = importlib.import_module("mshadow_kernels")
fused = importlib.import_module("mshadow_kernels._fused")

ROWS = [
    ("AdamW", {}), ("AdamW", {"amsgrad": True, "weight_decay": 0.1}), ("Adam", {}), ("SGD", {}),
    ("SGD", {"momentum": 0.875, "dampening": 0.25}), ("SGD", {"momentum": 0.5, "nesterov": True}), ("Adagrad", {}),
    ("RMSprop", {"centered": True, "momentum": 0.5}), ("Adamax", {}), ("NAdam", {}), ("RAdam", {}), ("Rprop", {}),
    ("Adadelta", {}), ("Adafactor", {}), ("Muon", {}),
]
ROWS = [row for row in ROWS if hasattr(torch.optim, row[0])]
SHAPES = {"Adafactor": [(5, 7), (6, 3)], "Muon": [(5, 7), (3, 4)]}


def parameters(name="AdamW", dtype=torch.float32):
    random = torch.Generator().manual_seed(1)
    shapes = SHAPES.get(name, [(5, 7), (16,), (3, 4, 5), (), (0, 3)])
    return [torch.nn.Parameter(torch.randn(shape, generator=random, dtype=dtype)) for shape in shapes]


def set_grads(weights, seed):
    random = torch.Generator().manual_seed(seed)
    for weight in weights:
        grad = torch.randn(weight.shape, generator=random).to(weight.dtype)
        if seed % 3 == 0 and weight.grad is not None and weight.grad.shape == grad.shape:
            weight.grad.copy_(grad)  # in the memory of the last one
        else:
            weight.grad = grad


def anew(kind):
    """Counts the groups that are updated anew."""
    return mock.patch.object(kind, "_update_group", autospec=True, side_effect=kind._update_group)


class SameBitsTest(unittest.TestCase):
    def check(self, name, options, dtype):
        kind = getattr(mk.torch, name)
        left, right = parameters(name, dtype), parameters(name, dtype)
        mine, reference = kind(left, **options), kind(right, **options)
        for optimizer, weights, repeats in (mine, left, True), (reference, right, False):
            with anew(kind) as updates:
                for seed in range(9):
                    set_grads(weights, seed)
                    optimizer.param_groups[0]["lr"] = 0.01 / (1 + seed)
                    if not repeats:
                        optimizer.__dict__.pop("_last_steps", None)
                    optimizer.step()
            self.assertLessEqual(updates.call_count, 2) if repeats else self.assertEqual(updates.call_count, 9)
        for weight, want in zip(left, right):
            self.assertTrue(torch.equal(weight, want))
            self.assertEqual(weight._version, want._version)
            for key, value in reference.state.get(want, {}).items():
                self.assertTrue(torch.equal(mine.state[weight][key], value), key)

    def test_rows(self):
        for name, options in ROWS:
            for dtype in (torch.float32, torch.bfloat16, torch.float64):
                if name == "NAdam" and dtype is torch.float64:
                    continue  # PyTorch's own code updates such weights
                with self.subTest(optimizer=name, dtype=dtype, **options):
                    self.check(name, options, dtype)

    def test_groups(self):
        results = []
        for repeats in (True, False):
            weights = parameters()
            optimizer = mk.torch.AdamW([{"params": weights[:2], "lr": 0.1}, {"params": weights[2:]}])
            with anew(mk.torch.AdamW) as updates:
                for seed in range(6):
                    set_grads(weights, seed)
                    if not repeats:
                        optimizer.__dict__.pop("_last_steps", None)
                    optimizer.step()
            self.assertEqual(updates.call_count, 2 if repeats else 12)
            results.append(weights)
        for weight, want in zip(*results):
            self.assertTrue(torch.equal(weight, want))

    def test_asgd_is_made_anew(self):
        """Its scalars depend on numbers of the state."""
        weights = parameters()
        optimizer = mk.torch.ASGD(weights)
        with anew(mk.torch.ASGD) as updates:
            for seed in range(3):
                set_grads(weights, seed)
                optimizer.step()
        self.assertEqual(updates.call_count, 3)


class ChangeTest(unittest.TestCase):
    """A change of anything else than the gradients and the scalars makes the step anew."""

    def check(self, change, restored=lambda optimizer, weights: None):
        """`change` is made before the fourth step of one optimizer that repeats steps and of another
        one that does not."""
        results = []
        for repeats in (True, False):
            weights = parameters()
            optimizer = mk.torch.AdamW(weights, lr=0.125)
            for seed in range(6):
                set_grads(weights, seed)
                if seed == 3:
                    change(optimizer, weights)
                if not repeats:
                    optimizer.__dict__.pop("_last_steps", None)
                with anew(mk.torch.AdamW) as updates:
                    optimizer.step()
                if repeats and seed in (2, 3):
                    self.assertEqual(updates.call_count, seed == 3, f"step {seed}")
                restored(optimizer, weights)
            results.append(weights)
        for weight, want in zip(*results):
            self.assertTrue(torch.equal(weight, want))

    def test_weights(self):
        def moved(_, weights):
            weights[0].data = weights[0].data.clone()
        self.check(moved)

        def of_another_shape(_, weights):
            weights[0].data = weights[0].data.view(7, 5)
            weights[0].grad = weights[0].grad.view(7, 5)
        with self.assertRaises(RuntimeError):  # the states have the old shape
            self.check(of_another_shape)

    def test_gradients(self):
        def missing(_, weights):
            weights[2].grad = None
        self.check(missing)

        def transposed(_, weights):
            weights[0].grad = torch.ones(7, 5).t()
        self.check(transposed)

        def negative(_, weights):
            weights[1].grad = torch.ones(16, dtype=torch.complex64).conj().imag
        self.check(negative)

        def sparse(_, weights):
            weights[0].grad = torch.ones(5, 7).to_sparse()
        with self.assertRaisesRegex(RuntimeError, "sparse"):
            self.check(sparse)

    def test_states(self):
        def moved(optimizer, weights):
            optimizer.state[weights[1]]["exp_avg"] = optimizer.state[weights[1]]["exp_avg"] * 2
        self.check(moved)

        def of_another_step(optimizer, weights):
            optimizer.state[weights[1]]["step"] += 7
        self.check(of_another_step)

        def cleared(optimizer, _):
            optimizer.state.clear()
        self.check(cleared)

        def loaded(optimizer, _):
            optimizer.load_state_dict(copy.deepcopy(optimizer.state_dict()))
        self.check(loaded)

    def test_groups(self):
        def reversed_(optimizer, _):
            optimizer.param_groups[0]["params"].reverse()
        self.check(reversed_)

        def shorter(optimizer, _):
            optimizer.param_groups[0]["params"].pop()
        self.check(shorter)

        def maximized(optimizer, _):
            optimizer.param_groups[0]["maximize"] = True
        self.check(maximized)

    def test_scalars_are_no_change(self):
        with self.assertRaisesRegex(AssertionError, "step 3"):
            self.check(lambda optimizer, _: optimizer.param_groups[0].update(lr=0.5, betas=(0.5, 0.75)))


class ErrorTest(unittest.TestCase):
    def test_a_step_after_one_that_failed(self):
        weights, other = parameters(), parameters()
        optimizer, reference = mk.torch.AdamW(weights), mk.torch.AdamW(other)
        for seed in range(6):
            for tensors, each in (weights, optimizer), (other, reference):
                set_grads(tensors, seed)
                if each is optimizer and seed == 3:
                    with mock.patch.object(fused.Batch, "go", side_effect=KeyboardInterrupt), \
                            self.assertRaises(KeyboardInterrupt):
                        each.step()
                each.step()
        for weight, want in zip(weights, other):
            self.assertTrue(torch.equal(weight, want))

    def test_a_gradient_that_a_rule_refuses(self):
        """It shares memory with the weight, one element further."""
        memory = torch.ones(36)
        weights = [torch.nn.Parameter(memory[:35].view(5, 7)), *parameters()]
        optimizer = mk.torch.AdamW(weights)
        for seed in range(3):
            set_grads(weights, seed)
            optimizer.step()
        before = [weight.detach().clone() for weight in weights]
        weights[0].grad = memory[1:].view(5, 7)
        with self.assertRaisesRegex(ValueError, "AdamW: .*overlap"):
            optimizer.step()
        for weight, want in zip(weights, before):
            self.assertTrue(torch.equal(weight, want))
        set_grads(weights, 4)
        optimizer.step()
        self.assertFalse(torch.equal(weights[0], before[0]))


if __name__ == "__main__":
    unittest.main()
