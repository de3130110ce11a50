# SPDX-License-Identifier: Apache-2.0
"""What the optimizers of torch.py have in common: a step that updates parameters by lists of calls,
and leaves to PyTorch the parameters that no kernel takes."""
from __future__ import annotations

import functools
from itertools import chain
from typing import Any, Callable, NamedTuple, Optional

import torch
from torch import Tensor

from . import rules
from ._repeat import last_step

HALVES = (torch.float16, torch.bfloat16)
FLOATS = (torch.float32, *HALVES)
ALL = (*FLOATS, torch.float64)
# The states that are one number. PyTorch does not give them the type of the parameter.
_NUMBERS = ("step", "mu_product", "eta", "mu")


def promoted(kind: torch.dtype) -> torch.dtype:
    """What a rule computes in, and the type of its states."""
    return torch.float32 if kind in HALVES else kind


class Call(NamedTuple):
    """A rule that a step calls for each parameter."""
    rule: str
    tensors: tuple[str, ...] = ()  # "weight", "grad", states, temporaries; empty: all that there are
    scalars: tuple[str, ...] = ()  # empty: all
    times: int = 1

    def has_grad(self) -> bool:
        return not self.tensors or "grad" in self.tensors


class Rule(NamedTuple):
    """How parameters of a group are updated."""
    name: str
    states: dict[str, float]  # the key of each state in the order of arguments; how it begins
    hyper: dict[str, Any]
    has_step: bool = True  # whether the rule has a parameter `step`
    calls: tuple[Call, ...] = ()  # one after the other; empty: a call of the rule with this name
    temporaries: tuple[str, ...] = ()  # tensors like the states, between calls
    is_elementwise: bool = True

    def is_like(self, other: Rule) -> bool:
        """Whether the rules differ only in scalars, and in how states begin."""
        return (self.name == other.name and tuple(self.states) == tuple(other.states)
                and self.calls == other.calls)


class _Row(NamedTuple):
    """A parameter that a kernel updates, and the memory of this process of all its tensors."""
    parameter: Tensor
    weight: Tensor
    states: list[Tensor]
    grad: Tensor


class Batch:
    """A list for each call of a rule, and what is in the lists now."""

    def __init__(self, rule: Rule, rows: list[_Row], scalars: dict[str, Any]) -> None:
        self.memory = _memory(rows)
        self.grads = [row.grad.data_ptr() for row in rows]
        self.scalars = scalars
        self.temporaries = [[torch.empty_like(row.weight, dtype=promoted(row.weight.dtype))
                             for _ in rule.temporaries] for row in rows]
        self.lists = [(call, self.listed(call, rule, rows))
                      for call in rule.calls or (Call(rule.name),)]

    def listed(self, call: Call, rule: Rule, rows: list[_Row]) -> Any:
        """The list with a call for each row."""
        calls = rules.List(keep=False)
        function = getattr(rules, call.rule)
        scalars = {name: self.scalars[name] for name in call.scalars or self.scalars}
        names = ("weight", *rule.states, "grad", *rule.temporaries)
        with calls:
            for row, temporaries in zip(rows, self.temporaries):
                tensors = [row.weight, *row.states, row.grad, *temporaries]
                if call.tensors:
                    named = dict(zip(names, tensors))
                    tensors = [named[name] for name in call.tensors]
                function(*map(_ranked, tensors), **scalars)
        return calls

    def run(self, rows: list[_Row], scalars: dict[str, Any]) -> None:
        """Updates the weights, by the gradients of the rows."""
        grads = [row.grad.data_ptr() for row in rows]
        for call, calls in self.lists:
            if grads != self.grads and call.has_grad():
                calls.replace_each("grad", [_ranked(row.grad) for row in rows])
        self.grads = grads
        self.go(scalars)

    def go(self, scalars: dict[str, Any]) -> None:
        """Updates the weights, by the gradients that the lists have."""
        changed = [(name, x) for name, x in scalars.items() if self.scalars[name] != x]
        for call, calls in self.lists:
            for name, x in changed:
                if not call.scalars or name in call.scalars:
                    calls.set(name, x)
        self.scalars = scalars
        for call, calls in self.lists:
            for _ in range(call.times):
                calls.run()


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
    local: Tensor = x if _placements(x) is None else x.to_local()
    return local


def _placements(x: Tensor) -> Any:
    """How a DTensor is shared out; None for other tensors."""
    return getattr(x, "placements", None)


def _ranked(x: Tensor) -> Tensor:
    """Rules take tensors of at least one dimension."""
    return x if x.dim() else x.view(1)


def _is_dense(x: Tensor) -> bool:
    is_here = x.is_cpu or x.is_cuda and _has_gpu_kernels()
    return is_here and x.layout is torch.strided and x.is_contiguous()


@functools.cache
def _has_gpu_kernels() -> bool:
    """Whether the package was built with CUDA."""
    module: Any = rules
    return bool(module._library.mshadow_gpu_count() > 0)


def _serves(rule: Rule, weight: Tensor, grad: Tensor) -> bool:
    """Whether the kernel takes a parameter and its gradient. By an element-wise rule a process can
    update its shard alone, if the gradient is complete and shared out alike."""
    where = _placements(weight)
    if where != _placements(grad) or any(place.is_partial() for place in where or ()):
        return False
    if where is not None and not rule.is_elementwise:
        return False
    weight, grad = _local(weight), _local(grad)
    return (weight.dtype in ALL and grad.dtype is weight.dtype and _is_dense(weight)
            and _is_dense(grad) and weight.dim() <= 8 and not grad.is_neg())


class Fused(torch.optim.Optimizer):
    """What the classes have in common. A class says by _rule_of which rule updates a group."""

    # With fused=True a GradScaler leaves it to step() to unscale gradients, which ours does not do.
    _step_supports_amp_scaling = property(lambda self: False, lambda self, value: None)

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        """The rule of a group whose parameters are of one kind. None: PyTorch updates them."""
        raise NotImplementedError

    def _kind_of(self, weight: Tensor) -> Any:
        """Parameters of a group that differ in this may have different rules."""
        return weight.dtype

    def step(self, closure: Optional[Callable[[], Any]] = None) -> Any:
        """Updates all parameters that have a gradient. Returns what `closure` returns, which it
        calls before, with gradients enabled."""
        self._check_capture()
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        rest = []
        with torch.no_grad():
            for number, group in enumerate(self.param_groups):
                left = [] if self._repeat(number, group) else self._update_group(number, group)
                if left:
                    rest.append({**group, "params": left})
        if rest:
            self._update_by_torch(rest)
        return loss

    def _check_capture(self) -> None:
        """A CUDA graph would repeat the scalars of the step that it captures. PyTorch refuses that in
        the classes that have the option `capturable`."""
        for group in self.param_groups:
            is_refused = not group.get("capturable", True) and group["params"]
            if is_refused and group["params"][0].is_cuda and torch.cuda.is_current_stream_capturing():
                raise RuntimeError(f"{type(self).__name__}.step: expected no capture of a CUDA graph, "
                                   "or groups with capturable=True")

    def _repeat(self, number: int, group: dict[str, Any]) -> bool:
        """Updates a group as the last step did. Returns whether it can."""
        last_steps = self.__dict__.setdefault("_last_steps", {})  # no part of the state
        last, parameters = last_steps.pop(number, None), group["params"]
        if last is None or not parameters:
            return False
        rule = self._plain_rule_of(group)
        if rule is None or not last.fits(rule, parameters, self.state):
            return False
        last.run(self._scalars_at(rule, last.time))
        _increment_versions(parameters)
        last_steps[number] = last
        return True

    def _update_group(self, number: int, group: dict[str, Any]) -> list[Tensor]:
        """Updates the parameters of a group that a kernel takes. Returns the others."""
        kinds: dict[Any, list[Tensor]] = {}
        for weight in group["params"]:
            if weight.grad is not None:
                kinds.setdefault(self._kind_of(weight), []).append(weight)
        left: list[Tensor] = []
        done: list[tuple[Rule, Batch]] = []
        for weights in kinds.values():
            others, batches = self._update({**group, "params": weights})
            left += others
            done += batches
        if len(done) == 1 and len(done[0][1].grads) == len(group["params"]):
            self._remember(number, group["params"], *done[0])
        return left

    def _remember(self, number: int, parameters: list[Tensor], rule: Rule, batch: Batch) -> None:
        """Keeps how a group was updated, by one batch of all its parameters, for _repeat."""
        time = self._time_of(rule, parameters[0])
        if not isinstance(time, int):
            return  # the scalars depend on more than the number of the step
        is_counted = type(self)._time_of is Fused._time_of
        last = last_step(rule, batch, parameters, self.state, time - 1 if is_counted else -1, time)
        if last is not None:
            self.__dict__["_last_steps"][number] = last

    def _plain_rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        is_plain = not group.get("capturable") and not group.get("differentiable")
        return self._rule_of(group) if is_plain else None

    def _update(self, group: dict[str, Any]) -> tuple[list[Tensor], list[tuple[Rule, Batch]]]:
        """Updates the parameters of one kind that a kernel takes. Returns the others, and the batches
        of those that it has updated."""
        rule = self._plain_rule_of(group)
        if rule is None:
            return list(group["params"]), []
        left: list[Tensor] = []
        done: list[tuple[Rule, Batch]] = []
        batches: dict[Any, list[_Row]] = {}
        for weight in group["params"]:
            grad = weight.grad
            if not _serves(rule, weight, grad):
                left.append(weight)
                continue
            time = self._time_of(rule, weight)
            states = [_local(state) for state in self._states_of(rule, weight)]
            row = _Row(weight, _local(weight), states, _local(grad))
            gpu = row.weight.device if row.weight.is_cuda else None
            batches.setdefault((time, gpu), []).append(row)
        for (time, gpu), rows in batches.items():
            batch = self._run(rule, rows, self._scalars_at(rule, time), gpu)
            self._advance(rule, rows, time)
            done.append((rule, batch))
        return left, done

    def _time_of(self, rule: Rule, weight: Tensor) -> Any:
        """The number of the next step, and what else of the state scalars depend on."""
        state = self.state[weight]
        if "step" not in state:
            state["step"] = torch.zeros((), dtype=torch.get_default_dtype())
        return int(_number(state, "step")) + 1

    def _scalars_at(self, rule: Rule, time: Any) -> dict[str, Any]:
        """The scalars of a step."""
        return {**rule.hyper, "step": time} if rule.has_step else rule.hyper

    def _states_of(self, rule: Rule, weight: Tensor) -> list[Tensor]:
        """The states, in float32 for 16-bit parameters; new ones begin as the rule says."""
        if not rule.states:
            return []
        state, found = self.state[weight], []
        kind = promoted(weight.dtype)
        for name, initial in rule.states.items():
            value = state.get(name)
            if value is None:
                value = self._new_state(name, weight, initial, kind)
            elif value.dtype is not kind:
                value = value.to(kind)
            if not value.is_contiguous():
                value = value.contiguous()
            state[name] = value
            found.append(value)
        return found

    def _new_state(self, name: str, weight: Tensor, initial: float, kind: torch.dtype) -> Tensor:
        return torch.full_like(weight, initial, dtype=kind)

    def _run(self, rule: Rule, rows: list[_Row], scalars: dict[str, Any],
             gpu: Optional[torch.device]) -> Batch:
        batches = self.__dict__.setdefault("_batches", {})  # no part of the state
        stream = None if gpu is None else torch.cuda.current_stream(gpu).cuda_stream
        key = (rule.name, rule.calls, stream, tuple(id(row.parameter) for row in rows))
        batch: Optional[Batch] = batches.get(key)
        if batch is None or batch.memory != _memory(rows):
            if len(batches) >= 16:
                batches.clear()
            batch = batches[key] = Batch(rule, rows, scalars)
        batch.run(rows, scalars)
        # A backward pass that needs the old elements fails from now on.
        _increment_versions([row.parameter for row in rows])
        return batch

    def _advance(self, rule: Rule, rows: list[_Row], time: Any) -> None:
        """Moves the numbers in the states to the next step."""
        states = [self.state.get(row.parameter, {}) for row in rows]
        steps = [state["step"] for state in states if "step" in state]
        if steps:
            torch._foreach_add_(steps, 1)

    def _update_by_torch(self, groups: list[dict[str, Any]]) -> None:
        """Updates these groups by the step of torch.optim, without its hooks: ours has run them."""
        for group in groups:
            for weight in group["params"]:
                self._prepare_for_torch(weight, bool(group.get("fused")))
        step = super().step.__func__  # type: ignore[attr-defined]
        while getattr(step, "hooked", False):
            step = step.__wrapped__
        every, self.param_groups = self.param_groups, groups
        try:
            step(self)
        finally:
            self.param_groups = every

    def _prepare_for_torch(self, weight: Tensor, is_fused: bool) -> None:
        """Gives the states the types and the devices that they have in PyTorch."""
        state = self.state[weight]
        for name, value in state.items():
            if weight.dtype in HALVES and _is_tensor_state(name, value):
                state[name] = value.to(weight.dtype)
            elif name in ("eta", "mu") or name == "step" and is_fused:
                state[name] = value.to(weight.device)

    def load_state_dict(self, state_dict: dict[str, Any]) -> None:
        """As in torch.optim, but states of 16-bit parameters stay float32 if they are."""
        super().load_state_dict(state_dict)
        saved = chain.from_iterable(group["params"] for group in state_dict["param_groups"])
        weights = chain.from_iterable(group["params"] for group in self.param_groups)
        for number, weight in zip(saved, weights):
            if weight.dtype not in HALVES:
                continue
            state = self.state[weight]
            for name, value in state_dict["state"].get(number, {}).items():
                is_same = _is_tensor_state(name, value) and name in state and torch.equal(
                    state[name], value.to(state[name]))  # unless a hook replaced it
                if is_same:
                    state[name] = value.to(weight.device, torch.float32, copy=True)


def _number(state: dict[str, Any], name: str) -> float:
    """A state that is one number. Reading it from a GPU would wait for the GPU at every step, so it
    moves to the CPU."""
    if not state[name].is_cpu:
        state[name] = state[name].cpu()
    return float(state[name])


def _is_tensor_state(name: str, value: Any) -> bool:
    """Whether a state has the type of the parameter in PyTorch's own class."""
    return isinstance(value, Tensor) and value.is_floating_point() and name not in _NUMBERS
