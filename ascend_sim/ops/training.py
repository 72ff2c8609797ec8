"""Operators of training steps: losses, dropout with a given mask, Adam, gradients of convolutions."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.operator import CHANNELS_SECOND, FLOATS, Array, Attributes, Operator, op, same
from ascend_sim.runtime.random_numbers import uniform

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

STATUS_WORDS = 8
"""Numbers of a status of floating point."""


def _loss_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[0][:1], shapes[0]]


@op("SoftmaxCrossEntropyWithLogits", inputs=2, outputs=2, infer=_loss_shapes, result=("first", "first"), dtypes=FLOATS)
def cross_entropy(attributes: Attributes, x: Array, labels: Array) -> tuple[Array, Array]:
    """The loss of each row of two, by weights of the classes, and its gradient."""
    shifted = x - x.max(axis=1, keepdims=True)
    logarithms = shifted - np.log(np.exp(shifted).sum(axis=1, keepdims=True))
    return -(labels * logarithms).sum(axis=1), np.exp(logarithms) - labels


@op("DropOutDoMask", inputs=3, infer=same, dtypes=())
def dropout(attributes: Attributes, x: Array, mask: Array, keep: Array) -> Array:
    """x over the probability *keep* where a bit of the mask is 1 (the lowest bit of a byte first), else 0."""
    kept = np.unpackbits(mask.reshape(-1), bitorder="little")[: x.size].reshape(x.shape)
    return _kept(x, kept, keep)


@op("DropOutDoMaskV3", inputs=3, infer=same, dtypes=())
def dropout_by_bytes(attributes: Attributes, x: Array, mask: Array, keep: Array) -> Array:
    """As DropOutDoMask, with a byte of the mask for each element."""
    return _kept(x, mask.reshape(-1)[: x.size].reshape(x.shape), keep)


@op("DropOutGenMaskV3", inputs=2, infer=lambda attributes, shapes, values: [_sizes(values[0])], result="uint8")
def mask_of_bytes(attributes: Attributes, sizes: Array, keep: Array) -> Array:
    """1 with the probability *keep* and else 0, by ``seed`` and ``seed2``: the same two give the same mask."""
    shape = _sizes(sizes)
    seed, second = int(attributes.get("seed", 0)), int(attributes.get("seed2", 0))
    chances = uniform(seed, second, int(np.prod(shape)), 0.0, 1.0, np.dtype(np.float32))
    mask: Array = (chances < keep.reshape(-1)[0]).astype(np.uint8).reshape(shape)
    return mask


def _sizes(values: Array | None) -> Shape:
    return (-2,) if values is None else tuple(int(n) for n in values)


def _kept(x: Array, kept: Array, keep: Array) -> Array:
    chance = keep.reshape(-1)[0].astype(x.dtype)
    result: Array = np.where(kept != 0, x / chance if chance else 0, 0).astype(x.dtype)
    return result


def _adam_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[0]] * 3


@op("ApplyAdamV2", inputs=(11, 12), outputs=3, infer=_adam_shapes, result=("first", "first", "first"), dtypes=FLOATS)
def adam(
    attributes: Attributes, x: Array, m: Array, v: Array, rate: Array, beta1: Array, beta2: Array, epsilon: Array,
    grad: Array, most: Array, norm: Array, decay: Array, step: Array | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """One step without correction of the bias; gradients are shortened where their *norm* is above *most*.

    ``adam_mode`` adam: the decayed weight belongs to what is scaled by the rate. mbart_adam: *step* scales the quotient.
    """
    if most.flat[0] > 0 and norm.flat[0] > most.flat[0]:
        grad = grad * (most.flat[0] / norm.flat[0])
    first = beta1.flat[0] * m + (1 - beta1.flat[0]) * grad
    second = beta2.flat[0] * v + (1 - beta2.flat[0]) * grad * grad
    quotient = first / (np.sqrt(second) + epsilon.flat[0])
    if attributes.get("adam_mode", "adam") == "adam":
        moved = x - rate.flat[0] * (quotient + decay.flat[0] * x)
    else:
        moved = x - rate.flat[0] * decay.flat[0] * x - (rate if step is None else step).flat[0] * quotient
    return moved.astype(x.dtype), first.astype(x.dtype), second.astype(x.dtype)


def _normalised_to(attributes: Attributes, x: Array, lengths: Array, over: tuple[int, ...]) -> Array:
    inside = np.arange(x.shape[2]) < lengths.reshape(-1, 1, 1)
    held = np.broadcast_to(inside, x.shape)
    count = held.sum(axis=over, keepdims=True)
    mean = np.where(held, x, 0).sum(axis=over, keepdims=True) / count
    spread = np.where(held, (x - mean) ** 2, 0).sum(axis=over, keepdims=True) / (count - 1)
    result: Array = ((x - mean) / (np.sqrt(spread) + np.float32(attributes.get("epsilon", 1e-5)))).astype(x.dtype)
    return result


@op("NormalizeBatch", inputs=2, infer=same, dtypes=())
def normalize_batch(attributes: Attributes, x: Array, lengths: Array) -> Array:
    """Less the mean and over the deviation of the first so many steps of each sample, feature by feature or over all."""
    over = (2,) if attributes.get("normalize_type", "per_feature") == "per_feature" else (1, 2)
    return _normalised_to(attributes, x, lengths, over)


def _window(attributes: Attributes) -> tuple[int, int, int, int, int, int, int]:
    """Strides of rows and columns, rows above, columns to the left, dilations, groups."""
    strides, dilations = attributes.get("strides", (1,) * 4), attributes.get("dilations", (1,) * 4)
    pads = attributes.get("pads", (0,) * 4)
    if attributes.get("data_format", "NCHW") != "NCHW":
        raise ValueError("data_format: only NCHW is modelled")
    groups = int(attributes.get("groups", 1))
    return strides[-2], strides[-1], pads[0], pads[2], dilations[-2], dilations[-1], groups


def _room(
    attributes: Attributes, size: tuple[int, ...], kernel: tuple[int, ...], made: tuple[int, ...]
) -> tuple[int, int]:
    """Rows and columns that the windows reach, from the first padded one on."""
    sh, sw, top, left, dh, dw, _ = _window(attributes)
    rows = max(size[2] + top, sh * (made[2] - 1) + dh * (kernel[2] - 1) + 1)
    return rows, max(size[3] + left, sw * (made[3] - 1) + dw * (kernel[3] - 1) + 1)


def _given_size(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [_sizes(values[0])]


def _spread(attributes: Attributes, size: Array, weights: Array, grad: Array) -> Array:
    sh, sw, top, left, dh, dw, groups = _window(attributes)
    shape = tuple(int(n) for n in size)
    rows, columns = _room(attributes, shape, weights.shape, grad.shape)
    found = np.zeros((*shape[:2], rows + sh, columns + sw), np.result_type(weights, grad))
    each_in, each_out = weights.shape[1], weights.shape[0] // groups
    for i in range(weights.shape[2]):
        for j in range(weights.shape[3]):
            ends = i * dh + sh * (grad.shape[2] - 1) + 1, j * dw + sw * (grad.shape[3] - 1) + 1
            part = found[:, :, i * dh : ends[0] : sh, j * dw : ends[1] : sw]
            for g in range(groups):
                part[:, g * each_in : (g + 1) * each_in] += np.einsum(
                    "oc,nohw->nchw", weights[g * each_out : (g + 1) * each_out, :, i, j],
                    grad[:, g * each_out : (g + 1) * each_out],
                )  # fmt: skip
    return found[:, :, top : top + shape[2], left : left + shape[3]]


@op("Conv2DBackpropInput", inputs=3, infer=_given_size, result="second", formats=CHANNELS_SECOND)
def conv2d_input_grad(attributes: Attributes, size: Array, weights: Array, grad: Array) -> Array:
    """The gradient of the input of a convolution, which has the sizes *size*."""
    return _spread(attributes, size, weights, grad)


@op("Conv2DTranspose", inputs=(3, 4), infer=_given_size, result="second", formats=CHANNELS_SECOND)
def conv2d_transpose(attributes: Attributes, size: Array, x: Array, weights: Array, bias: Array | None = None) -> Array:
    """A transposed convolution whose result has the sizes *size*."""
    found = _spread(attributes, size, weights, x)
    return found if bias is None else found + bias.reshape(1, -1, 1, 1)


def _filter_size(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return _given_size(attributes, shapes, values[1:])


@op("Conv2DBackpropFilter", inputs=3, infer=_filter_size, formats=CHANNELS_SECOND)
def conv2d_filter_grad(attributes: Attributes, x: Array, size: Array, grad: Array) -> Array:
    """The gradient of the weights of a convolution, which have the sizes *size*."""
    sh, sw, top, left, dh, dw, groups = _window(attributes)
    shape = tuple(int(n) for n in size)
    rows, columns = _room(attributes, x.shape, shape, grad.shape)
    padded = np.pad(
        x, ((0, 0), (0, 0), (top, max(0, rows - x.shape[2] - top)), (left, max(0, columns - x.shape[3] - left)))
    )
    found = np.zeros(shape, np.result_type(x, grad))
    each_in, each_out = shape[1], shape[0] // groups
    for i in range(shape[2]):
        for j in range(shape[3]):
            ends = i * dh + sh * (grad.shape[2] - 1) + 1, j * dw + sw * (grad.shape[3] - 1) + 1
            part = padded[:, :, i * dh : ends[0] : sh, j * dw : ends[1] : sw]
            for g in range(groups):
                found[g * each_out : (g + 1) * each_out, :, i, j] = np.einsum(
                    "nchw,nohw->oc", part[:, g * each_in : (g + 1) * each_in],
                    grad[:, g * each_out : (g + 1) * each_out],
                )  # fmt: skip
    return found


@op("NPUAllocFloatStatus", inputs=0, infer=lambda attributes, shapes, values: [(STATUS_WORDS,)], result="float")
def no_status(attributes: Attributes) -> Array:
    """Room for what NPUGetFloatStatus tells of overflows: zeros."""
    return np.zeros(STATUS_WORDS, np.float32)


OPERATORS: tuple[Operator, ...] = (
    no_status, mask_of_bytes,
    cross_entropy, dropout, dropout_by_bytes, adam, normalize_batch, conv2d_input_grad, conv2d_transpose,
    conv2d_filter_grad,
)  # fmt: skip
