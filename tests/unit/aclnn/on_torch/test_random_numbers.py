"""Random numbers repeat by seed and offset, whichever form passes them."""

from __future__ import annotations

import importlib
import tracemalloc

import numpy as np
import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from ascend_sim.aclnn.bodies import NUMPY_BODIES, TORCH_BODIES
from ascend_sim.aclnn.randomness import PART, generator


def drawn(name, *rest):
    x = torch.zeros(100)
    TORCH_BODIES[name](x, *rest)
    return x


importlib.import_module("ascend_sim.aclnn.on_torch.random_numbers")
importlib.import_module("ascend_sim.aclnn.on_numpy.random_numbers")

FIRST = {
    "Uniform": (0.0, 1.0),
    "Normal": (0.0, 1.0),
    "Random": (0, 1000),
    "RandomWithoutFromTo": (),
}


@pytest.mark.parametrize("kind", FIRST)
def test_by_seed_and_offset(kind):
    name, first = f"aclnnInplace{kind}", FIRST[kind]
    one = drawn(name, *first, 5, 10)
    assert torch.equal(one, drawn(name, *first, 5, 10))
    assert not torch.equal(one, drawn(name, *first, 5, 20))
    assert not torch.equal(one, drawn(name, *first, 6, 10))


@pytest.mark.parametrize("kind", FIRST)
def test_from_memory(kind):
    """A seed and a part of the offset in tensors give the numbers of their sum, as a captured graph needs."""
    first = FIRST[kind]
    one = drawn(f"aclnnInplace{kind}", *first, 5, 10)
    two = drawn(f"aclnnInplace{kind}Tensor", *first, torch.tensor([5]), torch.tensor([7]), 3)
    assert torch.equal(one, two)


@pytest.mark.parametrize("bodies, filled", [(TORCH_BODIES, torch.zeros), (NUMPY_BODIES, np.zeros)])
@pytest.mark.parametrize("kind", FIRST)
def test_large_tensors_take_their_numbers_in_parts(bodies, filled, kind):
    """They are those of one draw, and need little more memory than the tensor."""
    count, body, first = 3 * PART + 7, bodies[f"aclnnInplace{kind}"], FIRST[kind]
    x = filled(count)
    tracemalloc.start()
    try:
        body(x, *first, 5, 10)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 3 * PART * 8 + (count * 8 if bodies is NUMPY_BODIES else 0)
    random = generator(5, 10)
    whole = {
        "Uniform": lambda: random.random(count),
        "Normal": lambda: random.standard_normal(count),
        "Random": lambda: random.integers(0, 1000, count),
        "RandomWithoutFromTo": lambda: random.integers(0, 1 << (24 if filled is torch.zeros else 53), count),
    }[kind]()
    assert np.array_equal(np.asarray(x), whole.astype(np.asarray(x).dtype))


@pytest.mark.parametrize("name", ["NormalTensorFloat", "NormalFloatTensor", "NormalTensorTensor"])
def test_means_and_deviations_of_large_tensors_are_taken_in_parts(name):
    values, out = torch.arange(1.0, PART + 2), torch.zeros(4, PART + 1)
    mean = values if "lT" in name else 3.0
    deviation = values if name.endswith("Tensor") else 2.0
    tracemalloc.start()
    try:
        TORCH_BODIES[f"aclnn{name}"](mean, deviation, 5, 10, out)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 4 * (PART + 1) * 8
    whole = generator(5, 10).standard_normal((4, PART + 1)) * np.asarray(deviation) + np.asarray(mean)
    assert np.allclose(out.numpy(), whole, rtol=1e-6)


@pytest.mark.parametrize("shape", [(), (0,), (2, 3)])
def test_tensors_that_are_not_contiguous_and_small_ones(shape):
    plain, strided = torch.zeros(shape), torch.zeros((*shape, 2))[..., 0]
    for x in (plain, strided):
        TORCH_BODIES["aclnnInplaceNormal"](x, 1.0, 2.0, 5, 10)
    assert torch.equal(plain, strided)
    assert not plain.numel() or float(plain.abs().min()) > 0


def test_dropout_masks_are_drawn_in_parts():
    mask = torch.zeros((2 * PART + 128) // 8, dtype=torch.uint8)
    TORCH_BODIES["aclnnDropoutGenMask"]((2 * PART + 128,), 0.25, 5, 10, mask)
    kept = generator(5, 10).random(2 * PART + 128, dtype=np.float32) >= 0.25
    assert np.array_equal(np.unpackbits(mask.numpy(), bitorder="little").astype(bool), kept)


def test_negative_seeds_are_taken():
    assert torch.equal(
        drawn("aclnnInplaceUniform", 0.0, 1.0, -1, 0), drawn("aclnnInplaceUniform", 0.0, 1.0, (1 << 64) - 1, 0)
    )


def test_masks_of_neighbouring_offsets_share_nothing():
    masks = []
    for offset in (0, 1, 10):
        mask = torch.zeros((1 << 14) // 8, dtype=torch.uint8)
        TORCH_BODIES["aclnnDropoutGenMask"]((1 << 14,), 0.5, 3, offset, mask)
        masks.append(mask)
    for i, one in enumerate(masks):
        for other in masks[:i]:
            assert float((one == other).double().mean()) < 0.02
