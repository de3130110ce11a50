# SPDX-License-Identifier: Apache-2.0
"""Optimizers and functions for PyTorch.

    optimizer = mshadow_kernels.torch.AdamW(model.parameters(), lr=1e-3)
    y = mshadow_kernels.torch.silu(x)

The functions, for PyTorch 2.4 and newer, are activations, normalisations, layers and losses with
gradients, such as torch.nn.functional has. help(mshadow_kernels.torch.silu) describes one, and
_functional.py says what they have in common.

The optimizers are those of torch.optim, with a step() that is one list of fused kernels for all
parameters of a group. Each class is a subclass of the class of torch.optim with the same name. It
has the constructor, the defaults, the groups of parameters, the hooks and the keys of state_dict()
of that class, so checkpoints load both ways. Only the update is another: it writes each parameter
and its states in one pass over memory, Adafactor and Muon in a few. Results differ from PyTorch's in
the last bits, but for Muon.

A kernel updates dense, contiguous tensors on the CPU, or on a GPU if the package was built with
CUDA. They are of float32, float16 or bfloat16, and, but for NAdam, of float64. States of 16-bit
parameters are float32. PyTorch's own code updates all other parameters, and what there is no kernel
for: groups with `capturable` or `differentiable`; Adadelta with `weight_decay`; tensors of more than
two dimensions of Adafactor; Muon with `adjust_lr_fn="spectral_unclamped"`.

Where a parameter is a DTensor, as with FSDP2, a kernel updates the shard of this process. Adafactor
and Muon, which need whole matrices, leave it to PyTorch.
"""
from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from ._fused import FLOATS, Fused, Rule, _number

__all__ = ["ASGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop",
           "Rprop", "SGD"]

if hasattr(torch.optim, "Adafactor"):  # from PyTorch 2.5 on
    from ._adafactor import Adafactor  # noqa: F401  one of the module
    __all__ += ["Adafactor"]

if hasattr(torch.optim, "Muon"):  # from PyTorch 2.9 on
    from ._muon import Muon  # noqa: F401  one of the module
    __all__ += ["Muon"]

if hasattr(torch.library, "custom_op"):  # from PyTorch 2.4 on
    from . import _functional
    from ._functional import *  # noqa: F401,F403  each function is one of the module
    __all__ += _functional.__all__


def _adam_hyper(group: dict[str, Any]) -> dict[str, Any]:
    beta1, beta2 = map(float, group["betas"])
    return {"lr": float(group["lr"]), "beta1": beta1, "beta2": beta2, "eps": group["eps"],
            "decay": float(group["weight_decay"])}


class Adam(Fused, torch.optim.Adam):
    """torch.optim.Adam by the rules Adam and AMSGrad; with decoupled_weight_decay as AdamW."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        return _adam(group, bool(group.get("decoupled_weight_decay")))


def _adam(group: dict[str, Any], decoupled: bool) -> Rule:
    states = {"exp_avg": 0.0, "exp_avg_sq": 0.0}
    is_plain = not group["amsgrad"] and not group["maximize"]
    if decoupled and is_plain and group["params"][0].dtype in FLOATS:
        return Rule("AdamW", states, _adam_hyper(group))
    hyper = {**_adam_hyper(group), "maximize": group["maximize"], "decoupled_decay": decoupled}
    if group["amsgrad"]:
        return Rule("AMSGrad", {**states, "max_exp_avg_sq": 0.0}, hyper)
    return Rule("Adam", states, hyper)


class AdamW(Fused, torch.optim.AdamW):
    """torch.optim.AdamW by the rule AdamW; for float64, or with amsgrad or maximize, by the rules Adam
    and AMSGrad, which have these."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        return _adam(group, True)


class Adamax(Fused, torch.optim.Adamax):
    """torch.optim.Adamax by the rule AdaMax."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        hyper = {**_adam_hyper(group), "maximize": group["maximize"]}
        return Rule("AdaMax", {"exp_avg": 0.0, "exp_inf": 0.0}, hyper)


class RAdam(Fused, torch.optim.RAdam):
    """torch.optim.RAdam by the rule RAdam."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        return Rule("RAdam", {"exp_avg": 0.0, "exp_avg_sq": 0.0}, _decoupled_hyper(group))


def _decoupled_hyper(group: dict[str, Any]) -> dict[str, Any]:
    return {**_adam_hyper(group), "decoupled_decay": group["decoupled_weight_decay"],
            "maximize": group["maximize"]}


class NAdam(Fused, torch.optim.NAdam):
    """torch.optim.NAdam by the rule NAdam. For float64 that keeps its product in double, and PyTorch
    in float32, so PyTorch updates such parameters."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        if group["params"][0].dtype not in FLOATS:
            return None
        hyper = {**_decoupled_hyper(group), "momentum_decay": group["momentum_decay"]}
        return Rule("NAdam", {"exp_avg": 0.0, "exp_avg_sq": 0.0}, hyper)

    def _states_of(self, rule: Rule, weight: Tensor) -> list[Tensor]:
        state = self.state[weight]
        product = state.get("mu_product")
        if product is None or product.dtype is not torch.float32:
            product = torch.ones((), dtype=torch.float32) if product is None else product.float()
        state["mu_product"] = product = product.to(weight.device)
        return [*super()._states_of(rule, weight), product]


class ASGD(Fused, torch.optim.ASGD):
    """torch.optim.ASGD by the rule ASGD. As there, the state has the rate `eta` and the share `mu` of
    the next step, which the step before has computed by the learning rate of then."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        hyper = {"lr": float(group["lr"]), "lambd": group["lambd"], "alpha": group["alpha"],
                 "t0": group["t0"], "decay": float(group["weight_decay"]),
                 "maximize": group["maximize"]}
        return Rule("ASGD", {"ax": 0.0}, hyper)

    def _time_of(self, rule: Rule, weight: Tensor) -> tuple[int, float, float]:
        step, state = super()._time_of(rule, weight), self.state[weight]
        for name, first in ("eta", rule.hyper["lr"]), ("mu", 1.0):
            if name not in state:
                state[name] = torch.tensor(first, dtype=torch.get_default_dtype())
        return step, _number(state, "eta"), _number(state, "mu")

    def _scalars_at(self, rule: Rule, time: Any) -> dict[str, Any]:
        """The rule computes the rate as lr / (1 + ...)^alpha, and the share as 1 / (step - 1 - t0) if
        that is below 1. These scalars make it compute those of the state."""
        _, eta, mu = time
        t0 = 0.0 if mu == 1 else -1 / mu
        return {**rule.hyper, "lr": eta, "alpha": 0.0, "t0": t0, "step": 1}

    def _advance(self, rule: Rule, rows: list[Any], time: Any) -> None:
        super()._advance(rule, rows, time)
        step, hyper = time[0], rule.hyper
        eta = hyper["lr"] / (1 + hyper["lambd"] * hyper["lr"] * step) ** hyper["alpha"]
        mu = 1 / max(1, step - hyper["t0"])
        for row in rows:
            self.state[row.parameter]["eta"].fill_(eta)
            self.state[row.parameter]["mu"].fill_(mu)


class Adagrad(Fused, torch.optim.Adagrad):
    """torch.optim.Adagrad by the rule Adagrad."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        hyper = {"lr": float(group["lr"]), "lr_decay": group["lr_decay"], "eps": group["eps"],
                 "decay": float(group["weight_decay"]), "maximize": group["maximize"]}
        return Rule("Adagrad", {"sum": group["initial_accumulator_value"]}, hyper)


class Adadelta(Fused, torch.optim.Adadelta):
    """torch.optim.Adadelta by the rule Adadelta."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        if group["weight_decay"] != 0:
            return None
        hyper = {"lr": float(group["lr"]), "rho": group["rho"], "eps": group["eps"],
                 "maximize": group["maximize"]}
        return Rule("Adadelta", {"square_avg": 0.0, "acc_delta": 0.0}, hyper, has_step=False)


class RMSprop(Fused, torch.optim.RMSprop):
    """torch.optim.RMSprop by the rules RMSProp, RMSPropMomentum, RMSPropCentered and
    RMSPropCenteredMomentum."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        momentum, centered = group["momentum"], group["centered"]
        name, states = "RMSProp", {"square_avg": 0.0}
        hyper = {"lr": float(group["lr"]), "alpha": group["alpha"], "eps": group["eps"],
                 "decay": float(group["weight_decay"]), "maximize": group["maximize"]}
        if centered:
            name, states["grad_avg"] = "RMSPropCentered", 0.0
        if momentum > 0:
            name, states["momentum_buffer"] = f"{name}Momentum", 0.0
            hyper["momentum"] = momentum
        return Rule(name, states, hyper, has_step=False)


class Rprop(Fused, torch.optim.Rprop):
    """torch.optim.Rprop by the rule Rprop."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        (eta_minus, eta_plus), (step_min, step_max) = group["etas"], group["step_sizes"]
        hyper = {"lr": 0.0, "eta_minus": eta_minus, "eta_plus": eta_plus, "step_min": step_min,
                 "step_max": step_max, "maximize": group["maximize"]}  # step_size begins as lr
        return Rule("Rprop", {"prev": 0.0, "step_size": float(group["lr"])}, hyper)


class SGD(Fused, torch.optim.SGD):
    """torch.optim.SGD by the rules SGD, SGDMomentum and NAG."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        momentum = group["momentum"]
        hyper = {"lr": float(group["lr"]), "decay": float(group["weight_decay"]),
                 "maximize": group["maximize"]}
        if momentum == 0:
            return Rule("SGD", {}, hyper, has_step=False)
        hyper["momentum"] = momentum
        if group["nesterov"]:
            return Rule("NAG", {"momentum_buffer": 0.0}, hyper, has_step=False)
        hyper["dampening"] = group["dampening"]
        return Rule("SGDMomentum", {"momentum_buffer": 0.0}, hyper)

    def _time_of(self, rule: Rule, weight: Tensor) -> int:
        """The state has no step; only the first one is another, since it is not dampened."""
        state = self.state.get(weight, {})
        return 1 if state.get("momentum_buffer") is None else 2
