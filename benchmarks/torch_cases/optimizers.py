# SPDX-License-Identifier: Apache-2.0
"""Optimizers: a rule beside torch.optim's class, which steps a parameter of its own. PyTorch has a
form for a single tensor, one for lists (`foreach`), and of some a fused kernel: the fastest counts.
"""

import torch

from .case import COLS, Case, Work, matrix


def steps_of(make, start, grad):
    """A function that makes one step and returns the parameter."""
    parameter = torch.nn.Parameter(start.clone())
    parameter.grad = grad.clone()  # which the form for lists may overwrite
    optimizer = make([parameter])

    def step():
        optimizer.step()
        return parameter.data

    return step


FORMS = ({"foreach": False}, {"foreach": True}, {"fused": True})


def forms_of(make, start, grad):
    """Steps in each form that this PyTorch has for this class on a CPU."""
    found = []
    for form in FORMS:
        try:
            found.append(steps_of(lambda p: make(p, **form), start, grad))
        except (TypeError, RuntimeError):  # no such argument, or none for a CPU
            continue
    return found


def in_double(make, start, grad):
    """The same step in double: its result, for the errors of both sides."""
    return lambda: steps_of(make, start.double(), grad.double())()


def work(ours, weight, start, grad, make, **more):
    return Work(
        ours, [weight], forms_of(make, start, grad), in_double(make, start, grad), start, **more
    )


def optimizer(name, states, hyper, theirs, options, has_step=True, since=(1, 13)):
    """`states` are the numbers with which states begin; a tuple makes a state of one element."""

    def make(mk, rows):
        start, grad, step, rule = matrix(rows), matrix(rows), [0], getattr(mk, name)
        weight = start.clone()
        held = [
            torch.full((1,), x[0]) if isinstance(x, tuple) else torch.full_like(start, x)
            for x in states
        ]

        def ours():
            step[0] += 1
            rule(weight, *held, grad, **hyper, **({"step": step[0]} if has_step else {}))

        return work(
            ours,
            weight,
            start,
            grad,
            lambda p, **form: getattr(torch.optim, theirs)(p, **options, **form),
        )

    return Case(name, make, since)


# Rates that a float has exactly, so that both sides mean the same in double.
LR, MOMENTUM = 2.0**-10, 0.875
ADAM = dict(lr=LR, beta1=0.875, beta2=1 - 2.0**-10, eps=2.0**-26)
TORCH_ADAM = dict(lr=LR, betas=(0.875, 1 - 2.0**-10), eps=2.0**-26)
RMSPROP = dict(lr=LR, alpha=1 - 2.0**-7, eps=2.0**-26)
ADAGRAD = dict(lr=2.0**-7, eps=2.0**-33)
DENSE = [
    optimizer("SGD", (), dict(lr=LR), "SGD", dict(lr=LR), False),
    optimizer(
        "SGDMomentum", (0,), dict(lr=LR, momentum=MOMENTUM), "SGD", dict(lr=LR, momentum=MOMENTUM)
    ),
    optimizer(
        "NAG",
        (0,),
        dict(lr=LR, momentum=MOMENTUM),
        "SGD",
        dict(lr=LR, momentum=MOMENTUM, nesterov=True),
        False,
    ),
    optimizer("Adam", (0, 0), ADAM, "Adam", TORCH_ADAM),
    optimizer("AMSGrad", (0, 0, 0), ADAM, "Adam", dict(TORCH_ADAM, amsgrad=True)),
    optimizer(
        "AdamW", (0, 0), dict(ADAM, decay=2.0**-6), "AdamW", dict(TORCH_ADAM, weight_decay=2.0**-6)
    ),
    optimizer(
        "NAdam",
        (0, 0, (1.0,)),
        dict(ADAM, momentum_decay=2.0**-8),
        "NAdam",
        dict(TORCH_ADAM, momentum_decay=2.0**-8),
    ),
    optimizer("RAdam", (0, 0), ADAM, "RAdam", TORCH_ADAM),
    optimizer("AdaMax", (0, 0), ADAM, "Adamax", TORCH_ADAM),
    optimizer("RMSProp", (0,), RMSPROP, "RMSprop", RMSPROP, False),
    optimizer(
        "RMSPropMomentum",
        (0, 0),
        dict(RMSPROP, momentum=MOMENTUM),
        "RMSprop",
        dict(RMSPROP, momentum=MOMENTUM),
        False,
    ),
    optimizer("RMSPropCentered", (0, 0), RMSPROP, "RMSprop", dict(RMSPROP, centered=True), False),
    optimizer("Adagrad", (0,), ADAGRAD, "Adagrad", ADAGRAD),
    optimizer(
        "Adadelta",
        (0, 0),
        dict(lr=1.0, rho=0.875, eps=2.0**-20),
        "Adadelta",
        dict(lr=1.0, rho=0.875, eps=2.0**-20),
        False,
    ),
    optimizer(
        "Rprop",
        (0, 0),
        dict(lr=LR, eta_minus=0.5, eta_plus=1.25),
        "Rprop",
        dict(lr=LR, etas=(0.5, 1.25)),
    ),
    optimizer("ASGD", (0,), dict(lr=LR, lambd=2.0**-13), "ASGD", dict(lr=LR, lambd=2.0**-13)),
]


def adafactor(mk, rows):
    """Three rules, of which the first two keep the means."""
    start, grad, step = matrix(rows), matrix(rows), [0]
    weight, row_mean, column_mean = start.clone(), torch.zeros(rows), torch.zeros(COLS)

    def ours():
        step[0] += 1
        fall = 1 - step[0] ** -0.8
        mk.AdafactorRows(row_mean, grad, fall, 0)
        mk.AdafactorColumns(column_mean, grad, fall, 0)
        mk.TorchAdafactor(weight, row_mean, column_mean, grad, lr=LR, step=step[0])

    return work(
        ours, weight, start, grad, lambda p, **form: torch.optim.Adafactor(p, lr=LR, **form)
    )


def adafactor_vector(mk, rows):
    """Of a tensor that is no matrix."""
    start, grad, step = matrix(rows).flatten(), matrix(rows).flatten(), [0]
    weight, variance = start.clone(), torch.zeros_like(start)

    def ours():
        step[0] += 1
        mk.TorchAdafactorVector(weight, variance, grad, lr=LR, step=step[0])

    return work(
        ours, weight, start, grad, lambda p, **form: torch.optim.Adafactor(p, lr=LR, **form)
    )


def muon(mk, rows):
    """Five Newton-Schulz steps, which PyTorch computes in bfloat16: hence the tolerance."""
    start, grad = matrix(rows), matrix(rows)
    weight, buffer, direction = start.clone(), torch.zeros(rows, COLS), torch.zeros(rows, COLS)

    def ours():
        mk.MuonMomentum(direction, buffer, grad, MOMENTUM)
        for _ in range(5):
            mk.NewtonSchulz(direction)
        mk.MuonStep(weight, direction, lr=LR, decay=0.0)

    step = steps_of(
        lambda p: torch.optim.Muon(p, lr=LR, weight_decay=0.0, momentum=MOMENTUM), start, grad
    )
    return Work(ours, [weight], [step], tolerance=LR / 64)


def lazy(name, states, hyper, theirs, options, has_step=True):
    """Half of the rows have a gradient."""

    def make(mk, rows):
        start, index, step, rule = (
            matrix(rows),
            torch.randperm(rows)[: max(1, rows // 2)],
            [0],
            getattr(mk, name),
        )
        weight, grad = start.clone(), torch.randn(len(index), COLS)
        held = [torch.full_like(start, x) for x in states]
        sparse = torch.sparse_coo_tensor(index[None], grad, (rows, COLS)).coalesce()

        def ours():
            step[0] += 1
            rule(weight, *held, grad, index, **hyper, **({"step": step[0]} if has_step else {}))

        return Work(
            ours,
            [weight],
            [steps_of(lambda p: getattr(torch.optim, theirs)(p, **options), start, sparse)],
        )

    return Case(name, make)


CASES = [
    *DENSE,
    Case("TorchAdafactor", adafactor, (2, 5)),
    Case("TorchAdafactorVector", adafactor_vector, (2, 5)),
    Case("Muon", muon, (2, 9), 1 << 20),
    lazy("LazySGD", (), dict(lr=LR), "SGD", dict(lr=LR), False),
    lazy("LazyAdagrad", (0,), ADAGRAD, "Adagrad", ADAGRAD),
    lazy("LazyAdam", (0, 0), ADAM, "SparseAdam", TORCH_ADAM),
]
