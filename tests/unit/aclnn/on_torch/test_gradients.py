"""Bodies that differentiate do so wherever the program stands when their task runs."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest

torch = pytest.importorskip("torch")

from ascend_sim.aclnn.on_torch.gradients import differentiable  # noqa: E402 - it imports torch

PLACES = {
    "anywhere": torch.enable_grad,
    "no_grad": torch.no_grad,
    "inference": torch.inference_mode,
    "below autograd": torch._C._AutoDispatchBelowAutograd,
    "autocast": lambda: torch.autocast("cpu", torch.bfloat16),
}


@pytest.mark.parametrize("place", PLACES)
def test_a_gradient(place: str) -> None:
    make: Callable[[], AbstractContextManager[object]] = PLACES[place]
    with make():
        x = torch.arange(6.0).reshape(2, 3)
        with differentiable():
            leaf = x.detach().to(torch.float32, copy=True).requires_grad_()
            product = leaf[1:] @ torch.ones(3, 1)
            found = torch.autograd.grad(product, leaf, torch.full((1, 1), 2.0))[0]
    assert found.dtype == torch.float32  # and nothing was cast
    assert found.tolist() == [[0, 0, 0], [2, 2, 2]]
