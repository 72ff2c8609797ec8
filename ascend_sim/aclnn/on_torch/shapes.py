"""Copies, joins, splits, repeats, paddings, windows: elements go elsewhere, and their gradients come back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed, in_float32

F = torch.nn.functional
aten = torch.ops.aten
Sizes = Sequence[int]


def _joined(tensors: Sequence[Tensor], dim: int) -> Tensor:
    whole = [one for one in tensors if not (one.dim() == 1 and one.numel() == 0)] or list(tensors[:1])
    kind = tensors[0].dtype
    for one in tensors[1:]:
        kind = torch.promote_types(kind, one.dtype)
    return torch.cat([one.to(kind) for one in whole], dim)


def _chunk_cat(tensors: Sequence[Tensor], dim: int, chunks: int) -> Tensor:
    """Each tensor in *chunks* pieces along *dim*, filled with zeros, flat beside each other."""
    pieces = []
    for one in tensors:
        size = -(-one.shape[dim] // chunks)
        padded = F.pad(
            one.movedim(dim, 0).flatten(1) if one.dim() > 1 else one.reshape(-1, 1),
            (0, 0, 0, size * chunks - one.shape[dim]),
        )
        pieces.append(padded.reshape(chunks, -1))
    return torch.cat(pieces, 1)


def _confusion(self: Tensor, order: Sizes, shape: Sizes, first: bool) -> Tensor:
    return self.permute(*order).reshape(*shape) if first else self.reshape(*shape).permute(*order)


def _strided_slice(
    self: Tensor,
    begin: Sizes,
    end: Sizes,
    steps: Sizes,
    no_begin: int,
    no_end: int,
    rest: int,
    new_axis: int,
    single: int,
) -> Tensor:
    """``self[begin:end:step]`` of each axis; a bit a position changes what stands there."""
    places: list[Any] = []
    for position, (low, high, step) in enumerate(zip(begin, end, steps, strict=True)):
        bit = 1 << position
        if rest & bit:
            places.append(Ellipsis)
        elif new_axis & bit:
            places.append(None)
        elif single & bit:
            places.append(low)
        else:
            places.append(slice(None if no_begin & bit else low, None if no_end & bit else high, step))
    return torch.from_numpy(_bits(self)[tuple(places)].copy()).view(self.dtype)


def _bits(self: Tensor) -> Any:
    """The elements as numpy's integers of their width, since torch takes no negative steps and numpy no bfloat16."""
    whole = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}
    return self.contiguous().view(whole[self.element_size()]).numpy()


def _repeat_interleave(self: Tensor, repeats: Any, dim: int | None) -> Tensor:
    if isinstance(repeats, Tensor):
        repeats = repeats.long()
    return torch.repeat_interleave(self, repeats, dim)


def _repeat_interleave_backward(grad: Tensor, repeats: Tensor, axis: int) -> Tensor:
    counts = repeats.reshape(-1).long()
    if counts.numel() == 1:
        return grad.unflatten(axis, (-1, int(counts))).sum(axis % grad.dim() + 1)
    places = torch.repeat_interleave(torch.arange(counts.numel(), device="cpu"), counts)
    shape = list(grad.shape)
    shape[axis] = counts.numel()
    return grad.new_zeros(shape).index_add(axis, places, grad)


def _pad(mode: str, axes: int) -> Callable[[Tensor, Sizes], Tensor]:
    function = getattr(aten, f"{mode}_pad{axes}d")
    return lambda self, padding: function(self, list(padding))


def _padded_places(mode: str, self: Tensor, padding: Sizes) -> Tensor:
    """Which element of a batch stands at each place of the padded one, counted without the first axes."""
    axes = len(padding) // 2
    kept = self.shape[-axes:]
    numbers = torch.arange(kept.numel(), dtype=torch.float64, device="cpu").reshape(1, 1, *kept)
    return F.pad(numbers, list(padding), mode=mode)[0, 0].long()


def _pad_backward(mode: str) -> Callable[[Tensor, Tensor, Sizes], Tensor]:
    def gradient(grad: Tensor, self: Tensor, padding: Sizes) -> Tensor:
        places = _padded_places(mode, self, padding).reshape(-1)
        first = self.dim() - len(padding) // 2
        flat = grad.flatten(first).reshape(-1, places.numel()) if self.numel() else grad.new_zeros(0, places.numel())
        sums = grad.new_zeros(flat.shape[0], self.shape[first:].numel())
        return sums.index_add_(1, places, flat).reshape(self.shape)

    return in_float32(gradient)


def _channel_shuffle(self: Tensor, groups: int) -> Tensor:
    return self.unflatten(1, (groups, -1)).transpose(1, 2).flatten(1, 2)


def _im2col(self: Tensor, kernel: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> Tensor:
    windows = list(kernel), list(dilation), list(padding), list(stride)
    if self.is_floating_point() or self.is_complex():
        return aten.im2col(self, *windows)
    # torch has windows of floating point numbers alone, which do not hold each INT64: those of places, 0 the padding's
    kept = self.shape[-3:]
    places = torch.arange(1, kept.numel() + 1, dtype=torch.float64, device="cpu").reshape(1, *kept)
    values = self.flatten(-3)
    return torch.cat((values.new_zeros(*values.shape[:-1], 1), values), -1)[..., aten.im2col(places, *windows)[0].long()]


def _col2im(grad: Tensor, size: Sizes, kernel: Sizes, dilation: Sizes, padding: Sizes, stride: Sizes) -> Tensor:
    return aten.col2im(grad, list(size), list(kernel), list(dilation), list(padding), list(stride))


def _unfold_backward(grad: Tensor, sizes: Sizes, dim: int, size: int, step: int) -> Tensor:
    return aten.unfold_backward(grad, list(sizes), dim, size, step)


def _transform_bias(qkv: Tensor, bias: Tensor, heads: int) -> tuple[Tensor, Tensor, Tensor]:
    batch, length, width = qkv.shape
    size = width // 3 // heads
    q, k, v = (qkv + bias).reshape(batch, length, 3, heads, size).permute(2, 0, 3, 1, 4)
    return q / size**0.5, k, v


@torch_body("aclnnInplaceCopy")
def copy(self: Tensor, source: Tensor) -> None:
    """*source*, broadcast and converted, into *self*."""
    self.copy_(source.clone() if source.data_ptr() == self.data_ptr() else source)


@torch_body("aclnnNpuFormatCast")
def format_cast(source: Tensor, target: Tensor) -> None:
    """Values stay: internal formats are kept in ND."""
    target.copy_(source.reshape(target.shape))


computed(
    {
        "Permute": lambda self, order: self.permute(*order),
        "ConfusionTranspose": _confusion,
        "Flip": lambda self, axes: torch.flip(self, list(axes)),
        "Roll": lambda self, shifts, axes: torch.roll(self, list(shifts), list(axes) if axes else ()),
        "Cat": _joined,
        "Stack": lambda tensors, dim: torch.stack(list(tensors), dim),
        "ChunkCat": _chunk_cat,
        "SplitWithSize": lambda self, sizes, dim: torch.split(self, list(sizes), dim),
        "StridedSlice": _strided_slice,
        "Repeat": lambda self, times: self.repeat(tuple(times)),
        "RepeatInterleave": lambda self, repeats, size: _repeat_interleave(self, repeats, None),
        "RepeatInterleaveInt": lambda self, repeats, size: _repeat_interleave(self, repeats, None),
        "RepeatInterleaveWithDim": lambda self, repeats, dim, size: _repeat_interleave(self, repeats, dim),
        "RepeatInterleaveIntWithDim": lambda self, repeats, dim, size: _repeat_interleave(self, repeats, dim),
        "RepeatInterleaveTensor": lambda repeats, size: torch.repeat_interleave(repeats.long()),
        "RepeatInterleaveGrad": in_float32(_repeat_interleave_backward),
        "ConstantPadNd": lambda self, padding, value: torch.constant_pad_nd(self, list(padding), value),
        "ChannelShuffle": _channel_shuffle,
        "Im2col": _im2col,
        "Im2colBackward": in_float32(_col2im),
        "UnfoldGrad": in_float32(_unfold_backward),
        "TransformBiasRescaleQkv": in_float32(_transform_bias),
    }
)
for _mode, _word, _torch_word in (("Reflection", "reflect", "reflection"), ("Replication", "replicate", "replication")):
    for _axes in (1, 2, 3):
        computed(
            {
                f"{_mode}Pad{_axes}d": _pad(_torch_word, _axes),
                f"{_mode}Pad{_axes}dBackward": _pad_backward(_word),
            }
        )
