"""Random numbers: their shape, range, mean and spread; that they repeat is in test_random_numbers.py."""

from __future__ import annotations

import numpy as np
import torch

from tests.kit.torch_bodies import F32, FLOATS, WHOLE, by_numpy, row

MANY = 6000
WITHOUT_LIMITS = {
    torch.bool: 2, torch.uint8: 2**8, torch.int8: 2**7, torch.int16: 2**15, torch.int32: 2**31, torch.int64: 2**63,
    torch.float16: 2**11, torch.bfloat16: 2**8, torch.float32: 2**24, torch.float64: 2**53,
}  # fmt: skip
"""How many whole numbers a type has, from 0 on without gaps."""
SEED = torch.tensor([7])
OFFSET = torch.tensor([12])


def same_shape(x, *rest):
    return x


def spread(mean, deviation, low=None, high=None):
    """A judge: the numbers are of this mean and deviation (to some five standard errors) and within the limits."""

    def judge(sample, outputs):
        values = outputs[0].double()
        if not values.numel():
            return
        assert abs(float(values.mean()) - mean) < 0.08 * deviation + 0.01 * abs(mean)
        assert abs(float(values.std()) - deviation) < 0.08 * deviation + 0.01 * abs(mean)
        assert low is None or float(values.min()) >= low
        assert high is None or float(values.max()) <= high

    return judge


def many(*rest):
    return lambda t: [(t(60, MANY // 60), *rest), (t(0, 2), *rest)]


def deviation(n):
    """Of whole numbers from 0 to n - 1."""
    return ((n * n - 1) / 12) ** 0.5


def a_permutation(sample, outputs):
    assert sorted(outputs[0].tolist()) == list(range(sample[0]))
    assert sample[0] < 3 or outputs[0].tolist() != list(range(sample[0]))


def drawn(sample, outputs):
    weights, count, replacement = sample[:3]
    found = outputs[0]
    assert bool((weights.gather(-1, found) > 0).all())
    if not replacement:
        assert all(len(set(line)) == count for line in found.reshape(-1, count).tolist())
    elif count > 1000:
        share = float((found == 1).double().mean())
        assert abs(share - float(weights.reshape(-1)[1] / weights.sum())) < 0.05


def weights(t, *shape):
    x = t(*shape, low=0.1, high=1).clone()
    x[..., 0] = 0
    return t.laid(x)


def bits(shape, probability, *rest):
    """The shape of the mask."""
    return torch.zeros(-(-int(np.prod(shape)) // 128) * 16, dtype=torch.uint8)


def kept(sample, outputs):
    count = int(np.prod(sample[0]))
    held = np.unpackbits(outputs[0].contiguous().numpy(), bitorder="little")
    assert not held[count:].any()
    assert abs(held[:count].mean() - (1 - sample[1])) < 0.03


def packed(bits_, size):
    return np.packbits(np.pad(bits_, (0, -(-size // 128) * 128 - size)), bitorder="little")


def mask_of(t, *shape):
    held = np.random.default_rng(3).integers(0, 2, int(np.prod(shape)))
    return torch.from_numpy(packed(held.astype(bool), held.size))


def masked(x, mask, scale):
    held = np.unpackbits(mask, bitorder="little")[: x.size].reshape(x.shape)
    return x * held * scale


def dropped(sample, outputs):
    x, _, probability = sample[:3]
    out, mask = outputs
    if probability in (0.0, 1.0):
        expected = x if probability == 0.0 else torch.zeros_like(x)
        torch.testing.assert_close(out.contiguous(), expected.contiguous(), rtol=0, atol=0)
        assert bool((mask == 3).all()), "the mask stays as it was"
        return
    held = torch.from_numpy(np.unpackbits(mask.contiguous().numpy(), bitorder="little")[: x.numel()]).reshape(x.shape)
    expected = (x.double() * held / (1 - probability)).to(x.dtype)
    torch.testing.assert_close(out.contiguous(), expected.contiguous())
    assert not x.numel() or abs(float(held.double().mean()) - (1 - probability)) < 0.03


def rrelu(sample, outputs):
    x, low, high, training = sample[0], *sample[2:5]
    out = outputs[0]
    if not x.numel():
        return
    slopes = (out.double() / x.double()).where(x != 0, torch.ones(()).double())
    below = slopes[x < 0]
    assert bool((slopes[x > 0] == 1).all())
    assert float(below.min()) >= low - 1e-2
    assert float(below.max()) <= high + 1e-2
    assert (float(below.std()) > 0.05) == training


ROWS = [
    row("InplaceUniform", many(-1.0, 3.0, 7, 12), same_shape, judge=spread(1, 4 / 12**0.5, -1, 3)),
    row("InplaceUniform", many(0, 90, 7, 12), same_shape, WHOLE, judge=spread(44.5, deviation(90), 0, 89)),
    row("InplaceUniformTensor", many(0, 90, SEED, OFFSET, 4), same_shape, WHOLE, judge=spread(44.5, deviation(90), 0, 89)),
    row("InplaceUniformTensor", many(-1.0, 3.0, SEED, OFFSET, 4), same_shape, judge=spread(1, 4 / 12**0.5, -1, 3)),
    row("InplaceNormal", many(2.0, 0.5, 7, 12), same_shape, judge=spread(2, 0.5)),
    row("InplaceNormal", many(60, 10, 7, 12), same_shape, WHOLE, judge=spread(59.5, 10)),
    row("InplaceNormalTensor", many(60, 10, SEED, OFFSET, 4), same_shape, WHOLE, judge=spread(59.5, 10)),
    row("InplaceNormalTensor", many(2.0, 0.5, SEED, OFFSET, 4), same_shape, judge=spread(2, 0.5)),
    row(
        "InplaceRandom",
        many(3, 9, 7, 12),
        same_shape,
        (F32, torch.int32, torch.uint8),
        judge=spread(5.5, deviation(6), 3, 8),
    ),
    row(
        "InplaceRandomTensor",
        many(3, 9, SEED, OFFSET, 4),
        same_shape,
        (F32, torch.int64, torch.uint8),
        judge=spread(5.5, deviation(6), 3, 8),
    ),
    *[
        row(
            f"InplaceRandomWithoutFromTo{form}",
            many(*rest),
            same_shape,
            (kind,),
            judge=spread((count - 1) / 2, deviation(count), 0, count - 1),
        )
        for form, rest in (("", (7, 12)), ("Tensor", (SEED, OFFSET, 4)))
        for kind, count in WITHOUT_LIMITS.items()
    ],
    row(
        "InplaceBernoulli",
        many(0.3, 7, 12),
        same_shape,
        (*FLOATS, torch.bool, torch.uint8),
        judge=spread(0.3, 0.21**0.5, 0, 1),
    ),
    row(
        "InplaceBernoulliTensor",
        lambda t: [(t(60, 100), torch.full((100,), 0.3), 7, 12)],
        same_shape,
        (F32, torch.int32),
        judge=spread(0.3, 0.21**0.5, 0, 1),
    ),
    row("SimThreadExponential", many(MANY, 2.0, 7, 12), same_shape, judge=spread(0.5, 0.5, 0)),
    row(
        "NormalFloatFloat",
        lambda t: [(2.0, 0.5, 7, 12)],
        lambda *a: torch.zeros(MANY),
        result=F32,
        judge=spread(2, 0.5),
    ),
    row(
        "NormalFloatTensor",
        lambda t: [(2.0, torch.full((MANY,), 0.5, dtype=t.kind), 7, 12)],
        lambda m, s, *a: s,
        judge=spread(2, 0.5),
    ),
    row(
        "NormalTensorFloat",
        lambda t: [(torch.full((MANY,), 2.0, dtype=t.kind), 0.5, 7, 12)],
        lambda m, *a: m,
        judge=spread(2, 0.5),
    ),
    row(
        "NormalTensorTensor",
        lambda t: [(torch.full((MANY,), 2.0, dtype=t.kind), torch.full((1,), 0.5, dtype=t.kind), 7, 12)],
        lambda m, *a: m,
        judge=spread(2, 0.5),
    ),
    row(
        "Randperm",
        lambda t: [(n, 7, 12) for n in (0, 1, 50)],
        lambda n, *a: torch.zeros(n, dtype=torch.int64),
        (F32,),
        judge=a_permutation,
    ),
    row(
        "Multinomial",
        lambda t: [
            (weights(t, 3, 6), 5, False, 7, 12),
            (weights(t, 6), 5000, True, 7, 12),
            (weights(t, 2, 6), 4, True, 7, 12),
        ],
        lambda w, n, *a: torch.zeros((*w.shape[:-1], n), dtype=torch.int64),
        judge=drawn,
    ),
    row(
        "MultinomialTensor",
        lambda t: [(weights(t, 3, 6), 5, False, SEED, OFFSET, 4)],
        lambda w, n, *a: torch.zeros((*w.shape[:-1], n), dtype=torch.int64),
        judge=drawn,
    ),
    row("DropoutGenMask", lambda t: [((60, 101), p, 7, 12) for p in (0.0, 0.3, 1.0)], bits, (F32,), judge=kept),
    row("DropoutGenMaskV2", lambda t: [((60, 101), p, 7, 12, 0) for p in (0.0, 0.3, 1.0)], bits, (F32,), judge=kept),
    row("DropoutGenMaskV2Tensor", lambda t: [((60, 101), 0.3, SEED, OFFSET, 4, 0)], bits, (F32,), judge=kept),
    row(
        "DropoutDoMask",
        lambda t: [(t(6, 31), mask_of(t, 6, 31), p) for p in (0.25, 0.5)] + [(t(0), mask_of(t, 0), 0.5)],
        by_numpy(lambda x, mask, p: masked(x, mask, 1 / (1 - p))),
    ),
    row(
        "DropoutDoMask",
        lambda t: [(t(6, 31), mask_of(t, 6, 31), 0.0), (t(6, 31), mask_of(t, 6, 31), 1.0)],
        by_numpy(lambda x, mask, p: x * (1 - p)),
    ),
    row(
        "DropoutV3",
        lambda t: [(t(60, 101), None, p, 7, 12) for p in (0.0, 0.3, 1.0)],
        lambda x, *a: (x, bits(x.shape, 0)),
        judge=dropped,
    ),
    row("DropoutV3Grad", lambda t: [(t(6, 31), mask_of(t, 6, 31), 1.25)], by_numpy(masked)),
    row(
        "RReluWithNoise",
        lambda t: [
            (t(60, 101), torch.zeros(60, 101, dtype=t.kind), 0.1, 0.6, training, 7, 12) for training in (True, False)
        ],
        same_shape,
        judge=rrelu,
    ),
    row(
        "InplaceRReluWithNoise",
        lambda t: [
            (t(60, 101), torch.zeros(60, 101, dtype=t.kind), 0.1, 0.6, training, 7, 12) for training in (True, False)
        ],
        lambda x, noise, *a: (x, noise),
        judge=rrelu,
    ),
]
