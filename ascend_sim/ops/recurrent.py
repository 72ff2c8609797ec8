"""One step of a long short-term memory, and its gradients: gates in the order i, f, j, o."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.elementwise import sigmoid
from ascend_sim.ops.operator import Array, Attributes, Operator, op

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]


def _step_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(*shapes[0][:2], shapes[2][1] // 4)] * 8


@op("DynamicRNNV2", inputs=(3, 7), outputs=8, infer=_step_shapes, result=("first",) * 8, dtypes=())
def step(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, bias: Array | None = None,
    lengths: Array | None = None, hidden: Array | None = None, cell: Array | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """The steps of x (time, batch, features): y, h, c, the gates i, j, f, o and the tanh of c, each for each step.

    Weights are (features, 4 h) and (h, 4 h). *lengths* and peepholes are not modelled.
    """
    if lengths is not None or attributes.get("direction", "UNIDIRECTIONAL") != "UNIDIRECTIONAL":
        raise ValueError("only whole sequences in one direction are modelled")
    steps, batch, size = x.shape[0], x.shape[1], of_hidden.shape[1] // 4
    h = np.zeros((batch, size), x.dtype) if hidden is None else hidden.reshape(batch, size)
    c = np.zeros((batch, size), x.dtype) if cell is None else cell.reshape(batch, size)
    found: tuple[list[Array], ...] = tuple([] for _ in range(8))
    for t in range(steps):
        gates = x[t] @ of_input + h @ of_hidden + (0 if bias is None else bias)
        i, f, j, o = np.split(gates, 4, axis=1)
        i, f, o, j = sigmoid(i), sigmoid(f + x.dtype.type(attributes.get("forget_bias", 0.0))), sigmoid(o), np.tanh(j)
        c = f * c + i * j
        tanh = np.tanh(c)
        h = o * tanh
        for kept, value in zip(found, (h, h, c, i, j, f, o, tanh), strict=True):
            kept.append(value)
    return tuple(np.stack(kept).astype(x.dtype) for kept in found)


def _gradient_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[2], (shapes[2][1],), shapes[0], shapes[4], shapes[5]]


@op("DynamicRNNV2Grad", inputs=(16, 21), outputs=6, infer=_gradient_shapes, result=("first",) * 6, dtypes=())
def step_gradients(
    attributes: Attributes, x: Array, of_input: Array, of_hidden: Array, y: Array, hidden: Array, cell: Array,
    h: Array, c: Array, grad_y: Array, grad_h: Array, grad_c: Array, i: Array, j: Array, f: Array, o: Array,
    tanh: Array, *unused: Array | None,
) -> tuple[Array, ...]:  # fmt: skip
    """The gradients of one step: of both weights, the bias, the input, the former h and the former c."""
    size = of_hidden.shape[1] // 4
    flat = [a.reshape(-1, size) for a in (hidden, cell, grad_y, grad_h, grad_c, i, j, f, o, tanh)]
    before, former, of_y, of_h, of_c, i, j, f, o, tanh = flat
    inputs = x.reshape(-1, x.shape[-1])
    if len(inputs) != len(i):
        raise ValueError("only the gradients of one step are modelled")
    whole = of_y + of_h
    of_c = of_c + whole * o * (1 - tanh * tanh)
    gates = (of_c * j * i * (1 - i), of_c * former * f * (1 - f), of_c * i * (1 - j * j), whole * tanh * o * (1 - o))
    grad = np.concatenate(gates, axis=1)
    found = (inputs.T @ grad, before.T @ grad, grad.sum(0), grad @ of_input.T, grad @ of_hidden.T, of_c * f)
    shapes = (of_input.shape, of_hidden.shape, (4 * size,), x.shape, hidden.shape, cell.shape)
    return tuple(value.reshape(shape).astype(x.dtype) for value, shape in zip(found, shapes, strict=True))


OPERATORS: tuple[Operator, ...] = (step, step_gradients)
