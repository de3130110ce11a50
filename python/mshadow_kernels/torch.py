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
and its states in one pass over memory. Results differ from PyTorch's in the last bits.

A kernel updates dense, contiguous tensors on the CPU, of float32, float16 or bfloat16, and, but for
AdamW and NAdam, of float64. States of 16-bit parameters are float32. PyTorch's own code updates all
other parameters, and groups with options for which there is no kernel: `capturable`,
`differentiable`, AdamW with `amsgrad` or `maximize`, RMSprop with `momentum` and `centered`,
Adadelta with `weight_decay`.

Where a parameter is a DTensor, as with FSDP2, a kernel updates the shard of this process.
"""
from __future__ import annotations

from itertools import chain
from typing import Any, Callable, NamedTuple, Optional

import torch
from torch import Tensor

from . import rules

__all__ = ["Adadelta", "Adagrad", "Adam", "AdamW", "Adamax", "NAdam", "RAdam", "RMSprop", "Rprop",
           "SGD"]

if hasattr(torch.library, "custom_op"):  # from PyTorch 2.4 on
    from . import _functional
    from ._functional import *  # noqa: F401,F403  each function is one of the module
    __all__ += _functional.__all__

_HALVES = (torch.float16, torch.bfloat16)
_FLOATS = (torch.float32, *_HALVES)
_ALL = (*_FLOATS, torch.float64)


class _Rule(NamedTuple):
    """The rule that updates a group."""
    name: str
    states: dict[str, float]  # the key of each state in the order of arguments; how it begins
    hyper: dict[str, Any]
    has_step: bool = True  # whether the rule has a parameter `step`
    types: tuple[torch.dtype, ...] = _ALL


class _Row(NamedTuple):
    """A parameter that a kernel updates, and the memory of this process of all its tensors."""
    parameter: Tensor
    weight: Tensor
    states: list[Tensor]
    grad: Tensor


class _Batch:
    """A list of calls, and what is in it now."""

    def __init__(self, rule: _Rule, rows: list[_Row], scalars: dict[str, Any]) -> None:
        self.memory = _memory(rows)
        self.grads = [row.grad.data_ptr() for row in rows]
        self.scalars = scalars
        self.calls = rules.List(keep=False)
        function = getattr(rules, rule.name)
        with self.calls:
            for row in rows:
                function(*map(_ranked, (row.weight, *row.states, row.grad)), **scalars)

    def run(self, rows: list[_Row], scalars: dict[str, Any]) -> None:
        for name, value in scalars.items():
            if self.scalars[name] != value:
                self.calls.set(name, value)
        self.scalars = scalars
        grads = [row.grad.data_ptr() for row in rows]
        if grads != self.grads:
            self.calls.replace_each("grad", [_ranked(row.grad) for row in rows])
            self.grads = grads
        self.calls.run()


def _increment_versions(tensors: list[Tensor]) -> None:
    increment: Any = torch.autograd.graph.increment_version
    try:
        increment(tensors)
    except RuntimeError:  # an older PyTorch takes one tensor
        for x in tensors:
            increment(x)


def _memory(rows: list[_Row]) -> list[Any]:
    """What a list keeps of tensors that stay from step to step."""
    return [(row.weight.data_ptr(), row.weight.shape, [x.data_ptr() for x in row.states])
            for row in rows]


def _local(x: Any) -> Tensor:
    """What this process has of a tensor: all, or the shard of a DTensor."""
    return x if _placements(x) is None else x.to_local()


def _placements(x: Tensor) -> Any:
    """How a DTensor is shared out; None for other tensors."""
    return getattr(x, "placements", None)


def _ranked(x: Tensor) -> Tensor:
    """Rules take tensors of at least one dimension."""
    return x if x.dim() else x.view(1)


def _is_dense(x: Tensor) -> bool:
    return x.is_cpu and x.layout is torch.strided and x.is_contiguous()


def _serves(rule: _Rule, weight: Tensor, grad: Tensor) -> bool:
    """Whether the kernel takes a parameter and its gradient. Every rule here is element-wise, so a
    process can update its shard alone, if the gradient is complete and shared out alike."""
    where = _placements(weight)
    if where != _placements(grad) or any(place.is_partial() for place in where or ()):
        return False
    weight, grad = _local(weight), _local(grad)
    return (weight.dtype in rule.types and grad.dtype is weight.dtype and _is_dense(weight)
            and _is_dense(grad) and weight.dim() <= 8 and not grad.is_neg())


class _Fused(torch.optim.Optimizer):
    """What the classes have in common. A class says by _rule_of which rule updates a group."""

    # With fused=True a GradScaler leaves it to step() to unscale gradients, which ours does not do.
    _step_supports_amp_scaling = property(lambda self: False, lambda self, value: None)

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        raise NotImplementedError

    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """Updates all parameters that have a gradient. Returns what `closure` returns, which it
        calls before, with gradients enabled."""
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        rest = []
        with torch.no_grad():
            for group in self.param_groups:
                left = self._update(group)
                if left:
                    rest.append({**group, "params": left})
        if rest:
            self._update_by_torch(rest)
        return loss

    def _update(self, group: dict[str, Any]) -> list[Tensor]:
        """Updates the parameters that a kernel takes. Returns the others."""
        is_plain = not group.get("capturable") and not group.get("differentiable")
        rule = self._rule_of(group) if is_plain else None
        left: list[Tensor] = []
        batches: dict[Any, list[_Row]] = {}
        for weight in group["params"]:
            grad = weight.grad
            if grad is None:
                continue
            if rule is None or not _serves(rule, weight, grad):
                left.append(weight)
                continue
            step = self._next_step(weight)
            states = [_local(state) for state in self._states_of(rule, weight)]
            row = _Row(weight, _local(weight), states, _local(grad))
            batches.setdefault((weight.dtype, step), []).append(row)
        for (_, step), rows in batches.items():
            self._run(rule, rows, step)  # type: ignore[arg-type]
        return left

    def _next_step(self, weight: Tensor) -> int:
        state = self.state[weight]
        if "step" not in state:
            state["step"] = torch.zeros((), dtype=torch.get_default_dtype())
        return int(state["step"]) + 1

    def _states_of(self, rule: _Rule, weight: Tensor) -> list[Tensor]:
        """The states, in float32 for 16-bit parameters; new ones begin as the rule says."""
        if not rule.states:
            return []
        state, found = self.state[weight], []
        kind = torch.float32 if weight.dtype in _HALVES else weight.dtype
        for name, initial in rule.states.items():
            value = state.get(name)
            if value is None:
                value = torch.full_like(weight, initial, dtype=kind)
            elif value.dtype is not kind:
                value = value.to(kind)
            if not value.is_contiguous():
                value = value.contiguous()
            state[name] = value
            found.append(value)
        return found

    def _run(self, rule: _Rule, rows: list[_Row], step: int) -> None:
        scalars = {**rule.hyper, "step": step} if rule.has_step else rule.hyper
        batches = self.__dict__.setdefault("_batches", {})  # no part of the state
        key = (rule.name, tuple(id(row.parameter) for row in rows))
        batch = batches.get(key)
        if batch is None or batch.memory != _memory(rows):
            if len(batches) >= 16:
                batches.clear()
            batch = batches[key] = _Batch(rule, rows, scalars)
        batch.run(rows, scalars)
        states = [self.state.get(row.parameter, {}) for row in rows]
        steps = [state["step"] for state in states if "step" in state]
        if steps:
            torch._foreach_add_(steps, 1)
        # A backward pass that needs the old elements fails from now on.
        _increment_versions([row.parameter for row in rows])

    def _update_by_torch(self, groups: list[dict[str, Any]]) -> None:
        """Updates these groups by the step of torch.optim, without its hooks: ours has run them."""
        for weight in chain.from_iterable(group["params"] for group in groups):
            state = self.state[weight]
            for name, value in state.items():
                if weight.dtype in _HALVES and _is_like(weight, name, value):
                    state[name] = value.to(weight.dtype)
        step = super().step.__func__  # type: ignore[attr-defined]
        while getattr(step, "hooked", False):
            step = step.__wrapped__
        every, self.param_groups = self.param_groups, groups
        try:
            step(self)
        finally:
            self.param_groups = every

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As in torch.optim, but states of 16-bit parameters stay float32 if they are."""
        super().load_state_dict(state_dict)
        saved = chain.from_iterable(group["params"] for group in state_dict["param_groups"])
        weights = chain.from_iterable(group["params"] for group in self.param_groups)
        for number, weight in zip(saved, weights):
            if weight.dtype not in _HALVES:
                continue
            state = self.state[weight]
            for name, value in state_dict["state"].get(number, {}).items():
                is_same = _is_like(weight, name, value) and name in state and torch.equal(
                    state[name], value.to(state[name]))  # unless a hook replaced it
                if is_same:
                    state[name] = value.to(weight.device, torch.float32, copy=True)


def _is_like(weight: Tensor, name: str, value: Any) -> bool:
    """Whether a state has an element for each of the parameter."""
    return (isinstance(value, Tensor) and value.is_floating_point() and value.shape == weight.shape
            and name not in ("step", "mu_product"))


def _adam_hyper(group: dict[str, Any]) -> dict[str, Any]:
    beta1, beta2 = map(float, group["betas"])
    return {"lr": float(group["lr"]), "beta1": beta1, "beta2": beta2, "eps": group["eps"],
            "decay": float(group["weight_decay"])}


class Adam(_Fused, torch.optim.Adam):
    """torch.optim.Adam by the rules Adam and AMSGrad; with decoupled_weight_decay by AdamW."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        if group.get("decoupled_weight_decay"):
            return _adamw(group)
        hyper = {**_adam_hyper(group), "maximize": group["maximize"]}
        states = {"exp_avg": 0.0, "exp_avg_sq": 0.0}
        if group["amsgrad"]:
            return _Rule("AMSGrad", {**states, "max_exp_avg_sq": 0.0}, hyper)
        return _Rule("Adam", states, hyper)


def _adamw(group: dict[str, Any]) -> Optional[_Rule]:
    if group["amsgrad"] or group["maximize"]:
        return None
    return _Rule("AdamW", {"exp_avg": 0.0, "exp_avg_sq": 0.0}, _adam_hyper(group), types=_FLOATS)


class AdamW(_Fused, torch.optim.AdamW):
    """torch.optim.AdamW by the rule AdamW."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        return _adamw(group)


class Adamax(_Fused, torch.optim.Adamax):
    """torch.optim.Adamax by the rule AdaMax."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        hyper = {**_adam_hyper(group), "maximize": group["maximize"]}
        return _Rule("AdaMax", {"exp_avg": 0.0, "exp_inf": 0.0}, hyper)


class RAdam(_Fused, torch.optim.RAdam):
    """torch.optim.RAdam by the rule RAdam."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        return _Rule("RAdam", {"exp_avg": 0.0, "exp_avg_sq": 0.0}, _decoupled_hyper(group))


def _decoupled_hyper(group: dict[str, Any]) -> dict[str, Any]:
    return {**_adam_hyper(group), "decoupled_decay": group["decoupled_weight_decay"],
            "maximize": group["maximize"]}


class NAdam(_Fused, torch.optim.NAdam):
    """torch.optim.NAdam by the rule NAdam."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        hyper = {**_decoupled_hyper(group), "momentum_decay": group["momentum_decay"]}
        states = {"exp_avg": 0.0, "exp_avg_sq": 0.0}
        return _Rule("NAdam", states, hyper, types=_FLOATS)

    def _states_of(self, rule: _Rule, weight: Tensor) -> list[Tensor]:
        state = self.state[weight]
        product = state.get("mu_product")
        if product is None or product.dtype is not torch.float32:
            product = torch.ones((), dtype=torch.float32) if product is None else product.float()
            state["mu_product"] = product
        return [*super()._states_of(rule, weight), product]


class Adagrad(_Fused, torch.optim.Adagrad):
    """torch.optim.Adagrad by the rule Adagrad."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        hyper = {"lr": float(group["lr"]), "lr_decay": group["lr_decay"], "eps": group["eps"],
                 "decay": float(group["weight_decay"]), "maximize": group["maximize"]}
        return _Rule("Adagrad", {"sum": group["initial_accumulator_value"]}, hyper)


class Adadelta(_Fused, torch.optim.Adadelta):
    """torch.optim.Adadelta by the rule Adadelta."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        if group["weight_decay"] != 0:
            return None
        hyper = {"lr": float(group["lr"]), "rho": group["rho"], "eps": group["eps"],
                 "maximize": group["maximize"]}
        return _Rule("Adadelta", {"square_avg": 0.0, "acc_delta": 0.0}, hyper, has_step=False)


class RMSprop(_Fused, torch.optim.RMSprop):
    """torch.optim.RMSprop by the rules RMSProp, RMSPropMomentum and RMSPropCentered."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        momentum, centered = group["momentum"], group["centered"]
        if momentum > 0 and centered:
            return None
        name, states = "RMSProp", {"square_avg": 0.0}
        hyper = {"lr": float(group["lr"]), "alpha": group["alpha"], "eps": group["eps"],
                 "decay": float(group["weight_decay"]), "maximize": group["maximize"]}
        if momentum > 0:
            name, states["momentum_buffer"], hyper["momentum"] = "RMSPropMomentum", 0.0, momentum
        elif centered:
            name, states["grad_avg"] = "RMSPropCentered", 0.0
        return _Rule(name, states, hyper, has_step=False)


class Rprop(_Fused, torch.optim.Rprop):
    """torch.optim.Rprop by the rule Rprop."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        (eta_minus, eta_plus), (step_min, step_max) = group["etas"], group["step_sizes"]
        hyper = {"lr": 0.0, "eta_minus": eta_minus, "eta_plus": eta_plus, "step_min": step_min,
                 "step_max": step_max, "maximize": group["maximize"]}  # step_size begins as lr
        return _Rule("Rprop", {"prev": 0.0, "step_size": float(group["lr"])}, hyper)


class SGD(_Fused, torch.optim.SGD):
    """torch.optim.SGD by the rules SGD, SGDMomentum and NAG."""

    def _rule_of(self, group: dict[str, Any]) -> Optional[_Rule]:
        momentum = group["momentum"]
        hyper = {"lr": float(group["lr"]), "decay": float(group["weight_decay"]),
                 "maximize": group["maximize"]}
        if momentum == 0:
            return _Rule("SGD", {}, hyper, has_step=False)
        hyper["momentum"] = momentum
        if group["nesterov"]:
            return _Rule("NAG", {"momentum_buffer": 0.0}, hyper, has_step=False)
        hyper["dampening"] = group["dampening"]
        return _Rule("SGDMomentum", {"momentum_buffer": 0.0}, hyper)

    def _next_step(self, weight: Tensor) -> int:
        """The state has no step; only the first one is another, since it is not dampened."""
        state = self.state.get(weight, {})
        return 1 if state.get("momentum_buffer") is None else 2
