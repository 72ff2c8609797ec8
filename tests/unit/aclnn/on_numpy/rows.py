"""References for operators that have a body on numpy: torch on the CPU in double precision (`tests/kit/torch_bodies.py`)."""

from __future__ import annotations

import torch

from tests.kit.torch_bodies import ALL, BF16, F16, F32, FLOATS, REAL, row

F = torch.nn.functional
aten = torch.ops.aten
INT8, INT32, INT64, UINT8, BOOL = torch.int8, torch.int32, torch.int64, torch.uint8, torch.bool


def one(*rest, low=-3.0, high=3.0):
    """A matrix, an empty one and a number, each with *rest*."""
    return lambda t: [(t(3, 4, low=low, high=high), *rest), (t(0, 4), *rest), (t(), *rest)]


def index(t, size, *shape):
    return t.index(size, *shape)


def _filled(value):
    return lambda t: [(t(3, 4), t(3, 4, kind=BOOL), value(t)), (t(2, 3, 4), t(3, 1, kind=BOOL), value(t))]


def _pairs(t):
    yield t(3, 4), t(3, 4)
    yield t(3, 4), t(4)
    yield t(0, 4), t(1, 4)


def _embedding_gradient(grad, indices, rows, padding, by_frequency):
    return aten.embedding_dense_backward(grad, indices, rows, -1 if padding > rows else padding, by_frequency)


def _embedding_gradients(t):
    none = (1 << 64) - 1
    for padding, by_frequency in ((none, False), (2, False), (none, True)):
        yield t(2, 5, 3), index(t, 4, 2, 5), 4, padding, by_frequency


def _indices(t):
    x = t(4, 5, 3)
    yield x, [index(t, 4, 6)]
    yield x, [torch.empty(0, dtype=INT64), index(t, 5, 2, 2)]
    yield x, [index(t, 4, 3), index(t, 5, 3), index(t, 3, 3)]
    yield x, [index(t, 4, 3, 1), index(t, 5, 2)]
    yield t(0, 3), [torch.empty(0, dtype=INT64), index(t, 3, 2)]


def _indexed(x, indices):
    return x[tuple(slice(None) if i.shape == (0,) else i for i in indices)]


def _puts(accumulate):
    def made(t):
        yield t(4, 5), [torch.tensor([3, 0, 2])], t(3, 5), accumulate, False
        yield t(4, 5), [torch.tensor([3, 0]), torch.tensor([1, 4])], t(2), accumulate, False
        if accumulate:
            yield t(4, 5), [torch.tensor([1, 1, 1])], t(3, 5), accumulate, False

    return made


def _put(x, indices, values, accumulate, unsafe):
    return x.index_put(tuple(indices), values, accumulate)


def _convolutions(t):
    for stride, padding, dilation, groups in ((1, 0, 1, 1), (2, 1, 1, 2), (1, 2, 2, 1)):
        both = (stride,) * 2, (padding,) * 2, (dilation,) * 2
        yield t(2, 4, 6, 7), t(6, 4 // groups, 3, 2), t(6), *both, False, (0, 0), groups
    yield t(1, 3, 9), t(2, 3, 4), None, (2,), (1,), (1,), False, (0,), 1
    yield t(1, 2, 4, 4, 4), t(3, 2, 2, 2, 2), t(3), (1, 1, 1), (0, 1, 0), (1, 1, 1), False, (0, 0, 0), 1
    yield t(2, 4, 5, 5), t(4, 3, 3, 3), t(6), (2, 2), (1, 1), (1, 1), True, (1, 1), 2


def _convolution_gradients(t):
    for x, weight, bias, stride, padding, dilation, transposed, extra, groups in _convolutions(t):
        out = torch.convolution(*[None if o is None else o.double() for o in (x, weight, bias)], stride, padding, dilation,
                                transposed, extra, groups)  # fmt: skip
        channels = weight.shape[1] * groups if transposed else weight.shape[0]
        yield (t(*out.shape), x, weight, (channels,), stride, padding, dilation, transposed, extra, groups,
               (True, True, True))  # fmt: skip


def _norm_gradients(t):
    x, normalized = t(2, 3, 4), (4,)
    mean, rstd = x.double().mean(-1, keepdim=True), 1 / (x.double().var(-1, correction=0, keepdim=True) + 1e-3).sqrt()
    for weight, bias in ((t(4), t(4)), (None, None)):
        yield (
            t(2, 3, 4),
            x,
            normalized,
            mean.to(F32),
            rstd.to(F32),
            weight,
            bias,
            (True, weight is not None, bias is not None),
        )


def _layer_norm_gradients(grad, x, normalized, mean, rstd, weight, bias, mask):
    found = aten.native_layer_norm_backward(grad, x, normalized, mean, rstd, weight, bias, mask)
    return tuple(found)


def _layer_norms(t):
    yield t(2, 3, 4), (4,), t(4), t(4), 1e-5
    yield t(2, 3, 4), (3, 4), None, None, 1e-3


def _layer_norm(x, normalized, weight, bias, eps):
    return aten.native_layer_norm(x, normalized, weight, bias, eps)


def _batches(t):
    for shape in ((4, 3), (2, 3, 5), (2, 3, 4, 2)):
        yield t(*shape), t(3), t(3), t(3), t(3, low=0.5, high=2.0), True, 0.1, 1e-5
    yield t(4, 3), None, None, None, None, True, 0.1, 1e-5


def _batch_norm(x, weight, bias, mean, variance, training, momentum, eps):
    clones = [None if m is None else m.clone() for m in (mean, variance)]
    return aten.native_batch_norm(x, weight, bias, *clones, training, momentum, eps)


def _batch_gradients(t):
    x = t(3, 3, 4)
    wide = x.double()
    mean, scale = wide.mean((0, 2)), 1 / (wide.var((0, 2), correction=0) + 1e-5).sqrt()
    variance = t(3, low=0.5, high=2.0)
    for training in (True, False):
        yield t(3, 3, 4), x, t(3), t(3), variance, mean.to(F32), scale.to(F32), training, 1e-5, (True, True, True)


def _batch_norm_gradients(grad, x, weight, mean, variance, saved, scale, training, eps, mask):
    return aten.native_batch_norm_backward(grad, x, weight, mean, variance, saved, scale, training, eps, mask)


def _losses(t):
    target = torch.tensor([1, 0, 3, 2, 1])
    for reduction in (0, 1, 2):
        yield t(5, 4), target, t(4, low=0.1, high=2.0), reduction, -100
    yield t(5, 4), target, t(4, low=0.1, high=2.0), 1, 1


def _loss(self, target, weight, reduction, ignored):
    return aten.nll_loss_forward(self, target, weight, reduction, ignored)


def _loss_gradients(t):
    for self, target, weight, reduction, ignored in _losses(t):
        total = aten.nll_loss_forward(self.double(), target, weight.double(), reduction, ignored)[1].to(weight.dtype)
        yield t(*(() if reduction else (5,))), self, target, weight, reduction, ignored, total


def _loss_gradient(grad, self, target, weight, reduction, ignored, total):
    return aten.nll_loss_backward(grad, self, target, weight, reduction, ignored, total)


def _grouped(t):
    yield [t(3, 4), t(2, 4)], [t(4, 5), t(4, 5)], None, *[None] * 5, 0
    yield [t(5, 4)], [t(4, 3), t(4, 3)], [t(3), t(3)], *[None] * 4, (2, 5), 2
    yield [t(5, 4)], [t(2, 4, 3)], None, *[None] * 4, (3, 5), 2


def _group_products(x, weight, bias, *rest):
    groups, split = rest[4], rest[5]
    weights = list(weight) if weight[0].dim() == 2 else list(weight[0])
    parts = list(x) if len(x) == len(weights) else [x[0][: groups[0]], x[0][groups[0] :]]
    made = [a @ b + (0 if bias is None else bias[i]) for i, (a, b) in enumerate(zip(parts, weights, strict=True))]
    return (made if split == 0 else [torch.cat(made)],)


def _quantised(t):
    x, weight, none = t(3, 4), t(4, 5), (None,) * 3
    scale, rows = t(5, low=0.1, high=2.0, kind=F32), t(3, low=0.1, high=2.0, kind=F32)
    yield x, weight, None, scale, *none, None, None, False, False, 0
    yield x, weight, rows, scale[:1], *none, None, t(5, kind=INT32), False, False, 0
    yield x.t(), weight.t(), rows, scale, *none, None, t(5, kind=F32), True, True, 0
    yield t(2, 3, 4), weight, None, _words(scale, None), *none, None, None, False, False, 0


def _quantised_product(x, weight, rows, scale, y, x1o, x2o, yo, bias, flip_x, flip_weight, group):
    left, right = (one.t() if flip else one for one, flip in ((x, flip_x), (weight, flip_weight)))
    total = (left.double().unsqueeze(-1) * right.double()).sum(-2)
    if scale.dtype == INT64:
        scale = (scale & 0xFFFFE000).to(INT32).view(F32)
    whole = bias is not None and bias.dtype == INT32
    made = (total + (bias if whole else 0)) * scale.double() * (1 if rows is None else rows.double()[:, None])
    return made if bias is None or whole else made + bias.double()


def _attentions(version, word, **changes):
    """Operands of FusedInferAttentionScore with two sequences: four heads upon two, three queries, five keys."""
    given = {"mask": None, "q": None, "k": None, "mode": 0, "queries": 3, "keys": 5, "lists": False, **changes}

    def laid(x):
        return x if word == "BNSD" else x.transpose(1, 2) if word == "BSND" else x.transpose(1, 2).flatten(2)

    def samples(t):
        query, key, value = t(2, 4, given["queries"], 8), t(2, 2, given["keys"], 8), t(2, 2, given["keys"], 8)
        split = (lambda x: [x[:1], x[1:]]) if given["lists"] else (lambda x: [x])
        more = [None] * (17 if version == 2 else 20)
        yield (
            laid(query), split(laid(key)), split(laid(value)), None, given["mask"], given["q"], given["k"], *more, 4, 0.4,
            2**31 - 1, 2**31 - 1, word, 2, given["mode"], 0, 0, 0, True, 0, 0,
        )  # fmt: skip

    return samples


def _attention(query, key, value, bias, mask, q_lengths, k_lengths, *more):
    word, mode = more[-9], more[-7]

    def heads(x, count):
        return x if word == "BNSD" else x.transpose(1, 2) if word == "BSND" else x.unflatten(2, (count, -1)).transpose(1, 2)

    q, k, v = heads(query, 4), heads(torch.cat(key), 2), heads(torch.cat(value), 2)
    out, sums = torch.zeros_like(q), torch.full((*q.shape[:3], 1), torch.inf, dtype=torch.float64)
    for b in range(q.shape[0]):
        rows = q.shape[2] if q_lengths is None else q_lengths[b]
        columns = k.shape[2] if k_lengths is None else k_lengths[b]
        for h in range(4):
            for i in range(rows):
                places = [j for j in range(columns) if mode in (0, 1) or j - (columns - rows if mode == 3 else 0) <= i]
                if mask is not None and mode in (0, 1):
                    own = mask if mask.dim() == 2 else mask[b].reshape(-1, mask.shape[-1])
                    places = [j for j in places if not own[b if mask.dim() == 2 and q.shape[2] == 1 else i, j]]
                if places:
                    scored = torch.stack([(q[b, h, i] * k[b, h // 2, j]).sum() * 0.4 for j in places])
                    sums[b, h, i, 0] = scored.exp().sum().log()
                    out[b, h, i] = (scored.softmax(0)[:, None] * v[b, h // 2, places]).sum(0)
    return (out if word == "BNSD" else out.transpose(1, 2) if word == "BSND" else out.transpose(1, 2).flatten(2)), sums


def _attention_rows(version):
    mask = torch.tensor([[0, 1, 0, 0, 1], [1, 1, 1, 1, 1], [0, 0, 0, 1, 0]], dtype=BOOL)
    cases = [("BNSD", {}), ("BSND", {"mask": mask}), ("BSH", {"mask": torch.stack((mask, ~mask))[:, None], "mode": 1})]
    cases += [("BNSD", {"mode": mode}) for mode in (2, 3)] + [("BSND", {"q": (2, 3), "k": (5, 0), "lists": True})]
    cases += [("BNSD", {"queries": 1, "k": (4, 2)}), ("BSH", {"queries": 1, "mask": mask[[0, 2]]})]
    name = f"FusedInferAttentionScoreV{version}"
    return [row(name, _attentions(version, word, **more), _attention, (F16, BF16), result=(None, F32), loose=2)
            for word, more in cases]  # fmt: skip


def _words(scale, offset, mode=0):
    words = scale.float().view(INT32).long() & 0xFFFFFFFF
    if mode:
        words = words + 0xFFF + (words >> 13 & 1)
    words = words & 0xFFFFE000 | 1 << 46
    return words if offset is None else words | (offset.round().clamp(-256, 255).long() & 0x1FF) << 37


def _moments(low, high, whole):
    """Random numbers: their range, their mean, no two the same row, the same again by seed and offset."""

    def judge(sample, found):
        values = found[0].double()
        if values.numel() < 1000:
            return
        assert values.min() >= low and values.max() <= high
        assert abs(values.mean() - (low + high) / 2) < (high - low) / 20
        assert not whole or bool((values == values.floor()).all())
        assert len(values.unique()) > min(30, high - low - 1)

    return judge


def _many(*rest):
    return lambda t: [(t(40, 50), *rest), (t(0, 3), *rest)]


def _memory(t, value):
    return torch.tensor([value], dtype=INT64)


def _same(self, *rest):
    return self


def _is_normal(sample, found):
    values = found[0].double()
    if values.numel() > 1000:
        assert abs(values.mean() - 2) < 0.1 and abs(values.std() - 0.5) < 0.05


def _mask_of(count):
    return lambda shape, p, seed, offset, kind: torch.zeros(-(-count // 128) * 16, dtype=UINT8)


def _kept_share(sample, found):
    count = torch.tensor(sample[0]).prod().item()
    bits = torch.stack([found[0] >> i & 1 for i in range(8)], 1).reshape(-1)[:count].double()
    assert abs(bits.mean() - (1 - sample[1])) < 0.05


def _bits(t):
    mask = torch.tensor([0b01011010, 0b00001111], dtype=UINT8)
    mask = torch.cat([mask, torch.zeros(14, dtype=UINT8)])
    return [(t(3, 4), mask, p) for p in (0.0, 0.25, 1.0)]


def _dropped(self, mask, p):
    bits = torch.stack([mask >> i & 1 for i in range(8)], 1).reshape(-1)[:12].reshape(3, 4)
    return self if p == 0 else torch.zeros_like(self) if p == 1 else self * bits / (1 - p)


def _turned(x, mode):
    if mode == 1:
        return torch.stack((-x[..., 1::2], x[..., ::2]), -1).flatten(-2)
    if mode == 2:
        a, b, c, d = x.chunk(4, -1)
        return torch.cat((-b, a, -d, c), -1)
    a, b = x.chunk(2, -1)
    return torch.cat((-b, a), -1)


def _rotated(x, cos, sin, mode):
    x = torch.cat((x[..., ::2], x[..., 1::2]), -1) if mode == 3 else x
    return x * cos + _turned(x, mode) * sin


def _padded(self, pad, value):
    return F.pad(self, pad, value=value)


ROWS = [
    row("Arange", lambda t: [(1, 8, 2), (0.5, 3, 0.75), (5, 0, -1)], lambda a, b, c: torch.arange(a, b, c), (F32,)),
    row("Triu", lambda t: [(t(3, 4), 1), (t(2, 3, 3), 0), (t(0, 3), 0), (t(3, 4), -1)], torch.triu, ALL),
    row("Tril", lambda t: [(t(3, 4), 1), (t(2, 3, 3), 0), (t(3, 4), -1)], torch.tril, ALL),
    row("InplaceOne", one(), torch.ones_like, ALL),
    row("InplaceZero", one(), torch.zeros_like, ALL),
    row("InplaceFillScalar", one(3), lambda x, v: torch.full_like(x, v), ALL),
    row("InplaceFillTensor", lambda t: [(t(3, 4), t(1)), (t(0, 2), t(1))], lambda x, v: v.expand_as(x), ALL),
    row(
        "InplaceCopy",
        lambda t: [(t(3, 4), t(3, 4, kind=k)) for k in (F32, INT32, BOOL)] + [(t(3, 4), t(4))],
        lambda x, y: y.expand_as(x).to(x.dtype),
        ALL,
    ),
    row("InplaceMaskedFillScalar", _filled(lambda t: 2), torch.masked_fill, REAL),
    row("InplaceMaskedFillTensor", _filled(lambda t: t(1)), lambda x, m, v: torch.where(m, v, x), REAL),
    row("InplaceAdd", lambda t: [(*p, a) for p in _pairs(t) for a in (1, 2)], lambda x, y, a: x + a * y, REAL),
    row("InplaceSub", lambda t: [(*p, a) for p in _pairs(t) for a in (1, 2)], lambda x, y, a: x - a * y, REAL),
    row("InplaceMul", _pairs, torch.mul, REAL),
    row("InplaceDiv", lambda t: [(t(3, 4), t(4, low=1.0)), (t(0, 4), t(4, low=1.0))], torch.div),
    row("InplaceAdds", lambda t: [(t(3, 4), 2, 3), (t(0, 4), 1, 1)], lambda x, y, a: x + a * y, REAL),
    row("InplaceSubs", lambda t: [(t(3, 4), 2, 3), (t(0, 4), 1, 1)], lambda x, y, a: x - a * y, REAL[:3] + (INT32,)),
    row("InplaceMuls", one(2), torch.mul, REAL),
    row("InplaceDivs", one(2), torch.div),
    row(
        "Cat",
        lambda t: [([t(2, 3), t(4, 3)], 0), ([t(2, 3), t(2, 1), t(2, 2)], -1), ([t(2, 3), t(0)], 0), ([t(3), t(2)], 0)],
        torch.cat,
        ALL,
    ),
    row("Stack", lambda t: [([t(2, 3), t(2, 3)], d) for d in (0, 1, -1)], torch.stack, ALL),
    row(
        "Repeat",
        lambda t: [(t(2, 3), (2, 1, 3)), (t(3), (2,)), (t(0, 2), (3, 1)), (t(), (2,))],
        lambda x, r: x.repeat(r),
        ALL,
    ),
    row("Permute", lambda t: [(t(2, 3, 4), (2, 0, 1)), (t(0, 3), (1, 0))], torch.permute, ALL),
    row(
        "RepeatInterleave", lambda t: [(t(3), torch.tensor([1, 0, 2]), 3)], lambda x, r, n: x.repeat_interleave(r), REAL
    ),
    row("RepeatInterleaveInt", lambda t: [(t(2, 3), 2, 12)], lambda x, r, n: x.repeat_interleave(r), REAL),
    row(
        "RepeatInterleaveWithDim",
        lambda t: [(t(2, 3), torch.tensor([1, 0, 2]), 1, 3)],
        lambda x, r, d, n: x.repeat_interleave(r, d),
        REAL,
    ),
    row(
        "RepeatInterleaveIntWithDim",
        lambda t: [(t(2, 3), 2, 0, 4), (t(2, 0), 2, 0, 4)],
        lambda x, r, d, n: x.repeat_interleave(r, d),
        REAL,
    ),
    row(
        "RepeatInterleaveTensor",
        lambda t: [(torch.tensor([2, 0, 1]), 3)],
        lambda r, n: torch.repeat_interleave(r),
        (INT64,),
    ),
    row(
        "ConstantPadNd",
        lambda t: [(t(3, 4), (1, 2), 3), (t(3, 4), (1, -1, 2, 0), 0), (t(2, 3, 4), (0, 1, 1, 0, -1, 2), 1)],
        _padded,
        ALL,
    ),
    row(
        "IndexSelect",
        lambda t: [(t(4, 5), 0, index(t, 4, 6)), (t(4, 5), -1, index(t, 5, 2)), (t(4, 5), 1, index(t, 5, 0))],
        torch.index_select,
        ALL,
    ),
    row(
        "Gather",
        lambda t: [(t(4, 5), 0, index(t, 4, 2, 5)), (t(4, 5), 1, index(t, 5, 3, 2)), (t(4, 0), 1, index(t, 1, 4, 0))],
        torch.gather,
        (*REAL, INT64, UINT8),
    ),
    row("Embedding", lambda t: [(t(5, 3), index(t, 5, 2, 4)), (t(5, 3), index(t, 5, 0))], lambda w, i: w[i], REAL),
    row("EmbeddingDenseBackward", _embedding_gradients, _embedding_gradient),
    row("Index", _indices, _indexed, REAL),
    row("IndexPutImpl", _puts(False), _put, REAL),
    row("IndexPutImpl", _puts(True), _put, (*REAL,)),
    row(
        "MaskedSelect",
        lambda t: [(t(3, 4), t(3, 4, kind=BOOL)), (t(3, 4), t(4, kind=BOOL)), (t(0, 4), t(4, kind=BOOL))],
        torch.masked_select,
        REAL,
        room=lambda x, m: [(torch.broadcast_shapes(x.shape, m.shape).numel(),)],
    ),
    row(
        "NonzeroV2",
        lambda t: [(t(3, 4, kind=BOOL),), (t(2, 3, 2),), (t(0, 4),)],
        lambda x: x.nonzero().T.contiguous(),
        REAL,
        room=lambda x: [(x.dim(), x.numel())],
    ),
    row(
        "Sort",
        lambda t: (
            [(t.distinct(4, 5), s, d, r) for s in (False, True) for d in (0, -1) for r in (False, True)]
            + [(t(5), True, 0, True), (t(0, 3), True, 0, False)]
        ),
        lambda x, s, d, r: tuple(torch.sort(x, dim=d, descending=r, stable=True)),
        (F32, F16, INT32, INT64),
    ),
    row(
        "Topk",
        lambda t: [(t.distinct(4, 5), 2, d, g, True) for d in (0, 1) for g in (False, True)],
        lambda x, k, d, g, s: tuple(torch.topk(x, k, d, g, s)),
        (F32, F16, INT32, INT64),
    ),
    row("Convolution", _convolutions, torch.convolution, loose=4),
    row("ConvolutionBackward", _convolution_gradients, lambda *a: tuple(aten.convolution_backward(*a)), loose=8),
    row("LayerNorm", _layer_norms, _layer_norm, result=[None, F32, F32]),
    row("LayerNormBackward", _norm_gradients, _layer_norm_gradients, (F32,), loose=4),
    row(
        "RmsNorm",
        lambda t: [(t(2, 3, 4), t(4), 1e-5), (t(2, 3, 4), t(3, 4), 1e-3)],
        lambda x, g, e: ((r := (x.pow(2).mean(tuple(range(-g.dim(), 0)), keepdim=True) + e).rsqrt()) * x * g, r),
        result=[None, F32],
    ),
    row("BatchNorm", _batches, _batch_norm, (F32,)),
    row("BatchNormBackward", _batch_gradients, _batch_norm_gradients, (F32,), loose=4),
    row("NLLLoss", _losses, _loss),
    row("NLLLossBackward", _loss_gradients, _loss_gradient),
    row("GroupedMatmul", _grouped, _group_products, loose=4),
    row("QuantMatmulV5 QuantMatmulWeightNz", _quantised, _quantised_product, (INT8,), result=F16),
    row("QuantMatmulV5 QuantMatmulWeightNz", _quantised, lambda *given: _quantised_product(*given).round().clamp(-128, 127),
        (INT8,), result=INT8),
    *_attention_rows(2),
    *_attention_rows(3),
    row("NpuFormatCast", lambda t: [(t(3, 4),), (t(2, 3, 4),), (t(0, 4),)], torch.clone, (*FLOATS, INT8, INT32)),
    row(
        "Quantize",
        lambda t: [
            (t(3, 4), torch.tensor([0.1]), None, INT8, 0),
            (t(3, 4), torch.tensor([0.1, 0.2, 0.3, 0.4]), torch.tensor([1, 2, 3, 4], dtype=INT32), INT8, 1),
        ],
        lambda x, s, z, k, a: torch.round(x.float() / s.float() + (0 if z is None else z)).clamp(-128, 127).to(INT8),
        (F32,),
    ),
    row("TransQuantParamV2", lambda t: [(t(5), None), (t(5), t(5, low=-300.0, high=300.0))], _words, (F32,)),
    row("TransQuantParamV3", lambda t: [(t(5), None, m) for m in (0, 1)], _words, (F32,)),
    row(
        "RotaryPositionEmbedding",
        lambda t: [(t(2, 3, 2, 8), t(1, 3, 1, 8), t(1, 3, 1, 8), m) for m in (0, 1, 2, 3)],
        _rotated,
    ),
    row("DropoutDoMask", _bits, _dropped),
    row(
        "DropoutGenMaskV2",
        lambda t: [((40, 50), p, 7, 3, 0) for p in (0.0, 0.3, 1.0)],
        _mask_of(2000),
        (F32,),
        result=UINT8,
        judge=_kept_share,
    ),
    row("InplaceNormal", _many(2.0, 0.5, 7, 10), _same, judge=_is_normal),
    row(
        "InplaceNormalTensor",
        lambda t: [(t(40, 50), 2.0, 0.5, _memory(t, 7), _memory(t, 10), 4)],
        _same,
        judge=_is_normal,
    ),
    row("InplaceUniform", _many(-2.0, 6.0, 7, 10), _same, judge=_moments(-2, 6, False)),
    row(
        "InplaceUniformTensor",
        lambda t: [(t(40, 50), -2.0, 6.0, _memory(t, 7).to(torch.uint64), _memory(t, 10).to(torch.uint64), 4)],
        _same,
        judge=_moments(-2, 6, False),
    ),
    row("InplaceRandom", _many(-3, 60, 7, 10), _same, REAL, judge=_moments(-3, 60, True)),
    row(
        "InplaceRandomTensor",
        lambda t: [(t(40, 50), -3, 60, _memory(t, 7), _memory(t, 10), 4)],
        _same,
        REAL,
        judge=_moments(-3, 60, True),
    ),
    row("InplaceRandomWithoutFromTo", _many(7, 10), _same, (F16,), judge=_moments(0, 2048, True)),
    row("InplaceRandomWithoutFromTo", _many(7, 10), _same, (UINT8,), judge=_moments(0, 256, True)),
    row(
        "InplaceRandomWithoutFromToTensor",
        lambda t: [(t(40, 50), _memory(t, 7), _memory(t, 10), 4)],
        _same,
        (torch.bfloat16,),
        judge=_moments(0, 256, True),
    ),
]
