"""torch by itself: its bodies are called on tensors of the CPU, and torch_npu, where it is installed, is no part of that."""

from __future__ import annotations

import importlib.util
import os

if importlib.util.find_spec("torch") is not None:
    _AUTOLOAD = "TORCH_DEVICE_BACKEND_AUTOLOAD"
    before = os.environ.get(_AUTOLOAD)
    os.environ[_AUTOLOAD] = "0"  # without the simulator's libraries torch_npu cannot be loaded, and torch cannot twice
    import torch  # noqa: F401

    if before is None:
        del os.environ[_AUTOLOAD]
    else:
        os.environ[_AUTOLOAD] = before
