# SPDX-License-Identifier: Apache-2.0
"""Normalisations, forward and backward."""

import torch
import torch.nn.functional as F

from .case import COLS, Case, Work, aten, backward, images, matrix, random

EPS = 1e-5


def layer_norm(mk, rows):
    x, gain, bias, out, mean, inv_std = (
        matrix(rows),
        random(COLS),
        random(COLS),
        matrix(rows),
        random(rows),
        random(rows),
    )
    return Work(
        lambda: mk.LayerNorm(out, mean, inv_std, x, gain, bias, EPS),
        [out, mean, inv_std],
        [lambda: torch.native_layer_norm(x, [COLS], gain, bias, EPS)],
    )


def layer_norm_backward(name, parts):
    """The gradients of (x, gain, bias) that `parts` names."""

    def make(mk, rows):
        dy, x, gain, bias = matrix(rows), matrix(rows), random(COLS), random(COLS)
        _, mean, inv_std = torch.native_layer_norm(x, [COLS], gain, bias, EPS)
        statistics, rule = [mean.view(-1), inv_std.view(-1)], getattr(mk, name)
        outs = [
            made for made, part in zip((matrix(rows), random(COLS), random(COLS)), parts) if part
        ]
        last = [gain] if parts[0] else []

        def theirs():
            found = aten.native_layer_norm_backward(
                dy, x, [COLS], mean, inv_std, gain, bias, list(parts)
            )
            return [grad for grad, part in zip(found, parts) if part]

        return Work(lambda: rule(*outs, dy, x, *statistics, *last), outs, [theirs], tolerance=1e-3)

    return Case(name, make)


def rms_norm(mk, rows):
    x, gain, out, inv_rms = matrix(rows), random(COLS), matrix(rows), random(rows)
    return Work(
        lambda: mk.RmsNorm(out, inv_rms, x, gain, EPS),
        [out],
        [lambda: F.rms_norm(x, (COLS,), gain, EPS)],
    )


def rms_norm_backward(mk, rows):
    dy, x, gain = matrix(rows), matrix(rows), random(COLS)
    dx, gain_grad, inv_rms = matrix(rows), random(COLS), (x.square().mean(1) + EPS).rsqrt()
    return Work(
        lambda: mk.RmsNormBackward(dx, gain_grad, dy, x, inv_rms, gain),
        [dx, gain_grad],
        [backward(lambda x, gain: F.rms_norm(x, (COLS,), gain, EPS), [x, gain], dy)],
        tolerance=1e-3,
    )


def batch_norm(name, make_input, channels):
    """In training: columns are channels, or the second dimension of images."""

    def make(mk, rows):
        x, rule = make_input(rows), getattr(mk, name)
        out, (gain, bias, mean, inv_std) = torch.empty_like(x), (random(channels) for _ in range(4))
        ours, theirs = ([torch.zeros(channels), torch.ones(channels)] for _ in range(2))
        return Work(
            lambda: rule(out, mean, inv_std, *ours, x, gain, bias, 0.1, EPS),
            [out, mean, inv_std],
            [lambda: torch.native_batch_norm(x, gain, bias, *theirs, True, 0.1, EPS)],
            tolerance=1e-4,
        )

    return Case(name, make)


def batch_norm_grad(name, make_input, channels):
    def make(mk, rows):
        x, rule = make_input(rows), getattr(mk, name)
        dy, dx, gain, *grads = (
            torch.randn_like(x),
            torch.empty_like(x),
            *(random(channels) for _ in range(3)),
        )
        running = [torch.zeros(channels), torch.ones(channels)]
        _, mean, inv_std = torch.native_batch_norm(x, gain, None, *running, True, 0.1, EPS)
        return Work(
            lambda: rule(dx, *grads, dy, x, mean, inv_std, gain),
            [dx, *grads],
            [
                lambda: aten.native_batch_norm_backward(
                    dy, x, gain, *running, mean, inv_std, True, EPS, [True] * 3
                )
            ],
            tolerance=2e-3,
        )

    return Case(name, make)


def batch_norm_inference(name, make_input, channels):
    def make(mk, rows):
        x, rule = make_input(rows), getattr(mk, name)
        out, (mean, gain, bias), variance = (
            torch.empty_like(x),
            (random(channels) for _ in range(3)),
            torch.rand(channels) + 0.5,
        )
        return Work(
            lambda: rule(out, x, mean, variance, gain, bias, EPS),
            [out],
            [lambda: torch.native_batch_norm(x, gain, bias, mean, variance, False, 0.1, EPS)[0]],
        )

    return Case(name, make)


GROUPS, CHANNELS, PIXELS = 4, 16, 64  # a row of the rule is one group of a sample: 4 channels


def group_norm(mk, rows):
    x, gain, bias = matrix(rows), random(CHANNELS), random(CHANNELS)
    rows = x.numel() // (CHANNELS * PIXELS) * GROUPS
    x, mean, inv_std = x.view(rows, -1), random(rows), random(rows)
    out, samples = torch.empty_like(x), rows // GROUPS
    return Work(
        lambda: mk.GroupNorm(out, mean, inv_std, x, gain, bias, groups=GROUPS),
        [out],
        [lambda: torch.native_group_norm(x, gain, bias, samples, CHANNELS, PIXELS, GROUPS, EPS)[0]],
    )


def group_norm_backward(mk, rows):
    """All three gradients, by two rules."""
    x, dy, dx, gain = matrix(rows), matrix(rows), matrix(rows), random(CHANNELS)
    samples = x.numel() // (CHANNELS * PIXELS)
    as_rows, as_images = (samples * GROUPS, -1), (samples, CHANNELS, PIXELS)
    _, mean, inv_std = torch.native_group_norm(
        x, gain, None, samples, CHANNELS, PIXELS, GROUPS, EPS
    )
    grads, statistics = [random(CHANNELS), random(CHANNELS)], [mean.view(-1), inv_std.view(-1)]
    of_rows = [y.view(as_rows) for y in (dx, dy, x)]
    of_images = [y.view(as_images) for y in (dy, x)]

    def ours():
        mk.GroupNormGrad(*of_rows, *statistics, gain, groups=GROUPS)
        mk.GroupNormGradGain(*grads, *of_images, *statistics, groups=GROUPS)

    return Work(
        ours,
        [dx, *grads],
        [
            lambda: aten.native_group_norm_backward(
                dy, x, mean, inv_std, gain, samples, CHANNELS, PIXELS, GROUPS, [True] * 3
            )
        ],
        tolerance=1e-3,
    )


def instance_norm(mk, rows):
    x, gain, bias, out, mean, inv_std = (
        matrix(rows),
        *(random(rows) for _ in range(2)),
        matrix(rows),
        random(rows),
        random(rows),
    )
    return Work(
        lambda: mk.InstanceNorm(out, mean, inv_std, x, gain, bias, EPS),
        [out],
        [lambda: F.instance_norm(x.view(1, rows, COLS), weight=gain, bias=bias, eps=EPS)],
    )


def instance_norm_grad(mk, rows):
    dy, x, gain, bias = matrix(rows), matrix(rows), random(rows), random(rows)
    dx, grads, mean = matrix(rows), [random(rows), random(rows)], x.mean(1)
    inv_std = (x.var(1, unbiased=False) + EPS).rsqrt()
    return Work(
        lambda: mk.InstanceNormGrad(dx, *grads, dy, x, mean, inv_std, gain),
        [dx, *grads],
        [
            backward(
                lambda x, gain, bias: F.instance_norm(
                    x.view(1, rows, COLS), weight=gain, bias=bias, eps=EPS
                ),
                [x, gain, bias],
                dy.view(1, rows, COLS),
            )
        ],
        tolerance=1e-3,
    )


def local_response(mk, rows):
    x = images(rows)
    out, scale = torch.empty_like(x), torch.empty_like(x)
    return Work(
        lambda: mk.LocalResponse(out, scale, x, k=2.0),
        [out],
        [lambda: F.local_response_norm(x, 5, k=2.0)],
    )


def local_response_grad(mk, rows):
    x = images(rows)
    dy, dx, out, scale = (torch.randn_like(x) for _ in range(4))
    mk.LocalResponse(out, scale, x, k=2.0)
    return Work(
        lambda: mk.LocalResponseGrad(dx, dy, x, scale),
        [dx],
        [backward(lambda x: F.local_response_norm(x, 5, k=2.0), [x], dy)],
    )


def l2_normalize(mk, rows):
    x, out = matrix(rows), matrix(rows)
    return Work(lambda: mk.L2Normalize(out, x), [out], [lambda: F.normalize(x, dim=1)])


def l2_normalize_grad(mk, rows):
    x, dy, dx = matrix(rows), matrix(rows), matrix(rows)
    return Work(
        lambda: mk.L2NormalizeGrad(dx, dy, x),
        [dx],
        [backward(lambda x: F.normalize(x, dim=1), [x], dy)],
    )


CASES = [
    Case("LayerNorm", layer_norm),
    layer_norm_backward("LayerNormGrad", (True, False, False)),
    layer_norm_backward("LayerNormGradGain", (False, True, True)),
    layer_norm_backward("LayerNormBackward", (True, True, True)),
    Case("RmsNorm", rms_norm, (2, 4)),
    Case("RmsNormBackward", rms_norm_backward, (2, 4)),
    batch_norm("BatchNorm", matrix, COLS),
    batch_norm_grad("BatchNormGrad", matrix, COLS),
    batch_norm_inference("BatchNormInference", matrix, COLS),
    batch_norm("BatchNorm2d", images, 16),
    batch_norm_grad("BatchNorm2dGrad", images, 16),
    batch_norm_inference("BatchNorm2dInference", images, 16),
    Case("GroupNorm", group_norm),
    Case("GroupNormGrad", group_norm_backward),
    Case("InstanceNorm", instance_norm),
    Case("InstanceNormGrad", instance_norm_grad),
    Case("LocalResponse", local_response),
    Case("LocalResponseGrad", local_response_grad),
    Case("L2Normalize", l2_normalize),
    Case("L2NormalizeGrad", l2_normalize_grad),
]
