"""Tests of code for the NPU that need no card.

    pytest --ascend-torch examples/torch/test_scale.py
"""

import torch


def scale(x: torch.Tensor, factor: float, stream: torch.npu.Stream) -> torch.Tensor:
    """``x * factor``, computed on *stream*; the caller's stream goes on when it is done."""
    here = torch.npu.current_stream()
    stream.wait_stream(here)
    with torch.npu.stream(stream):
        result = x * factor
    here.wait_stream(stream)
    x.record_stream(stream)
    result.record_stream(here)
    return result


def test_on_a_side_stream() -> None:
    x = torch.arange(1024.0, device="npu")
    result = scale(x, 3, torch.npu.Stream())
    assert torch.equal(result.cpu(), torch.arange(1024.0) * 3)


def test_twice_on_the_same_stream() -> None:
    side = torch.npu.Stream()
    x = torch.ones(1024, device="npu")
    assert scale(scale(x, 2, side), 3, side).sum().item() == 6 * 1024
