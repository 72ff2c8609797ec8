"""Activations by their formulas in numpy or torch.nn.functional in float64; their gradients by autograd."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import FLOATS, WHOLE, by_numpy, gradients, row
from tests.unit.aclnn.on_torch.rows_elementwise import erfc


def one(*rest, low=-3.0, high=3.0):
    return lambda t: [(t(3, 4, low=low, high=high), *rest), (t(2, 6, low=low, high=high), *rest), (t(0, 4), *rest)]


def grad_and_self(*rest, low=-3.0, high=3.0):
    """Of one shape, broadcast either way, empty."""
    shapes = [((3, 4), (3, 4)), ((4,), (3, 4)), ((3, 4), (3, 1)), ((0, 2), (0, 2))]
    return lambda t: [(t(*one), t(*other, low=low, high=high), *rest) for one, other in shapes]


def backward(function, *fixed):
    """The gradient of *function* for (gradOutput, self, rest), each element by itself."""

    def reference(grad, self, *rest):
        grad, self = torch.broadcast_tensors(grad, self)
        return gradients(function, grad, [self], [*rest, *fixed])[0]

    return reference


def gelu(x):
    return x * 0.5 * erfc(-x / np.sqrt(2)) if x.size else x


def gelu_tanh(x):
    return 0.5 * x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


def sigmoid(x):
    return 1 / (1 + np.exp(-x))


def softmax(x, axis):
    e = np.exp(x - x.max(axis, keepdims=True, initial=-np.inf))
    return e / e.sum(axis, keepdims=True)


def scaled_masked(x, mask, scale, triangle):
    return softmax(np.where(mask, -10000.0, x * scale), -1)


def scaled_masked_backward(grad, y, mask, scale, triangle):
    inner = (grad - (grad * y).sum(-1, keepdims=True)) * y
    return np.where(mask, 0, inner * scale)


def dims(t):
    return [(t(3, 4), 1), (t(3, 4, 2), -2), (t(0, 4), 1), (t(5), 0)]


ROWS = [
    row("Celu", one(1.5), by_numpy(lambda x, a: np.maximum(x, 0) + np.minimum(0, a * np.expm1(x / a)))),
    row("Elu", one(1.2, 1.1, 0.9), by_numpy(lambda x, a, s, i: np.where(x > 0, s * x, s * a * np.expm1(x * i)))),
    row(
        "EluBackward",
        lambda t: [(t(3, 4), 1.2, 1.1, 0.9, False, t(3, 4)), (t(3, 4), 1.2, 1.1, 0.9, True, t(3, 4, low=-1))],
        by_numpy(
            lambda g, a, s, i, result, x: (
                g * np.where(x > 0, s, i * (x + s * a) if result else s * a * i * np.exp(x * i))
            )
        ),
    ),
    row("Gelu", one(), by_numpy(gelu)),
    row("GeluV2", lambda t: [(t(3, 4), a) for a in (0, 1)], by_numpy(lambda x, a: (gelu, gelu_tanh)[a](x))),
    row("GeluBackward", grad_and_self(), backward(F.gelu)),
    row(
        "GeluBackwardV2",
        lambda t: [(t(*shape), t(3, 4), name) for name in ("none", "tanh") for shape in ((3, 4), (4,))],
        lambda g, x, name: gradients(lambda y: F.gelu(y, approximate=name), g, [x])[0],
    ),
    row(
        "Glu",
        lambda t: [(t(3, 4), 1), (t(4, 3), 0)],
        by_numpy(lambda x, d: np.split(x, 2, d)[0] * sigmoid(np.split(x, 2, d)[1])),
    ),
    row(
        "GluBackward",
        lambda t: [(t(3, 2), t(3, 4), 1), (t(2, 3), t(4, 3), 0)],
        lambda grad, self, axis: gradients(F.glu, grad, [self], [axis])[0],
    ),
    row("Hardshrink", one(0.7), by_numpy(lambda x, v: np.where(np.abs(x) > v, x, 0))),
    row("HardshrinkBackward", grad_and_self(0.7), by_numpy(lambda g, x, v: np.where(np.abs(x) > v, g, 0))),
    row("Hardsigmoid", one(low=-5, high=5), by_numpy(lambda x: np.clip(x + 3, 0, 6) / 6)),
    row("HardsigmoidBackward", grad_and_self(low=-5, high=5), by_numpy(lambda g, x: np.where(np.abs(x) < 3, g / 6, 0))),
    row("Hardswish", one(low=-5, high=5), by_numpy(lambda x: x * np.clip(x + 3, 0, 6) / 6)),
    row("HardswishBackward HardswishBackwardV2", grad_and_self(low=-5, high=5), backward(F.hardswish)),
    row("Hardtanh", one(-1.0, 1.5), by_numpy(np.clip)),
    row("Hardtanh", one(0, 2), by_numpy(np.clip), WHOLE),
    row("HardtanhBackward", grad_and_self(-1.0, 1.5), by_numpy(lambda g, x, a, b: np.where((x > a) & (x < b), g, 0))),
    row("LeakyRelu", one(0.2), by_numpy(lambda x, s: np.where(x > 0, x, s * x))),
    row(
        "LeakyReluBackward",
        lambda t: [(t(3, 4), t(3, 4), 0.2, flag) for flag in (False, True)],
        by_numpy(lambda g, x, s, flag: np.where(x > 0, g, s * g)),
    ),
    row("LogSigmoid", one(), by_numpy(lambda x: -np.log1p(np.exp(-x)))),
    row(
        "LogSigmoidForward",
        one(),
        lambda x: (-torch.log1p(torch.exp(-x)), None),
        judge=lambda sample, outs: torch.testing.assert_close(
            outs[0].double(), -torch.log1p(torch.exp(-sample[0].double())), rtol=3e-2, atol=3e-2
        ),
    ),
    row(
        "LogSigmoidBackward",
        lambda t: [(t(3, 4), t(3, 4), t(3, 4)), (t(3, 4), t(3, 4), t(0))],
        lambda g, x, buffer: gradients(F.logsigmoid, g, [x])[0],
    ),
    row(
        "LogitGrad",
        lambda t: [(t(3, 4, low=0.2, high=0.8), t(3, 4), -1.0), (t(3, 4, low=0, high=1), t(3, 4), 0.2)],
        by_numpy(lambda x, g, eps: np.where((x < max(eps, 0)) | (x > 1 - max(eps, 0)), 0, g / (x * (1 - x)))),
        loose=2,
    ),
    row("Mish", one(), by_numpy(lambda x: x * np.tanh(np.log1p(np.exp(x))))),
    row("MishBackward", grad_and_self(), backward(F.mish)),
    row(
        "Prelu",
        lambda t: [(t(2, 3, 4), t(3)), (t(2, 3), t(1))],
        by_numpy(lambda x, w: np.where(x > 0, x, x * (w[:, None] if x.ndim == 3 else w))),
    ),
    row(
        "PreluBackward",
        lambda t: [(t(2, 3, 4), t(2, 3, 4), t(3)), (t(2, 3), t(2, 3), t(1)), (t(2, 3), t(2, 3), t(3))],
        lambda g, x, w: gradients(F.prelu, g, [x, w]),
    ),
    row("SigmoidBackward", grad_and_self(low=0, high=1), by_numpy(lambda g, y: g * y * (1 - y))),
    row("SigmoidBackward", grad_and_self(), by_numpy(lambda g, y: g * np.conj(y * (1 - y))), (torch.complex64,), loose=4),
    row("Silu", one(), by_numpy(lambda x: x * sigmoid(x))),
    row("SiluBackward", grad_and_self(), backward(F.silu)),
    row(
        "Softplus", one(1.5, 2.0), by_numpy(lambda x, b, limit: np.where(x * b > limit, x, np.log1p(np.exp(x * b)) / b))
    ),
    row(
        "SoftplusBackward",
        grad_and_self(1.5, 2.0),
        by_numpy(lambda g, x, b, limit: np.where(x * b > limit, g, g * sigmoid(x * b))),
    ),
    row("Softshrink", one(0.7), by_numpy(lambda x, v: np.sign(x) * np.maximum(np.abs(x) - v, 0))),
    row("SoftshrinkBackward", grad_and_self(0.7), by_numpy(lambda g, x, v: np.where(np.abs(x) > v, g, 0))),
    row("TanhBackward", grad_and_self(low=-1, high=1), by_numpy(lambda g, y: g * (1 - y * y))),
    row("Threshold", one(0.5, -2), by_numpy(lambda x, a, v: np.where(x > a, x, v)), (*FLOATS, torch.int32)),
    row("ThresholdBackward", grad_and_self(0.5), by_numpy(lambda g, x, a: np.where(x > a, g, 0))),
    row("Softmax", dims, by_numpy(softmax)),
    row("LogSoftmax", dims, by_numpy(lambda x, axis: np.log(softmax(x, axis)))),
    row(
        "SoftmaxBackward",
        lambda t: [(t(3, 4), torch.softmax(t(3, 4), 1), 1), (t(3, 4), torch.softmax(t(3, 4), 0), 0)],
        by_numpy(lambda g, y, d: (g - (g * y).sum(d, keepdims=True)) * y),
    ),
    row(
        "LogSoftmaxBackward",
        lambda t: [(t(3, 4), torch.log_softmax(t(3, 4), 1), 1), (t(3, 4), torch.log_softmax(t(3, 4), 0), 0)],
        by_numpy(lambda g, y, d: g - np.exp(y) * g.sum(d, keepdims=True)),
        loose=2,
    ),
    row(
        "ScaledMaskedSoftmax",
        lambda t: [(t(2, 3, 4, 4), t(2, 1, 4, 4, kind=torch.bool), 0.5, False)],
        by_numpy(scaled_masked),
    ),
    row(
        "ScaledMaskedSoftmaxBackward",
        lambda t: [(t(2, 3, 4, 4), torch.softmax(t(2, 3, 4, 4), -1), t(2, 1, 4, 4, kind=torch.bool), 0.5, False)],
        by_numpy(scaled_masked_backward),
    ),
]
