"""Losses: torch.nn.functional in float64, and autograd for the gradients."""

from __future__ import annotations

import torch
import torch.nn.functional as F

from tests.kit.torch_bodies import F32, gradients, row

REDUCTIONS = ("none", "mean", "sum", "batchmean")


def pairs(*rest, low=-3.0, high=3.0, codes=(0, 1, 2), target=None):
    """(self, target, reduction, rest)."""
    lower, upper = target or (low, high)
    return lambda t: [
        (t(*a, low=low, high=high), t(*b, low=lower, high=upper), code, *rest)
        for code in codes
        for a, b in (((3, 4), (3, 4)), ((5,), (5,)))
    ]


def grads(*rest, low=-3.0, high=3.0, codes=(0, 1, 2), target=None):
    """(gradOutput, self, target, reduction, rest)."""
    made = pairs(*rest, low=low, high=high, codes=codes, target=target)
    return lambda t: [(t(*one[0].shape) if one[2] == 0 else t(1), *one) for one in made(t)]


def forward(function):
    return lambda x, y, code, *rest: function(x, y, *rest, reduction=REDUCTIONS[code])


def backward(function, place=0):
    def reference(grad, x, y, code, *rest):
        outer = grad if code == 0 else grad.reshape(())
        operands = [x, y]

        def loss(one):
            operands[place] = one
            return function(*operands, *rest, reduction=REDUCTIONS[code])

        return gradients(loss, outer, [operands[place]])[0]

    return reference


def kl(x, y, log, reduction):
    """The mean of torch warns that it will change."""
    found = F.kl_div(x, y, reduction="none" if reduction == "mean" else reduction, log_target=log)
    return found.mean() if reduction == "mean" else found


def smooth(x, y, beta, reduction):
    return F.smooth_l1_loss(x, y, reduction=reduction, beta=beta)


def bce(x, y, w, code):
    return F.binary_cross_entropy(x, y, w, reduction=REDUCTIONS[code])


def logits(x, y, w, p, code):
    return F.binary_cross_entropy_with_logits(x, y, w, reduction=REDUCTIONS[code], pos_weight=p)


def outer_of(grad, code):
    return grad if code == 0 else grad.reshape(())


def weights(t, code, *extra):
    return [None, t(3, 4, low=0.5, high=2)]


def bce_samples(t):
    return [
        (t(3, 4, low=0.1, high=0.9), t(3, 4, low=0, high=1), w, code) for code in (0, 1, 2) for w in weights(t, code)
    ]


def logits_samples(t):
    return [
        (t(3, 4), t(3, 4, low=0, high=1), w, p, code)
        for code in (0, 1, 2)
        for w in weights(t, code)
        for p in (None, t(4, low=0.5, high=2))
    ]


def with_grad(samples):
    return lambda t: [(t(3, 4) if one[-1] == 0 else t(1), *one) for one in samples(t)]


def nll_samples(t):
    for code in (0, 1, 2):
        for ignored in (-100, 2):
            for kind in (torch.int64, torch.int32):
                target = torch.tensor([1, 2, 4, 0, 3]).to(kind)
                yield t(5, 6), target, t(6, low=0.5, high=2), code, ignored
    yield t(6), torch.tensor(2), t(6, low=0.5, high=2), 1, -100


def nll2d_samples(t):
    for code in (0, 1, 2):
        yield t(2, 6, 3, 4), t.index(6, 2, 3, 4), t(6, low=0.5, high=2), code, 2


def total(y, w, ignored):
    return sum((w[c] for c in y.reshape(-1).tolist() if c != ignored), torch.zeros((), dtype=torch.float64))


def nll(x, y, w, code, ignored):
    loss = F.nll_loss(x, y.long(), w, ignore_index=ignored, reduction=REDUCTIONS[code])
    return loss, total(y, w, ignored) if code else torch.zeros((), dtype=torch.float64)


def nll_grads(samples):
    def made(t):
        for x, y, w, code, ignored in samples(t):
            yield t(*y.shape) if code == 0 else t(1), x, y, w, code, ignored, total(y, w, ignored).to(t.kind).reshape(1)

    return made


def nll_back(grad, x, y, w, code, ignored, whole):
    def loss(a):
        found = F.nll_loss(a, y.long(), w, ignore_index=ignored, reduction="sum" if code == 1 else REDUCTIONS[code])
        return found / whole.reshape(()) if code == 1 else found

    return gradients(loss, outer_of(grad, code), [x])[0]


def whole_samples(t):
    for reduction in ("mean", "sum", "none"):
        for smoothing in (0.0, 0.2):
            for ignored in (-100, 2):
                yield (
                    t(5, 6),
                    torch.tensor([1, 2, 4, 0, 3]),
                    t(6, low=0.5, high=2, kind=F32),
                    reduction,
                    ignored,
                    smoothing,
                    0.0,
                    False,
                )
    yield t(5, 6), torch.tensor([1, 2, 4, 0, 3]), None, "mean", -100, 0.1, 0.0, False


def cross(x, y, w, reduction, ignored, smoothing):
    return F.cross_entropy(x, y, w, ignore_index=ignored, reduction=reduction, label_smoothing=smoothing)


def whole_cross(x, y, w, reduction, ignored, smoothing, scale, more):
    return cross(x, y, w, reduction, ignored, smoothing), torch.log_softmax(x, 1), None, None


def whole_grads(t):
    for x, y, w, reduction, ignored, smoothing, *_ in whole_samples(t):
        grad = t(5) if reduction == "none" else t()
        yield grad, torch.log_softmax(x.contiguous(), 1), y, w, None, None, reduction, ignored, smoothing, 0.0


def whole_back(grad, logs, y, w, a, b, reduction, ignored, smoothing, scale):
    """A log softmax is its own logits."""
    return gradients(lambda x: cross(x, y, w, reduction, ignored, smoothing), grad, [logs])[0]


def multilabel(x, y, code):
    hit = torch.zeros_like(x)
    for line, labels in zip(hit.reshape(-1, x.shape[-1]), y.reshape(-1, x.shape[-1]), strict=True):
        for label in labels.tolist():
            if label < 0:
                break
            line[label] = 1
    loss = F.multilabel_margin_loss(x, y.long(), reduction=REDUCTIONS[code])
    return loss if x.numel() else torch.zeros_like(loss), hit


def ctc_samples(t):
    logs = torch.log_softmax(t(7, 2, 5).contiguous(), 2)
    for zero in (False, True):
        yield t.laid(logs), torch.tensor([[1, 2, 2], [3, 4, 0]]), (7, 6), (3, 2), 0, zero
        yield logs, torch.tensor([1, 2, 2, 3, 4], dtype=torch.int32), (7, 6), (3, 2), 0, zero
    yield logs, torch.tensor([[2, 2, 2], [3, 4, 0]]), (3, 6), (3, 2), 0, True


def ctc(logs, targets, lengths, sizes, blank, zero):
    return F.ctc_loss(logs, targets.long(), lengths, sizes, blank, "none", zero), torch.zeros(
        2, 7, 7, dtype=torch.float64
    )


def ctc_loss_only(sample, outputs):
    rtol = 1e-4 if outputs[0].dtype in (torch.float32, torch.float64) else 1e-2
    torch.testing.assert_close(outputs[0].double(), ctc(sample[0].double(), *sample[1:])[0], rtol=rtol, atol=rtol)


def ctc_grads(t):
    for logs, targets, lengths, sizes, blank, zero in ctc_samples(t):
        loss, alpha = torch.ops.aten._ctc_loss(
            logs.contiguous().double(), targets.long(), lengths, sizes, blank, zero
        )
        loss, alpha = loss.to(logs.dtype), alpha.to(logs.dtype)
        loss = torch.where(torch.isinf(loss), torch.zeros_like(loss), loss) if zero else loss
        yield t(2), logs, targets, lengths, sizes, loss, alpha, blank, zero


def ctc_back(grad, logs, targets, lengths, sizes, loss, alpha, blank, zero):
    return gradients(lambda x: F.ctc_loss(x, targets.long(), lengths, sizes, blank, "none", zero), grad, [logs])[0]


ROWS = [
    row("L1Loss", pairs(), forward(F.l1_loss)),
    row("L1LossBackward", grads(), backward(F.l1_loss)),
    row("MseLoss", pairs(), forward(F.mse_loss), loose=2),
    row("MseLossBackward", grads(), backward(F.mse_loss), loose=2),
    row("SmoothL1Loss", lambda t: [*pairs(1.5)(t), *pairs(0.0)(t)], forward(smooth), loose=2),
    row("SmoothL1LossBackward", lambda t: [*grads(1.5)(t), *grads(0.0)(t)], backward(smooth), loose=2),
    row("SoftMarginLoss", pairs(target=(-1, 1)), forward(F.soft_margin_loss)),
    row("SoftMarginLossBackward", grads(target=(-1, 1)), backward(F.soft_margin_loss)),
    row(
        "KlDiv",
        lambda t: [*pairs(True, codes=(0, 1, 2, 3))(t), *pairs(False, codes=(0, 1, 2, 3), target=(0.1, 1))(t)],
        forward(kl),
        loose=4,
    ),
    row(
        "KlDivBackward",
        lambda t: [*grads(True, codes=(0, 1, 2, 3))(t), *grads(False, codes=(0, 1, 2, 3), target=(0.1, 1))(t)],
        backward(kl),
        loose=4,
    ),
    row(
        "KlDivTargetBackward",
        lambda t: [*grads(True, codes=(0, 1, 2, 3))(t), *grads(False, codes=(0, 1, 2, 3), target=(0.1, 1))(t)],
        backward(kl, 1),
        loose=4,
    ),
    row("BinaryCrossEntropy", bce_samples, bce, loose=2),
    row(
        "BinaryCrossEntropyBackward",
        with_grad(bce_samples),
        lambda g, x, y, w, code: gradients(bce, outer_of(g, code), [x], [y, w, code])[0],
        loose=4,
    ),
    row("BinaryCrossEntropyWithLogits", logits_samples, logits, loose=2),
    row(
        "BinaryCrossEntropyWithLogitsBackward",
        with_grad(logits_samples),
        lambda g, x, y, w, p, code: gradients(logits, outer_of(g, code), [x], [y, w, p, code])[0],
        loose=4,
    ),
    row("NLLLoss", nll_samples, nll, loose=2),
    row("NLLLoss2d", nll2d_samples, nll, loose=2),
    row("NLLLossBackward", nll_grads(nll_samples), nll_back, loose=2),
    row("NLLLoss2dBackward", nll_grads(nll2d_samples), nll_back, loose=2),
    row("CrossEntropyLoss", whole_samples, whole_cross, loose=4),
    row("CrossEntropyLossGrad", whole_grads, whole_back, loose=4),
    row(
        "MultilabelMarginLoss",
        lambda t: (
            [(t(2, 4), torch.tensor([[1, 3, -1, 0], [2, -1, -1, -1]]), code) for code in (0, 1, 2)]
            + [(t(4), torch.tensor([0, 2, -1, 1], dtype=torch.int32), 1)]
        ),
        multilabel,
        loose=2,
    ),
    row("CtcLoss", ctc_samples, ctc, (F32,), judge=ctc_loss_only),
    row("CtcLossBackward", ctc_grads, ctc_back, (F32,), loose=10),
]
