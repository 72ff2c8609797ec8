"""Losses and their gradients. A reduction is 0 (none), 1 (mean), 2 (sum); for the divergence 3 is the mean over the batch.

Gradients are broadcast against the operands, as the operators take them.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed, deliver, in_float32, wide

F = torch.nn.functional
aten = torch.ops.aten

NONE, MEAN, SUM, BATCH_MEAN = range(4)
REDUCTIONS: Final = {"none": NONE, "mean": MEAN, "sum": SUM}


def _reduced(loss: Tensor, reduction: int) -> Tensor:
    if reduction == NONE:
        return loss
    total = loss.mean() if reduction == MEAN else loss.sum()
    return total / max(loss.shape[0], 1) if reduction == BATCH_MEAN and loss.dim() else total


def _share(self: Tensor, target: Tensor, reduction: int) -> float:
    """The part of each element in the loss."""
    shape: Sequence[int] = torch.broadcast_shapes(self.shape, target.shape)
    if reduction == MEAN:
        return 1 / max(math.prod(shape), 1)
    return 1 / max(shape[0], 1) if reduction == BATCH_MEAN and shape else 1.0


def _loss(pointwise: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The operator of (self, target, reduction, more) whose loss of an element is *pointwise* of (self, target, more)."""
    return in_float32(lambda self, target, reduction, *rest: _reduced(pointwise(self, target, *rest), reduction))


def _slope(pointwise: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """The gradient of (gradOutput, self, target, reduction, more) by the slope of an element."""
    return in_float32(
        lambda grad, self, target, reduction, *rest: (
            grad * pointwise(self, target, *rest) * _share(self, target, reduction)
        )
    )


def _smooth_l1(self: Tensor, target: Tensor, beta: float) -> Tensor:
    apart = (self - target).abs()
    return apart if beta == 0 else torch.where(apart < beta, 0.5 * apart * apart / beta, apart - 0.5 * beta)


def _smooth_l1_slope(self: Tensor, target: Tensor, beta: float) -> Tensor:
    apart = self - target
    return torch.sign(apart) if beta == 0 else torch.clamp(apart / beta, -1, 1)


def _divergence(self: Tensor, target: Tensor, logarithm: bool) -> Tensor:
    return target.exp() * (target - self) if logarithm else torch.xlogy(target, target) - target * self


def _divergence_slope(self: Tensor, target: Tensor, logarithm: bool) -> Tensor:
    return -(target.exp() if logarithm else target) + torch.zeros_like(self)


def _divergence_target_slope(self: Tensor, target: Tensor, logarithm: bool) -> Tensor:
    return target.exp() * (target - self + 1) if logarithm else target.log() - self + 1


def _cross_entropy(self: Tensor, target: Tensor, weight: Tensor | None, reduction: int) -> Tensor:
    loss = -(target * self.log().clamp(min=-100) + (1 - target) * (-self).log1p().clamp(min=-100))
    return _reduced(loss if weight is None else loss * weight, reduction)


def _cross_entropy_backward(
    grad: Tensor, self: Tensor, target: Tensor, weight: Tensor | None, reduction: int
) -> Tensor:
    slope = grad * (self - target) / ((1 - self) * self).clamp(min=1e-12)
    return (slope if weight is None else slope * weight) * _share(self, target, reduction)


def _with_logits(
    self: Tensor, target: Tensor, weight: Tensor | None, positive: Tensor | None, reduction: int
) -> Tensor:
    factor = 1.0 if positive is None else 1 + (positive - 1) * target
    loss = (1 - target) * self - factor * F.logsigmoid(self)
    return _reduced(loss if weight is None else loss * weight, reduction)


def _with_logits_backward(
    grad: Tensor, self: Tensor, target: Tensor, weight: Tensor | None, positive: Tensor | None, reduction: int
) -> Tensor:
    share = torch.sigmoid(self)
    hit = target if positive is None else positive * target
    slope = ((hit + 1 - target) * share - hit) * grad
    return (slope if weight is None else slope * weight) * _share(self, target, reduction)


def _classes(target: Tensor, weight: Tensor | None, count: int, ignored: int, like: Tensor) -> tuple[Tensor, Tensor]:
    """Each target's class, 0 for one that is ignored, and its weight, 0 for one that is ignored."""
    kept = target != ignored
    places = torch.where(kept, target, torch.zeros_like(target)).long()
    weights = torch.ones(count, dtype=like.dtype, device="cpu") if weight is None else weight
    return places, weights[places] * kept


def _negative_likelihood(
    self: Tensor, target: Tensor, weight: Tensor | None, reduction: int, ignored: int
) -> tuple[Tensor, Tensor]:
    """The class axis is the first of one, otherwise the second."""
    axis = min(self.dim() - 1, 1)
    places, weights = _classes(target, weight, self.shape[axis], ignored, self)
    loss = -self.gather(axis, places.unsqueeze(axis)).squeeze(axis) * weights
    total = weights.sum()
    if reduction == NONE:
        return loss, torch.zeros_like(total)
    return loss.sum() / total if reduction == MEAN else loss.sum(), total


def _negative_likelihood_backward(
    grad: Tensor,
    self: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: int,
    ignored: int,
    total: Tensor,
) -> Tensor:
    axis = min(self.dim() - 1, 1)
    places, weights = _classes(target, weight, self.shape[axis], ignored, self)
    slope = -weights * (grad.reshape(()) if grad.numel() == 1 else grad)
    if reduction == MEAN:
        slope = slope / total.reshape(())
    return torch.zeros_like(self).scatter(axis, places.unsqueeze(axis), slope.unsqueeze(axis))


def _whole_cross_entropy(
    self: Tensor,
    target: Tensor,
    weight: Tensor | None,
    reduction: str | None,
    ignored: int,
    smoothing: float,
    scale: float,
    with_scale: bool,
) -> tuple[Tensor, Tensor, Tensor | None, Tensor | None]:
    logs = torch.log_softmax(self, 1)
    code = REDUCTIONS[(reduction or "mean").lower()]
    kept = target != ignored
    places, weights = _classes(target, weight, self.shape[1], ignored, self)
    loss = -logs.gather(1, places.unsqueeze(1)).squeeze(1) * weights
    if smoothing:
        spread = -(logs if weight is None else logs * weight).sum(1) * kept / self.shape[1]
        loss = (1 - smoothing) * loss + smoothing * spread
    if code == MEAN:
        result = loss.sum() / weights.sum()
    else:
        result = loss if code == NONE else loss.sum()
    whole = torch.logsumexp(self, 1) if with_scale and scale else None
    return result, logs, None if whole is None else _reduced(scale * whole * whole, code), whole


def _whole_cross_entropy_backward(
    grad: Tensor,
    logs: Tensor,
    target: Tensor,
    weight: Tensor | None,
    grad_scale: Tensor | None,
    whole: Tensor | None,
    reduction: str | None,
    ignored: int,
    smoothing: float,
    scale: float,
) -> Tensor:
    kept = (target != ignored).to(logs.dtype)
    places, weights = _classes(target, weight, logs.shape[1], ignored, logs)
    outer = grad / weights.sum() if REDUCTIONS[(reduction or "mean").lower()] == MEAN else grad
    of_logs = torch.zeros_like(logs).scatter(1, places.unsqueeze(1), (-(1 - smoothing) * outer * weights).unsqueeze(1))
    if smoothing:
        spread = (-smoothing * outer * kept / logs.shape[1] * torch.ones_like(kept)).unsqueeze(1)
        of_logs = of_logs + (spread if weight is None else spread * weight)
    return of_logs - logs.exp() * of_logs.sum(1, keepdim=True)


def _multilabel(self: Tensor, target: Tensor, reduction: int) -> Any:
    loss, hit = aten.multilabel_margin_loss_forward(self, target.long(), reduction)
    return loss if self.numel() else torch.zeros_like(loss), hit  # torch leaves it as the memory was


def _soft_margin(self: Tensor, target: Tensor) -> Tensor:
    return torch.log1p(torch.exp(-target * self))


def _soft_margin_slope(self: Tensor, target: Tensor) -> Tensor:
    return -target * torch.sigmoid(-target * self)


@torch_body("aclnnCtcLoss")
def ctc_loss(
    logs: Tensor,
    targets: Tensor,
    lengths: Sequence[int],
    target_lengths: Sequence[int],
    blank: int,
    finite: bool,
    out: Tensor,
    log_alpha: Tensor,
) -> None:
    """The loss of each sequence, and its alphas, for which programs leave more room than there are."""
    sizes = (list(lengths), list(target_lengths))
    loss, alpha = aten._ctc_loss(wide(logs), targets.long(), *sizes, blank, finite)
    deliver(out, torch.where(torch.isinf(loss), torch.zeros_like(loss), loss) if finite else loss)
    alpha = alpha.reshape(-1, *alpha.shape[-2:])
    room = log_alpha.reshape(alpha.shape[0], alpha.shape[1], -1) if log_alpha.numel() else alpha
    deliver(log_alpha, F.pad(alpha, (0, room.shape[-1] - alpha.shape[-1]), value=-math.inf))


def _ctc_backward(
    grad: Tensor,
    logs: Tensor,
    targets: Tensor,
    lengths: Sequence[int],
    target_lengths: Sequence[int],
    loss: Tensor,
    alpha: Tensor,
    blank: int,
    finite: bool,
) -> Tensor:
    places, sizes = targets.long(), (list(lengths), list(target_lengths))
    if finite:  # the forward wrote zeros where its loss was infinite
        loss, alpha = aten._ctc_loss(logs, places, *sizes, blank, finite)
    width = 2 * max(target_lengths, default=0) + 1
    return aten._ctc_loss_backward(grad, logs, places, *sizes, loss, alpha[..., :width], blank, finite)


computed(
    {
        "L1Loss": _loss(lambda self, target: (self - target).abs()),
        "L1LossBackward": _slope(lambda self, target: torch.sign(self - target)),
        "MseLoss": _loss(lambda self, target: (self - target) ** 2),
        "MseLossBackward": _slope(lambda self, target: 2 * (self - target)),
        "SmoothL1Loss": _loss(_smooth_l1),
        "SmoothL1LossBackward": _slope(_smooth_l1_slope),
        "SoftMarginLoss": _loss(_soft_margin),
        "SoftMarginLossBackward": _slope(_soft_margin_slope),
        "KlDiv": _loss(_divergence),
        "KlDivBackward": _slope(_divergence_slope),
        "KlDivTargetBackward": _slope(_divergence_target_slope),
        "BinaryCrossEntropy": in_float32(_cross_entropy),
        "BinaryCrossEntropyBackward": in_float32(_cross_entropy_backward),
        "BinaryCrossEntropyWithLogits": in_float32(_with_logits),
        "BinaryCrossEntropyWithLogitsBackward": in_float32(_with_logits_backward),
        "NLLLoss NLLLoss2d": in_float32(_negative_likelihood),
        "NLLLossBackward NLLLoss2dBackward": in_float32(_negative_likelihood_backward),
        "CrossEntropyLoss": in_float32(_whole_cross_entropy),
        "CrossEntropyLossGrad": in_float32(_whole_cross_entropy_backward),
        "MultilabelMarginLoss": in_float32(_multilabel),
        "CtcLossBackward": in_float32(_ctc_backward),
    }
)
