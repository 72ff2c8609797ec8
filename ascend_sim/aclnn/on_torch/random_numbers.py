"""Tensors filled at random, and dropout, by seed and offset (``ascend_sim/aclnn/randomness.py``).

The forms whose names end in Tensor take the seed and a part of the offset from the device's memory, as captured graphs do.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import repeat
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor

from ascend_sim.aclnn.bodies import torch_body
from ascend_sim.aclnn.on_torch.outputs import computed, plain
from ascend_sim.aclnn.randomness import PART, generator

WHOLE: Final = {
    torch.float16: 1 << 11,
    torch.bfloat16: 1 << 8,
    torch.float32: 1 << 24,
    torch.float64: 1 << 53,
    torch.bool: 2,
    torch.uint8: 1 << 8,
    torch.int8: 1 << 7,
    torch.int16: 1 << 15,
    torch.int32: 1 << 31,
}
"""The first whole number that random numbers without limits do not reach: up to it the type has all of them."""
MOST: Final = (1 << 63) - 1
MASK_BITS: Final = 128
"""The masks of dropout are filled up to a multiple of so many bits."""


def _filled(self: Tensor, draw: Callable[[int], np.ndarray[Any, Any]]) -> Tensor:
    """*self* with what *draw* gives for so many elements, a part after the other.

    The parts continue one stream of numbers: they are those of one draw, which would need several times the tensor's memory.
    """
    target = self if self.is_contiguous() else torch.empty(self.shape, dtype=self.dtype)
    for part in target.view(-1).split(PART):
        part.copy_(torch.from_numpy(draw(part.numel())))
    return target


def _uniform(self: Tensor, low: float, high: float, seed: int, offset: int) -> Tensor:
    random = generator(seed, offset)
    return _filled(self, lambda count: random.random(count) * (high - low) + low)


def _normal(self: Tensor, mean: float, deviation: float, seed: int, offset: int) -> Tensor:
    random = generator(seed, offset)
    return _filled(self, lambda count: random.standard_normal(count) * deviation + mean)


def _integers(self: Tensor, low: int, high: int, seed: int, offset: int) -> Tensor:
    random = generator(seed, offset)
    return _filled(self, lambda count: random.integers(low, high, count, dtype=np.int64))


def _integers_of_type(self: Tensor, seed: int, offset: int) -> Tensor:
    return _integers(self, 0, WHOLE.get(self.dtype, MOST), seed, offset)


def _fractions(self: Tensor, seed: int, offset: int) -> Tensor:
    """Numbers in [0, 1) for each element."""
    return torch.from_numpy(np.asarray(generator(seed, offset).random(tuple(self.shape), dtype=np.float64)))


def _bernoulli(self: Tensor, probability: Any, seed: int, offset: int) -> Tensor:
    if isinstance(probability, Tensor):
        return _fractions(self, seed, offset) < probability
    random = generator(seed, offset)
    return _filled(self, lambda count: random.random(count) < probability)


def _exponential(self: Tensor, count: int, rate: float, seed: int, offset: int) -> Tensor:
    random = generator(seed, offset)
    return _filled(self, lambda count: random.standard_exponential(count) / rate)


def _permutation(count: int, seed: int, offset: int) -> Tensor:
    return torch.from_numpy(generator(seed, offset).permutation(count))


def _multinomial(self: Tensor, samples: int, replacement: bool, seed: int, offset: int) -> Tensor:
    weights = self.double()
    random = generator(seed, offset)
    if replacement:
        numbers = torch.from_numpy(random.random((*weights.shape[:-1], samples)))
        shares = (weights / weights.sum(-1, keepdim=True)).cumsum(-1)
        return torch.searchsorted(shares, numbers, right=True).clamp_(max=weights.shape[-1] - 1)
    # The largest of weights over exponential numbers fall as draws without putting back do.
    waits = torch.from_numpy(random.standard_exponential(tuple(weights.shape)))
    return (weights / waits).topk(samples, -1).indices


def _from_memory(function: Callable[..., Tensor]) -> Callable[..., Tensor]:
    """*function* with its seed and offset in tensors, and a number that the offset grows by."""

    def read(*operands: Any) -> Tensor:
        *first, seed, offset, more = operands
        return function(*first, int(seed), int(offset) + more)

    return read


@torch_body("aclnnNormalFloatFloat", "aclnnNormalFloatTensor", "aclnnNormalTensorFloat", "aclnnNormalTensorTensor")
def normal(mean: Any, deviation: Any, seed: int, offset: int, out: Tensor) -> None:
    """Normal numbers; tensors of means and deviations are broadcast."""
    random, means, deviations = generator(seed, offset), _parts(plain(mean), out), _parts(plain(deviation), out)
    target = _filled(out, lambda count: random.standard_normal(count) * next(deviations) + next(means))
    if target is not out:
        out.copy_(target)


def _parts(value: Any, like: Tensor) -> Iterator[Any]:
    """What belongs to each part of *like*: those of a tensor in its shape, or the number again and again."""
    if not isinstance(value, Tensor):
        return repeat(value)
    return (part.double().numpy() for part in value.expand(like.shape).reshape(-1).split(PART))


def _kept(count: int, probability: float, seed: int, offset: int) -> np.ndarray[Any, Any]:
    """Whether each element is kept, where *probability* is that of a zero."""
    if probability <= 0.0:
        return np.ones(count, bool)
    if probability >= 1.0:
        return np.zeros(count, bool)
    random, kept = generator(seed, offset), np.empty(count, bool)
    for part in np.split(kept, range(PART, count, PART)):
        part[:] = random.random(part.size, dtype=np.float32) >= np.float32(probability)
    return kept


def _packed(kept: np.ndarray[Any, Any]) -> Tensor:
    """A bit an element, the lowest of a byte first, filled up with zeros."""
    filled = -(-kept.size // MASK_BITS) * MASK_BITS
    return torch.from_numpy(np.packbits(np.pad(kept, (0, filled - kept.size)), bitorder="little"))


def _unpacked(mask: Tensor, like: Tensor) -> Tensor:
    bits = np.unpackbits(mask.contiguous().numpy().reshape(-1), bitorder="little", count=like.numel())
    return torch.from_numpy(bits).reshape(like.shape)


def _mask(shape: Sequence[int], probability: float, seed: int, offset: int, data_type: int = 0) -> Tensor:
    return _packed(_kept(int(np.prod(shape, dtype=np.int64)), probability, seed, offset))


def _mask_from_memory(
    shape: Sequence[int], probability: float, seed: Tensor, offset: Tensor, more: int, data_type: int
) -> Tensor:
    return _mask(shape, probability, int(seed), int(offset) + more)


def _masked(self: Tensor, mask: Tensor, probability: float) -> Tensor:
    if probability == 0.0:
        return self
    if probability == 1.0:
        return torch.zeros_like(self)
    return torch.where(_unpacked(mask, self).bool(), self * (1.0 / (1.0 - probability)), torch.zeros_like(self))


def _dropout(self: Tensor, noise: Tensor | None, probability: float, seed: int, offset: int) -> Any:
    if probability in (0.0, 1.0):  # the mask stays as it is
        return (self if probability == 0.0 else torch.zeros_like(self)), None
    mask = _packed(_kept(self.numel(), probability, seed, offset))
    return _masked(self, mask, probability), mask


def _dropout_gradient(grad: Tensor, mask: Tensor, scale: float) -> Tensor:
    return grad * _unpacked(mask, grad) * scale


@torch_body("aclnnRReluWithNoise", "aclnnInplaceRReluWithNoise")
def rrelu(
    self: Tensor, noise: Tensor, lower: Any, upper: Any, training: bool, seed: int, offset: int, out: Any = None
) -> None:
    """Slopes at random for what is not above zero, which *noise* keeps; outside of training their mean."""
    low, high = plain(lower), plain(upper)
    if training:
        drawn = _fractions(self, seed, offset) * (high - low) + low
        slopes = torch.where(self > 0, 1.0, drawn.float())
        noise.view(-1)[: self.numel()].copy_(slopes.reshape(-1)) if noise.is_contiguous() else noise.copy_(slopes)
    else:
        slopes = torch.where(self > 0, 1.0, (low + high) / 2)
    (self if out is None else out).copy_(self * slopes)


computed(
    {
        "InplaceUniform": _uniform,
        "InplaceUniformTensor": _from_memory(_uniform),
        "InplaceNormal": _normal,
        "InplaceNormalTensor": _from_memory(_normal),
        "InplaceRandom": _integers,
        "InplaceRandomTensor": _from_memory(_integers),
        "InplaceRandomWithoutFromTo": _integers_of_type,
        "InplaceRandomWithoutFromToTensor": _from_memory(_integers_of_type),
        "InplaceBernoulli InplaceBernoulliTensor": _bernoulli,
        "SimThreadExponential": _exponential,
        "Randperm": _permutation,
        "Multinomial": _multinomial,
        "MultinomialTensor": _from_memory(_multinomial),
        "DropoutGenMask DropoutGenMaskV2": _mask,
        "DropoutGenMaskV2Tensor": _mask_from_memory,
        "DropoutDoMask": _masked,
        "DropoutV3": _dropout,
        "DropoutV3Grad": _dropout_gradient,
    }
)
