"""Convolutions of one to three dims, transposed ones, and the gradients of both."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.lib.stride_tricks import as_strided

from ascend_sim.aclnn.bodies import numpy_body
from ascend_sim.aclnn.on_numpy.storing import Array, store

__all__: list[str] = []


class Geometry:
    """Strides, padding and dilation, a number each for every dim of the picture, and the groups of channels."""

    def __init__(self, rank: int, stride: Sequence[int], padding: Sequence[int], dilation: Sequence[int], groups: int):
        self.stride, self.dilation = _each(stride, rank), _each(dilation, rank)
        both = (
            list(padding)
            if len(padding) == 2 * rank and rank > 1
            else [n for n in _each(padding, rank) for _ in (0, 1)]
        )
        self.padding = [(both[2 * i], both[2 * i + 1]) for i in range(rank)]
        self.groups = groups

    def windows(self, x: Array, kernel: Sequence[int]) -> Array:
        """A view [batch, channels, places..., kernel...] of the padded *x*."""
        padded = np.pad(x, [(0, 0), (0, 0), *self.padding])
        sizes = [
            (size - step * (k - 1) - 1) // stride + 1
            for size, k, stride, step in zip(padded.shape[2:], kernel, self.stride, self.dilation, strict=True)
        ]
        if min(sizes) <= 0:
            raise ValueError(f"a kernel of {list(kernel)} does not fit in {list(padded.shape[2:])}")
        outer = [s * stride for s, stride in zip(padded.strides[2:], self.stride, strict=True)]
        inner = [s * step for s, step in zip(padded.strides[2:], self.dilation, strict=True)]
        shape, strides = (*padded.shape[:2], *sizes, *kernel), (*padded.strides[:2], *outer, *inner)
        return as_strided(padded, shape, strides, writeable=False)

    def forward(self, x: Array, weight: Array) -> Array:
        """What a convolution gives."""
        kernel, rank = weight.shape[2:], len(self.stride)
        view = self.windows(x, kernel)
        parts = []
        for channels, part in zip(
            np.split(view, self.groups, 1), np.split(weight, self.groups), strict=True
        ):  # [n, c, places, kernel] with [o, c, kernel]
            axes = [1, *range(2 + rank, 2 + 2 * rank)]
            parts.append(np.moveaxis(np.tensordot(channels, part, (axes, [1, *range(2, 2 + rank)])), -1, 1))
        return np.concatenate(parts, 1)

    def to_input(self, gradient: Array, weight: Array, shape: Sequence[int]) -> Array:
        """The gradient of an input of *shape*; also what a transposed convolution gives."""
        kernel = weight.shape[2:]
        padded = np.zeros(
            (*shape[:2], *(n + a + b for n, (a, b) in zip(shape[2:], self.padding, strict=True))), weight.dtype
        )
        channels = padded.shape[1] // self.groups
        pairs = zip(np.split(gradient, self.groups, 1), np.split(weight, self.groups), strict=True)
        for group, (part, matrix) in enumerate(pairs):
            into = padded[:, group * channels : (group + 1) * channels]
            for place in np.ndindex(*kernel):
                share = np.moveaxis(np.tensordot(part, matrix[_inside(place)], ([1], [0])), -1, 1)
                window = tuple(
                    slice(p * step, p * step + (size - 1) * stride + 1, stride)
                    for p, step, stride, size in zip(place, self.dilation, self.stride, part.shape[2:], strict=True)
                )
                into[_inside(window)] += share
        inside = tuple(slice(a, a + n) for n, (a, _) in zip(shape[2:], self.padding, strict=True))
        found: Array = padded[_inside(inside)]
        return found

    def to_weight(self, x: Array, gradient: Array, shape: Sequence[int]) -> Array:
        """The gradient of a weight of *shape*."""
        rank = len(self.stride)
        view = self.windows(x, shape[2:])
        places = tuple(slice(0, n) for n in gradient.shape[2:])
        view = view[_inside(places)]
        parts = []
        axes = [0, *range(2, 2 + rank)]
        for channels, part in zip(np.split(view, self.groups, 1), np.split(gradient, self.groups, 1), strict=True):
            parts.append(np.tensordot(part, channels, (axes, axes)))
        return np.concatenate(parts)


def _inside(places: Sequence[Any]) -> tuple[Any, ...]:
    """An index of *places* in all pictures and channels."""
    return slice(None), slice(None), *places


def _each(values: Sequence[int], rank: int) -> list[int]:
    return list(values) if len(values) == rank else [*values] * rank


@numpy_body("aclnnConvolution")
def convolution(
    input_: Array, weight: Array, bias: Array | None, stride: Sequence[int], padding: Sequence[int],
    dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int, output: Array, cube: int,
) -> None:  # fmt: skip
    single = input_.ndim == weight.ndim - 1
    x = input_[None] if single else input_
    geometry = Geometry(weight.ndim - 2, stride, padding, dilation, groups)
    shape = output[None].shape if single else output.shape
    made = geometry.to_input(x, weight, shape) if transposed else geometry.forward(x, weight)
    if bias is not None:
        made = made + bias.reshape(1, -1, *[1] * (made.ndim - 2))
    store(output, made[0] if single else made)


@numpy_body("aclnnConvolutionBackward")
def convolution_gradients(
    gradient: Array, input_: Array, weight: Array, bias_sizes: Sequence[int] | None, stride: Sequence[int],
    padding: Sequence[int], dilation: Sequence[int], transposed: bool, output_padding: Sequence[int], groups: int,
    mask: Sequence[bool], cube: int, of_input: Array | None, of_weight: Array | None, of_bias: Array | None,
) -> None:  # fmt: skip
    """Those of the mask that are asked for."""
    geometry = Geometry(weight.ndim - 2, stride, padding, dilation, groups)
    made_input = made_weight = None
    if mask[0]:
        made_input = (
            geometry.forward(gradient, weight) if transposed else geometry.to_input(gradient, weight, input_.shape)
        )
    if mask[1]:
        ends = (gradient, input_) if transposed else (input_, gradient)
        made_weight = geometry.to_weight(*ends, weight.shape)
    made_bias = gradient.sum((0, *range(2, gradient.ndim))) if mask[2] else None
    for out, made in ((of_input, made_input), (of_weight, made_weight), (of_bias, made_bias)):
        if made is not None:
            store(out, made)
