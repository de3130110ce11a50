# SPDX-License-Identifier: Apache-2.0
"""Steps that repeat the last one.

From step to step mostly nothing changes but the gradients and some scalars. To find that out in
Python takes some microseconds for each parameter, more than the update of a small one. Where PyTorch
has DLPack's C functions, the extension module compares the tensors in a fraction of the time
(docs/decisions/python-steps.md)."""
from __future__ import annotations

from typing import TYPE_CHECKING, Any, Optional

import torch
from torch import Tensor

from . import rules

if TYPE_CHECKING:
    from ._fused import Batch, Rule


class LastStep:
    """The last step of a group whose parameters are all in one batch."""

    def __init__(self, rule: Rule, batch: Batch, recorded: object, stream: Optional[int],
                 count: int, time: Any) -> None:
        self.rule, self.batch, self.recorded, self.stream = rule, batch, recorded, stream
        self.count = count  # what each state `step` has; -1: there is none
        self.time = time  # of the next step

    def fits(self, rule: Rule, parameters: list[Tensor], state: Any) -> bool:
        """Whether the next step may repeat this one. Then the lists have its gradients."""
        if not rule.is_like(self.rule) or self.stream != _stream(parameters):
            return False
        self.batch.grads = []  # of which the batch does not know
        lists: list[Any] = [calls for call, calls in self.batch.lists if call.has_grad()]
        handles = tuple(calls._handle.value for calls in lists)
        with lists[0]._lock():
            return bool(_module()._call.repeat_step(self.recorded, parameters, state, handles,
                                                    self.count))

    def run(self, scalars: dict[str, Any]) -> None:
        """Makes the next step."""
        self.batch.go(scalars)
        _module()._call.count_step(self.recorded)
        if self.count >= 0:
            self.count += 1
            self.time += 1


def last_step(rule: Rule, batch: Batch, parameters: list[Tensor], state: Any, count: int,
              time: Any) -> Optional[LastStep]:
    """The step that was just made, or None if none can repeat it."""
    module = _module()
    if module._call is None or not hasattr(torch.Tensor, "__dlpack_c_exchange_api__"):
        return None
    names = tuple(name for name in state.get(parameters[0], ()) if name != "step")
    call, calls = batch.lists[0]
    where = () if calls.stream is None else (calls.stream.device, calls.stream.wrapped)
    recorded = module._call.record_step(
        getattr(module, f"_call_{call.rule}"),
        module._address_of(module._library.mshadow_list_replace), parameters, state, names, count,
        *where)
    if recorded is None:
        return None
    return LastStep(rule, batch, recorded, _stream(parameters), count, time)


def _module() -> Any:
    """The module of the rules, with what its stub leaves out."""
    return rules


def _stream(parameters: list[Tensor]) -> Optional[int]:
    """PyTorch's current stream on the GPU of the parameters; None on the CPU."""
    if not parameters or not parameters[0].is_cuda:
        return None
    return int(torch.cuda.current_stream(parameters[0].device).cuda_stream)
