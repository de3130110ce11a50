# SPDX-License-Identifier: Apache-2.0
"""Muon for PyTorch."""
from __future__ import annotations

from typing import Any, Optional

import torch
from torch import Tensor

from ._fused import Call, Fused, Rule


class Muon(Fused, torch.optim.Muon):
    """torch.optim.Muon by the rules MuonMomentum, NewtonSchulz or NewtonSchulzTall, and MuonStep. The
    Newton-Schulz steps are computed in float32, or in float64; PyTorch rounds every product of them
    to bfloat16, and that is what results differ by. Between steps the optimizer keeps another number
    for each element of a matrix, beside the states."""

    def _kind_of(self, weight: Tensor) -> Any:
        return weight.dtype, weight.shape[0] > weight.shape[1]

    def _rule_of(self, group: dict[str, Any]) -> Optional[Rule]:
        rows, columns = group["params"][0].shape
        adjust, coefficients = group["adjust_lr_fn"], group["ns_coefficients"]
        if len(coefficients) != 3 or group["ns_steps"] >= 100:
            return None  # PyTorch says what is wrong
        if adjust not in (None, "original", "match_rms_adamw"):
            return None
        hyper = {"momentum": group["momentum"], "eps": group["eps"], "nesterov": group["nesterov"],
                 **dict(zip("abc", coefficients)), "lr": float(group["lr"]),
                 "decay": float(group["weight_decay"]), "match_rms": adjust == "match_rms_adamw"}
        towards = "NewtonSchulzTall" if rows > columns else "NewtonSchulz"
        calls = (Call("MuonMomentum", ("direction", "momentum_buffer", "grad"),
                      ("momentum", "eps", "nesterov")),
                 Call(towards, ("direction",), ("a", "b", "c"), group["ns_steps"]),
                 Call("MuonStep", ("weight", "direction"), ("lr", "decay", "match_rms")))
        return Rule("Muon", {"momentum_buffer": 0.0}, hyper, has_step=False, calls=calls,
                    temporaries=("direction",), is_elementwise=False)

    def _time_of(self, rule: Rule, weight: Tensor) -> int:
        """The state has no step, and no scalar depends on it."""
        return 0
