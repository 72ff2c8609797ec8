"""Activations and their gradients, softmax among them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.outputs import computed, in_float32

F = torch.nn.functional
aten = torch.ops.aten

APPROXIMATIONS: Final = ("none", "tanh")
"""The numbers of the approximations of gelu."""


def _log_sigmoid_backward(grad: Tensor, self: Tensor, buffer: Tensor | None) -> Tensor:
    return grad * torch.sigmoid(-self)


def _prelu_backward(grad: Tensor, self: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    shape = [1, weight.numel(), *[1] * (self.dim() - 2)] if weight.numel() > 1 else [1] * self.dim()
    negative = self <= 0
    of_weight = torch.where(negative, grad * self, torch.zeros_like(self))
    kept = [axis for axis in range(self.dim()) if weight.numel() == 1 or axis != 1]
    summed = of_weight.sum(kept) if kept else of_weight
    return torch.where(negative, grad * weight.reshape(shape), grad), summed


def _logit_grad(self: Tensor, grad: Tensor, eps: float) -> Tensor:
    return aten.logit_backward(grad, self, None if eps < 0 else eps)


def _softmax_backward(name: str) -> Callable[..., Any]:
    function = getattr(aten, name)
    return in_float32(lambda grad, output, dim: function(grad, output, dim, grad.dtype))


def _scaled_masked_softmax(self: Tensor, mask: Tensor, scale: float, triangle: bool) -> Tensor:
    away = torch.ones_like(mask, dtype=torch.bool).triu(1) if triangle else mask.bool()
    return torch.softmax((self * scale).masked_fill(away, -10000.0), -1)


def _scaled_masked_softmax_backward(grad: Tensor, output: Tensor, mask: Tensor, scale: float, triangle: bool) -> Tensor:
    away = torch.ones_like(mask, dtype=torch.bool).triu(1) if triangle else mask.bool()
    inner = aten._softmax_backward_data(grad, output, -1, grad.dtype)
    return (inner * scale).masked_fill(away, 0.0)


def _gelu_backward(grad: Tensor, self: Tensor, name: str | None = None) -> Tensor:
    grad, self = (one.contiguous() for one in torch.broadcast_tensors(grad, self))  # torch refuses expanded ones here
    return aten.gelu_backward(grad, self, approximate=name or "none")


computed(
    {
        "Celu": torch.celu,
        "Elu": aten.elu,
        "EluBackward": aten.elu_backward,
        "Gelu": F.gelu,
        "GeluV2": lambda self, approximate: F.gelu(self, approximate=APPROXIMATIONS[approximate]),
        "GeluBackward": _gelu_backward,
        "GeluBackwardV2": _gelu_backward,
        "Glu": F.glu,
        "GluBackward": aten.glu_backward,
        "Hardshrink": aten.hardshrink,
        "HardshrinkBackward": aten.hardshrink_backward,
        "Hardsigmoid": F.hardsigmoid,
        "HardsigmoidBackward": aten.hardsigmoid_backward,
        "Hardswish": F.hardswish,
        "HardswishBackward HardswishBackwardV2": aten.hardswish_backward,
        "Hardtanh": aten.hardtanh,
        "HardtanhBackward": aten.hardtanh_backward,
        "LeakyRelu": aten.leaky_relu,
        "LeakyReluBackward": aten.leaky_relu_backward,
        "LogSigmoid": F.logsigmoid,
        "LogSigmoidForward": lambda self: (F.logsigmoid(self), None),
        "LogSigmoidBackward": in_float32(_log_sigmoid_backward),
        "LogitGrad": _logit_grad,
        "Mish": F.mish,
        "MishBackward": aten.mish_backward,
        "Prelu": torch.prelu,
        "PreluBackward": in_float32(_prelu_backward),
        "SigmoidBackward": aten.sigmoid_backward,
        "Silu": F.silu,
        "SiluBackward": aten.silu_backward,
        "Softplus": aten.softplus,
        "SoftplusBackward": aten.softplus_backward,
        "Softshrink": aten.softshrink,
        "SoftshrinkBackward": aten.softshrink_backward,
        "TanhBackward": aten.tanh_backward,
        "Threshold": aten.threshold,
        "ThresholdBackward": aten.threshold_backward,
        "Softmax": in_float32(torch.softmax),
        "SoftmaxBackward": _softmax_backward("_softmax_backward_data"),
        "LogSoftmax": in_float32(torch.log_softmax),
        "LogSoftmaxBackward": _softmax_backward("_log_softmax_backward_data"),
        "ScaledMaskedSoftmax": in_float32(_scaled_masked_softmax),
        "ScaledMaskedSoftmaxBackward": in_float32(_scaled_masked_softmax_backward),
    }
)
