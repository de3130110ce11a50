#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The shipped optimizers against those of public libraries, over 100 steps, where these are installed.

A library computes in double, with the hyper-parameters and gradients of ours, which float holds
exactly. So what differs is the rounding of our float, or of our double where a rule has that.
usage: test_library_optimizers.py [--print | --find]
  --print  the greatest difference of each row, instead of the tests
  --find   whether a library is installed, as exit status 0, and no more
"""
import importlib
import importlib.util
import os
import sys
import unittest
from typing import Callable, NamedTuple

PACKAGES = ("torch", "optax", "pytorch_optimizer", "schedulefree", "prodigyopt")
if sys.argv[1:] == ["--find"]:
    find = importlib.util.find_spec
    sys.exit(0 if find("numpy") and any(map(find, PACKAGES)) else 1)


def library(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        return None


os.environ.setdefault("JAX_ENABLE_X64", "1")
os.environ.setdefault("JAX_PLATFORMS", "cpu")
LIBRARIES = {name: library(name) for name in ("numpy", *PACKAGES)}
numpy, torch, optax = (LIBRARIES[name] for name in ("numpy", "torch", "optax"))
for missing in (name for name, module in LIBRARIES.items() if module is None):
    print(f"SKIPPED: the rows of {missing}, which is not installed")
if numpy is None or all(module is None for name, module in LIBRARIES.items() if name != "numpy"):
    sys.exit(print("SKIP: no library of optimizers to compare with, or no NumPy"))
kernels = importlib.import_module("optimizer_kernels")
kernels.load(os.environ["OPTIMIZER_KERNELS"])
if torch is not None:
    torch.set_default_dtype(torch.float64)  # also of the scalars that some of its optimizers keep

STEPS = 100
LR, BETA1, BETA2, EPS, DECAY, MOMENTUM = 1 / 64, 7 / 8, 63 / 64, 2.0**-10, 1 / 8, 7 / 8
ADAM = dict(lr=LR, beta1=BETA1, beta2=BETA2, eps=EPS)
TORCH_ADAM = dict(lr=LR, betas=(BETA1, BETA2), eps=EPS)
OPTAX_ADAM = dict(learning_rate=LR, b1=BETA1, b2=BETA2, eps=EPS)
# Of the way that a weight goes in all steps: roundings of a float or of a double, which add up.
FLOAT, DOUBLE = 1e-5, 1e-13


class Row(NamedTuple):
    """A rule beside the optimizer of a library. Each is a function from weights to a function that
    takes a gradient and the number of the step, from 1, and returns the weights after it."""
    name: str
    library: str
    ours: Callable
    theirs: Callable
    bound: float = FLOAT
    type: str = "f4"
    shape: tuple = (6, 10)


class One(NamedTuple):
    """A state of one element, and how it begins."""
    initial: float


def rule(name, states=(), step=True, **hyper):
    """Ours: the rule, with states that begin at numbers, One or the weights (None)."""
    def make(weight):
        def state(begin):
            if isinstance(begin, One):
                return numpy.full(1, begin.initial, weight.dtype)
            return weight.copy() if begin is None else numpy.full_like(weight, begin)
        held = [state(begin) for begin in states]

        def update(grad, t):
            getattr(kernels, name)(weight, *held, grad, **hyper, **({"step": t} if step else {}))
            return weight
        return update
    return make


def some_rows(t, count):
    """Half of the rows, in any order."""
    return numpy.random.default_rng(t).permutation(count)[:count // 2]


def lazy_rule(name, states=(), step=True, **hyper):
    """Ours, with some rows of each gradient."""
    def make(weight):
        held = [numpy.full_like(weight, begin) for begin in states]

        def update(grad, t):
            index = some_rows(t, len(weight))
            getattr(kernels, name)(weight, *held, numpy.ascontiguousarray(grad[index]), index, **hyper,
                                   **({"step": t} if step else {}))
            return weight
        return update
    return make


def of_sparse_torch(name, **options):
    def make(weight):
        parameter = torch.nn.Parameter(torch.tensor(weight, dtype=torch.float64))
        optimizer = getattr(torch.optim, name)([parameter], **options)

        def update(grad, t):
            index = some_rows(t, len(weight))
            values = torch.tensor(grad[index], dtype=torch.float64)
            parameter.grad = torch.sparse_coo_tensor(torch.tensor(index[None]), values, grad.shape)
            optimizer.step()
            return parameter.detach().numpy()
        return update
    return make


def of_torch(name, package="torch", **options):
    def make(weight):
        module = torch.optim if package == "torch" else LIBRARIES[package]
        parameter = torch.nn.Parameter(torch.tensor(weight, dtype=torch.float64))
        optimizer = getattr(module, name)([parameter], **options)
        if package == "schedulefree":
            optimizer.train()

        def update(grad, _):
            parameter.grad = torch.tensor(grad, dtype=torch.float64)
            optimizer.step()
            return parameter.detach().numpy()
        return update
    return make


def of_optax(name, **options):
    def make(weight):
        where = optax if hasattr(optax, name) else optax.contrib
        optimizer = getattr(where, name)(**options)
        jax = importlib.import_module("jax")
        step = jax.jit(optimizer.update)
        held = {"weight": jax.numpy.asarray(weight, "float64")}
        held["state"] = optimizer.init(held["weight"])

        def update(grad, _):
            updates, held["state"] = step(jax.numpy.asarray(grad, "float64"), held["state"], held["weight"])
            held["weight"] = optax.apply_updates(held["weight"], updates)
            return numpy.asarray(held["weight"])
        return update
    return make


def adafactor(weight):
    """Three rules, of which the first two keep the means."""
    rows, columns = (numpy.zeros(n, weight.dtype) for n in weight.shape)

    def update(grad, t):
        fall = 1 - t**-0.8
        kernels.AdafactorRows(rows, grad, fall, 0)
        kernels.AdafactorColumns(columns, grad, fall, 0)
        kernels.TorchAdafactor(weight, rows, columns, grad, lr=LR, decay=DECAY, step=t)
        return weight
    return update


def muon(weight):
    buffer, direction = numpy.zeros_like(weight), numpy.zeros_like(weight)

    def update(grad, _):
        kernels.MuonMomentum(direction, buffer, grad, MOMENTUM)
        for _ in range(5):
            kernels.NewtonSchulz(direction)
        kernels.MuonStep(weight, direction, lr=LR, decay=DECAY)
        return weight
    return update


def prodigy(weight):
    mean, square, total = (numpy.zeros_like(weight) for _ in range(3))
    start, d0 = weight.copy(), 2.0**-6
    d, last, numerator, denominator = (numpy.full(1, x, weight.dtype) for x in (d0, 0, 0, 0))
    beta3 = BETA2**0.5

    def update(grad, _):
        kernels.ProdigyMoments(weight, mean, square, total, start, d, numerator, denominator, grad, beta1=BETA1,
                               beta2=BETA2, beta3=beta3, d0=d0)
        kernels.ProdigyDistance(d, last, numerator, denominator, beta3=beta3)
        kernels.ProdigyStep(weight, mean, square, d, last, eps=EPS, decay=DECAY)
        return weight
    return update


def in_both_types(name, states, hyper, library_options, torch_name=None):
    """Rows of a rule that has an instance for double."""
    ours, theirs = rule(name, states, **hyper), of_torch(torch_name or name, **library_options)
    return [Row(name, "torch", ours, theirs), Row(name, "torch", ours, theirs, DOUBLE, "f8")]


NADAM = dict(momentum_decay=1 / 128)
ASGD = dict(lr=LR, lambd=1 / 64, alpha=0.75, t0=20.0)
RPROP = dict(lr=LR, eta_minus=0.5, eta_plus=1.25, step_min=2.0**-12, step_max=0.5)
BOTH_TYPES = [
    *in_both_types("Adam", (0, 0), dict(ADAM, decay=DECAY, decoupled_decay=True),
                   dict(TORCH_ADAM, weight_decay=DECAY), "AdamW"),
    *in_both_types("AMSGrad", (0, 0, 0), dict(ADAM, decay=DECAY, decoupled_decay=True, maximize=True),
                   dict(TORCH_ADAM, weight_decay=DECAY, amsgrad=True, maximize=True), "AdamW"),
    *in_both_types("NAdam", (0, 0, One(1)), dict(ADAM, decay=DECAY, **NADAM),
                   dict(TORCH_ADAM, weight_decay=DECAY, **NADAM)),
    *in_both_types("NAdam", (0, 0, One(1)), dict(ADAM, decay=DECAY, decoupled_decay=True, maximize=True),
                   dict(TORCH_ADAM, weight_decay=DECAY, decoupled_weight_decay=True, maximize=True,
                        momentum_decay=0.004)),
    *in_both_types("RAdam", (0, 0), dict(ADAM, decay=DECAY), dict(TORCH_ADAM, weight_decay=DECAY)),
    *in_both_types("RAdam", (0, 0), dict(ADAM, decay=DECAY, decoupled_decay=True, maximize=True),
                   dict(TORCH_ADAM, weight_decay=DECAY, decoupled_weight_decay=True, maximize=True)),
    *in_both_types("Rprop", (0, 0), RPROP,
                   dict(lr=LR, etas=(0.5, 1.25), step_sizes=(2.0**-12, 0.5))),
    *in_both_types("Rprop", (0, 0), dict(RPROP, maximize=True),
                   dict(lr=LR, etas=(0.5, 1.25), step_sizes=(2.0**-12, 0.5), maximize=True)),
    *in_both_types("ASGD", (0,), dict(ASGD, decay=DECAY), dict(ASGD, weight_decay=DECAY)),
    *in_both_types("ASGD", (0,), dict(ASGD, maximize=True), dict(ASGD, maximize=True)),
]
RMSPROP = dict(lr=LR, alpha=BETA2, eps=EPS)
TORCH = [
    ("SGD", (), dict(lr=LR, decay=DECAY, step=False), "SGD", dict(lr=LR, weight_decay=DECAY)),
    ("SGDMomentum", (0,), dict(lr=LR, momentum=MOMENTUM, dampening=0.25, decay=DECAY), "SGD",
     dict(lr=LR, momentum=MOMENTUM, dampening=0.25, weight_decay=DECAY)),
    ("NAG", (0,), dict(lr=LR, momentum=MOMENTUM, decay=DECAY, step=False), "SGD",
     dict(lr=LR, momentum=MOMENTUM, weight_decay=DECAY, nesterov=True)),
    ("Adam", (0, 0), dict(ADAM, decay=DECAY), "Adam", dict(TORCH_ADAM, weight_decay=DECAY)),
    ("AMSGrad", (0, 0, 0), dict(ADAM, decay=DECAY), "Adam", dict(TORCH_ADAM, weight_decay=DECAY, amsgrad=True)),
    ("AdamW", (0, 0), dict(ADAM, decay=DECAY), "AdamW", dict(TORCH_ADAM, weight_decay=DECAY)),
    ("AdaMax", (0, 0), dict(ADAM, decay=DECAY), "Adamax", dict(TORCH_ADAM, weight_decay=DECAY)),
    ("RMSProp", (0,), dict(RMSPROP, decay=DECAY, step=False), "RMSprop", dict(RMSPROP, weight_decay=DECAY)),
    ("RMSPropMomentum", (0, 0), dict(RMSPROP, momentum=MOMENTUM, step=False), "RMSprop",
     dict(RMSPROP, momentum=MOMENTUM)),
    ("RMSPropCentered", (0, 0), dict(RMSPROP, step=False), "RMSprop", dict(RMSPROP, centered=True)),
    ("RMSPropCenteredMomentum", (0, 0, 0), dict(RMSPROP, momentum=MOMENTUM, step=False), "RMSprop",
     dict(RMSPROP, momentum=MOMENTUM, centered=True)),
    ("Adagrad", (0,), dict(lr=0.5, lr_decay=DECAY, eps=EPS, decay=DECAY), "Adagrad",
     dict(lr=0.5, lr_decay=DECAY, eps=EPS, weight_decay=DECAY)),
    ("Adadelta", (0, 0), dict(lr=1.0, rho=BETA1, eps=EPS, step=False), "Adadelta", dict(lr=1.0, rho=BETA1, eps=EPS)),
]
TORCH_ROWS = [Row(name, "torch", rule(name, states, **hyper), of_torch(theirs, **options))
              for name, states, hyper, theirs, options in TORCH]
UPHILL_ROWS = [Row(name, "torch", rule(name, states, **hyper, maximize=True),
                   of_torch(theirs, **options, maximize=True), DOUBLE, "f8")
               for name, states, hyper, theirs, options in TORCH if theirs != "AdamW"]
# Rules that PyTorch lacks, or whose order it lacks: in float, and in ROWS in double as well.
# pytorch_optimizer adds 1e-15 to the mean square of MARS before it takes the root.
BOUNDS_OF_DOUBLE = {"Mars": 1e-11}
OTHERS = [
    Row("AdamWInUpdate", "torch", rule("AdamWInUpdate", (0, 0), **ADAM, decay=DECAY),
        of_torch("AdamW", **TORCH_ADAM, weight_decay=DECAY)),
    Row("AdaBelief", "optax", rule("AdaBelief", (0, 0), **ADAM, eps_root=EPS),
        of_optax("adabelief", **OPTAX_ADAM, eps_root=EPS)),
    Row("Yogi", "optax", rule("Yogi", (1e-6, 1e-6), **ADAM),
        of_optax("yogi", **OPTAX_ADAM)),
    Row("Lion", "optax", rule("Lion", (0,), False, lr=LR, beta1=BETA1, beta2=BETA2, decay=DECAY),
        of_optax("lion", learning_rate=LR, b1=BETA1, b2=BETA2, weight_decay=DECAY)),
    Row("Lamb", "optax", rule("Lamb", (0, 0), **ADAM, decay=DECAY, lower=0, upper=1e6),
        of_optax("lamb", **OPTAX_ADAM, weight_decay=DECAY)),
    Row("NovoGrad", "optax", rule("NovoGrad", (0, One(0)), **ADAM, decay=DECAY),
        of_optax("novograd", **OPTAX_ADAM, weight_decay=DECAY)),
    Row("SignSGD", "optax", rule("SignSGD", (), False, lr=LR), of_optax("sign_sgd", learning_rate=LR)),
    Row("AdEMAMix", "optax", rule("AdEMAMix", (0, 0, 0), **ADAM, beta3=255 / 256, alpha=2.0, decay=DECAY),
        of_optax("ademamix", learning_rate=LR, b1=BETA1, b2=BETA2, b3=255 / 256, alpha=2.0, eps=EPS,
                 weight_decay=DECAY)),
    Row("ScheduleFreeSGD", "optax", rule("ScheduleFreeSGD", (0,), lr=LR, momentum=MOMENTUM, decay=DECAY),
        of_optax("schedule_free_sgd", learning_rate=LR, b1=MOMENTUM, weight_decay=DECAY)),
    Row("ScheduleFreeAdamW", "optax", rule("ScheduleFreeAdamW", (0, 0), **ADAM, decay=DECAY),
        of_optax("schedule_free_adamw", **OPTAX_ADAM, weight_decay=DECAY)),
    Row("ScheduleFreeSGD", "schedulefree",
        rule("ScheduleFreeSGD", (0,), lr=LR, momentum=MOMENTUM, decay=DECAY, warmup=16),
        of_torch("SGDScheduleFree", "schedulefree", lr=LR, momentum=MOMENTUM, weight_decay=DECAY, warmup_steps=16)),
    Row("ScheduleFreeAdamW", "schedulefree", rule("ScheduleFreeAdamW", (0, 0), **ADAM, decay=DECAY, warmup=16),
        of_torch("AdamWScheduleFree", "schedulefree", **TORCH_ADAM, weight_decay=DECAY, warmup_steps=16)),
    Row("Prodigy", "prodigyopt", prodigy,
        of_torch("Prodigy", "prodigyopt", betas=(BETA1, BETA2), eps=EPS, weight_decay=DECAY, d0=2.0**-6)),
    # Not Optax: it adds (1 - b2) times the change of the gradient, where Xie et al. 2022 add b2 times.
    Row("Adan", "pytorch_optimizer",
        rule("Adan", (0, 0, 0, 0), lr=LR, beta1=BETA1, beta2=0.75, beta3=BETA2, eps=EPS, decay=DECAY),
        of_torch("Adan", "pytorch_optimizer", lr=LR, betas=(BETA1, 0.75, BETA2), eps=EPS, weight_decay=DECAY)),
    Row("Mars", "pytorch_optimizer", rule("Mars", (0, 0, 0), **ADAM, gamma=1 / 32, decay=DECAY),
        of_torch("MARS", "pytorch_optimizer", **TORCH_ADAM, gamma=1 / 32, weight_decay=DECAY)),
    Row("Ftrl", "pytorch_optimizer", rule("Ftrl", (0, 0), False, lr=LR, beta=0.5, l1=1.0, l2=0.25),
        of_torch("FTRL", "pytorch_optimizer", lr=LR, beta=0.5, lambda_1=1.0, lambda_2=0.25)),
]
ROWS = BOTH_TYPES + TORCH_ROWS + UPHILL_ROWS + [
    *(Row("TorchAdafactor", "torch", adafactor, of_torch("Adafactor", lr=LR, weight_decay=DECAY), bound, type)
      for bound, type in ((FLOAT, "f4"), (DOUBLE, "f8"))),
    *(Row("TorchAdafactorVector", "torch", rule("TorchAdafactorVector", (0,), lr=LR, decay=DECAY),
          of_torch("Adafactor", lr=LR, weight_decay=DECAY), bound, type, (60,))
      for bound, type in ((FLOAT, "f4"), (DOUBLE, "f8"))),
    # PyTorch's Newton-Schulz steps are in bfloat16, of eight bits.
    *(Row("Muon", "torch", muon, of_torch("Muon", lr=LR, weight_decay=DECAY, momentum=MOMENTUM), 0.03, type)
      for type in ("f4", "f8")),
    Row("LazySGD", "torch", lazy_rule("LazySGD", (), False, lr=LR), of_sparse_torch("SGD", lr=LR)),
    Row("LazyAdagrad", "torch", lazy_rule("LazyAdagrad", (0,), lr=0.5, lr_decay=DECAY, eps=EPS),
        of_sparse_torch("Adagrad", lr=0.5, lr_decay=DECAY, eps=EPS)),
    Row("LazyAdagrad", "torch", lazy_rule("LazyAdagrad", (0,), lr=LR, lr_decay=DECAY, eps=EPS),
        of_sparse_torch("Adagrad", lr=LR, lr_decay=DECAY, eps=EPS), DOUBLE, "f8"),
    Row("LazyAdam", "torch", lazy_rule("LazyAdam", (0, 0), **ADAM), of_sparse_torch("SparseAdam", **TORCH_ADAM)),
    Row("LazyAdam", "torch", lazy_rule("LazyAdam", (0, 0), **ADAM), of_sparse_torch("SparseAdam", **TORCH_ADAM),
        DOUBLE, "f8"),
] + OTHERS + [row._replace(bound=BOUNDS_OF_DOUBLE.get(row.name, DOUBLE), type="f8") for row in OTHERS]


def problem(shape):
    """Weights, and gradients that have a direction and noise; all of them are floats."""
    random = numpy.random.default_rng(2026)
    weight, drift = random.normal(size=shape), 0.3 * random.normal(size=shape)
    return weight.astype("f4"), [(drift + random.normal(size=shape)).astype("f4") for _ in range(STEPS)]


def difference(row):
    """The greatest difference of a weight after all steps, of the longest way that a weight went."""
    weight, grads = problem(row.shape)
    ours, theirs = row.ours(weight.astype(row.type)), row.theirs(weight.copy())
    for t, grad in enumerate(grads, 1):
        result, want = ours(grad.astype(row.type), t), theirs(grad.copy(), t)
    return float(abs(result - want).max() / abs(want - weight).max())


class LibraryOptimizersTest(unittest.TestCase):
    def test_rows(self):
        for row in ROWS:
            with self.subTest(rule=row.name, library=row.library, type=row.type):
                if LIBRARIES[row.library] is not None:
                    self.assertLess(difference(row), row.bound)

    def test_another_formula_fails(self):
        """The bounds can tell: a decay rate that differs by a thousandth is beyond them."""
        if torch is None:
            self.skipTest("PyTorch is not installed")
        row = Row("Adam", "torch", rule("Adam", (0, 0), **ADAM),
                  of_torch("Adam", **dict(TORCH_ADAM, betas=(BETA1 * 1.001, BETA2))))
        self.assertGreater(difference(row), 10 * row.bound)


if __name__ == "__main__":
    if sys.argv[1:] == ["--print"]:
        for each in ROWS:
            if LIBRARIES[each.library] is not None:
                print(f"{each.name} {each.type} {each.library}: {difference(each):.1e}")
    else:
        unittest.main()
