"""Attention of encoders in a few fused operators, with the masks of dropout given, and their gradients."""

from __future__ import annotations

import numpy as np

from ascend_sim.ops.operator import FLOATS, Array, Attributes, Operator, op

__all__ = ["OPERATORS"]

Shape = tuple[int, ...]
Values = list[Array | None]

TURNS = ("query_transpose", "key_transpose", "value_transpose", "dx_transpose", "bmm_score_transpose_a",
         "bmm_score_transpose_b")  # fmt: skip


def _softmax(x: Array, axis: int = -1) -> Array:
    shifted = np.exp(x - x.max(axis=axis, keepdims=True))
    result: Array = shifted / shifted.sum(axis=axis, keepdims=True)
    return result


def _softmax_gradient(grad: Array, y: Array, axis: int = -1) -> Array:
    result: Array = y * (grad - (grad * y).sum(axis=axis, keepdims=True))
    return result


def _dropped(x: Array, kept: Array, chance: float) -> Array:
    """x over *chance* where an element of the mask is not 0."""
    result: Array = np.where(kept.reshape(-1)[: x.size].reshape(x.shape) != 0, x / chance if chance else 0, 0)
    return result.astype(x.dtype)


def _axis(attributes: Attributes, name: str) -> int:
    return int(np.atleast_1d(attributes.get(name, [-1]))[0])


def _two_of_first(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [shapes[0], shapes[0]]


@op("AxpyWithSoftmaxAndDropOutDoMask", inputs=3, outputs=2, infer=_two_of_first, result=("first", "first"))
def softmax_of_sum(attributes: Attributes, x: Array, y: Array, mask: Array) -> tuple[Array, Array]:
    """The softmax of x + ``alpha`` y, and that with dropout by a mask of bytes."""
    found = _softmax(x + x.dtype.type(attributes["alpha"]) * y, _axis(attributes, "axis"))
    return found, _dropped(found, mask, float(attributes["input_keep_prob"]))


@op("DropoutWithMulsAndSoftmaxGrad", inputs=3, infer=lambda attributes, shapes, values: [shapes[2]])
def softmax_of_sum_gradient(attributes: Attributes, grad: Array, mask: Array, y: Array) -> Array:
    """The gradient of what ``alpha`` scaled, where y is the softmax."""
    of_softmax = _dropped(grad, mask, float(attributes["input_keep_prob"]))
    found: Array = _softmax_gradient(of_softmax, y, _axis(attributes, "axes")) * grad.dtype.type(attributes["alpha"])
    return found


def _not_turned(attributes: Attributes) -> None:
    turned = [name for name in TURNS if attributes.get(name, False)]
    if turned:
        raise ValueError(f"{', '.join(turned)}: turned operands are not modelled")


def _flat(x: Array) -> Array:
    """(batch, heads, steps, features) as (batch x steps, heads x features)."""
    batch, heads, steps, features = x.shape
    flat: Array = x.transpose(0, 2, 1, 3).reshape(batch * steps, heads * features)
    return flat


def _by_heads(x: Array, batch: int, heads: int) -> Array:
    """The other way round."""
    parts: Array = x.reshape(batch, -1, heads, x.shape[1] // heads).transpose(0, 2, 1, 3)
    return parts


def _score_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    batch, heads, steps, features = shapes[0]
    return [(batch * steps, heads * features), (batch, heads, steps, shapes[1][2])]


@op("AttentionScore", inputs=(5, 6), outputs=2, infer=_score_shapes, result=("first", "first"), dtypes=())
def attention_score(
    attributes: Attributes, query: Array, key: Array, value: Array, mask: Array, scale: Array, kept: Array | None = None
) -> tuple[Array, Array]:
    """The context, (batch x steps, heads x features), and the softmax before the dropout by a mask of bytes."""
    _not_turned(attributes)
    weights = _softmax(query @ np.swapaxes(key, -1, -2) * scale.reshape(-1)[0] + mask)
    used = weights if kept is None else _dropped(weights, kept, float(attributes.get("keep_prob", 1.0)))
    return _flat(used @ value), weights


def _score_gradient_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(batch * steps, heads * features) for batch, heads, steps, features in (shapes[2], shapes[4], shapes[3])]


@op("AttentionScoreGrad", inputs=(6, 7), outputs=3, infer=_score_gradient_shapes, result=("first",) * 3, dtypes=())
def attention_score_gradient(
    attributes: Attributes, weights: Array, grad: Array, value: Array, key: Array, query: Array, scale: Array,
    kept: Array | None = None,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """The gradients of value, query and key, each (batch x steps, heads x features)."""
    _not_turned(attributes)
    chance = float(attributes.get("keep_prob", 1.0))
    used = weights if kept is None else _dropped(weights, kept, chance)
    of_used = grad @ np.swapaxes(value, -1, -2)
    of_weights = of_used if kept is None else _dropped(of_used, kept, chance)
    of_scores = _softmax_gradient(of_weights, weights) * scale.reshape(-1)[0]
    found = np.swapaxes(used, -1, -2) @ grad, of_scores @ key, np.swapaxes(of_scores, -1, -2) @ query
    return _flat(found[0]), _flat(found[1]), _flat(found[2])


def _normalised_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    rows = shapes[0][0]
    return [shapes[0], *[(-1,) * 4] * 3, (rows,), (rows,)]


@op(
    "AttentionLnQKV", inputs=(6, 9), outputs=6, infer=_normalised_shapes, result=("first",) * 6, dtypes=(FLOATS,),
    described=True,
)  # fmt: skip
def normalised_products(
    attributes: Attributes, shapes: list[Shape], x: Array, of_query: Array, of_key: Array, of_value: Array,
    gamma: Array, beta: Array, *biases: Array | None,
) -> tuple[Array, ...]:  # fmt: skip
    """x normalised by rows; its products with three weights, by heads as the outputs are described; mean and variance."""
    mean, variance = x.mean(axis=1, keepdims=True), x.var(axis=1, keepdims=True)
    norm = (x - mean) / np.sqrt(variance + np.float32(attributes.get("epsilon", 1e-7))) * gamma + beta
    found = []
    for i, (weight, shape) in enumerate(zip((of_query, of_key, of_value), shapes[1:4], strict=True)):
        bias = biases[i] if i < len(biases) else None
        made = norm @ weight + (0 if bias is None else bias)
        found.append(_by_heads(made, shape[0], shape[1]))
    return norm, *found, mean.reshape(-1), variance.reshape(-1)


@op("AttentionQKVGradX", inputs=7, infer=lambda attributes, shapes, values: [shapes[0]])
def gradient_of_input(
    attributes: Attributes, grad: Array, of_query: Array, of_key: Array, of_value: Array, query: Array, key: Array,
    value: Array,
) -> Array:  # fmt: skip
    """The gradient of what three weights were multiplied with, added to *grad*."""
    found: Array = grad + sum(g @ w.T for g, w in ((of_query, query), (of_key, key), (of_value, value)))
    return found


def _weight_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    return [(shapes[0][1], shape[1]) for shape in shapes[1:4]] + [(shape[1],) for shape in shapes[1:4]]


@op("AttentionQKVGradW", inputs=4, outputs=6, infer=_weight_shapes, result=("first",) * 6)
def gradients_of_weights(attributes: Attributes, x: Array, *grads: Array) -> tuple[Array, ...]:
    """The gradients of three weights, and of their biases."""
    return tuple([x.T @ grad for grad in grads] + [grad.sum(axis=0) for grad in grads])


# -- the whole of multi-head attention -------------------------------------------------------------------------------------

BIASES = 4


class Heads:
    """The sizes of multi-head attention, and its operands by name."""

    def __init__(self, attributes: Attributes, rows: int) -> None:
        self.heads, self.each = int(attributes["attn_head_num"]), int(attributes["attn_dim_per_head"])
        self.source, self.target = int(attributes["src_len"]), int(attributes["tgt_len"])
        self.batch = rows // self.target
        self.chance = float(attributes.get("keep_prob", 1.0))
        self.scores = (self.batch, self.heads, self.target, self.source)
        self.columns = self.heads * self.each

    def dropped(self, x: Array, bits: Array | None) -> Array:
        """x with the dropout of a mask of bits, the lowest of a byte first. Raises ValueError where there is none."""
        if self.chance == 1:
            return x
        if bits is None:
            raise ValueError("a mask that the operator makes itself is not modelled: hand one over")
        return _dropped(x, np.unpackbits(bits.reshape(-1), bitorder="little"), self.chance)


def _heads_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    sizes = Heads(attributes, shapes[0][0])
    query, key = ((sizes.batch, sizes.heads, n, sizes.each) for n in (sizes.target, sizes.source))
    flat = (shapes[0][0], sizes.columns)
    return [flat, (int(np.prod(sizes.scores)) // 8,), query, key, key, sizes.scores, sizes.scores, flat]


HEADS_TYPES = ("first", "uint8", "first", "first", "first", "first", "first", "first")


@op("MultiHeadAttention", inputs=(8, 13), outputs=8, infer=_heads_shapes, result=HEADS_TYPES, dtypes=())
def multi_head(
    attributes: Attributes, query: Array, key: Array, value: Array, of_query: Array, of_key: Array, of_value: Array,
    mask: Array, of_output: Array, *rest: Array,
) -> tuple[Array, ...]:  # fmt: skip
    """The output, the mask of dropout, query, key and value by heads, the weights before and after dropout, the context."""
    sizes = Heads(attributes, query.shape[0])
    if BIASES > len(rest) > 1:
        raise ValueError(f"{len(rest)} biases: either all four are modelled, or none")
    biases = list(rest[:BIASES]) if len(rest) >= BIASES else [np.zeros(1, query.dtype)] * BIASES
    bits = rest[-1] if len(rest) in (1, BIASES + 1) else None
    q, k, v = (
        _by_heads(x @ w.T + b, sizes.batch, sizes.heads)
        for x, w, b in ((query, of_query, biases[0]), (key, of_key, biases[1]), (value, of_value, biases[2]))
    )
    q = q * q.dtype.type(sizes.each**-0.5)
    weights = _softmax((q @ np.swapaxes(k, -1, -2)).reshape(sizes.scores) + mask)
    used = sizes.dropped(weights, bits)
    context = _flat(used @ v)
    made = np.full(weights.size // 8, 255, np.uint8) if bits is None else bits.reshape(-1)[: weights.size // 8]
    return context @ of_output.T + biases[3], made, q, k, v, weights, used, context


def _heads_gradient_shapes(attributes: Attributes, shapes: list[Shape], values: Values) -> list[Shape]:
    sizes = Heads(attributes, shapes[0][0])
    square, source = (sizes.columns, sizes.columns), (sizes.batch * sizes.source, sizes.columns)
    return [*[square] * 4, (shapes[0][0], sizes.columns), source, source, *[(1, sizes.columns)] * 4]


@op(
    "MultiHeadAttentionGrad",
    inputs=(14, 15),
    outputs=11,
    infer=_heads_gradient_shapes,
    result=("first",) * 11,
    dtypes=(),
)
def multi_head_gradient(
    attributes: Attributes, query: Array, key: Array, value: Array, of_query: Array, of_key: Array, of_value: Array,
    of_output: Array, q: Array, k: Array, v: Array, weights: Array, used: Array, context: Array, grad: Array,
    bits: Array | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """The gradients of the four weights, of query, key and value, and of the four biases."""
    sizes = Heads(attributes, query.shape[0])
    of_context = _by_heads(grad @ of_output, sizes.batch, sizes.heads)
    of_used = of_context @ np.swapaxes(v, -1, -2)
    of_scores = _softmax_gradient(sizes.dropped(of_used, bits), weights)
    parts = (
        of_scores @ k * q.dtype.type(sizes.each**-0.5), np.swapaxes(of_scores, -1, -2) @ q,
        np.swapaxes(used, -1, -2) @ of_context,
    )  # fmt: skip
    flat = [_flat(part) for part in parts]
    pairs = list(zip(flat, (query, key, value), (of_query, of_key, of_value), strict=True))
    return (
        *(part.T @ x for part, x, _ in pairs), grad.T @ context,
        *(part @ weight for part, _, weight in pairs),
        *(part.sum(axis=0, keepdims=True) for part in (*flat, grad)),
    )  # fmt: skip


OPERATORS: tuple[Operator, ...] = (
    softmax_of_sum, softmax_of_sum_gradient, attention_score, attention_score_gradient, normalised_products,
    gradient_of_input, gradients_of_weights, multi_head, multi_head_gradient,
)  # fmt: skip
