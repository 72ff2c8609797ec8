"""What optimizers and gradient scalers do in one operator."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed

Tensors = Sequence[Tensor]


def _moments(m: Tensor, v: Tensor, grad: Tensor, beta1: float | Tensor, beta2: float | Tensor) -> tuple[Tensor, Tensor]:
    return beta1 * m.float() + (1 - beta1) * grad, beta2 * v.float() + (1 - beta2) * grad * grad


@torch_body("aclnnApplyAdam")
def apply_adam(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor,
    beta2_power: Tensor,
    lr: Tensor,
    beta1: Tensor,
    beta2: Tensor,
    epsilon: Tensor,
    grad: Tensor,
    locking: bool,
    nesterov: bool,
) -> None:
    """One step of Adam; the powers of the decays are those of this step."""
    g = grad.float()
    rate = lr * torch.sqrt(1 - beta2_power) / (1 - beta1_power)
    first, second = _moments(m, v, g, beta1, beta2)
    direction = beta1 * first + (1 - beta1) * g if nesterov else first
    var.copy_(var.float() - rate * direction / (second.sqrt() + epsilon))
    m.copy_(first)
    v.copy_(second)


@torch_body("aclnnApplyAdamW")
def apply_adam_w(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    beta1_power: Tensor,
    beta2_power: Tensor,
    lr: Tensor,
    decay: Tensor,
    beta1: Tensor,
    beta2: Tensor,
    eps: Tensor,
    grad: Tensor,
    largest: Tensor | None,
    amsgrad: bool,
    maximize: bool,
) -> None:
    """One step of AdamW; the powers of the decays are those of the step before, which this one multiplies."""
    g = -grad.float() if maximize else grad.float()
    rate, one, two = lr.float(), beta1.float(), beta2.float()
    first, second = _moments(m, v, g, one, two)
    if amsgrad and largest is not None:
        second = torch.maximum(largest.float(), second)
    mean = first / (1 - beta1_power.float() * one)
    spread = second / (1 - beta2_power.float() * two)
    var.copy_(var.float() * (1 - rate * decay.float()) - rate * mean / (spread.sqrt() + eps.float()))
    m.copy_(first)
    v.copy_(second)


@torch_body("aclnnApplyAdamWV2")
def apply_adam_w_by_step(
    var: Tensor,
    m: Tensor,
    v: Tensor,
    largest: Tensor | None,
    grad: Tensor,
    step: Tensor,
    lr: float,
    beta1: float,
    beta2: float,
    decay: float,
    eps: float,
    amsgrad: bool,
    maximize: bool,
) -> None:
    """One step of AdamW, of the number *step*."""
    g, t = (-grad.float() if maximize else grad.float()), float(step)
    first, second = _moments(m, v, g, beta1, beta2)
    m.copy_(first)
    v.copy_(second)
    if amsgrad and largest is not None:
        second = torch.maximum(largest.float(), second)
        largest.copy_(second)
    mean, spread = first / (1 - beta1**t), second / (1 - beta2**t)
    var.copy_(var.float() * (1 - lr * decay) - lr * mean / (spread.sqrt() + eps))


@torch_body("aclnnFusedSgd")
def fused_sgd(
    parameters: Tensors,
    grads: Tensors,
    momenta: Tensors | None,
    scale: Tensor | None,
    decay: float,
    momentum: float,
    lr: float,
    dampening: float,
    nesterov: bool,
    maximize: bool,
    first: bool,
) -> None:
    """One step of SGD for each parameter; gradients are left unscaled."""
    for i, (parameter, grad) in enumerate(zip(parameters, grads, strict=True)):
        g = grad.float() if scale is None or not scale.numel() else grad.float() / scale.float()
        grad.copy_(g)
        g = (-g if maximize else g) + decay * parameter.float()
        if momenta:
            velocity = g if first else momentum * momenta[i].float() + (1 - dampening) * g
            momenta[i].copy_(velocity)
            g = g + momentum * velocity if nesterov else velocity
        parameter.copy_(parameter.float() - lr * g)


@torch_body("aclnnForeachNonFiniteCheckAndUnscale")
def check_and_unscale(grads: Tensors, found: Tensor, inverse: Tensor) -> None:
    """Gradients times the inverse of the scale; *found* becomes 1 where one of them is not finite."""
    for grad in grads:
        if not bool(torch.isfinite(grad).all()):
            found.fill_(1)
        grad.copy_(grad.float() * inverse.float())


def _updated_scale(
    scale: Tensor, tracker: Tensor, found: Tensor, growth: float, backoff: float, interval: int
) -> tuple[Tensor, Tensor]:
    if bool(found.reshape(-1)[0]):
        return scale * backoff, torch.zeros_like(tracker)
    if int(tracker) + 1 == interval:
        grown = scale * growth
        return grown if bool(torch.isfinite(grown).all()) else scale, torch.zeros_like(tracker)
    return scale, tracker + 1


computed({"AmpUpdateScale": _updated_scale})
