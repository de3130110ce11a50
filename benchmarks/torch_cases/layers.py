# SPDX-License-Identifier: Apache-2.0
"""Layers: matrix products, attention, rows of a table, images of twice the size."""

import torch
import torch.nn.functional as F

from .case import COLS, Case, Work, aten, backward, matrix, random

PRODUCT = 1 << 20  # elements up to which a product of matrices takes less than a second
HEAD = 64  # columns of the queries
SCORES = 1 << 18  # elements up to which the rule's scores take less than 64 MB


def weights():
    """So that results are about 1."""
    return torch.randn(COLS, COLS) / COLS**0.5, random(COLS)


def linear(name, activation, more=()):
    """`more`: whether the rule also writes the products."""

    def make(mk, rows):
        x, (weight, bias), out, rule = matrix(rows), weights(), matrix(rows), getattr(mk, name)
        sums = [matrix(rows) for _ in more]
        return Work(
            lambda: rule(out, *sums, x, weight, bias),
            [out],
            [lambda: activation(F.linear(x, weight, bias))],
            tolerance=1e-4,
        )

    return Case(name, make, most=PRODUCT)


def linear_grads(dy, x, weight, results):
    """The gradients by the inputs, the weight and the bias, from that by the sums."""
    torch.mm(dy, weight, out=results[0])
    torch.mm(dy.t(), x, out=results[1])
    torch.sum(dy, 0, out=results[2])
    return results


def linear_grad(name, make_state, grad_of_sums):
    """`make_state` makes what the rule keeps of its forward pass, and what it passes besides."""

    def make(mk, rows):
        dy, x, (weight, bias), rule = matrix(rows), matrix(rows), weights(), getattr(mk, name)
        ours, theirs = ([matrix(rows), torch.empty_like(weight), random(COLS)] for _ in range(2))
        grad, (kept, last) = matrix(rows), make_state(rows, bias)
        return Work(
            lambda: rule(*ours, dy, *kept, x, weight, *last),
            ours,
            [lambda: linear_grads(grad_of_sums(grad, dy, *kept, *last), x, weight, theirs)],
            tolerance=5e-3,
        )

    return Case(name, make, most=PRODUCT)


def grad_of_relu(grad, dy, out):
    return aten.threshold_backward.grad_input(dy, out, 0, grad_input=grad)


def grad_of_gelu(grad, dy, sums, bias):
    return aten.gelu_backward.grad_input(dy, sums + bias, grad_input=grad)


def attention(mk, rows):
    """As many tokens as fit, in one head."""
    q, k, v, out = (torch.randn(rows * COLS // HEAD, HEAD) for _ in range(4))
    heads = [x.view(1, 1, -1, HEAD) for x in (q, k, v)]
    return Work(
        lambda: mk.Attention(out, q, k, v, scale=HEAD**-0.5),
        [out],
        [lambda: F.scaled_dot_product_attention(*heads)],
    )


def embedding(mk, rows):
    weight, index, out, theirs = (
        torch.randn(1000, COLS),
        torch.randint(1000, (rows,)),
        matrix(rows),
        matrix(rows),
    )
    return Work(
        lambda: mk.Embedding(out, weight, index),
        [out],
        [
            lambda: F.embedding(index, weight),
            lambda: torch.index_select(weight, 0, index, out=theirs),
        ],
    )


EXPERTS, CHOSEN = 64, 8  # of a mixture, and those that a token chooses


def gated(logits):
    """The weights of the experts that the tokens choose, and their numbers."""
    weights, experts = torch.topk(torch.softmax(logits, -1), CHOSEN)
    return weights / weights.sum(-1, keepdim=True), experts


def gate(mk, rows):
    tokens = rows * COLS // EXPERTS
    logits, weights = torch.randn(tokens, EXPERTS), torch.empty(tokens, CHOSEN)
    experts = torch.empty(tokens, CHOSEN, dtype=torch.int64)
    return Work(
        lambda: mk.TopKGate(weights, experts, logits), [weights, experts], [lambda: gated(logits)]
    )


def gate_grad(mk, rows):
    tokens = rows * COLS // EXPERTS
    logits, grad = torch.randn(tokens, EXPERTS), torch.randn(tokens, CHOSEN)
    weights, experts = gated(logits)
    out = torch.empty_like(logits)
    return Work(
        lambda: mk.TopKGateGrad(out, grad, weights, experts),
        [out],
        [backward(lambda x: gated(x)[0], [logits], grad)],
    )


def upsample(mk, rows):
    """A plane, whose result has the given number of elements."""
    x = torch.randn(max(1, rows // 2), COLS // 2)
    out = torch.empty(2 * x.shape[0], COLS)
    plane = x.view(1, 1, *x.shape)
    theirs = torch.empty(1, 1, *out.shape)
    return Work(
        lambda: mk.UpsampleBilinear2x(out, x),
        [out],
        [lambda: aten.upsample_bilinear2d.out(plane, list(out.shape), False, 2.0, 2.0, out=theirs)],
    )


CASES = [
    linear("Linear", lambda z: z),
    linear("LinearRelu", torch.relu_),
    linear("LinearGelu", lambda z: aten.gelu.out(z, out=z), more=("sums",)),
    linear_grad("LinearGrad", lambda rows, bias: ([], []), lambda grad, dy: dy),
    linear_grad("LinearReluGrad", lambda rows, bias: ([matrix(rows).relu_()], []), grad_of_relu),
    linear_grad("LinearGeluGrad", lambda rows, bias: ([matrix(rows)], [bias]), grad_of_gelu),
    Case("Attention", attention, (2, 0), SCORES),
    Case("Embedding", embedding),
    Case("TopKGate", gate),
    Case("TopKGateGrad", gate_grad),
    Case("UpsampleBilinear2x", upsample),
]
