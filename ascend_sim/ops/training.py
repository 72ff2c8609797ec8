"""Operators of training steps: losses, distances, dropout with a given mask, Adam."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.operator import FLOATS, Array, Attributes, Operator, op, same
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


def _less_the_second_rows(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    shape = shapes[1]
    return [(*shape[:-2], *shape[-1:])]


@op("CdistGrad", inputs=4, infer=_less_the_second_rows, result="second", dtypes=FLOATS)
def gradient_of_distances(attributes: Attributes, grad: Array, one: Array, two: Array, distance: Array) -> Array:
    """The gradient of the first rows of a ``p``-norm (-1: the largest difference) between each pair of rows.

    All have the shape (..., first rows, second rows, columns), repeated where they differ. 0 where no slope is.
    """
    p = float(attributes.get("p", 2.0))
    away = one - two
    sizes, signs = np.abs(away), np.sign(away)
    if p < 0 or np.isinf(p):
        slopes = signs * (sizes == distance)
    elif p == 0:
        slopes = np.zeros_like(away)
    else:
        parts = sizes / distance
        slopes = np.where((sizes > 0) & (distance > 0), signs * (parts if p == 2 else parts ** (p - 1)), 0)
    result: Array = (grad * slopes).sum(axis=-2).astype(one.dtype)
    return result


@op("DropOutDoMask", inputs=3, infer=same, dtypes=())
def dropout(attributes: Attributes, x: Array, mask: Array, keep: Array) -> Array:
    """x over the probability *keep* where a bit of the mask is 1 (the lowest bit of a byte first), else 0."""
    kept = np.unpackbits(mask.reshape(-1), bitorder="little")[: x.size].reshape(x.shape)
    return _kept(x, kept, keep)


@op("DropOutDoMaskV3", inputs=3, infer=same, dtypes=())
def dropout_by_bytes(attributes: Attributes, x: Array, mask: Array, keep: Array) -> Array:
    """As DropOutDoMask, with a byte of the mask for each element."""
    return _kept(x, mask.reshape(-1)[: x.size].reshape(x.shape), keep)


@op(
    "DropOutGenMaskV3", inputs=2, infer=lambda attributes, shapes, values: [_sizes(values[0])], result="uint8",
    described=True,
)  # fmt: skip
def mask_of_bytes(attributes: Attributes, shapes: list[Shape], sizes: Array, keep: Array) -> Array:
    """1 with the probability *keep* and else 0, by ``seed`` and ``seed2``: the same two give the same mask.

    The output may be longer than the sizes say.
    """
    shape = shapes[0]
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


def _one_each(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[1], shapes[1]]


@op("IFMR", inputs=4, outputs=2, infer=_one_each, result=("first", "first"), dtypes=())
def searched_scale(attributes: Attributes, x: Array, least: Array, most: Array, counts: Array) -> tuple[Array, Array]:
    """The scale and offset for eight bits that lose least of x, among ``search_range`` of what the percentiles give.

    *counts* add up how many elements lie in the parts from *least* to *most*.
    """
    low, high = x.dtype.type(least.reshape(-1)[0]), x.dtype.type(most.reshape(-1)[0])
    share = counts.astype(x.dtype) / x.dtype.type(x.size)
    part = (high - low) / x.dtype.type(len(counts))
    high, low = (
        (share < x.dtype.type(limit)).sum() * part + low
        for limit in (attributes["max_percentile"], 1 - attributes["min_percentile"])
    )
    start, end = attributes["search_range"]
    steps = np.arange(start, end, attributes["search_step"], dtype=x.dtype)
    if attributes.get("with_offset", True):
        lowest = np.full(steps.shape, min(low, 0), x.dtype)
        scales = (max(high, 0) * steps - lowest) / 255
        scales = np.where(scales < np.finfo(np.float32).eps, 1, scales)
        offsets = -(np.round(lowest / scales) + 128)
    else:
        scales = max(abs(high), abs(low)) * steps / 127
        offsets = np.zeros_like(scales)
    losses = [
        np.square((np.clip(np.round(x / scale) + offset, -128, 127) - offset) * scale - x).sum()
        for scale, offset in zip(scales, offsets, strict=True)
    ]
    best = int(np.argmin(losses))
    shape = least.shape
    return np.full(shape, scales[best], x.dtype), np.full(shape, offsets[best], x.dtype)


@op("NPUAllocFloatStatus", inputs=0, infer=lambda attributes, shapes, values: [(STATUS_WORDS,)], result="float")
def no_status(attributes: Attributes) -> Array:
    """Room for what NPUGetFloatStatus tells of overflows: zeros."""
    return np.zeros(STATUS_WORDS, np.float32)


OPERATORS: tuple[Operator, ...] = (
    no_status, mask_of_bytes,
    cross_entropy, gradient_of_distances, dropout, dropout_by_bytes, adam, normalize_batch, searched_scale,
)  # fmt: skip
