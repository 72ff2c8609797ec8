"""Gradients that a body lets torch's own autograd compute."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import torch

__all__ = ["differentiable"]

_KEY = torch._C.DispatchKey
_INCLUDED = torch._C.DispatchKeySet(_KEY.BackendSelect).add(_KEY.ADInplaceOrView)
_EXCLUDED = torch._C.DispatchKeySet(_KEY.AutocastCPU).add(_KEY.AutocastPrivateUse1)
"""What each thread of torch begins with."""


@contextmanager
def differentiable() -> Iterator[None]:
    """What is computed here can be differentiated, wherever the program stands.

    A body may run while the call of an operator waits for its stream: below autograd, for whose layer nothing is left to
    do there, in inference mode, or in the backward pass.
    """
    with torch.inference_mode(False), torch._C._ForceDispatchKeyGuard(_INCLUDED, _EXCLUDED), torch.enable_grad():
        yield
