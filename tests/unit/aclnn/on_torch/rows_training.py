"""Optimizers against torch.optim in float64, gradient scaling by its rules."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import F32, FLOATS, row

B1, B2, LR, EPS, DECAY = 0.9, 0.99, 0.01, 1e-3, 0.1


def number(value, kind=F32):
    return torch.tensor([value], dtype=kind)


def moments(t):
    return t(3, 4), t(3, 4, low=-0.5, high=0.5), t(3, 4, low=0.1, high=0.5)


def stepped(kind, var, m, v, grad, step, largest=None, **options):
    """One step of the optimizer of torch with this state behind it: the parameter and the state."""
    parameter = var.double().clone().requires_grad_()
    parameter.grad = grad.double()
    optimizer = kind([parameter], lr=LR, betas=(B1, B2), eps=EPS, **options)
    state = {"step": torch.tensor(float(step - 1)), "exp_avg": m.double().clone(), "exp_avg_sq": v.double().clone()}
    if largest is not None:
        state["max_exp_avg_sq"] = largest.double().clone()
    optimizer.state[parameter] = state
    optimizer.step()
    return parameter.detach(), state["exp_avg"], state["exp_avg_sq"], state.get("max_exp_avg_sq")


def adam(var, m, v, p1, p2, lr, b1, b2, eps, grad, locking, nesterov):
    """By the operator's own formula: its epsilon is added to another root than torch's."""
    g, m, v, x = (one.numpy() for one in (grad, m, v, var))
    m, v = B1 * m + (1 - B1) * g, B2 * v + (1 - B2) * g * g
    rate = LR * np.sqrt(1 - B2**3) / (1 - B1**3)
    direction = B1 * m + (1 - B1) * g if nesterov else m
    return tuple(torch.from_numpy(one) for one in (x - rate * direction / (np.sqrt(v) + EPS), m, v))


def adam_w(var, m, v, p1, p2, lr, decay, b1, b2, eps, grad, largest, amsgrad, maximize):
    found = stepped(torch.optim.AdamW, var, m, v, grad, 3, weight_decay=DECAY, maximize=maximize)
    return found[:3]


def by_step(var, m, v, largest, grad, step, lr, b1, b2, decay, eps, amsgrad, maximize):
    found = stepped(
        torch.optim.AdamW, var, m, v, grad, 3, largest, weight_decay=DECAY, amsgrad=amsgrad, maximize=maximize
    )
    return found if largest is not None else (*found[:3], None)


def adam_samples(t):
    for nesterov in (False, True):
        yield (
            *moments(t),
            number(B1**3),
            number(B2**3),
            number(LR),
            number(B1),
            number(B2),
            number(EPS),
            t(3, 4),
            False,
            nesterov,
        )


def adam_w_samples(t):
    for maximize in (False, True):
        yield (
            *moments(t),
            *(number(one, t.kind) for one in (B1**2, B2**2, LR, DECAY, B1, B2, EPS)),
            t(3, 4),
            None,
            False,
            maximize,
        )


def step_samples(t):
    for amsgrad in (False, True):
        for maximize in (False, True):
            for kind in (F32, torch.int64):
                largest = t(3, 4, low=0.1, high=0.5) if amsgrad else None
                yield *moments(t), largest, t(3, 4), number(3, kind), LR, B1, B2, DECAY, EPS, amsgrad, maximize


def sgd_samples(t):
    def lists():
        return [t(3, 4), t(5)]

    for momentum in (0.0, 0.9):
        for nesterov in (False, True) if momentum else (False,):
            for first in (False, True):
                yield (
                    lists(),
                    lists(),
                    lists() if momentum else None,
                    number(2.0),
                    DECAY,
                    momentum,
                    LR,
                    0.0 if nesterov else 0.1,
                    nesterov,
                    first,
                    first,
                )


def sgd(parameters, grads, momenta, scale, decay, momentum, lr, dampening, nesterov, maximize, first):
    own = [one.clone().requires_grad_() for one in parameters]
    unscaled = [one / scale for one in grads]
    optimizer = torch.optim.SGD(own, lr, momentum, dampening, decay, nesterov, maximize=maximize)
    for i, one in enumerate(own):
        one.grad = unscaled[i].clone()
        if momenta and not first:
            optimizer.state[one]["momentum_buffer"] = momenta[i].clone()
    optimizer.step()
    return (
        [one.detach() for one in own],
        unscaled,
        [optimizer.state[one]["momentum_buffer"] for one in own] if momenta else None,
    )


def scale_samples(t):
    for tracker in (0, 4):
        for found in (0.0, 1.0):
            yield number(1024.0), torch.tensor([tracker], dtype=torch.int32), number(found), 2.0, 0.5, 5
    yield number(3e38), torch.tensor([4], dtype=torch.int32), number(0.0), 2.0, 0.5, 5


def scaled(scale, tracker, found, growth, backoff, interval):
    """torch's own rule, on the CPU."""
    return tuple(torch.ops.aten._amp_update_scale(scale.float(), tracker, found.float(), growth, backoff, interval))


def check_samples(t):
    for bad in (None, float("inf"), float("nan")):
        grads = [t(3, 4), t(5)]
        if bad is not None:
            grads[1] = grads[1].clone()
            grads[1][2] = bad
        yield grads, number(0.0), number(0.5)


def checked(grads, found, inverse):
    finite = all(bool(torch.isfinite(one).all()) for one in grads)
    return [one * inverse for one in grads], found if finite else torch.ones_like(found)


ROWS = [
    row("ApplyAdam", adam_samples, adam, loose=2),
    row("ApplyAdamW", adam_w_samples, adam_w, loose=2),
    row("ApplyAdamWV2", step_samples, by_step, loose=2),
    row("FusedSgd", sgd_samples, sgd, loose=2),
    row("AmpUpdateScale", scale_samples, scaled, (F32,)),
    row("ForeachNonFiniteCheckAndUnscale", check_samples, checked, FLOATS),
]
