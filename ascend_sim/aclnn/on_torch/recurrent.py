"""LSTM and GRU, whole and a cell at a time, and their gradients. Gates in the order of torch: i, f, g, o and r, z, n."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.gradients import differentiable
from ascend_sim.aclnn.on_torch.outputs import computed, deliver, in_float32

F = torch.nn.functional
Tensors = Sequence[Tensor]
Cell = Callable[[Tensor, tuple[Tensor, ...], Sequence[Tensor | None]], tuple[tuple[Tensor, ...], tuple[Tensor, ...]]]
"""From an input, a state and weights to the next state and what the gradient needs of the step."""


def _lstm_cell(
    x: Tensor, state: tuple[Tensor, ...], weights: Sequence[Tensor | None]
) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    h, c = state
    w_x, w_h, b_x, b_h = weights
    i, f, g, o = (F.linear(x, w_x, b_x) + F.linear(h, w_h, b_h)).chunk(4, -1)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    c = f * c + i * g
    bound = torch.tanh(c)
    h = o * bound
    return (h, c), (i, g, f, o, h, c, bound)


def _gru_cell(
    x: Tensor, state: tuple[Tensor, ...], weights: Sequence[Tensor | None]
) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    (h,) = state
    w_x, w_h, b_x, b_h = weights
    r_x, z_x, n_x = F.linear(x, w_x, b_x).chunk(3, -1)
    r_h, z_h, n_h = F.linear(h, w_h, b_h).chunk(3, -1)
    r, z = torch.sigmoid(r_x + r_h), torch.sigmoid(z_x + z_h)
    n = torch.tanh(n_x + r * n_h)
    h = (1 - z) * n + z * h
    return (h,), (r, z, n, n_h, h)


def _direction(
    cell: Cell,
    x: Tensor,
    state: tuple[Tensor, ...],
    weights: Sequence[Tensor | None],
    lengths: Sequence[int] | None,
    back: bool,
) -> tuple[Tensor, tuple[Tensor, ...], list[Tensor]]:
    """All steps in one direction: what comes out of each, the last state, and what was kept of each.

    *lengths*: how many of the batch take part in each step, the longest first.
    """
    steps = range(x.shape[0])
    kept: dict[int, tuple[Tensor, ...]] = {}
    for step in reversed(steps) if back else steps:
        after, parts = cell(x[step], state, weights)
        if lengths is not None:
            taking = (torch.arange(x.shape[1], device="cpu") < lengths[step]).unsqueeze(-1)
            after = tuple(torch.where(taking, new, old) for new, old in zip(after, state, strict=True))
            parts = tuple(torch.where(taking, part, torch.zeros_like(part)) for part in parts)
        state, kept[step] = after, parts
    columns = [torch.stack(column) for column in zip(*(kept[step] for step in steps), strict=True)]
    return columns[_OUT[cell]], state, columns


_OUT: dict[Cell, int] = {_lstm_cell: 4, _gru_cell: 4}
"""Which of the parts of a step is its output."""


def _network(
    cell: Cell,
    x: Tensor,
    weights: Tensors,
    states: Sequence[Tensor],
    lengths: Sequence[int] | None,
    biases: bool,
    layers: int,
    both: bool,
) -> tuple[Tensor, list[Tensor], list[list[Tensor]]]:
    """All layers on (step, batch, feature): the output, the last states and the parts, one a layer and direction."""
    directions, per = 2 if both else 1, 4 if biases else 2
    last: list[tuple[Tensor, ...]] = []
    parts: list[list[Tensor]] = []
    for layer in range(layers):
        outputs = []
        for back in range(directions):
            at = layer * directions + back
            own: list[Tensor | None] = list(weights[at * per : at * per + per])
            own += [None] * (4 - per)
            state = tuple(one[at] for one in states)
            output, after, columns = _direction(cell, x, state, own, lengths, bool(back))
            outputs.append(output)
            last.append(after)
            parts.append(columns)
        x = torch.cat(outputs, -1)
    return x, [torch.stack(column) for column in zip(*last, strict=True)], parts


def _steps_first(x: Tensor, first: bool, lengths: Sequence[int] | None) -> Tensor:
    if lengths is not None:
        return x.reshape(len(lengths), -1, x.shape[-1])
    return x.transpose(0, 1) if first else x


def _lengths(sizes: Tensor | None) -> list[int] | None:
    return None if sizes is None else [int(one) for one in sizes]


def _zeros(x: Tensor, weights: Tensors, layers: int, both: bool) -> Tensor:
    return x.new_zeros((2 if both else 1) * layers, x.shape[1], weights[1].shape[1])


def _kept(outputs: Sequence[Tensors | None], parts: list[list[Tensor]]) -> None:
    for number, output in enumerate(outputs):
        if output:
            deliver(list(output), [one[number] for one in parts])


@torch_body("aclnnLSTM")
def lstm(
    self: Tensor,
    weights: Tensors,
    states: Tensors | None,
    sizes: Tensor | None,
    biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    both: bool,
    batch_first: bool,
    out: Tensor,
    hy: Tensor,
    cy: Tensor,
    *kept: Tensors | None,
) -> None:
    """All steps of all layers; in training the gates, states and bounded cells of each."""
    lengths = _lengths(sizes)
    x, own = _steps_first(self.float(), batch_first, lengths), [one.float() for one in weights]
    first = [one.float() for one in states] if states else [_zeros(x, own, layers, both)] * 2
    result, (h, c), parts = _network(_lstm_cell, x, own, first, lengths, biases, layers, both)
    deliver(out, result.transpose(0, 1) if batch_first and lengths is None else result)
    deliver(hy, h)
    deliver(cy, c)
    if train:
        _kept(kept, parts)


@torch_body("aclnnGRU")
def gru(
    self: Tensor,
    weights: Tensors,
    state: Tensor | None,
    sizes: Tensor | None,
    biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    both: bool,
    batch_first: bool,
    out: Tensor,
    hy: Tensor,
    *kept: Tensors | None,
) -> None:
    """All steps of all layers; in training the gates and states of each."""
    x, own = _steps_first(self.float(), batch_first, None), [one.float() for one in weights]
    first = _zeros(x, own, layers, both) if state is None else state.float()
    result, (h,), parts = _network(_gru_cell, x, own, [first], None, biases, layers, both)
    deliver(out, result.transpose(0, 1) if batch_first else result)
    deliver(hy, h)
    if train:
        _kept(kept, parts)


def _network_gradients(
    cell: Cell,
    self: Tensor,
    weights: Tensors,
    states: Tensors,
    sizes: Tensor | None,
    biases: bool,
    layers: int,
    both: bool,
    batch_first: bool,
    of_output: Tensor | None,
    of_last: Sequence[Tensor | None],
) -> Any:
    """The gradients of the input, the first states and the weights, by another run of the forward."""
    lengths = _lengths(sizes)
    with differentiable():
        leaves = [one.detach().to(torch.float32, copy=True).requires_grad_() for one in (self, *states, *weights)]
        x = _steps_first(leaves[0], batch_first, lengths)
        first, own = leaves[1 : 1 + len(states)], leaves[1 + len(states) :]
        output, last, _ = _network(cell, x, own, first, lengths, biases, layers, both)
    grads = [None if of_output is None else _steps_first(of_output.float(), batch_first, lengths), *of_last]
    pairs = [(one, grad) for one, grad in zip([output, *last], grads, strict=True) if grad is not None]
    return torch.autograd.grad(
        [one for one, _ in pairs],
        leaves,
        [grad.float().reshape(one.shape) for one, grad in pairs],
        allow_unused=True,
        materialize_grads=True,
    )


@torch_body("aclnnLstmBackward")
def lstm_backward(
    self: Tensor,
    states: Tensors,
    weights: Tensors,
    dy: Tensor | None,
    dh: Tensor | None,
    dc: Tensor | None,
    i: Tensors,
    g: Tensors,
    f: Tensors,
    o: Tensors,
    h: Tensors,
    c: Tensors,
    bound: Tensors,
    sizes: Tensor | None,
    biases: bool,
    layers: int,
    dropout: float,
    train: bool,
    both: bool,
    batch_first: bool,
    mask: Sequence[bool],
    dx: Tensor | None,
    dh_first: Tensor | None,
    dc_first: Tensor | None,
    dweights: Tensors | None,
) -> None:
    """The gradients of the input, the first states and the weights."""
    of_x, of_h, of_c, *of_weights = _network_gradients(
        _lstm_cell, self, weights, states, sizes, biases, layers, both, batch_first, dy, [dh, dc]
    )
    for output, result in ((dx, of_x), (dh_first, of_h), (dc_first, of_c)):
        deliver(output, result)
    if dweights:
        deliver(list(dweights), of_weights)


@torch_body("aclnnGRUBackward")
def gru_backward(
    self: Tensor,
    weights: Tensors,
    state: Tensor,
    dy: Tensor,
    dh: Tensor,
    r: Tensors,
    z: Tensors,
    n: Tensors,
    hn: Tensors,
    h: Tensors,
    sizes: Tensor | None,
    biases: bool,
    layers: int,
    both: bool,
    batch_first: bool,
    dx: Tensor,
    dh_first: Tensor,
    dweights: Tensors,
) -> None:
    """The gradients of the input, the first state and the weights."""
    of_x, of_h, *of_weights = _network_gradients(
        _gru_cell, self, weights, [state], sizes, biases, layers, both, batch_first, dy, [dh]
    )
    deliver(dx, of_x)
    deliver(dh_first, of_h)
    deliver(list(dweights), of_weights)


def _fused_cell(
    by_input: Tensor, by_hidden: Tensor, cx: Tensor, input_bias: Tensor | None, hidden_bias: Tensor | None
) -> tuple[Tensor, Tensor, Tensor]:
    gates = by_input + by_hidden
    for bias in (input_bias, hidden_bias):
        gates = gates if bias is None else gates + bias
    i, f, g, o = gates.chunk(4, -1)
    i, f, g, o = torch.sigmoid(i), torch.sigmoid(f), torch.tanh(g), torch.sigmoid(o)
    cy = f * cx + i * g
    return o * torch.tanh(cy), cy, torch.cat((i, f, g, o), -1)


def _fused_cell_backward(
    grad_hy: Tensor | None, grad_cy: Tensor | None, cx: Tensor, cy: Tensor, storage: Tensor, biases: bool
) -> tuple[Tensor, Tensor, Tensor | None]:
    i, f, g, o = storage.chunk(4, -1)
    bound = torch.tanh(cy)
    of_h = torch.zeros_like(cy) if grad_hy is None else grad_hy
    of_c = of_h * o * (1 - bound * bound)
    of_c = of_c if grad_cy is None else of_c + grad_cy
    gates = (
        of_c * g * i * (1 - i),
        of_c * cx * f * (1 - f),
        of_c * i * (1 - g * g),
        of_h * bound * o * (1 - o),
    )
    of_gates = torch.cat(gates, -1)
    return of_gates, of_c * f, of_gates.sum(0) if biases else None


computed(
    {
        "ThnnFusedLstmCell": in_float32(_fused_cell),
        "ThnnFusedLstmCellBackward": in_float32(_fused_cell_backward),
    }
)
