"""Softmax with scale, mask and bias against loops over rows."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, torch

import ascend_sim.aclnn.on_torch.fused.masked_softmax  # noqa: F401  isort: skip

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
