# SPDX-License-Identifier: Apache-2.0
"""PyTorch's optimizers, with the configurations of its own tests: ours against those of
torch.optim, over some steps of a small model; checkpoints both ways; and the exceptions of wrong
arguments.

usage: suite_torch.py OUT"""
from __future__ import annotations

import copy
import importlib
import pathlib
import re
import sys
import warnings
from typing import Any, Callable, Iterator
from unittest import mock

import torch
from torch.testing._internal.common_optimizers import OptimizerErrorEnum, optim_db

from cases import Case, write

fused: Any = importlib.import_module("mshadow_kernels.torch")
STEPS = 8
# PyTorch computes the steps of Muon in bfloat16. The bound is this share of the longest distance that
# a weight moves, and of the largest element of a state.
MUON = 0.03


def model_of(dtype: torch.dtype) -> torch.nn.Module:
    """A model with weights of several ranks, the same each time. None of its gradients is rounding
    alone, of which Adam would make a step."""
    torch.manual_seed(1)
    return torch.nn.Sequential(torch.nn.Conv1d(2, 3, 3), torch.nn.Tanh(), torch.nn.Flatten(),
                               torch.nn.Linear(12, 5)).to(dtype)


def weights_of(model: torch.nn.Module, kind: Any) -> list[torch.nn.Parameter]:
    """What the optimizer takes: Muon matrices only, and a kernel of Adafactor no more dimensions."""
    least, most = {"Muon": (2, 2), "Adafactor": (0, 2)}.get(kind.__name__, (0, 8))
    return [x for x in model.parameters() if least <= x.dim() <= most]


def train(model: torch.nn.Module, optimizer: Any, steps: int) -> None:
    """Steps with a loss of data that are the same each time."""
    dtype = next(model.parameters()).dtype
    random = torch.Generator().manual_seed(2)
    for _ in range(steps):
        data = torch.randn(7, 2, 6, dtype=dtype, generator=random)
        model.zero_grad()
        (model(data) * torch.arange(1, 6, dtype=dtype)).square().mean().backward()
        optimizer.step()


def check_near(ours: Any, theirs: Any, share: float = 0.0) -> None:
    """Raises an AssertionError unless tensors, or all tensors of two dictionaries, are near: by
    PyTorch's bounds, or by a share of the largest element."""
    if isinstance(theirs, dict):
        if ours.keys() != theirs.keys():
            raise AssertionError(f"keys {sorted(ours)}, not {sorted(theirs)}")
        for key, value in theirs.items():
            check_near(ours[key], value, share)
    elif isinstance(theirs, torch.Tensor) and share > 0:
        check_within(ours, theirs, share * theirs.abs().max().item())
    elif isinstance(theirs, torch.Tensor):
        torch.testing.assert_close(ours, theirs, check_dtype=False)


def check_within(ours: torch.Tensor, theirs: torch.Tensor, bound: float) -> None:
    """Raises an AssertionError unless tensors differ by at most this."""
    torch.testing.assert_close(ours, theirs, rtol=0, atol=bound, check_dtype=False)


def check_weights(kind: Any, ours: torch.nn.Module, theirs: torch.nn.Module) -> None:
    """Raises an AssertionError unless the models have weights that are near."""
    if kind.__name__ != "Muon":
        check_near(ours.state_dict(), theirs.state_dict())
        return
    start = model_of(next(theirs.parameters()).dtype)
    for x, y, begin in zip(ours.parameters(), theirs.parameters(), start.parameters()):
        check_within(x, y, MUON * (y - begin).abs().max().item())


def check_steps(kind: Any, reference: Any, options: dict[str, Any], dtype: torch.dtype) -> None:
    """The same weights and states after some steps."""
    left, right = model_of(dtype), model_of(dtype)
    ours = kind(weights_of(left, kind), **copy.deepcopy(options))
    theirs = reference(weights_of(right, kind), **copy.deepcopy(options))
    train(left, ours, STEPS)
    train(right, theirs, STEPS)
    check_weights(kind, left, right)
    share = MUON if kind.__name__ == "Muon" else 0.0
    check_near(ours.state_dict()["state"], theirs.state_dict()["state"], share)


def check_checkpoint(first: Any, second: Any, options: dict[str, Any], dtype: torch.dtype) -> None:
    """Training goes on from a checkpoint of the other class as if nothing had happened."""
    left, right = model_of(dtype), model_of(dtype)
    begun, whole = (kind(weights_of(model, kind), **copy.deepcopy(options))
                    for kind, model in ((first, left), (second, right)))
    train(left, begun, STEPS // 2)
    rest = second(weights_of(left, second), **copy.deepcopy(options))
    rest.load_state_dict(copy.deepcopy(begun.state_dict()))
    train(left, rest, STEPS // 2)
    for _ in range(2):
        train(right, whole, STEPS // 2)
    check_weights(first, left, right)


def check_error(kind: Any, wrong: Any) -> None:
    """The exception or the warning that PyTorch's own class has."""
    given = wrong.optimizer_error_input
    params = given.params
    if params is None:
        params = [torch.nn.Parameter(torch.ones(1))]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        try:
            optimizer = kind(params, **given.kwargs)
            if wrong.error_on is OptimizerErrorEnum.STEP_ERROR:
                optimizer.step()
        except wrong.error_type as error:
            message = f"{error!r} does not match '{wrong.error_regex}'"
            if not re.search(wrong.error_regex, str(error)):
                raise AssertionError(message) from error
            return
    raise AssertionError("no exception")


def case(group: str, name: str, check: Callable[[], None]) -> Case:
    """Whether a check passes."""
    try:
        check()
    except Exception as error:  # whatever it is, the case does not pass
        lines = f"{type(error).__name__}: {error}".split("\n")
        return Case(group, name, False, " ".join(line for line in lines if line.strip())[:300])
    return Case(group, name, True)


def configurations(info: Any, kind: Any) -> Iterator[Case]:
    """Every configuration of an optimizer, for float and double."""
    reference = info.optim_cls
    for given in info.optim_inputs_func(device="cpu"):
        for dtype in (torch.float32, torch.float64):
            with mock.patch.object(kind, "_update_by_torch", autospec=True,
                                   side_effect=kind._update_by_torch) as others:
                run = case("", "", lambda: check_steps(kind, reference, given.kwargs, dtype))
            group = f"{info.name}, by PyTorch's code" if others.called else info.name
            name = f"{given.desc}, {str(dtype).partition('.')[2]}"
            yield run._replace(group=group, name=name)
            for first, second in ((kind, reference), (reference, kind)):
                loads = f"checkpoint of {'ours' if first is kind else 'theirs'}, {name}"
                yield case(group, loads,
                           lambda: check_checkpoint(first, second, given.kwargs, dtype))


def cases() -> Iterator[Case]:
    """Every optimizer that PyTorch tests."""
    for info in optim_db:
        kind = getattr(fused, info.name, None)
        if kind is None:
            yield Case(info.name, "all", False, f"mshadow_kernels.torch has no {info.name}")
            continue
        yield from configurations(info, kind)
        for dtype in (torch.float32, torch.float64):
            for wrong in info.optim_error_inputs_func("cpu", dtype):
                name = f"error, {wrong.optimizer_error_input.desc}, {str(dtype).partition('.')[2]}"
                yield case(info.name, name, lambda: check_error(kind, wrong))


if __name__ == "__main__":
    torch.set_num_threads(1)  # the tensors are small
    write(pathlib.Path(sys.argv[1]), cases())
