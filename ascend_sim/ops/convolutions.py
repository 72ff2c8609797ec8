"""Convolutions over images and volumes, their gradients, and transposed ones: one code for any number of dimensions.

Meant for small shapes: a loop over the places of the kernel, each a product of matrices.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator

import numpy as np

from ascend_sim.ops.operator import CHANNELS_SECOND, Array, Attributes, Operator, op

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

VOLUMES = (*CHANNELS_SECOND, 30)
"""CHANNELS_SECOND and NCDHW."""


Index = tuple[slice | int, ...]


def _at(*parts: slice | int) -> Index:
    """An index of all dimensions."""
    return parts


class Windows:
    """Where the windows of a convolution lie, by its attributes: lists for all dimensions, pads before and after each."""

    def __init__(self, attributes: Attributes, rank: int) -> None:
        one = (1,) * rank
        self.strides = [int(n) for n in attributes.get("strides", one)][2:]
        self.dilations = [int(n) for n in attributes.get("dilations", one)][2:]
        pads = [int(n) for n in attributes.get("pads", (0,) * (2 * rank - 4))]
        self.before, self.after = pads[::2], pads[1::2]
        self.groups = int(attributes.get("groups", 1))
        wanted = "NCHW" if rank == 4 else "NCDHW"
        if attributes.get("data_format", wanted) not in (wanted, "NCHW"):
            raise ValueError(f"data_format: only {wanted} is modelled")

    def made(self, size: Shape, kernel: Shape) -> Shape:
        """The dimensions of the result of windows over *size*; -1 where that is not known."""
        return tuple(
            -1 if n == -1 else (n + before + after - dilation * (k - 1) - 1) // stride + 1
            for n, k, before, after, dilation, stride in zip(
                size, kernel, self.before, self.after, self.dilations, self.strides, strict=True
            )
        )

    def room(self, size: Shape, kernel: Shape, made: Shape) -> list[int]:
        """How far the windows reach in each dimension, from the first padded place on."""
        return [
            max(n + before + after, stride * (m - 1) + dilation * (k - 1) + 1)
            for n, k, m, before, after, dilation, stride in zip(
                size, kernel, made, self.before, self.after, self.dilations, self.strides, strict=True
            )
        ]

    def padded(self, x: Array, kernel: Shape, made: Shape) -> Array:
        """x with zeros around it, as far as the windows reach."""
        room = self.room(x.shape[2:], kernel, made)
        pads = [(before, all_ - n - before) for before, all_, n in zip(self.before, room, x.shape[2:], strict=True)]
        return np.pad(x, [(0, 0), (0, 0), *pads])

    def places(self, kernel: Shape, made: Shape) -> Iterator[tuple[Shape, tuple[slice, ...]]]:
        """Each place of the kernel, and what it meets in the padded input, window by window."""
        for place in itertools.product(*map(range, kernel)):
            starts = [i * dilation for i, dilation in zip(place, self.dilations, strict=True)]
            yield (
                place,
                tuple(
                    slice(start, start + stride * (m - 1) + 1, stride)
                    for start, stride, m in zip(starts, self.strides, made, strict=True)
                ),
            )

    def channels(self, weights: Shape) -> Iterator[tuple[slice, slice]]:
        """For each group the channels of the result, and those of the input."""
        out, into = weights[0] // self.groups, weights[1]
        for g in range(self.groups):
            yield slice(g * out, (g + 1) * out), slice(g * into, (g + 1) * into)


def _conv_shape(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    x, weights = shapes[:2]
    return [(x[0], weights[0], *Windows(attributes, len(x)).made(x[2:], weights[2:]))]


def _forward(attributes: Attributes, x: Array, weights: Array, bias: Array | None = None) -> Array:
    windows = Windows(attributes, x.ndim)
    if x.shape[1] != weights.shape[1] * windows.groups or weights.shape[0] % windows.groups:
        raise ValueError(f"{x.shape[1]} input channels do not fit {weights.shape[1]} x {windows.groups} groups")
    kernel, made = weights.shape[2:], windows.made(x.shape[2:], weights.shape[2:])
    padded = windows.padded(x, kernel, made)
    y = np.zeros((x.shape[0], weights.shape[0], *made), np.result_type(x, weights))
    for place, met in windows.places(kernel, made):
        for out, into in windows.channels(weights.shape):
            inside, part = _at(slice(None), into, *met), _at(out, slice(None), *place)
            y[:, out] += np.einsum("oc,nc...->no...", weights[part], padded[inside])
    return y if bias is None else y + _for_channels(bias, y.ndim)


def _for_channels(bias: Array, rank: int) -> Array:
    return bias.reshape(1, -1, *(1,) * (rank - 2))


def _sizes(values: Array | None) -> Shape:
    return (-2,) if values is None else tuple(int(n) for n in values)


def _size_first(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [_sizes(values[0])]


def _size_second(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [_sizes(values[1])]


def _input_gradient(attributes: Attributes, size: Array, weights: Array, grad: Array) -> Array:
    windows, shape = Windows(attributes, grad.ndim), _sizes(size)
    kernel, made = weights.shape[2:], grad.shape[2:]
    found = np.zeros((*shape[:2], *windows.room(shape[2:], kernel, made)), np.result_type(weights, grad))
    for place, met in windows.places(kernel, made):
        for out, into in windows.channels(weights.shape):
            inside, part = _at(slice(None), into, *met), _at(out, slice(None), *place)
            found[inside] += np.einsum("oc,no...->nc...", weights[part], grad[:, out])
    inner = [slice(before, before + n) for before, n in zip(windows.before, shape[2:], strict=True)]
    return found[_at(slice(None), slice(None), *inner)]


def _weight_gradient(attributes: Attributes, x: Array, size: Array, grad: Array) -> Array:
    windows, shape = Windows(attributes, grad.ndim), _sizes(size)
    kernel, made = shape[2:], grad.shape[2:]
    padded = windows.padded(x, kernel, made)
    found = np.zeros(shape, np.result_type(x, grad))
    for place, met in windows.places(kernel, made):
        for out, into in windows.channels(shape):
            inside, part = _at(slice(None), into, *met), _at(out, slice(None), *place)
            of = grad[:, out].reshape(x.shape[0], shape[0] // windows.groups, -1)
            found[part] = np.einsum("ncp,nop->oc", padded[inside].reshape(x.shape[0], shape[1], -1), of)
    return found


def _transposed(attributes: Attributes, size: Array, x: Array, weights: Array, bias: Array | None = None) -> Array:
    found = _input_gradient(attributes, size, weights, x)
    return found if bias is None else found + _for_channels(bias, found.ndim)


def _each_alone(attributes: Attributes, weights: Shape) -> dict[str, object]:
    """The attributes where each channel of the input has filters of its own: weights (filters, channels, ...)."""
    return {**attributes, "groups": weights[1]}


def _depthwise_input_gradient(attributes: Attributes, size: Array, weights: Array, grad: Array) -> Array:
    """The gradient of the input of a depthwise convolution; weights: (filters of each channel, channels, rows, columns)."""
    own = np.swapaxes(weights, 0, 1).reshape(-1, 1, *weights.shape[2:])
    return _input_gradient(_each_alone(attributes, weights.shape), size, own, grad)


def _depthwise_weight_gradient(attributes: Attributes, x: Array, size: Array, grad: Array) -> Array:
    """The gradient of these weights."""
    filters, channels, *kernel = _sizes(size)
    own = np.array((channels * filters, 1, *kernel))
    found = _weight_gradient(_each_alone(attributes, (filters, channels)), x, own, grad)
    return np.swapaxes(found.reshape(channels, filters, *kernel), 0, 1)


def _of(rank: str, formats: tuple[int, ...]) -> tuple[Operator, ...]:
    """Conv, its gradients and the transposed one for images (2D) or volumes (3D)."""
    return (
        op(f"Conv{rank}", inputs=(2, 3), infer=_conv_shape, formats=formats)(_forward),
        op(f"Conv{rank}BackpropInput", inputs=3, infer=_size_first, result="second", formats=formats)(_input_gradient),
        op(f"Conv{rank}BackpropFilter", inputs=3, infer=_size_second, formats=formats)(_weight_gradient),
        op(f"Conv{rank}Transpose", inputs=(3, 4), infer=_size_first, result="second", formats=formats)(_transposed),
    )


OPERATORS: tuple[Operator, ...] = (
    *_of("2D", CHANNELS_SECOND),
    *_of("3D", VOLUMES),
    op("DepthwiseConv2DBackpropInput", inputs=3, infer=_size_first, result="second", formats=CHANNELS_SECOND)(
        _depthwise_input_gradient
    ),
    op("DepthwiseConv2DBackpropFilter", inputs=3, infer=_size_second, formats=CHANNELS_SECOND)(
        _depthwise_weight_gradient
    ),
)
