# SPDX-License-Identifier: Apache-2.0
"""Adafactor for PyTorch."""
from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from ._fused import Call, Fused, Rule

_STEP = ("lr", "eps1", "eps2", "threshold", "decay", "step", "maximize")
_MATRIX: tuple[Call, ...] = (
    Call("AdafactorRows", ("row_var", "grad"), ("beta2", "eps")),
    Call("AdafactorColumns", ("col_var", "grad"), ("beta2", "eps")),
    Call("TorchAdafactor", ("weight", "row_var", "col_var", "grad"), _STEP))
_VECTOR: tuple[Call, ...] = (
    Call("TorchAdafactorVector", ("weight", "variance", "grad"), ("beta2_decay", *_STEP)),)


class Adafactor(Fused, torch.optim.Adafactor):
    """torch.optim.Adafactor by the rules AdafactorRows, AdafactorColumns and TorchAdafactor for
    matrices, and by TorchAdafactorVector for tensors of at most one dimension. PyTorch's own code
    updates tensors of more dimensions, which it takes for several matrices."""

    def _kind_of(self, weight: Tensor) -> Any:
        return weight.dtype, weight.dim()

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        weight, (eps1, eps2) = group["params"][0], group["eps"]
        if weight.dim() > 2:
            return None
        hyper = {"lr": float(group["lr"]), "beta2_decay": group["beta2_decay"], "eps": 0.0,
                 "eps1": torch.finfo(weight.dtype).eps if eps1 is None else eps1, "eps2": eps2,
                 "threshold": group["d"], "decay": float(group["weight_decay"]),
                 "maximize": group["maximize"]}
        is_matrix = weight.dim() == 2
        states = ("row_var", "col_var") if is_matrix else ("variance",)
        return Rule("Adafactor", dict.fromkeys(states, 0.0), hyper,
                    calls=_MATRIX if is_matrix else _VECTOR, is_elementwise=False)

    def _scalars_at(self, rule: Rule, time: Any) -> dict[str, Any]:
        beta2 = 1 - time ** rule.hyper["beta2_decay"]
        return {**super()._scalars_at(rule, time), "beta2": beta2}

    def _new_state(self, name: str, weight: Tensor, initial: float, kind: torch.dtype) -> Tensor:
        """row_var has a column, col_var a row."""
        if name == "variance":
            return super()._new_state(name, weight, initial, kind)
        rows, columns = weight.shape
        return weight.new_zeros((rows, 1) if name == "row_var" else (1, columns), dtype=kind)

    def _states_of(self, rule: Rule, weight: Tensor) -> list[Tensor]:
        return [state.view(-1) for state in super()._states_of(rule, weight)]
