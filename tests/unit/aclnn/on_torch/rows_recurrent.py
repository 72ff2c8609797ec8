"""LSTM and GRU against the modules of torch in float64, and their gradients."""

from __future__ import annotations

import torch

from tests.kit.torch_bodies import F16, F32, gradients, row

INPUT, HIDDEN, STEPS, BATCH = 3, 4, 5, 2
KINDS = {"LSTM": torch.nn.LSTM, "GRU": torch.nn.GRU}
VARIANTS = [
    (biases, layers, both, first)
    for biases in (True, False)
    for layers, both in ((1, False), (2, True))
    for first in (False, True)
]


def weights(t, kind, biases, layers, both):
    """The shapes of torch's own parameters, in its order."""
    module = KINDS[kind](INPUT, HIDDEN, layers, bias=biases, bidirectional=both)
    return [t(*one.shape, low=-0.5, high=0.5) for one in module.parameters()]


def run(kind, x, own, states, biases, layers, both, first):
    module = KINDS[kind](INPUT, HIDDEN, layers, bias=biases, bidirectional=both, batch_first=first).double()
    names = dict(zip((name for name, _ in module.named_parameters()), own, strict=True))
    state = tuple(states) if kind == "LSTM" else states[0]
    out, last = torch.func.functional_call(module, names, (x, state))
    return (out, *last) if kind == "LSTM" else (out, last)


def shapes(layers, both, first):
    return ((BATCH, STEPS, INPUT) if first else (STEPS, BATCH, INPUT)), ((2 if both else 1) * layers, BATCH, HIDDEN)


def lstm_samples(t):
    for biases, layers, both, first in VARIANTS:
        shape, state = shapes(layers, both, first)
        yield (
            t(*shape),
            weights(t, "LSTM", biases, layers, both),
            [t(*state), t(*state)],
            None,
            biases,
            layers,
            0.0,
            False,
            both,
            first,
        )
    shape, state = shapes(1, False, False)
    yield t(*shape), weights(t, "LSTM", True, 1, False), None, None, True, 1, 0.0, False, False, False


def zeros(x, layers, both):
    return torch.zeros((2 if both else 1) * layers, BATCH, HIDDEN, dtype=x.dtype)


def lstm(x, own, states, sizes, biases, layers, dropout, train, both, first):
    states = states or [zeros(x, layers, both)] * 2
    return *run("LSTM", x, own, states, biases, layers, both, first), *[None] * 7


def kept_samples(t):
    """In training: one layer, whose gates are computed by hand."""
    yield (
        t(STEPS, BATCH, INPUT),
        weights(t, "LSTM", True, 1, False),
        [t(1, BATCH, HIDDEN), t(1, BATCH, HIDDEN)],
        None,
        True,
        1,
        0.0,
        True,
        False,
        False,
    )


def by_hand(x, own, states, *rest):
    w_x, w_h, b_x, b_h = own
    h, c = states[0][0], states[1][0]
    columns = []
    for step in x:
        i, f, g, o = (step @ w_x.T + b_x + h @ w_h.T + b_h).chunk(4, 1)
        i, f, g, o = i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()
        c = f * c + i * g
        h = o * c.tanh()
        columns.append((i, g, f, o, h, c, c.tanh()))
    parts = [torch.stack(column) for column in zip(*columns, strict=True)]
    return parts[4], h[None], c[None], *[[part] for part in parts]


def gru_samples(t):
    for biases, layers, both, first in VARIANTS:
        shape, state = shapes(layers, both, first)
        yield (
            t(*shape),
            weights(t, "GRU", biases, layers, both),
            t(*state),
            None,
            biases,
            layers,
            0.0,
            False,
            both,
            first,
        )
    yield t(STEPS, BATCH, INPUT), weights(t, "GRU", True, 1, False), None, None, True, 1, 0.0, False, False, False


def gru(x, own, state, sizes, biases, layers, dropout, train, both, first):
    state = zeros(x, layers, both) if state is None else state
    return *run("GRU", x, own, [state], biases, layers, both, first), *[None] * 5


def gru_kept(x, own, state, *rest):
    w_x, w_h, b_x, b_h = own
    h, columns = state[0], []
    for step in x:
        (r_x, z_x, n_x), (r_h, z_h, n_h) = (step @ w_x.T + b_x).chunk(3, 1), (h @ w_h.T + b_h).chunk(3, 1)
        r, z = (r_x + r_h).sigmoid(), (z_x + z_h).sigmoid()
        n = (n_x + r * n_h).tanh()
        h = (1 - z) * n + z * h
        columns.append((r, z, n, n_h, h))
    parts = [torch.stack(column) for column in zip(*columns, strict=True)]
    return parts[4], h[None], *[[part] for part in parts]


def back_shapes(layers, both, first):
    directions = 2 if both else 1
    out = (BATCH, STEPS, directions * HIDDEN) if first else (STEPS, BATCH, directions * HIDDEN)
    return out, (directions * layers, BATCH, HIDDEN)


def lstm_back_samples(t):
    for biases, layers, both, first in VARIANTS:
        (shape, state), (out, _) = shapes(layers, both, first), back_shapes(layers, both, first)
        yield (
            t(*shape),
            [t(*state), t(*state)],
            weights(t, "LSTM", biases, layers, both),
            t(*out),
            t(*state),
            t(*state),
            *[[]] * 7,
            None,
            biases,
            layers,
            0.0,
            True,
            both,
            first,
            (True,) * 4,
        )
    yield (  # nobody used the last states
        t(STEPS, BATCH, INPUT), [t(1, BATCH, HIDDEN), t(1, BATCH, HIDDEN)], weights(t, "LSTM", True, 1, False),
        t(STEPS, BATCH, HIDDEN), None, None, *[[]] * 7, None, True, 1, 0.0, True, False, False, (True,) * 4,
    )  # fmt: skip


def all_back(kind, x, states, own, grads, *options):
    """The sum of the products with the gradients is one number, whose gradient is all that is asked for."""
    count = len(states)

    def total(*leaves):
        outputs = run(kind, leaves[0], leaves[1 + count :], leaves[1 : 1 + count], *options)
        return sum((one * grad).sum() for one, grad in zip(outputs, grads, strict=True) if grad is not None)

    return gradients(total, torch.ones((), dtype=x.dtype), [x, *states, *own])


def lstm_back(x, states, own, dy, dh, dc, *rest):
    biases, layers, _, _, both, first = rest[8:14]
    found = all_back("LSTM", x, states, own, (dy, dh, dc), biases, layers, both, first)
    return *found[:3], list(found[3:])


def gru_back_samples(t):
    for biases, layers, both, first in VARIANTS:
        (shape, state), (out, _) = shapes(layers, both, first), back_shapes(layers, both, first)
        yield (
            t(*shape),
            weights(t, "GRU", biases, layers, both),
            t(*state),
            t(*out),
            t(*state),
            *[[]] * 5,
            None,
            biases,
            layers,
            both,
            first,
        )


def gru_back(x, own, state, dy, dh, *rest):
    found = all_back("GRU", x, [state], own, (dy, dh), *rest[6:10])
    return found[0], found[1], list(found[2:])


def packed_samples(t):
    yield (
        t(STEPS * BATCH, INPUT),
        weights(t, "LSTM", True, 1, True),
        [t(2, BATCH, HIDDEN), t(2, BATCH, HIDDEN)],
        torch.tensor([2, 2, 1, 1, 1]),
        True,
        1,
        0.0,
        False,
        True,
        False,
    )


def packed(x, own, states, sizes, *rest):
    module = torch.nn.LSTM(INPUT, HIDDEN, bidirectional=True).double()
    names = dict(zip((name for name, _ in module.named_parameters()), own, strict=True))
    lengths = [int((sizes > i).sum()) for i in range(BATCH)]
    rows = torch.nn.utils.rnn.pack_padded_sequence(x.reshape(STEPS, BATCH, INPUT), lengths)
    out, (h, c) = torch.func.functional_call(module, names, (rows, tuple(states)))
    return torch.nn.utils.rnn.pad_packed_sequence(out, total_length=STEPS)[0], h, c, *[None] * 7


def cell_samples(t):
    yield t(BATCH, 4 * HIDDEN), t(BATCH, 4 * HIDDEN), t(BATCH, HIDDEN), t(4 * HIDDEN), t(4 * HIDDEN)
    yield t(BATCH, 4 * HIDDEN), t(BATCH, 4 * HIDDEN), t(BATCH, HIDDEN), None, None


def cell(by_input, by_hidden, cx, a, b):
    gates = by_input + by_hidden + (0 if a is None else a + b)
    i, f, g, o = gates.chunk(4, 1)
    cy = f.sigmoid() * cx + i.sigmoid() * g.tanh()
    return o.sigmoid() * cy.tanh(), cy, torch.cat((i.sigmoid(), f.sigmoid(), g.tanh(), o.sigmoid()), 1)


def cell_back_samples(t):
    for hy, cy in ((True, True), (True, False), (False, True)):
        gates, cx = t(BATCH, 4 * HIDDEN), t(BATCH, HIDDEN)
        _, after, storage = cell(gates.double(), torch.zeros(()).double(), cx.double(), None, None)
        yield (
            t(BATCH, HIDDEN) if hy else None,
            t(BATCH, HIDDEN) if cy else None,
            cx,
            after.to(t.kind),
            storage.to(t.kind),
            hy,
        )


def cell_back(hy, cy, cx, after, storage, biases):
    i, f, g, o = storage.chunk(4, 1)
    gates = torch.cat((i.logit(), f.logit(), g.atanh(), o.logit()), 1)

    def total(a, c):
        found = cell(a, torch.zeros((), dtype=a.dtype), c, None, None)
        return sum((one * grad).sum() for one, grad in zip(found[:2], (hy, cy), strict=True) if grad is not None)

    of_gates, of_cx = gradients(total, torch.ones((), dtype=cx.dtype), [gates, cx])
    return of_gates, of_cx, of_gates.sum(0) if biases else None


ROWS = [
    row("LSTM", lstm_samples, lstm, (F32, F16), loose=3),
    row("LSTM", kept_samples, by_hand, (F32,), loose=3),
    row("LSTM", packed_samples, packed, (F32,), loose=3),
    row("GRU", gru_samples, gru, (F32, F16), loose=3),
    row(
        "GRU",
        lambda t: [
            (
                t(STEPS, BATCH, INPUT),
                weights(t, "GRU", True, 1, False),
                t(1, BATCH, HIDDEN),
                None,
                True,
                1,
                0.0,
                True,
                False,
                False,
            )
        ],
        gru_kept,
        (F32,),
        loose=3,
    ),
    row("LstmBackward", lstm_back_samples, lstm_back, (F32,), loose=10),
    row("GRUBackward", gru_back_samples, gru_back, (F32,), loose=10),
    row("ThnnFusedLstmCell", cell_samples, cell, (F32, F16), loose=3),
    row("ThnnFusedLstmCellBackward", cell_back_samples, cell_back, (F32,), loose=20),
]
