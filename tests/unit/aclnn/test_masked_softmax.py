"""Softmax with scale, mask and bias against loops over rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, torch

import ascend_sim.aclnn.on_torch.masked_softmax  # noqa: F401  isort: skip

KINDS = [torch.float32, torch.float16, torch.bfloat16]


def softmax(row):
    top = max(row)
    parts = [math.exp(v - top) for v in row]
    return [p / sum(parts) for p in parts]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("folded", [False, True])
@pytest.mark.parametrize("mask_shape", [None, (3, 4, 5), (3, 1, 4, 5), (1, 3, 1, 4, 5)])
def test_windows_with_relative_positions(kind, folded, mask_shape):
    rng = np.random.default_rng(1)
    x, bias = random(rng, (2, 3, 2, 4, 5), kind), random(rng, (1, 2, 4, 5), kind)
    mask = None if mask_shape is None else random(rng, mask_shape, kind)
    given = x.reshape(6, 2, 4, 5) if folded else x
    out = empty(tuple(given.shape), kind)
    call(
        "aclnnMaskedSoftmaxWithRelPosBias",
        x=given,
        atten_mask=mask,
        relative_pos_bias=bias,
        scale_value=0.5,
        inner_precision_mode=0,
        out=out,
    )
    hidden = np.zeros((3, 4, 5)) if mask is None else numbers(mask).reshape(3, 4, 5)
    scored = 0.5 * numbers(x) + hidden[None, :, None] + numbers(bias)[0]
    close(out, np.array([softmax(row) for row in scored.reshape(-1, 5)]).reshape(given.shape))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("mask_shape", [(2, 3, 4, 4), (1, 1, 4, 4), (2, 1, 4, 4)])
@pytest.mark.parametrize("triangle", [False, True])
def test_scaled_masked_softmax_and_its_gradient(kind, mask_shape, triangle):
    rng = np.random.default_rng(2)
    x, mask, y = (
        random(rng, (2, 3, 4, 4), kind),
        torch.from_numpy(rng.integers(0, 2, mask_shape)).bool(),
        empty((2, 3, 4, 4), kind),
    )
    call("aclnnScaledMaskedSoftmax", x=x, mask=mask, scale=0.7, fixed_triu_mask=triangle, y=y)
    hidden = np.triu(np.ones((4, 4)), 1) if triangle else numbers(mask)
    hidden = np.broadcast_to(hidden, (2, 3, 4, 4)).astype(bool)
    wanted = np.array([softmax(row) for row in np.where(hidden, -10000, numbers(x) * 0.7).reshape(-1, 4)]).reshape(
        2, 3, 4, 4
    )
    close(y, wanted)
    grad, dx = random(rng, (2, 3, 4, 4), kind), empty((2, 3, 4, 4), kind)
    call(
        "aclnnScaledMaskedSoftmaxBackward", grad_output=grad, y=y, mask=mask, scale=0.7, fix_triu_mask=triangle, out=dx
    )
    p, g = numbers(y), numbers(grad)
    slope = 0.7 * p * (g - (p * g).sum(-1, keepdims=True))
    close(dx, np.where(hidden, 0, slope))
