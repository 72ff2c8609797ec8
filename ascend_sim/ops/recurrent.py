"""Recurrent layers, step by step: long short-term memories and gated units, and their gradients."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ascend_sim.ops.elementwise import sigmoid
from ascend_sim.ops.operator import Array, Attributes, Operator, op

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]


def _steps(attributes: Attributes, count: int) -> Sequence[int]:
    """The steps in the order in which they are computed. Raises ValueError for both directions at once."""
    direction = attributes.get("direction", "UNIDIRECTIONAL")
    if direction not in ("UNIDIRECTIONAL", "REDIRECTIONAL"):
        raise ValueError(f"direction {direction} is not modelled: a layer goes one way")
    return range(count) if direction == "UNIDIRECTIONAL" else range(count - 1, -1, -1)


def _alive(lengths: Array | None, steps: int) -> list[Array | None]:
    """For each step which states move on: 1 and 0 by sample and feature; None: all of them."""
    if lengths is None or lengths.ndim != 3:
        return [None] * steps
    return [lengths[t] for t in range(steps)]


def _mixed(alive: Array | None, new: Array, old: Array | float) -> Array:
    """The new values where they count, else the old ones."""
    found: Array = new if alive is None else alive * new + (1 - alive) * old
    return found


# -- long short-term memories ------------------------------------------------------------------------------------------


def _memory(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, bias: Array | None, lengths: Array | None,
    hidden: Array | None, cell: Array | None, order: str,
) -> tuple[Array, ...]:  # fmt: skip
    """y, h, c, the gates i, j, f, o and the tanh of c of each step of x (time, batch, features)."""
    steps, batch, size = x.shape[0], x.shape[1], of_hidden.shape[1] // 4
    h = np.zeros((batch, size), x.dtype) if hidden is None else hidden.reshape(batch, size)
    c = np.zeros((batch, size), x.dtype) if cell is None else cell.reshape(batch, size)
    forget_bias = x.dtype.type(attributes.get("forget_bias", 0.0))
    found = np.zeros((8, steps, batch, size), x.dtype)
    alive = _alive(lengths, steps)
    for t in _steps(attributes, steps):
        gates = x[t] @ of_input + h @ of_hidden + (0 if bias is None else bias)
        part = dict(zip(order, np.split(gates, 4, axis=1), strict=True))
        i, f, o, j = sigmoid(part["i"]), sigmoid(part["f"] + forget_bias), sigmoid(part["o"]), np.tanh(part["j"])
        new = f * c + i * j
        tanh = np.tanh(new)
        y = _mixed(alive[t], o * tanh, 0.0)
        h, c = _mixed(alive[t], o * tanh, h), _mixed(alive[t], new, c)
        found[:, t] = y, h, c, i, j, f, o, tanh
    return tuple(found)


def _memory_gradients(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, hidden: Array, cell: Array, h: Array, c: Array,
    grads: tuple[Array, Array, Array], gates: Sequence[Array], lengths: Array | None, order: str,
) -> tuple[Array, ...]:  # fmt: skip
    """The gradients of both weights, the bias, x, the first h and the first c.

    *grads*: of y in each step, of the last h and of the last c. *gates*: i, j, f, o and the tanh of c.
    """
    steps, batch, size = x.shape[0], x.shape[1], of_hidden.shape[1] // 4
    shape = (steps, batch, size)
    of_y, of_h, of_c = (grad.reshape(-1, batch, size) for grad in grads)
    i, j, f, o, tanh = (gate.reshape(shape) for gate in gates)
    h, c, alive, ways = h.reshape(shape), c.reshape(shape), _alive(lengths, steps), list(_steps(attributes, steps))
    back_h, back_c = of_h[-1], of_c[-1]
    found = [np.zeros_like(of_input), np.zeros_like(of_hidden), np.zeros(4 * size, x.dtype), np.zeros_like(x)]
    for n in range(steps - 1, -1, -1):
        t = ways[n]
        before = h[ways[n - 1]] if n else hidden.reshape(batch, size)
        former = c[ways[n - 1]] if n else cell.reshape(batch, size)
        live: Array | int = 1 if alive[t] is None else alive[t]  # type: ignore[assignment]
        whole = live * (of_y[t] + back_h)
        new = live * back_c + whole * o[t] * (1 - tanh[t] * tanh[t])
        part = {
            "i": new * j[t] * i[t] * (1 - i[t]), "j": new * i[t] * (1 - j[t] * j[t]),
            "f": new * former * f[t] * (1 - f[t]), "o": whole * tanh[t] * o[t] * (1 - o[t]),
        }  # fmt: skip
        grad = np.concatenate([part[name] for name in order], axis=1)
        for place, value in zip(found, (x[t].T @ grad, before.T @ grad, grad.sum(0)), strict=False):
            place += value
        found[3][t] = grad @ of_input.T
        back_h = grad @ of_hidden.T + (1 - live) * back_h
        back_c = new * f[t] + (1 - live) * back_c
    return (*found, back_h, back_c)


def _states(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(*shapes[0][:2], shapes[2][1] // 4)] * 8


@op("DynamicRNNV2", inputs=(3, 7), outputs=8, infer=_states, result=("first",) * 8, dtypes=())
def two_weights(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, bias: Array | None = None,
    lengths: Array | None = None, hidden: Array | None = None, cell: Array | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """The steps of x (time, batch, features): y, h, c, the gates i, j, f, o and the tanh of c, each for each step.

    Weights are (features, 4 h) and (h, 4 h), with the gates in the order i, f, j, o. Peepholes are not modelled; *lengths*
    is a mask (time, batch, h).
    """
    return _memory(attributes, x, of_input, of_hidden, bias, lengths, hidden, cell, "ifjo")


def _joined_states(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(*shapes[0][:2], shapes[1][1] // 4)] * 8


@op("DynamicRNN", inputs=(3, 10), outputs=8, infer=_joined_states, result=("first",) * 8, dtypes=())
def one_weight(
    attributes: Attributes, x: Array, weights: Array, bias: Array, lengths: Array | None = None,
    hidden: Array | None = None, cell: Array | None = None, *unused: Array | None,
) -> tuple[Array, ...]:  # fmt: skip
    """As DynamicRNNV2, with one weight (features + h, 4 h) whose gates are in the order ``gate_order``."""
    inputs = x.shape[2]
    order = str(attributes.get("gate_order", "ijfo"))
    return _memory(attributes, x, weights[:inputs], weights[inputs:], bias, lengths, hidden, cell, order)


def _gradient_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[2], (shapes[2][1],), shapes[0], shapes[4], shapes[5]]


@op("DynamicRNNV2Grad", inputs=(16, 21), outputs=6, infer=_gradient_shapes, result=("first",) * 6, dtypes=())
def two_weights_gradients(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, y: Array, hidden: Array, cell: Array,
    h: Array, c: Array, grad_y: Array, grad_h: Array, grad_c: Array, i: Array, j: Array, f: Array, o: Array,
    tanh: Array, lengths: Array | None = None, *unused: Array | None,
) -> tuple[Array, ...]:  # fmt: skip
    """The gradients: of both weights, the bias, the input, the first h and the first c."""
    flat = x.reshape(-1, *x.shape[-2:]) if x.ndim > 2 else x[None]
    found = _memory_gradients(
        attributes, flat, of_input, of_hidden, hidden, cell, h, c, (grad_y, grad_h, grad_c), (i, j, f, o, tanh), lengths,
        "ifjo",
    )  # fmt: skip
    shapes = (of_input.shape, of_hidden.shape, (of_hidden.shape[1],), x.shape, hidden.shape, cell.shape)
    return tuple(value.reshape(shape).astype(x.dtype) for value, shape in zip(found, shapes, strict=True))


def _joined_gradients(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[2], shapes[0], shapes[4], shapes[5]]


@op("DynamicRNNGrad", inputs=(16, 21), outputs=5, infer=_joined_gradients, result=("first",) * 5, dtypes=())
def one_weight_gradients(
    attributes: Attributes, x: Array, weights: Array, bias: Array, y: Array, hidden: Array, cell: Array, h: Array, c: Array,
    grad_y: Array, grad_h: Array, grad_c: Array, i: Array, j: Array, f: Array, o: Array, tanh: Array,
    lengths: Array | None = None, *unused: Array | None,
) -> tuple[Array, ...]:  # fmt: skip
    """The gradients: of the weight, the bias, the input, the first h and the first c."""
    inputs = x.shape[2]
    of_input, of_hidden, of_bias, of_x, of_h, of_c = _memory_gradients(
        attributes, x, weights[:inputs], weights[inputs:], hidden, cell, h, c, (grad_y, grad_h, grad_c),
        (i, j, f, o, tanh), lengths, str(attributes.get("gate_order", "ijfo")),
    )  # fmt: skip
    found = (np.concatenate([of_input, of_hidden]), of_bias, of_x, of_h.reshape(hidden.shape), of_c.reshape(cell.shape))
    return tuple(value.astype(x.dtype) for value in found)


# -- gated units -------------------------------------------------------------------------------------------------------


def _gate_order(attributes: Attributes) -> str:
    if not attributes.get("reset_after", True):
        raise ValueError("reset_after false is not modelled: torch has it true")
    return str(attributes.get("gate_order", "zrh"))


def _unit_states(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(*shapes[0][:2], shapes[2][1] // 3)] * 6


@op("DynamicGRUV2", inputs=(3, 7), outputs=6, infer=_unit_states, result=("first",) * 6, dtypes=())
def gated_unit(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, bias_input: Array | None = None,
    bias_hidden: Array | None = None, lengths: Array | None = None, hidden: Array | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """The steps of x (time, batch, features): y, h, the gates z and r, the new state, and its part that comes from h."""
    steps, batch, size, order = x.shape[0], x.shape[1], of_hidden.shape[1] // 3, _gate_order(attributes)
    h = np.zeros((batch, size), x.dtype) if hidden is None else hidden.reshape(batch, size)
    found = np.zeros((6, steps, batch, size), x.dtype)
    alive = _alive(lengths, steps)
    for t in _steps(attributes, steps):
        mine = x[t] @ of_input + (0 if bias_input is None else bias_input)
        from_h = h @ of_hidden + (0 if bias_hidden is None else bias_hidden)
        a = dict(zip(order, np.split(mine, 3, axis=1), strict=True))
        b = dict(zip(order, np.split(from_h, 3, axis=1), strict=True))
        z, r = sigmoid(a["z"] + b["z"]), sigmoid(a["r"] + b["r"])
        new = np.tanh(a["h"] + r * b["h"])
        made = (1 - z) * new + z * h
        y, h = _mixed(alive[t], made, 0.0), _mixed(alive[t], made, h)
        found[:, t] = y, h, z, r, new, b["h"]
    return tuple(found)


def _unit_gradients(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[2], (shapes[1][1],), (shapes[2][1],), shapes[0], shapes[4]]


@op("DynamicGRUV2Grad", inputs=(12, 14), outputs=6, infer=_unit_gradients, result=("first",) * 6, dtypes=())
def gated_unit_gradients(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, y: Array, hidden: Array, h: Array, grad_y: Array,
    grad_h: Array, z: Array, r: Array, new: Array, from_h: Array, lengths: Array | None = None, *unused: Array | None,
) -> tuple[Array, ...]:  # fmt: skip
    """The gradients: of both weights, both biases, the input and the first h."""
    steps, batch, size, order = x.shape[0], x.shape[1], of_hidden.shape[1] // 3, _gate_order(attributes)
    ways, alive = list(_steps(attributes, steps)), _alive(lengths, steps)
    back = grad_h.reshape(-1, batch, size)[-1]
    found = [
        np.zeros_like(of_input),
        np.zeros_like(of_hidden),
        np.zeros(3 * size, x.dtype),
        np.zeros(3 * size, x.dtype),
    ]
    of_x = np.zeros_like(x)
    for n in range(steps - 1, -1, -1):
        t = ways[n]
        before = h[ways[n - 1]] if n else hidden.reshape(batch, size)
        live: Array | int = 1 if alive[t] is None else alive[t]  # type: ignore[assignment]
        whole = live * (grad_y[t] + back)
        of_new = whole * (1 - z[t]) * (1 - new[t] * new[t])
        part = {
            "z": whole * (before - new[t]) * z[t] * (1 - z[t]), "r": of_new * from_h[t] * r[t] * (1 - r[t]), "h": of_new,
        }  # fmt: skip
        mine = np.concatenate([part[name] for name in order], axis=1)
        part["h"] = of_new * r[t]
        theirs = np.concatenate([part[name] for name in order], axis=1)
        for place, value in zip(found, (x[t].T @ mine, before.T @ theirs, mine.sum(0), theirs.sum(0)), strict=True):
            place += value
        of_x[t] = mine @ of_input.T
        back = theirs @ of_hidden.T + whole * z[t] + (1 - live) * back
    return tuple(value.astype(x.dtype) for value in (*found, of_x, back.reshape(hidden.shape)))


OPERATORS: tuple[Operator, ...] = (
    two_weights, two_weights_gradients, one_weight, one_weight_gradients, gated_unit, gated_unit_gradients,
)  # fmt: skip
