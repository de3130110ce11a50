# SPDX-License-Identifier: Apache-2.0
"""Functions of rows: softmax and the like, and the norms that clip gradients."""

import torch

from .case import COLS, Case, Work, aten, matrix, random


def softmax(mk, rows):
    x, out, theirs = matrix(rows), matrix(rows), matrix(rows)
    return Work(
        lambda: mk.Softmax(out, x),
        [out],
        [lambda: aten._softmax.out(x, -1, False, out=theirs)],
        lambda: torch.softmax(x.double(), -1),
    )


def softmax_grad(mk, rows):
    y, dy, dx, theirs = torch.softmax(matrix(rows), -1), matrix(rows), matrix(rows), matrix(rows)
    return Work(
        lambda: mk.SoftmaxGrad(dx, dy, y),
        [dx],
        [lambda: aten._softmax_backward_data.out(dy, y, -1, torch.float32, grad_input=theirs)],
    )


def log_softmax(mk, rows):
    x, out, theirs = matrix(rows), matrix(rows), matrix(rows)
    return Work(
        lambda: mk.LogSoftmax(out, x),
        [out],
        [lambda: aten._log_softmax.out(x, -1, False, out=theirs)],
        lambda: torch.log_softmax(x.double(), -1),
    )


def log_softmax_grad(mk, rows):
    y, dy, dx, theirs = (
        torch.log_softmax(matrix(rows), -1),
        matrix(rows),
        matrix(rows),
        matrix(rows),
    )
    return Work(
        lambda: mk.LogSoftmaxGrad(dx, dy, y),
        [dx],
        [lambda: aten._log_softmax_backward_data.out(dy, y, -1, torch.float32, out=theirs)],
    )


def log_sum_exp(mk, rows):
    x, out, theirs = matrix(rows), random(rows), random(rows)
    return Work(
        lambda: mk.LogSumExp(out, x),
        [out],
        [lambda: torch.logsumexp(x, -1, out=theirs)],
        lambda: torch.logsumexp(x.double(), -1),
    )


def squared_norm(mk, rows):
    """Added to a total, which begins at 0."""
    x, total = matrix(rows), torch.zeros(1)

    def ours():
        total.zero_()
        mk.AddSquaredNorm(total, x)

    return Work(
        ours, [total], [lambda: torch.linalg.vector_norm(x).square().view(1)], tolerance=1e-4
    )


def clip_by_norm(mk, rows):
    """All of clip_grad_norm_: the norm and the product."""
    grad, total = matrix(rows), torch.zeros(1)
    parameter = torch.nn.Parameter(torch.zeros(rows, COLS))
    parameter.grad = grad.clone()

    def ours():
        total.zero_()
        mk.AddSquaredNorm(total, grad)
        mk.ClipByNorm(grad, total, limit=1.0)

    def theirs():
        torch.nn.utils.clip_grad_norm_([parameter], 1.0)
        return parameter.grad

    return Work(ours, [grad], [theirs])


CASES = [
    Case("Softmax", softmax),
    Case("SoftmaxGrad", softmax_grad),
    Case("LogSoftmax", log_softmax),
    Case("LogSoftmaxGrad", log_softmax_grad),
    Case("LogSumExp", log_sum_exp),
    Case("AddSquaredNorm", squared_norm),
    Case("ClipByNorm", clip_by_norm),
]
