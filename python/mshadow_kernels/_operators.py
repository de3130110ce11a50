# SPDX-License-Identifier: Apache-2.0
"""The rules as custom operators of PyTorch, in the namespace `mshadow`: torch.ops.mshadow.silu(x).

A row of the table makes an operator of a rule, and another of the rule that computes its gradients.
An operator takes what its rule reads: the tensors, in the rule's shapes, and the scalars. It returns
what the rule writes. Tensors may have any strides. The names of the parameters say the rest:

* `out_grad` of a gradient's rule is the gradient of the loss with respect to `out`; `in_grad` is
  what it writes for the input `in`, and so on.
* Every other tensor or scalar of a gradient's rule is that of the same name in the forward rule.
"""
from __future__ import annotations

import inspect
import math
from typing import Any, Callable, Mapping, NamedTuple, Optional, Sequence

import torch
from torch import Tensor

from . import rules

__all__ = ["TABLE", "Row"]

_TYPES = {"double": "float", "float": "float", "bool": "bool"}  # of scalars, in a schema


class Row(NamedTuple):
    """An operator. `new` describes what rules write, by name: "in" is a tensor with the type and the
    shape of `in`; "in.0 weight.1" has the type of `in` and two extents, dimension 0 of `in` and
    dimension 1 of `weight`; "float in.0" is float32. If `new` does not name them, `out` and `in_grad`
    are like `in`."""
    name: str
    forward: str
    backward: str = ""  # without a rule a function below computes the gradients
    new: Mapping[str, str] = {}
    states: Sequence[str] = ()  # what the forward rule changes in place; the operator returns it
    drawn: Sequence[str] = ()  # integers that the operator takes in one tensor, `drawn`: in a program
                               # that PyTorch compiles they are known only when it runs
    is_batched: bool = False  # tensors have one dimension more: a call of the rule for each index
    # Inputs of a batched rule that may have fewer matrices than the first input. Then consecutive
    # calls share one.
    shared: Sequence[str] = ()
    summed: Sequence[str] = ()  # inputs whose gradient is the sum of in_grad over the rows
    # The backward rule computes a derivative, without out_grad. The gradient with respect to an
    # input is the derivative times out_grad times this.
    factors: Mapping[str, float] = {}


_STATISTICS = {"mean": "float in.0", "inv_std": "float in.0"}
_CHANNELS = {"mean": "float in.1", "inv_std": "float in.1", "bias_grad": "gain",
             "running_mean": "running_mean", "running_var": "running_var"}
_RUNNING = ("running_mean", "running_var")

TABLE = [
    Row("relu", "Relu", "ReluGrad"),
    Row("leaky_relu", "LeakyRelu", "LeakyReluGrad"),
    Row("elu", "Elu", "EluGrad"),
    Row("sigmoid", "Sigmoid", "SigmoidGrad"),
    Row("tanh", "Tanh", "TanhGrad"),
    Row("gelu", "Gelu", "GeluGrad"),
    Row("gelu_tanh", "GeluTanh", "GeluTanhGrad"),
    Row("silu", "Silu", "SiluGrad"),
    Row("softplus", "Softplus", "SoftplusGrad"),
    Row("bias_relu", "BiasRelu", "BiasReluGrad", {"bias_grad": "out.1"}),
    Row("bias_relu_2d", "BiasRelu2d", "BiasReluGrad2d", {"bias_grad": "out.1"}),
    Row("bias_sigmoid", "BiasSigmoid", "BiasSigmoidGrad", {"bias_grad": "out.1"}),
    Row("bias_tanh", "BiasTanh", "BiasTanhGrad", {"bias_grad": "out.1"}),
    Row("bias_gelu", "BiasGelu", "BiasGeluGrad", summed=["bias"]),
    Row("bias_gelu_tanh", "BiasGeluTanh", "BiasGeluTanhGrad", summed=["bias"]),
    Row("bias_silu", "BiasSilu", "BiasSiluGrad", summed=["bias"]),
    Row("softmax", "Softmax", "SoftmaxGrad"),
    Row("log_softmax", "LogSoftmax", "LogSoftmaxGrad"),
    Row("layer_norm", "LayerNorm", "LayerNormBackward",
        {**_STATISTICS, "gain_grad": "float gain", "bias_grad": "float gain"}),
    Row("rms_norm", "RmsNorm", "RmsNormBackward",
        {"inv_rms": "float in.0", "gain_grad": "float gain"}),
    Row("l2_normalize", "L2Normalize", "L2NormalizeGrad"),
    Row("instance_norm", "InstanceNorm", "InstanceNormGrad", {**_STATISTICS, "bias_grad": "gain"}),
    Row("batch_norm", "BatchNorm", "BatchNormGrad", _CHANNELS, _RUNNING),
    Row("batch_norm_2d", "BatchNorm2d", "BatchNorm2dGrad", _CHANNELS, _RUNNING),
    Row("batch_norm_inference", "BatchNormInference"),
    Row("batch_norm_2d_inference", "BatchNorm2dInference"),
    Row("local_response_norm", "LocalResponse", "LocalResponseGrad", {"scale": "in"}),
    Row("linear", "Linear", "LinearGrad", {"out": "in.0 weight.0", "bias_grad": "weight.0"}),
    Row("linear_relu", "LinearRelu", "LinearReluGrad",
        {"out": "in.0 weight.0", "bias_grad": "weight.0"}),
    Row("linear_gelu", "LinearGelu", "LinearGeluGrad",
        {"out": "in.0 weight.0", "sums": "in.0 weight.0"}),
    Row("attention", "Attention", new={"out": "q.0 q.1 v.2"}, is_batched=True, shared=["k", "v"]),
    Row("biased_attention", "BiasedAttention", new={"out": "q.0 q.1 v.2"}, is_batched=True,
        shared=["k", "v", "bias"]),
    Row("causal_attention", "CausalAttention", new={"out": "q.0 q.1 v.2"}, is_batched=True,
        shared=["k", "v"]),
    Row("dropout", "RandomDropout", drawn=["seed", "sequence"]),
    Row("rotary_embedding", "RotaryEmbedding", "RotaryEmbeddingGrad", {"in_grad": "out_grad"}),
    Row("huber", "huber", "huber_grad", {"result": "a"}, factors={"a": 1.0, "b": -1.0}),
    Row("swiglu", "SwiGlu", "SwiGluGrad"),
    Row("geglu", "GeGlu", "GeGluGrad"),
    Row("binary_cross_entropy_with_logits", "BinaryCrossEntropyWithLogits",
        "BinaryCrossEntropyWithLogitsGrad", {"loss": "in"}, factors={"in": 1.0}),
    Row("sigmoid_focal_loss", "SigmoidFocalLoss", "SigmoidFocalLossGrad", {"loss": "in"},
        factors={"in": 1.0}),
    Row("kl_div", "KlDiv", "KlDivGrad", {"loss": "in", "in_grad": "label"}, factors={"in": 1.0}),
    Row("multi_margin_loss", "MultiMarginLoss", "MultiMarginLossGrad", {"loss": "in.0"},
        factors={"in": 1.0}),
    Row("softmax_cross_entropy", "SoftmaxCrossEntropy", "SoftmaxCrossEntropyGrad",
        {"loss": "float in.0"}, factors={"in": 1.0}),
    Row("sparse_softmax_cross_entropy", "SparseSoftmaxCrossEntropy",
        "SparseSoftmaxCrossEntropyGrad", {"loss": "float in.0"}, factors={"in": 1.0}),
]


class _Rule:
    """A rule as an operator."""

    def __init__(self, row: Row, name: str, rule: str) -> None:
        self.name, self.function = name, getattr(rules, rule)
        self.states, self.is_batched, self.shared = list(row.states), row.is_batched, row.shared
        params = [param.partition(":") for param in getattr(rules, f"_call_{rule}").params]
        self.all = [param.rstrip("=") for param, _, _ in params]
        self.tensors = [param.rstrip("=") for param, _, scalar in params if not scalar]
        self.written = [param[:-1] for param, _, _ in params if param[-1] == "="]
        self.drawn = list(row.drawn)
        self.read = list(dict.fromkeys(
            "drawn" if param in self.drawn else param for param in self.all
            if param not in self.written or param in self.states))
        self.scalars = {param: _TYPES.get(scalar, "int") for param, _, scalar in params if scalar}
        defaults = inspect.signature(self.function).parameters.values()
        self.defaults = {param: x.default for param, x in zip(self.all, defaults)
                         if param in self.scalars and x.default is not x.empty}
        self.new = [_form(row.new.get(param) or _usual(param, self.read)) for param in self.written]

    def schema(self) -> str:
        """What torch.library calls the schema."""
        inputs = [f"{self.scalars.get(param, 'Tensor')} {'input' if param == 'in' else param}"
                  for param in self.read]
        results = ", ".join(["Tensor"] * len(self.written))
        return f"({', '.join(inputs)}) -> {results if len(self.written) == 1 else f'({results})'}"

    def allocate(self, *args: Any) -> Any:
        """What the rule writes, not yet computed; the fake kernel."""
        values = dict(zip(self.read, args))
        found = [form(values) for form in self.new]
        return found[0] if len(found) == 1 else tuple(found)

    def __call__(self, *args: Any) -> Any:
        """Runs the rule."""
        results = self.allocate(*args)
        written = results if isinstance(results, tuple) else (results,)
        values = dict(zip(self.read, args))
        for param, result in zip(self.written, written):
            if param in self.states:
                result.copy_(values[param])
            values[param] = result
        if self.drawn:
            values.update(zip(self.drawn, values["drawn"].tolist()))
        shape = written[0].shape
        for param in self.tensors:
            values[param] = values[param].resolve_neg().contiguous()
            if not 0 < len(shape) <= 8 and values[param].shape == shape:
                values[param] = values[param].view(-1)  # rules for any rank take up to 8
        if self.is_batched:
            self.run_each(values)
        else:
            self.function(*(values[param] for param in self.all))
        return results

    def run_each(self, values: Mapping[str, Any]) -> None:
        """Runs the rule for each index of the first dimension."""
        count = values[self.written[0]].shape[0]
        share = dict.fromkeys(self.tensors, 1)  # how many calls have the same matrix
        for param in self.tensors:
            given = values[param].shape[0]
            if param in self.shared and given > 0 and count % given == 0:
                share[param] = count // given
            elif given != count:
                raise ValueError(f"mshadow::{self.name}: argument '{param}': expected {count} "
                                 f"matrices, got {given}")
        for i in range(count):
            self.function(*(values[param][i // share[param]] if param in share else values[param]
                            for param in self.all))

    def define(self) -> Any:
        """Makes the operator."""
        made = torch.library.custom_op(f"mshadow::{self.name}", self, mutates_args=(),
                                       schema=self.schema())
        made.register_fake(self.allocate)
        return made


def _usual(param: str, read: Sequence[str]) -> str:
    """What a rule writes, if no row says it."""
    like = param[:-5] if param.endswith("_grad") else "in"
    return like if like in read else "out_grad" if "out_grad" in read else read[0]


def _form(text: str) -> Callable[[Mapping[str, Any]], Tensor]:
    """A function that makes a tensor as a row describes it."""
    words = text.split()
    is_float = words[0] == "float"
    parts = [word.partition(".") for word in words[is_float:]]

    def make(values: Mapping[str, Any]) -> Tensor:
        like: Tensor = values[parts[0][0]]
        shape = [values[name].shape[int(dim)] for name, dot, dim in parts if dot]
        kind = torch.float32 if is_float else like.dtype
        return like.new_empty(shape if parts[0][1] else like.shape, dtype=kind)

    return make


class _Gradient:
    """How autograd computes the gradients of an operator."""

    def __init__(self, row: Row, forward: _Rule) -> None:
        self.row, self.forward = row, forward
        self.backward = _Rule(row._replace(states=()), f"{row.name}_backward", row.backward)
        self.operator = self.backward.define()
        self.saved = [param for param in (*forward.read, *forward.written)
                      if param in forward.tensors and param in self.backward.read]

    def save(self, ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        """Keeps what the backward rule reads."""
        results = output if isinstance(output, tuple) else (output,)
        values = dict(zip((*self.forward.read, *self.forward.written), (*inputs, *results)))
        ctx.scalars = {param: values[param] for param in self.forward.scalars}
        ctx.types = {param: values[param].dtype for param in self.forward.read
                     if param in self.forward.tensors}
        ctx.save_for_backward(*(values[param] for param in self.saved))
        ctx.mark_non_differentiable(*results[1:])

    def __call__(self, ctx: Any, *grads: Any) -> tuple[Any, ...]:
        """The gradient with respect to each input, None for scalars and states."""
        values = {**self.backward.defaults, **ctx.scalars, **dict(zip(self.saved, ctx.saved_tensors)),
                  "out_grad": grads[0]}
        results = self.operator(*(values[param] for param in self.backward.read))
        found = dict(zip(self.backward.written,
                         results if isinstance(results, tuple) else (results,)))
        for param in self.row.summed:
            found[f"{param}_grad"] = found["in_grad"].sum(0)
        if self.row.factors:
            found = self.by_chain_rule(found[self.backward.written[0]], grads[0])
        return tuple(self.of(ctx, i, param, found) for i, param in enumerate(self.forward.read))

    def by_chain_rule(self, derivative: Tensor, grad: Tensor) -> dict[str, Tensor]:
        """The gradients, if the backward rule computes a derivative."""
        product = derivative * grad.reshape(grad.shape + (1,) * (derivative.dim() - grad.dim()))
        return {f"{param}_grad": product if factor == 1 else factor * product
                for param, factor in self.row.factors.items()}

    def of(self, ctx: Any, index: int, param: str, found: Mapping[str, Tensor]) -> Optional[Tensor]:
        """The gradient with respect to one input."""
        if not ctx.needs_input_grad[index]:
            return None
        grad = found.get(f"{param}_grad")
        if grad is None:
            raise NotImplementedError(f"mshadow::{self.row.name}: argument '{param}': there is no "
                                      f"rule for its gradient")
        return grad.to(ctx.types[param])


def _save(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    *tensors, ctx.scalar = inputs
    ctx.save_for_backward(*tensors)


def _attention_gradient(ctx: Any, grad: Tensor, *bias_of_rule: Tensor) -> tuple[Any, ...]:
    """By matrix products, and the softmax's rules between them. The products scale q and k, which
    are smaller than the scores."""
    q, *others = list(ctx.saved_tensors) + list(bias_of_rule)
    k, v, *bias = (_repeated(x, q.shape[0]) for x in others)
    scores = torch.baddbmm(bias[0] if bias else q.new_zeros(1, 1, 1), q, k.mT, alpha=ctx.scalar)
    p = torch.ops.mshadow.softmax(scores.flatten(0, 1)).view_as(scores)
    if bias and scores.shape[-1] > 0:  # a query whose keys are all masked out has no probabilities
        p.masked_fill_(scores.amax(-1, keepdim=True) == -math.inf, 0)
    rows_grad = torch.ops.mshadow.softmax_backward((grad @ v.mT).flatten(0, 1), p.flatten(0, 1))
    scores_grad = rows_grad.view_as(scores)
    grads = [scores_grad.mT @ (ctx.scalar * q), p.mT @ grad, scores_grad]
    return (scores_grad @ (ctx.scalar * k),
            *(_summed(x, y.shape[0]) if is_needed else None
              for x, y, is_needed in zip(grads, others, ctx.needs_input_grad[1:])), None)


def _causal_gradient(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    """That of attention with a bias of -Inf above the diagonal."""
    q, k, _ = ctx.saved_tensors
    bias = q.new_full((1, q.shape[1], k.shape[1]), -math.inf).triu(1)
    return _attention_gradient(ctx, grad, bias)[:4]  # of q, k and v, and None for the scale


def _repeated(x: Tensor, count: int) -> Tensor:
    """As many matrices as calls, where consecutive calls share one."""
    if x.shape[0] in (1, count):
        return x.expand(count, *x.shape[1:])
    return x.repeat_interleave(count // x.shape[0], 0)


def _summed(grad: Tensor, count: int) -> Tensor:
    """The gradient of shared matrices, of one for each call."""
    if grad.shape[0] == count:
        return grad
    return grad.reshape(count, grad.shape[0] // count, *grad.shape[1:]).sum(1)


def _inference_gradient(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    """That of a batch normalisation with given statistics, which are constants."""
    x, *vectors, _ = ctx.saved_tensors
    mean, var, gain = (y.view(-1, *[1] * (x.dim() - 2)) for y in vectors)
    inv_std, others = (var + ctx.scalar).rsqrt(), [i for i in range(x.dim()) if i != 1]
    g = grad.float()
    gain_grad = (g * (x.float() - mean) * inv_std).sum(others)
    return (g * gain * inv_std).to(x.dtype), None, None, gain_grad, g.sum(others), None


def _save_drawn(ctx: Any, inputs: tuple[Any, ...], output: Tensor) -> None:
    _, drawn, ctx.keep = inputs
    ctx.save_for_backward(drawn)


def _dropout_gradient(ctx: Any, grad: Tensor) -> tuple[Any, ...]:
    """By the rule itself, which draws the same mask again."""
    return torch.ops.mshadow.dropout(grad, *ctx.saved_tensors, ctx.keep), None, None


# Where there is no rule of the gradients: what computes them, and what keeps tensors for it.
_GRADIENTS = {"attention": (_attention_gradient, _save),
              "biased_attention": (_attention_gradient, _save),
              "causal_attention": (_causal_gradient, _save),
              "batch_norm_inference": (_inference_gradient, _save),
              "batch_norm_2d_inference": (_inference_gradient, _save),
              "dropout": (_dropout_gradient, _save_drawn)}


def _define(row: Row) -> None:
    forward = _Rule(row, row.name, row.forward)
    operator = forward.define()
    if row.backward:
        gradient = _Gradient(row, forward)
        operator.register_autograd(gradient.__call__, setup_context=lambda ctx, inputs, output:
                                   gradient.save(ctx, inputs, output))
    else:
        function, save = _GRADIENTS[row.name]
        operator.register_autograd(function, setup_context=save)


for _row in TABLE:
    _define(_row)
