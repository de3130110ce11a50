# SPDX-License-Identifier: Apache-2.0
"""Functions of each element: activations, their gradients, with a bias or a gate, dropout."""

import torch
import torch.nn.functional as F

from .case import COLS, Case, Work, aten, images, matrices, matrix, random


def normal_pdf(x):
    return torch.exp(-x * x / 2) * (2 * torch.pi) ** -0.5


def normal_cdf(x):
    return torch.special.erfc(-x * 0.5**0.5) / 2


TANH_SCALE, TANH_CUBIC = (2 / torch.pi) ** 0.5, 0.044715


def gelu_tanh(x):
    return x * torch.sigmoid(2 * TANH_SCALE * (x + TANH_CUBIC * x**3))


def gelu_tanh_slope(x):
    share = torch.sigmoid(2 * TANH_SCALE * (x + TANH_CUBIC * x**3))
    return share + x * share * (1 - share) * 2 * TANH_SCALE * (1 + 3 * TANH_CUBIC * x * x)


def silu_slope(x):
    share = torch.sigmoid(x)
    return share * (1 + x * (1 - share))


def softplus(x):
    return torch.logaddexp(x, torch.zeros_like(x))


def bce(x, y):
    return softplus(x) - x * y


def huber(a, b):
    d = (a - b).abs()
    return torch.where(d <= 1, d * d / 2, d - 0.5)


def kl_div(x, y):
    return y * (torch.log(y) - x)


def share(x):
    """A number between 0 and 1, as labels and probabilities are."""
    return torch.sigmoid(x)


def same(x):
    return x


def elementwise(name, into, new, exact, prepare=(same,), most=1 << 62, **scalars):
    """A rule of the tensors that `prepare` makes of random ones. PyTorch writes `into` a tensor, or
    makes a `new` one."""

    def make(mk, rows):
        inputs = [function(matrix(rows)) for function in prepare]
        out, theirs = matrix(rows), matrix(rows)
        ways = [lambda: new(*inputs)] if new else []
        if into:
            ways.append(lambda: into(theirs, *inputs))
        rule = getattr(mk, name)
        return Work(
            lambda: rule(out, *inputs, **scalars),
            [out],
            ways,
            lambda: exact(*(x.double() for x in inputs)),
        )

    return Case(name, make, most=most)


TWO, GRAD_OF_SIGMOID, GRAD_OF_TANH = (same, same), (same, share), (same, torch.tanh)
PLAIN = [
    elementwise("Relu", lambda out, x: torch.clamp_min(x, 0, out=out), torch.relu, torch.relu),
    elementwise(
        "ReluGrad",
        lambda out, dy, y: aten.threshold_backward.grad_input(dy, y, 0, grad_input=out),
        None,
        lambda dy, y: torch.where(y > 0, dy, 0.0),
        (same, torch.relu),
    ),
    elementwise(
        "LeakyRelu",
        lambda out, x: aten.leaky_relu.out(x, 0.25, out=out),
        None,
        lambda x: torch.where(x < 0, x / 4, x),
        slope=0.25,
    ),
    elementwise(
        "LeakyReluGrad",
        lambda out, dy, x: aten.leaky_relu_backward.grad_input(dy, x, 0.25, False, grad_input=out),
        None,
        lambda dy, x: torch.where(x <= 0, dy / 4, dy),
        TWO,
        slope=0.25,
    ),
    elementwise(
        "Elu",
        lambda out, x: aten.elu.out(x, 1, 1, 1, out=out),
        None,
        lambda x: torch.where(x < 0, torch.expm1(x), x),
    ),
    elementwise(
        "EluGrad",
        lambda out, dy, y: aten.elu_backward.grad_input(dy, 1, 1, 1, True, y, grad_input=out),
        None,
        lambda dy, y: torch.where(y <= 0, dy * (y + 1), dy),
        (same, F.elu),
    ),
    elementwise("Sigmoid", lambda out, x: torch.sigmoid(x, out=out), None, torch.sigmoid),
    elementwise(
        "SigmoidGrad",
        lambda out, dy, y: aten.sigmoid_backward.grad_input(dy, y, grad_input=out),
        None,
        lambda dy, y: dy * y * (1 - y),
        GRAD_OF_SIGMOID,
    ),
    elementwise("Tanh", lambda out, x: torch.tanh(x, out=out), None, torch.tanh),
    elementwise(
        "TanhGrad",
        lambda out, dy, y: aten.tanh_backward.grad_input(dy, y, grad_input=out),
        None,
        lambda dy, y: dy * (1 - y * y),
        GRAD_OF_TANH,
    ),
    elementwise(
        "Gelu", lambda out, x: aten.gelu.out(x, out=out), None, lambda x: x * normal_cdf(x)
    ),
    elementwise(
        "GeluGrad",
        lambda out, dy, x: aten.gelu_backward.grad_input(dy, x, grad_input=out),
        None,
        lambda dy, x: dy * (normal_cdf(x) + x * normal_pdf(x)),
        TWO,
    ),
    elementwise(
        "GeluTanh", lambda out, x: aten.gelu.out(x, approximate="tanh", out=out), None, gelu_tanh
    ),
    elementwise(
        "GeluTanhGrad",
        lambda out, dy, x: aten.gelu_backward.grad_input(dy, x, approximate="tanh", grad_input=out),
        None,
        lambda dy, x: dy * gelu_tanh_slope(x),
        TWO,
    ),
    elementwise(
        "Silu", lambda out, x: aten.silu.out(x, out=out), None, lambda x: x * torch.sigmoid(x)
    ),
    elementwise(
        "SiluGrad",
        lambda out, dy, x: aten.silu_backward.grad_input(dy, x, grad_input=out),
        None,
        lambda dy, x: dy * silu_slope(x),
        TWO,
    ),
    elementwise("Softplus", lambda out, x: aten.softplus.out(x, 1, 20, out=out), None, softplus),
    elementwise(
        "SoftplusGrad",
        lambda out, dy, x: aten.softplus_backward.grad_input(dy, x, 1, 20, grad_input=out),
        None,
        lambda dy, x: dy * torch.sigmoid(x),
        TWO,
    ),
    elementwise(
        "huber", lambda out, a, b: aten.huber_loss.out(a, b, 0, 1.0, out=out), None, huber, TWO
    ),
    elementwise(
        "huber_grad",
        None,
        lambda a, b: aten.huber_loss_backward(torch.ones(()).expand_as(a), a, b, 0, 1.0),
        lambda a, b: (a - b).clamp(-1, 1),
        TWO,
    ),
    elementwise(
        "BinaryCrossEntropyWithLogits",
        None,
        lambda x, y: F.binary_cross_entropy_with_logits(x, y, reduction="none"),
        bce,
        (same, share),
    ),
    elementwise(
        "BinaryCrossEntropyWithLogitsGrad",
        lambda out, x, y: torch.sigmoid(x, out=out).sub_(y),
        None,
        lambda x, y: torch.sigmoid(x) - y,
        (same, share),
    ),
    elementwise(
        "KlDiv", None, lambda x, y: F.kl_div(x, y, reduction="none"), kl_div, (same, share)
    ),
    elementwise("KlDivGrad", lambda out, y: torch.neg(y, out=out), None, torch.neg, (share,)),
    elementwise(
        "CrossEntropyGrad",
        lambda out, p, y: torch.sub(p, y, out=out),
        None,
        torch.sub,
        (share, share),
    ),
    elementwise(
        "AlphaBlend",
        lambda out, front, back, alpha: torch.lerp(back, front, alpha, out=out),
        None,
        lambda front, back, alpha: alpha * front + (1 - alpha) * back,
        (same, same, share),
    ),
    elementwise(
        "Scale", lambda out, x: torch.mul(x, -3.0, out=out), None, lambda x: -3 * x, a=-3.0
    ),
    elementwise(
        "Clip",
        lambda out, x: torch.clamp(x, -1, 1, out=out),
        None,
        lambda x: x.clamp(-1, 1),
        bound=1.0,
    ),
    elementwise(
        "SwiGlu",
        lambda out, gate, up: aten.silu.out(gate, out=out).mul_(up),
        None,
        lambda gate, up: gate * torch.sigmoid(gate) * up,
        TWO,
    ),
    elementwise(
        "GeGlu",
        lambda out, gate, up: aten.gelu.out(gate, out=out).mul_(up),
        None,
        lambda gate, up: gate * normal_cdf(gate) * up,
        TWO,
    ),
]


def axpby(mk, rows):
    """In place."""
    x, start = matrix(rows), matrix(rows)
    y, theirs = start.clone(), start.clone()
    return Work(
        lambda: mk.Axpby(y, x, a=0.25, b=0.5),
        [y],
        [lambda: theirs.mul_(0.5).add_(x, alpha=0.25)],
        lambda: x.double() / 4 + start.double() / 2,
    )


def biased(name, activation, exact):
    """A function of the sum of a row's element and a bias."""

    def make(mk, rows):
        x, bias, out, sums = matrix(rows), random(COLS), matrix(rows), matrix(rows)
        rule = getattr(mk, name)
        return Work(
            lambda: rule(out, x, bias),
            [out],
            [lambda: activation(torch.add(x, bias, out=sums))],
            # the sum is rounded to a float, here, too
            lambda: exact((x + bias).double()),
        )

    return Case(name, make)


def by_input(name, slope, exact):
    """The gradient of such a function, from its arguments."""

    def make(mk, rows):
        dy, x, bias = matrix(rows), matrix(rows), random(COLS)
        out, sums, theirs = matrices(3, rows)
        rule = getattr(mk, name)
        return Work(
            lambda: rule(out, dy, x, bias),
            [out],
            [lambda: slope(theirs, dy, torch.add(x, bias, out=sums))],
            lambda: dy.double() * exact((x + bias).double()),
        )

    return Case(name, make)


def by_output(name, slope, activation):
    """The gradients of such a function and of its bias, from its results."""

    def make(mk, rows):
        dy, y = matrix(rows), activation(matrix(rows))
        out, theirs, bias, theirs_bias = matrix(rows), matrix(rows), random(COLS), random(COLS)
        rule = getattr(mk, name)
        return Work(
            lambda: rule(out, bias, dy, y),
            [out, bias],
            [lambda: (theirs, torch.sum(slope(theirs, dy, y), 0, out=theirs_bias))],
            tolerance=1e-4,
        )

    return Case(name, make)


def into(function, **more):
    """A function whose result replaces its argument."""
    return lambda x: function(x, **more, out=x)


BIASED = [
    biased("BiasAdd", same, same),
    biased("BiasRelu", torch.relu_, torch.relu),
    biased("BiasSigmoid", torch.sigmoid_, torch.sigmoid),
    biased("BiasTanh", torch.tanh_, torch.tanh),
    biased("BiasGelu", into(aten.gelu.out), lambda z: z * normal_cdf(z)),
    biased("BiasGeluTanh", into(aten.gelu.out, approximate="tanh"), gelu_tanh),
    biased("BiasSilu", into(aten.silu.out), lambda z: z * torch.sigmoid(z)),
    by_input(
        "BiasGeluGrad",
        lambda out, dy, z: aten.gelu_backward.grad_input(dy, z, grad_input=out),
        lambda z: normal_cdf(z) + z * normal_pdf(z),
    ),
    by_input(
        "BiasGeluTanhGrad",
        lambda out, dy, z: aten.gelu_backward.grad_input(dy, z, approximate="tanh", grad_input=out),
        gelu_tanh_slope,
    ),
    by_input(
        "BiasSiluGrad",
        lambda out, dy, z: aten.silu_backward.grad_input(dy, z, grad_input=out),
        silu_slope,
    ),
    by_output(
        "BiasReluGrad",
        lambda out, dy, y: aten.threshold_backward.grad_input(dy, y, 0, grad_input=out),
        torch.relu,
    ),
    by_output(
        "BiasSigmoidGrad",
        lambda out, dy, y: aten.sigmoid_backward.grad_input(dy, y, grad_input=out),
        torch.sigmoid,
    ),
    by_output(
        "BiasTanhGrad",
        lambda out, dy, y: aten.tanh_backward.grad_input(dy, y, grad_input=out),
        torch.tanh,
    ),
]


def biased_images(name, activation):
    def make(mk, rows):
        x, bias = images(rows), random(16)
        out, sums, rule = torch.empty_like(x), torch.empty_like(x), getattr(mk, name)
        by_channel = bias.view(16, 1, 1)
        return Work(
            lambda: rule(out, x, bias),
            [out],
            [lambda: activation(torch.add(x, by_channel, out=sums))],
            lambda: activation((x + by_channel).double()),
        )

    return Case(name, make)


def bias_relu_grad_2d(mk, rows):
    y = images(rows).relu_()
    dy, out, theirs = torch.randn_like(y), torch.empty_like(y), torch.empty_like(y)
    bias, theirs_bias = random(16), random(16)

    def way():
        aten.threshold_backward.grad_input(dy, y, 0, grad_input=theirs)
        return theirs, torch.sum(theirs, (0, 2, 3), out=theirs_bias)

    return Work(lambda: mk.BiasReluGrad2d(out, bias, dy, y), [out, bias], [way], tolerance=1e-3)


def gated_grad(name, function, slope):
    """The gradients of function(gate) up."""

    def make(mk, rows):
        dy, gate, up, gate_grad, up_grad = matrices(5, rows)
        theirs_gate, theirs_up, product = matrices(3, rows)
        rule = getattr(mk, name)

        def way():
            slope(torch.mul(dy, up, out=product), gate, grad_input=theirs_gate)
            return theirs_gate, function(gate, out=theirs_up).mul_(dy)

        return Work(lambda: rule(gate_grad, up_grad, dy, gate, up), [gate_grad, up_grad], [way])

    return Case(name, make)


def layer_scale(mk, rows):
    residual, x, gain, out, theirs = (
        matrix(rows),
        matrix(rows),
        random(COLS),
        matrix(rows),
        matrix(rows),
    )
    return Work(
        lambda: mk.LayerScale(out, residual, x, gain),
        [out],
        [lambda: torch.addcmul(residual, x, gain, out=theirs)],
    )


def layer_scale_grad(mk, rows):
    dy, x, gain, out, theirs, products = (
        matrix(rows),
        matrix(rows),
        random(COLS),
        *matrices(3, rows),
    )
    gain_grad, theirs_gain = random(COLS), random(COLS)

    def way():
        torch.mul(dy, gain, out=theirs)
        return theirs, torch.sum(torch.mul(dy, x, out=products), 0, out=theirs_gain)

    return Work(
        lambda: mk.LayerScaleGrad(out, gain_grad, dy, x, gain),
        [out, gain_grad],
        [way],
        tolerance=1e-3,
    )


def dropout(mk, rows):
    x, out, kept = matrix(rows), matrix(rows), torch.rand(rows, COLS) < 0.5
    mask = kept.to(torch.uint8)
    return Work(
        lambda: mk.Dropout(out, x, mask, keep=0.5),
        [out],
        [lambda: aten.native_dropout_backward(x, kept, 2.0)],
        lambda: torch.where(kept, 2 * x.double(), 0.0),
    )


def random_dropout(mk, rows):
    """Each side draws its own mask: what they have in common is how much they drop."""
    x, out, sequence = matrix(rows), matrix(rows), [0]

    def ours():
        sequence[0] += 1
        mk.RandomDropout(out, x, 1, sequence[0], keep=0.5)

    return Work(
        ours,
        [out],
        [lambda: torch.dropout(x, 0.5, True)],
        tolerance=0.1,
        compared=lambda y: (y == 0).float().mean(),
    )


CASES = [
    *PLAIN,
    Case("Axpby", axpby),
    *BIASED,
    biased_images("BiasAdd2d", same),
    biased_images("BiasRelu2d", torch.relu_),
    Case("BiasReluGrad2d", bias_relu_grad_2d),
    gated_grad("SwiGluGrad", aten.silu.out, aten.silu_backward.grad_input),
    gated_grad("GeGluGrad", aten.gelu.out, aten.gelu_backward.grad_input),
    Case("LayerScale", layer_scale),
    Case("LayerScaleGrad", layer_scale_grad),
    Case("Dropout", dropout),
    Case("RandomDropout", random_dropout),
]
