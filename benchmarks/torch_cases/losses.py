# SPDX-License-Identifier: Apache-2.0
"""Losses of rows, without a reduction, and the gradients of their sums."""

import torch
import torch.nn.functional as F

from .case import COLS, Case, Work, aten, matrices, matrix, random


def gradients(function, inputs):
    """The losses, and the gradients of their sum, as a training step computes them."""
    inputs = [x.clone().requires_grad_() for x in inputs]

    def way():
        losses = function(*inputs)
        return losses.detach(), *torch.autograd.grad(losses.sum(), inputs)

    return way


def classes(rows):
    return matrix(rows), torch.randint(COLS, (rows,))


def probabilities(rows):
    return matrix(rows), torch.softmax(matrix(rows), 1)


def losses_of(x, label, **more):
    return F.cross_entropy(x, label, reduction="none", **more)


def cross_entropy(name, make_input):
    """Labels are classes or probabilities."""

    def make(mk, rows):
        (x, label), loss, rule = make_input(rows), random(rows), getattr(mk, name)
        return Work(lambda: rule(loss, x, label), [loss], [lambda: losses_of(x, label)])

    return Case(name, make)


def cross_entropy_train(name, make_input):
    def make(mk, rows):
        (x, label), loss, dx, rule = make_input(rows), random(rows), matrix(rows), getattr(mk, name)
        return Work(
            lambda: rule(loss, dx, x, label),
            [loss, dx],
            [gradients(lambda x: losses_of(x, label), [x])],
        )

    return Case(name, make)


def cross_entropy_grad(mk, rows):
    (x, label), dx, theirs = probabilities(rows), matrix(rows), matrix(rows)
    return Work(
        lambda: mk.SoftmaxCrossEntropyGrad(dx, x, label),
        [dx],
        [lambda: aten._softmax.out(x, -1, False, out=theirs).sub_(label)],
    )


def sparse_cross_entropy_grad(mk, rows):
    (x, label), dx, theirs = classes(rows), matrix(rows), matrix(rows)
    place, minus = label.view(-1, 1), torch.full((rows, 1), -1.0)
    return Work(
        lambda: mk.SparseSoftmaxCrossEntropyGrad(dx, x, label),
        [dx],
        [lambda: aten._softmax.out(x, -1, False, out=theirs).scatter_add_(1, place, minus)],
    )


def smoothed(mk, rows):
    (x, label), loss = classes(rows), random(rows)
    return Work(
        lambda: mk.SmoothedSparseSoftmaxCrossEntropy(loss, x, label, smoothing=0.125),
        [loss],
        [lambda: losses_of(x, label, label_smoothing=0.125)],
    )


def smoothed_train(mk, rows):
    """The losses and their gradient, by two rules."""
    (x, label), loss, dx = classes(rows), random(rows), matrix(rows)

    def ours():
        mk.SmoothedSparseSoftmaxCrossEntropy(loss, x, label, smoothing=0.125)
        mk.SmoothedSparseSoftmaxCrossEntropyGrad(dx, x, label, smoothing=0.125)

    return Work(
        ours, [loss, dx], [gradients(lambda x: losses_of(x, label, label_smoothing=0.125), [x])]
    )


def margin(mk, rows):
    (x, label), loss = classes(rows), random(rows)
    return Work(
        lambda: mk.MultiMarginLoss(loss, x, label),
        [loss],
        [lambda: F.multi_margin_loss(x, label, reduction="none")],
    )


def margin_grad(mk, rows):
    (x, label), dx = classes(rows), matrix(rows)
    ones = torch.ones(rows)
    return Work(
        lambda: mk.MultiMarginLossGrad(dx, x, label),
        [dx],
        [lambda: aten.multi_margin_loss_backward(ones, x, label, 1, 1.0, None, 0)],
    )


def triplet_loss(*inputs):
    return F.triplet_margin_loss(*inputs, reduction="none")


def triplet(mk, rows):
    inputs, loss = matrices(3, rows), random(rows)
    return Work(
        lambda: mk.TripletMarginLoss(loss, *inputs),
        [loss],
        [lambda: triplet_loss(*inputs)],
        tolerance=1e-4,
    )


def triplet_grad(mk, rows):
    """The losses, too: PyTorch's gradients take them."""
    inputs, loss, grads = matrices(3, rows), random(rows), matrices(3, rows)

    def ours():
        mk.TripletMarginLoss(loss, *inputs)
        mk.TripletMarginLossGrad(*grads, *inputs)

    return Work(ours, [loss, *grads], [gradients(triplet_loss, inputs)], tolerance=1e-4)


def pairs(rows):
    return matrices(2, rows), torch.randint(2, (rows,)).float() * 2 - 1


def cosine(mk, rows):
    (inputs, label), loss = pairs(rows), random(rows)
    return Work(
        lambda: mk.CosineEmbeddingLoss(loss, *inputs, label),
        [loss],
        [lambda: F.cosine_embedding_loss(*inputs, label, reduction="none")],
    )


def cosine_grad(mk, rows):
    (inputs, label), loss, grads = pairs(rows), random(rows), matrices(2, rows)

    def ours():
        mk.CosineEmbeddingLoss(loss, *inputs, label)
        mk.CosineEmbeddingLossGrad(*grads, *inputs, label)

    return Work(
        ours,
        [loss, *grads],
        [gradients(lambda a, b: F.cosine_embedding_loss(a, b, label, reduction="none"), inputs)],
    )


def top_one(mk, rows):
    (x, label), count = classes(rows), torch.zeros(1)
    label[::2] = x[::2].argmax(1)

    def ours():
        count.zero_()
        mk.CountTopOne(count, x, label)

    return Work(ours, [count], [lambda: (x.argmax(1) == label).sum().float().view(1)])


CASES = [
    cross_entropy("SoftmaxCrossEntropy", probabilities),
    Case("SoftmaxCrossEntropyGrad", cross_entropy_grad),
    cross_entropy_train("SoftmaxCrossEntropyTrain", probabilities),
    cross_entropy("SparseSoftmaxCrossEntropy", classes),
    Case("SparseSoftmaxCrossEntropyGrad", sparse_cross_entropy_grad),
    cross_entropy_train("SparseSoftmaxCrossEntropyTrain", classes),
    Case("SmoothedSparseSoftmaxCrossEntropy", smoothed),
    Case("SmoothedSparseSoftmaxCrossEntropyGrad", smoothed_train),
    Case("MultiMarginLoss", margin),
    Case("MultiMarginLossGrad", margin_grad),
    Case("TripletMarginLoss", triplet),
    Case("TripletMarginLossGrad", triplet_grad),
    Case("CosineEmbeddingLoss", cosine),
    Case("CosineEmbeddingLossGrad", cosine_grad),
    Case("CountTopOne", top_one),
]
