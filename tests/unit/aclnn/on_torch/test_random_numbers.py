"""Random numbers repeat by seed and offset, whichever form passes them."""

from __future__ import annotations

import importlib

import pytest

pytest.importorskip("torch", reason="torch is not installed")

import torch

from ascend_sim.aclnn.bodies import TORCH_BODIES


def drawn(name, *rest):
    x = torch.zeros(100)
    TORCH_BODIES[name](x, *rest)
    return x


importlib.import_module("ascend_sim.aclnn.on_torch.random_numbers")

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
