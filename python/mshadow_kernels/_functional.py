# SPDX-License-Identifier: Apache-2.0
"""Activations, normalisations, layers and losses for PyTorch, with gradients, by fused kernels.

A function that torch.nn.functional has, too, has its signature and meaning. torch.compile and
torch.export take all of them: they call custom operators of the namespace `mshadow`.

Tensors may have any shape that PyTorch's function takes, and any strides. The result is contiguous.
Unless a function says more, its element types are float32, float64, float16 and bfloat16; 16-bit
elements are computed in float32, and rounded once. But linear, linear_relu, linear_gelu and attention
also round the elements of each product, and huber_loss and smooth_l1_loss also round each loss before
they use it. All tensors of a call have one type, but for labels.

Every function raises mshadow_kernels.NoInstance, which is a TypeError, for other types, and
mshadow_kernels.Error, which is a ValueError, for tensors on a device that the package has no kernels
for. For shapes that do not fit it raises a ValueError or, where PyTorch refuses to broadcast or
reshape, what PyTorch raises. There are no second derivatives.
"""
from __future__ import annotations

import math
from typing import Any, Callable, Optional, Protocol, Sequence

import torch
from torch import Tensor

from . import _operators  # defines torch.ops.mshadow

__all__ = ["attention", "batch_norm", "bias_gelu", "bias_relu", "bias_sigmoid", "bias_silu",
           "bias_tanh", "binary_cross_entropy_with_logits", "cross_entropy", "dropout", "elu",
           "geglu", "gelu", "huber_loss", "instance_norm", "kl_div", "l2_normalize", "layer_norm",
           "leaky_relu", "linear", "linear_gelu", "linear_relu", "local_response_norm",
           "log_softmax", "multi_margin_loss", "relu", "rms_norm", "rotary_embedding",
           "scaled_dot_product_attention", "sigmoid", "sigmoid_focal_loss", "silu",
           "smooth_l1_loss", "softmax", "softplus", "swiglu", "tanh"]


_Operator = Callable[..., Tensor]


class _Operators(Protocol):
    """Operators with one result."""

    def __getattr__(self, name: str) -> _Operator: ...


_ops: _Operators = torch.ops.mshadow
_several: Any = torch.ops.mshadow  # operators whose results are a tuple
_HALVES = (torch.float16, torch.bfloat16)
del _operators


def _call(inplace: bool, operator: _Operator, x: Tensor, *more: Any) -> Tensor:
    """An operator's result, or with `inplace` the tensor `x`, overwritten by it. Then the operator
    gets a copy of `x`, since autograd may keep its operand."""
    return x.copy_(operator(x.clone(), *more)) if inplace else operator(x, *more)


def relu(input: Tensor, inplace: bool = False) -> Tensor:
    """max(x, 0) of each element, as torch.nn.functional.relu. NaN stays NaN."""
    return _call(inplace, _ops.relu, input)


def leaky_relu(input: Tensor, negative_slope: float = 0.01, inplace: bool = False) -> Tensor:
    """x where x >= 0, else negative_slope x, as torch.nn.functional.leaky_relu."""
    return _call(inplace, _ops.leaky_relu, input, negative_slope)


def elu(input: Tensor, alpha: float = 1.0, inplace: bool = False) -> Tensor:
    """x where x >= 0, else alpha (e^x - 1), as torch.nn.functional.elu. Raises a ValueError if alpha
    is negative."""
    if alpha < 0:
        raise ValueError(f"elu: argument 'alpha': expected at least 0, got {alpha}")
    return _call(inplace, _ops.elu, input, alpha)


def sigmoid(input: Tensor) -> Tensor:
    """1 / (1 + e^-x) of each element, as torch.sigmoid."""
    return _ops.sigmoid(input)


def tanh(input: Tensor) -> Tensor:
    """The hyperbolic tangent of each element, as torch.tanh."""
    return _ops.tanh(input)


def gelu(input: Tensor, approximate: str = "none") -> Tensor:
    """x Phi(x), as torch.nn.functional.gelu. `approximate` is "none" or "tanh"."""
    return _choose("gelu", approximate, _ops.gelu, _ops.gelu_tanh)(input)


def _choose(name: str, approximate: str, exact: _Operator, by_tanh: _Operator) -> _Operator:
    if approximate not in ("none", "tanh"):
        raise ValueError(f"{name}: argument 'approximate': expected 'none' or 'tanh', got "
                         f"{approximate!r}")
    return exact if approximate == "none" else by_tanh


def silu(input: Tensor, inplace: bool = False) -> Tensor:
    """x sigmoid(x) of each element, as torch.nn.functional.silu."""
    return _call(inplace, _ops.silu, input)


def softplus(input: Tensor, beta: float = 1.0, threshold: float = 20.0) -> Tensor:
    """log(1 + e^(beta x)) / beta, as torch.nn.functional.softplus. PyTorch returns x where beta x is
    above `threshold`; this function never does. It raises a ValueError if `threshold` is below 20,
    since its result would then differ from PyTorch's."""
    if threshold < 20:
        raise ValueError(f"softplus: argument 'threshold': expected at least 20, got {threshold}")
    return _ops.softplus(input, beta)


def bias_relu(input: Tensor, bias: Tensor) -> Tensor:
    """relu(x + bias). `bias` has an element for each column, the last dimension of `input`; if
    `input` has four dimensions (images), for each channel, the second one."""
    if input.dim() == 4:
        return _ops.bias_relu_2d(input, bias)
    return _by_rows(_ops.bias_relu, input, bias)


def bias_sigmoid(input: Tensor, bias: Tensor) -> Tensor:
    """sigmoid(x + bias). `bias` has an element for each column, the last dimension of `input`."""
    return _by_rows(_ops.bias_sigmoid, input, bias)


def bias_tanh(input: Tensor, bias: Tensor) -> Tensor:
    """tanh(x + bias). `bias` has an element for each column, the last dimension of `input`."""
    return _by_rows(_ops.bias_tanh, input, bias)


def bias_gelu(input: Tensor, bias: Tensor, approximate: str = "none") -> Tensor:
    """gelu(x + bias, approximate). `bias` has an element for each column, the last dimension of
    `input`."""
    rule = _choose("bias_gelu", approximate, _ops.bias_gelu, _ops.bias_gelu_tanh)
    return _by_rows(rule, input, bias)


def bias_silu(input: Tensor, bias: Tensor) -> Tensor:
    """silu(x + bias). `bias` has an element for each column, the last dimension of `input`."""
    return _by_rows(_ops.bias_silu, input, bias)


def _by_rows(operator: Any, x: Tensor, *more: Any) -> Tensor:
    """An operator for matrices, over the last dimension of `x`. Its first result, with the leading
    dimensions of `x`."""
    columns = x.shape[-1] if x.dim() else 1
    results = operator(x.reshape(math.prod(x.shape[:-1]), columns), *more)
    out: Tensor = results[0] if isinstance(results, (tuple, list)) else results
    return out.reshape((*x.shape[:-1], out.shape[-1]) if x.dim() else ())


def softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3,
            dtype: Optional[torch.dtype] = None) -> Tensor:
    """e^x / sum(e^x) along dimension `dim`, as torch.nn.functional.softmax. Raises a TypeError
    without `dim`."""
    return _along("softmax", _ops.softmax, input if dtype is None else input.to(dtype), dim)


def log_softmax(input: Tensor, dim: Optional[int] = None, _stacklevel: int = 3,
                dtype: Optional[torch.dtype] = None) -> Tensor:
    """x - log(sum(e^x)) along dimension `dim`, as torch.nn.functional.log_softmax. Raises a TypeError
    without `dim`."""
    return _along("log_softmax", _ops.log_softmax, input if dtype is None else input.to(dtype),
                  dim)


def l2_normalize(input: Tensor, dim: int = -1, eps: float = 1e-10) -> Tensor:
    """x / sqrt(sum(x^2) + eps) along dimension `dim`. torch.nn.functional.normalize divides by
    max(norm, eps) instead."""
    return _along("l2_normalize", _ops.l2_normalize, input, dim, eps)


def _along(name: str, operator: Any, x: Tensor, dim: Optional[int], *more: Any) -> Tensor:
    if dim is None:
        raise TypeError(f"{name}: argument 'dim': expected a dimension, got None")
    out = _by_rows(operator, x.movedim(dim, -1) if x.dim() else x, *more)
    return out.movedim(-1, dim).contiguous() if x.dim() else out


def layer_norm(input: Tensor, normalized_shape: Sequence[int], weight: Optional[Tensor] = None,
               bias: Optional[Tensor] = None, eps: float = 1e-5) -> Tensor:
    """(x - mean) / sqrt(variance + eps) weight + bias over the last dimensions, as
    torch.nn.functional.layer_norm. `weight` and `bias` have the shape `normalized_shape`, and the
    type of `input` or, beside 16-bit rows, float32. Types: float32, float16, bfloat16."""
    rows, gain, shift = _normalized("layer_norm", input, normalized_shape,
                                    (weight, 1.0), (bias, 0.0))
    out: Tensor = _several.layer_norm(rows, gain, shift, eps)[0]
    return out.reshape(input.shape).to(input.dtype)


def rms_norm(input: Tensor, normalized_shape: Sequence[int], weight: Optional[Tensor] = None,
             eps: Optional[float] = None) -> Tensor:
    """x / sqrt(mean(x^2) + eps) weight over the last dimensions, as torch.nn.functional.rms_norm.
    `weight` has the shape `normalized_shape`, and the type of `input` or, beside 16-bit rows,
    float32. Without `eps` it is the machine epsilon of the type of `input`. Types: float32, float16,
    bfloat16."""
    rows, gain = _normalized("rms_norm", input, normalized_shape, (weight, 1.0))
    small = torch.finfo(input.dtype).eps if eps is None else eps
    out: Tensor = _several.rms_norm(rows, gain, small)[0]
    return out.reshape(input.shape).to(input.dtype)


def _normalized(name: str, x: Tensor, shape: Sequence[int],
                *given: tuple[Optional[Tensor], float]) -> list[Tensor]:
    """`x` as a matrix, and for each weight, or the value in its place, a vector with an element for
    each column. All are float32 if a weight of 16-bit rows is."""
    shape = tuple(shape)
    if not shape or tuple(x.shape[-len(shape):]) != shape:
        raise ValueError(f"{name}: argument 'normalized_shape': expected the last dimensions of "
                         f"{tuple(x.shape)}, got {shape}")
    columns = math.prod(shape)
    found = [x.reshape(math.prod(x.shape[:-len(shape)]), columns)]
    for weight, initial in given:
        if weight is None:
            weight = x.new_full(shape, initial)
        elif tuple(weight.shape) != shape:
            raise ValueError(f"{name}: expected a weight or bias of shape {shape}, got "
                             f"{tuple(weight.shape)}")
        found.append(weight.reshape(columns))
    is_mixed = x.dtype in _HALVES and any(y.dtype is torch.float32 for y in found)
    return [y.float() if is_mixed and y.dtype in _HALVES else y for y in found]


def batch_norm(input: Tensor, running_mean: Optional[Tensor], running_var: Optional[Tensor],
               weight: Optional[Tensor] = None, bias: Optional[Tensor] = None,
               training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """(x - mean) / sqrt(variance + eps) weight + bias for each channel, dimension 1, as
    torch.nn.functional.batch_norm. With `training` the statistics are those of `input`, and move the
    running ones by `momentum`; else they are the running ones, which have no gradient. All
    tensors but `input` have one element for each channel, and are computed with in float32. Types of
    `input`: float32, float16, bfloat16."""
    if input.dim() < 2:
        raise ValueError(f"batch_norm: argument 'input': expected at least 2 dimensions, got "
                         f"{input.dim()}")
    channels = input.shape[1]
    gain = _or_full(weight, input, channels, 1.0)
    shift = _or_full(bias, input, channels, 0.0)
    is_matrix = input.dim() == 2
    # The rule takes images; the other dimensions make one of them.
    x = input if is_matrix else input.reshape(*input.shape[:2], math.prod(input.shape[2:]), 1)
    if not training:
        if running_mean is None or running_var is None:
            raise ValueError("batch_norm: expected running_mean and running_var if not training")
        known = _ops.batch_norm_inference if is_matrix else _ops.batch_norm_2d_inference
        out = known(x, running_mean.float(), running_var.float(), gain, shift, eps)
        return out.reshape(input.shape)
    mean = _or_full(running_mean, input, channels, 0.0)
    var = _or_full(running_var, input, channels, 1.0)
    rule = _several.batch_norm if is_matrix else _several.batch_norm_2d
    results: Sequence[Tensor] = rule(mean, var, x, gain, shift, momentum, eps)
    with torch.no_grad():
        for running, moved in zip((running_mean, running_var), results[3:]):
            if running is not None:
                running.copy_(moved)
    return results[0].reshape(input.shape)


def _or_full(given: Optional[Tensor], x: Tensor, count: int, initial: float) -> Tensor:
    if given is None:
        return x.new_full((count,), initial, dtype=torch.float32)
    return given.float()


def instance_norm(input: Tensor, running_mean: Optional[Tensor] = None,
                  running_var: Optional[Tensor] = None, weight: Optional[Tensor] = None,
                  bias: Optional[Tensor] = None, use_input_stats: bool = True,
                  momentum: float = 0.1, eps: float = 1e-5) -> Tensor:
    """(x - mean) / sqrt(variance + eps) weight + bias for each channel of each sample, dimensions 1
    and 0, as torch.nn.functional.instance_norm. `weight` and `bias` have an element for each
    channel, and are computed with in float32. There are no running statistics: raises a
    NotImplementedError for them, and without `use_input_stats`. Types of `input`: float32, float16,
    bfloat16."""
    if running_mean is not None or running_var is not None or not use_input_stats:
        raise NotImplementedError("instance_norm: running statistics are not computed")
    if input.dim() < 3:
        raise ValueError(f"instance_norm: argument 'input': expected at least 3 dimensions, got "
                         f"{input.dim()}")
    samples, channels = input.shape[:2]
    rows = input.reshape(samples * channels, math.prod(input.shape[2:]))
    gain = _or_full(weight, input, channels, 1.0).repeat(samples)
    shift = _or_full(bias, input, channels, 0.0).repeat(samples)
    out: Tensor = _several.instance_norm(rows, gain, shift, eps)[0]
    return out.reshape(input.shape)


def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75,
                        k: float = 1.0) -> Tensor:
    """x (k + alpha / size sum(x^2))^-beta, the sum over `size` neighbouring channels, dimension 1, as
    torch.nn.functional.local_response_norm. Raises a ValueError if `size` is even. Types: float32,
    float64."""
    if size % 2 == 0 or input.dim() < 3:
        raise ValueError("local_response_norm: expected an odd size and at least 3 dimensions, got "
                         f"{size} and {input.dim()}")
    x = input.reshape(*input.shape[:2], math.prod(input.shape[2:]), 1)
    out: Tensor = _several.local_response_norm(x, size, alpha, beta, k)[0]
    return out.reshape(input.shape)


def linear(input: Tensor, weight: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    """x W^T + b, as torch.nn.functional.linear. Shapes: `input` (…, in), `weight` (out, in), `bias`
    (out,), result (…, out)."""
    return _dense(_ops.linear, input, weight, bias)


def linear_relu(input: Tensor, weight: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    """relu(linear(input, weight, bias)), with the shapes of linear."""
    return _dense(_ops.linear_relu, input, weight, bias)


def linear_gelu(input: Tensor, weight: Tensor, bias: Optional[Tensor] = None) -> Tensor:
    """gelu(linear(input, weight, bias)), with the shapes of linear."""
    return _dense(_ops.linear_gelu, input, weight, bias)


def _dense(operator: Any, x: Tensor, weight: Tensor, bias: Optional[Tensor]) -> Tensor:
    shift = weight.new_zeros(weight.shape[0]) if bias is None else bias
    if x.dim() == 1:
        return _by_rows(operator, x.unsqueeze(0), weight, shift).squeeze(0)
    return _by_rows(operator, x, weight, shift)


def attention(q: Tensor, k: Tensor, v: Tensor, scale: float = 1.0) -> Tensor:
    """softmax(scale q k^T) v for each head. Shapes: `q` (heads, queries, features), `k` (heads, keys,
    features), `v` (heads, keys, values), result (heads, queries, values). `k` and `v` may have fewer
    heads; then consecutive heads of `q` share one."""
    return _ops.attention(q, k, v, scale)


def scaled_dot_product_attention(
        query: Tensor, key: Tensor, value: Tensor, attn_mask: Optional[Tensor] = None,
        dropout_p: float = 0.0, is_causal: bool = False, scale: Optional[float] = None,
        enable_gqa: bool = False) -> Tensor:
    """softmax(scale q k^T + bias) v, as torch.nn.functional.scaled_dot_product_attention. Shapes:
    `query` (…, queries, features), `key` (…, keys, features), `value` (…, keys, values); leading
    dimensions are broadcast. Without `scale` it is 1 / sqrt(features). `attn_mask`, which can be
    broadcast to (…, queries, keys), is the bias, or says by True which keys take part. With
    `is_causal` these are, for the query i, the keys up to i. If no key takes part, the result is 0.
    With `enable_gqa`, `query` may have a multiple of the heads, dimension -3, of `key` and `value`.
    Raises a NotImplementedError for `dropout_p`, and a ValueError for a mask with `is_causal`."""
    name = "scaled_dot_product_attention"
    if dropout_p != 0:
        raise NotImplementedError(f"{name}: there is no rule with dropout_p")
    if attn_mask is not None and is_causal:
        raise ValueError(f"{name}: argument 'attn_mask': expected None with is_causal")
    inputs, fixed = (query, key, value), 3 if enable_gqa else 2  # dimensions that are not broadcast
    leading: Sequence[int] = torch.broadcast_shapes(  # type: ignore[no-untyped-call]
        *(x.shape[:-fixed] for x in inputs))
    q, k, v = (_matrices(x.expand(*leading, *x.shape[-fixed:])) for x in inputs)
    leading = (*leading, *query.shape[-fixed:-2])
    factor = 1 / math.sqrt(query.shape[-1]) if scale is None else scale
    if is_causal:
        out = _ops.causal_attention(q, k, v, factor)
    elif attn_mask is None:
        out = attention(q, k, v, factor)
    else:
        bias = _bias_of(name, attn_mask, query, (*leading, query.shape[-2], key.shape[-2]))
        out = _ops.biased_attention(q, k, v, bias, factor)
    return out.reshape(*leading, *out.shape[-2:])


def _matrices(x: Tensor) -> Tensor:
    """The leading dimensions as one."""
    return x.reshape(math.prod(x.shape[:-2]), *x.shape[-2:])


def _bias_of(name: str, mask: Tensor, query: Tensor, shape: Sequence[int]) -> Tensor:
    """What a mask adds to scores of this shape: matrices, each for as many consecutive heads as the
    mask does not tell apart."""
    if mask.dtype is torch.bool:
        zeros = torch.zeros_like(mask, dtype=query.dtype)
        mask = zeros.masked_fill(mask.logical_not(), -math.inf)
    elif mask.dtype not in (query.dtype, torch.float32):
        raise TypeError(f"{name}: argument 'attn_mask': expected bool, {query.dtype} or float32, got "
                        f"{mask.dtype}")
    mask = mask.to(query.dtype)[(None,) * (len(shape) - mask.dim())]
    apart = len(shape) - 2  # leading dimensions, up to the last of which the mask has several
    while apart > 0 and mask.shape[apart - 1] == 1:
        apart -= 1
    alike = [1] * (len(shape) - 2 - apart)
    return _matrices(mask.expand(*shape[:apart], *alike, *shape[-2:]))


def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Tensor:
    """x / (1 - p) with probability 1 - p, else 0, as torch.nn.functional.dropout. torch.manual_seed
    sets what is drawn, which is not what PyTorch's function draws. No memory holds the mask: the
    gradient draws it again. Raises a ValueError if p is not from 0 to 1."""
    if not 0 <= p <= 1:
        raise ValueError(f"dropout: argument 'p': expected from 0 to 1, got {p}")
    if not training or p == 0:
        return input
    if p == 1:
        return _call(inplace, lambda x: x * 0, input)
    drawn = torch.randint(2**63 - 1, (2,))  # a seed and a sequence
    return _call(inplace, _ops.dropout, input, drawn, 1 - p)


def rotary_embedding(input: Tensor, cosine: Tensor, sine: Tensor) -> Tensor:
    """x cos + r(x) sin, where r replaces each pair (a, b) of elements that are half a row apart by
    (-b, a): the rotary embedding of GPT-NeoX and LLaMA. Shapes: `input` (…, positions, features);
    `cosine` and `sine`, in float32, can be broadcast to it. Only `input` has a gradient. Types of
    `input`: float32, float16, bfloat16."""
    angles = [x.expand(input.shape).reshape(-1, input.shape[-1]) for x in (cosine, sine)]
    return _by_rows(_ops.rotary_embedding, input, *angles)


def huber_loss(input: Tensor, target: Tensor, reduction: str = "mean", delta: float = 1.0,
               weight: Optional[Tensor] = None) -> Tensor:
    """d^2 / 2 where abs(d) <= delta, else delta (abs(d) - delta / 2), with d = input - target, as
    torch.nn.functional.huber_loss. `target`, and `weight`, which each loss is multiplied by, have the
    shape of `input`. `reduction` is "none", "mean" or "sum"."""
    losses = _ops.huber(input, target, delta)
    return _reduced("huber_loss", losses if weight is None else losses * weight, reduction)


def smooth_l1_loss(input: Tensor, target: Tensor, size_average: Optional[bool] = None,
                   reduce: Optional[bool] = None, reduction: str = "mean",
                   beta: float = 1.0) -> Tensor:
    """huber_loss(input, target, reduction, beta) / beta, as torch.nn.functional.smooth_l1_loss.
    Raises a ValueError unless beta is positive, and for PyTorch's old options `size_average` and
    `reduce`."""
    _refuse_old("smooth_l1_loss", size_average, reduce)
    if beta <= 0:
        raise ValueError(f"smooth_l1_loss: argument 'beta': expected above 0, got {beta}")
    return _reduced("smooth_l1_loss", _ops.huber(input, target, beta) / beta, reduction)


def _refuse_old(name: str, size_average: Optional[bool], reduce: Optional[bool]) -> None:
    if size_average is not None or reduce is not None:
        raise ValueError(f"{name}: pass `reduction` instead of size_average or reduce")


def _reduced(name: str, losses: Tensor, reduction: str, total: Optional[Tensor] = None) -> Tensor:
    """The losses, their sum, or that divided by their number or by `total`."""
    if reduction == "none":
        return losses
    if reduction == "sum":
        return losses.sum()
    if reduction != "mean":
        raise ValueError(f"{name}: argument 'reduction': expected 'none', 'mean' or 'sum', got "
                         f"{reduction!r}")
    return losses.mean() if total is None else losses.sum() / total


def swiglu(gate: Tensor, up: Tensor) -> Tensor:
    """silu(gate) up, of tensors of one shape: what SwiGLU does between its products. Types of both:
    float32, bfloat16."""
    return _ops.swiglu(gate, up)


def geglu(gate: Tensor, up: Tensor) -> Tensor:
    """gelu(gate) up, of tensors of one shape: what GEGLU does between its products. Type of both:
    float32."""
    return _ops.geglu(gate, up)


def binary_cross_entropy_with_logits(
        input: Tensor, target: Tensor, weight: Optional[Tensor] = None,
        size_average: Optional[bool] = None, reduce: Optional[bool] = None, reduction: str = "mean",
        pos_weight: Optional[float] = None) -> Tensor:
    """The cross entropy of the sigmoid of `input`, as
    torch.nn.functional.binary_cross_entropy_with_logits, but `pos_weight` is one number for all
    elements. `target` has the shape of `input`, and no gradient. Type of both: float32. Raises a
    ValueError for PyTorch's old options `size_average` and `reduce`."""
    _refuse_old("binary_cross_entropy_with_logits", size_average, reduce)
    positive = 1.0 if pos_weight is None else float(pos_weight)
    losses = _ops.binary_cross_entropy_with_logits(input, target, positive)
    return _reduced("binary_cross_entropy_with_logits",
                    losses if weight is None else losses * weight, reduction)


def sigmoid_focal_loss(inputs: Tensor, targets: Tensor, alpha: float = 0.25, gamma: float = 2.0,
                       reduction: str = "none") -> Tensor:
    """The focal loss, as torchvision.ops.sigmoid_focal_loss. `targets`, 1 or 0, have the shape of
    `inputs`, and no gradient. Type of both: float32."""
    losses = _ops.sigmoid_focal_loss(inputs, targets, alpha, gamma)
    return _reduced("sigmoid_focal_loss", losses, reduction)


def kl_div(input: Tensor, target: Tensor, size_average: Optional[bool] = None,
           reduce: Optional[bool] = None, reduction: str = "mean",
           log_target: bool = False) -> Tensor:
    """target (log(target) - input), as torch.nn.functional.kl_div, and 0 where target is 0. With
    `log_target`, `target` is a logarithm. `reduction` may also be "batchmean": the sum divided by the
    extent of dimension 0. `target` has the shape of `input`, and no gradient. Type of both: float32.
    Raises a ValueError for PyTorch's old options `size_average` and `reduce`."""
    _refuse_old("kl_div", size_average, reduce)
    losses = _ops.kl_div(input, target.exp() if log_target else target)
    if reduction == "batchmean":
        return losses.sum() / input.shape[0]
    return _reduced("kl_div", losses, reduction)


def multi_margin_loss(input: Tensor, target: Tensor, p: int = 1, margin: float = 1.0,
                      weight: Optional[Tensor] = None, size_average: Optional[bool] = None,
                      reduce: Optional[bool] = None, reduction: str = "mean") -> Tensor:
    """The hinge loss of several classes, as torch.nn.functional.multi_margin_loss. Shapes: `input`
    (samples, classes), `target` (samples,), int64. Type of `input`: float32. Raises a
    NotImplementedError unless p is 1 and weight is None, and a ValueError for PyTorch's old options
    `size_average` and `reduce`."""
    _refuse_old("multi_margin_loss", size_average, reduce)
    if p != 1 or weight is not None:
        raise NotImplementedError("multi_margin_loss: expected p=1 and no weight")
    return _reduced("multi_margin_loss", _ops.multi_margin_loss(input, target, margin), reduction)


def cross_entropy(input: Tensor, target: Tensor, weight: Optional[Tensor] = None,
                  size_average: Optional[bool] = None, ignore_index: int = -100,
                  reduce: Optional[bool] = None, reduction: str = "mean",
                  label_smoothing: float = 0.0) -> Tensor:
    """The cross entropy of the softmax of `input` along dimension 1, as
    torch.nn.functional.cross_entropy. Shapes: `input` (samples, classes, …) or (classes,), `target`
    without the classes (indices of classes, int64 or, for float32 and float16, int32) or with them
    (probabilities, which have no gradient), `weight` (classes,). Types of `input`: float32, float16,
    bfloat16. Losses are computed in float32, and the result has the type of `input`. Raises a
    ValueError for PyTorch's old options `size_average` and `reduce`."""
    _refuse_old("cross_entropy", size_average, reduce)
    dim = min(input.dim() - 1, 1)
    rows, classes = input.movedim(dim, -1), input.shape[dim]
    x = rows.reshape(math.prod(rows.shape[:-1]), classes)
    expected = input.shape if target.is_floating_point() else rows.shape[:-1]
    if target.shape != expected:
        raise ValueError(f"cross_entropy: argument 'target': expected shape {tuple(expected)}, got "
                         f"{tuple(target.shape)}")
    total = None
    if target.is_floating_point():
        label = target.movedim(dim, -1).reshape(x.shape)
        losses = _by_labels(x, label, weight, label_smoothing)
    else:
        label = target.reshape(-1)
        ignored = label == ignore_index
        label = label.masked_fill(ignored, 0)
        share = torch.ones_like(label, dtype=torch.float32) if weight is None else weight[label]
        share = share.float().masked_fill(ignored, 0.0)
        total = share.sum()
        if label_smoothing == 0:
            losses = _ops.sparse_softmax_cross_entropy(x, label) * share
        else:
            hot = torch.nn.functional.one_hot(label.long(), classes)
            losses = _by_labels(x, hot, weight, label_smoothing).masked_fill(ignored, 0.0)
    losses = losses.reshape(rows.shape[:-1])
    return _reduced("cross_entropy", losses, reduction, total).to(input.dtype)


def _by_labels(x: Tensor, label: Tensor, weight: Optional[Tensor], smoothing: float) -> Tensor:
    """The loss of each row, for a row of labels. The rule's gradient is that of labels whose sum is
    1, and a loss is linear in its labels."""
    label = label.float()
    if smoothing != 0:
        label = (1 - smoothing) * label + smoothing / label.shape[-1]
    if weight is not None:
        label = label * weight
    total = label.sum(-1)
    label = label / torch.where(total == 0, 1.0, total).unsqueeze(-1)
    return _ops.softmax_cross_entropy(x, label.to(x.dtype)) * total
