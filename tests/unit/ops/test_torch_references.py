"""Single operators of networks that torch_npu compiles by name, against torch on the CPU and its gradients."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ascend_sim.ops.operator import Array, OperatorError
from tests.kit.single_operators import RANDOM, close, floats, run, torch_on_the_cpu

TYPES = {"float32": 1e-4, "float16": 4e-3}
"""How far results may be off."""


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Any:
    return torch_on_the_cpu(monkeypatch)


@pytest.fixture(params=TYPES)
def dtype(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def leaf(torch: Any, x: Array) -> Any:
    """A tensor of float32 with a gradient."""
    return torch.tensor(np.asarray(x, np.float32), requires_grad=True)


def typed(dtype: str, *shape: int) -> Array:
    return floats(*shape).astype(dtype)


def alike(found: Any, expected: Any, dtype: str) -> None:
    assert found.dtype == np.dtype(dtype), found.dtype
    close(found, expected.detach().numpy().reshape(found.shape), TYPES[dtype])


WINDOWS = {
    2: [((1, 1), (0, 0), (1, 1), 1), ((2, 1), (1, 2), (1, 1), 2), ((3, 2), (1, 0), (2, 1), 4)],
    3: [((1, 1, 1), (0, 0, 0), (1, 1, 1), 1), ((2, 1, 2), (1, 0, 2), (1, 2, 1), 2)],
}  # fmt: skip


@pytest.mark.parametrize(("rank", "window"), [(rank, window) for rank, rows in WINDOWS.items() for window in rows])
def test_convolutions(torch: Any, dtype: str, rank: int, window: Any) -> None:
    strides, pads, dilations, groups = window
    x, weights, bias = typed(dtype, 2, 4, *(6, 7, 5)[:rank]), typed(dtype, 4, 4 // groups, *(3, 2, 2)[:rank]), floats(4)
    words: dict[str, Any] = {
        "strides": (1, 1, *strides), "pads": [n for n in pads for _ in range(2)], "dilations": (1, 1, *dilations),
        "groups": groups, "data_format": {2: "NCHW", 3: "NCDHW"}[rank],
    }  # fmt: skip
    function = {2: torch.nn.functional.conv2d, 3: torch.nn.functional.conv3d}[rank]
    plain, of_input, of_weights, back_again = {
        2: ("Conv2D", "Conv2DBackpropInput", "Conv2DBackpropFilter", "Conv2DTranspose"),
        3: ("Conv3D", "Conv3DBackpropInput", "Conv3DBackpropFilter", "Conv3DTranspose"),
    }[rank]
    there, kernel = leaf(torch, x), leaf(torch, weights)
    wanted = function(there, kernel, torch.tensor(bias), strides, pads, dilations, groups)
    alike(run(plain, x, weights, bias.astype(dtype), **words), wanted, dtype)
    grad = typed(dtype, *wanted.shape)
    wanted.backward(torch.tensor(np.asarray(grad, np.float32)))
    size = np.array(x.shape, np.int32)
    back = run(of_input, size, weights, grad, **words)
    alike(back, there.grad, dtype)
    close(run(back_again, size, grad, weights, np.ones(4, dtype), **words), back + 1, TYPES[dtype])
    alike(run(of_weights, x, np.array(weights.shape, np.int32), grad, **words), kernel.grad, dtype)


def test_depthwise_convolutions(torch: Any, dtype: str) -> None:
    x, weights = typed(dtype, 2, 3, 6, 5), typed(dtype, 3, 1, 3, 2)
    there, kernel = leaf(torch, x), leaf(torch, weights)
    wanted = torch.nn.functional.conv2d(there, kernel, None, (2, 1), (1, 0), 1, 3)
    grad = typed(dtype, *wanted.shape)
    wanted.backward(torch.tensor(np.asarray(grad, np.float32)))
    words = {"strides": (1, 1, 2, 1), "pads": (1, 1, 0, 0), "dilations": (1,) * 4}
    turned = np.swapaxes(weights, 0, 1)
    alike(run("DepthwiseConv2DBackpropInput", np.array(x.shape), turned, grad, **words), there.grad, dtype)
    found = run("DepthwiseConv2DBackpropFilter", x, np.array(turned.shape), grad, **words)
    alike(np.swapaxes(found, 0, 1), kernel.grad, dtype)


def test_formats_of_volumes() -> None:
    with pytest.raises(OperatorError, match="data_format"):
        run("Conv3D", floats(1, 2, 3, 3, 3), floats(1, 2, 1, 1, 1), data_format="NDHWC")


# -- recurrent layers ------------------------------------------------------------------------------------------------------


def layer(torch: Any, kind: str, inputs: int, size: int, dtype: str) -> Any:
    """A layer of torch whose weights have values of *dtype*."""
    made = getattr(torch.nn, kind)(inputs, size)
    for parameter in made.parameters():
        parameter.data = torch.tensor((floats(*parameter.shape) / 2).astype(dtype).astype(np.float32))
    return made


def weights_of(made: Any, dtype: str) -> list[Array]:
    return [parameter.detach().numpy().astype(dtype) for parameter in made.parameters()]


@pytest.mark.parametrize("backwards", [False, True])
def test_long_short_term_memory(torch: Any, dtype: str, backwards: bool) -> None:
    steps, batch, inputs, size = 4, 3, 5, 2
    made = layer(torch, "LSTM", inputs, size, dtype)
    of_input, of_hidden, first, second = weights_of(made, dtype)
    x, h, c = typed(dtype, steps, batch, inputs), typed(dtype, 1, batch, size), typed(dtype, 1, batch, size)
    leaves = [leaf(torch, value) for value in (x, h, c)]
    y, (last_h, last_c) = made(leaves[0].flip(0) if backwards else leaves[0], tuple(leaves[1:]))
    y = y.flip(0) if backwards else y
    weight, bias = np.concatenate([of_input, of_hidden], axis=1).T, first + second
    words = {"gate_order": "ifjo", "direction": "REDIRECTIONAL" if backwards else "UNIDIRECTIONAL"}
    found = run("DynamicRNN", x, weight, bias, None, h, c, **words)
    alike(found[0], y, dtype)
    last = 0 if backwards else -1
    alike(found[1][last], last_h, dtype)
    alike(found[2][last], last_c, dtype)

    of_y, of_h, of_c = typed(dtype, steps, batch, size), typed(dtype, batch, size), typed(dtype, batch, size)
    parts = ((y, of_y), (last_h[0], of_h), (last_c[0], of_c))
    sum((a * torch.tensor(np.asarray(b, np.float32))).sum() for a, b in parts).backward()
    gates = found[3:]
    absent = [np.zeros((), dtype)] * 5
    given = (x, weight, bias, found[0], h[0], c[0], found[1], found[2], of_y, of_h, of_c, *gates, *absent)
    of_weight, of_bias, of_x, of_first_h, of_first_c = run("DynamicRNNGrad", *given, **words)
    wanted = [parameter.grad for parameter in made.parameters()]
    alike(of_weight, torch.cat(wanted[:2], 1).t(), dtype)
    alike(of_bias, wanted[2], dtype)
    for back, there in zip((of_x, of_first_h, of_first_c), leaves, strict=True):
        alike(back, there.grad, dtype)
    if not backwards:
        two = run("DynamicRNNV2", x, weight[:inputs], weight[inputs:], bias, None, h, c)
        alike(two[0], y, dtype)
        back = run("DynamicRNNV2Grad", x, weight[:inputs], weight[inputs:], found[0], h, c, *given[6:11], *gates)
        alike(back[0], wanted[0].t(), dtype)
        alike(back[3], leaves[0].grad, dtype)


def test_sequences_of_different_lengths(torch: Any, dtype: str) -> None:
    """The mask has 1 where a sequence goes on: behind its end the output is 0, and the state stays."""
    steps, batch, inputs, size, lengths = 4, 3, 5, 2, [4, 3, 1]
    made = layer(torch, "LSTM", inputs, size, dtype)
    of_input, of_hidden, first, second = weights_of(made, dtype)
    x, types = typed(dtype, steps, batch, inputs), [np.dtype(dtype)] * 8
    there = leaf(torch, x)
    rnn = torch.nn.utils.rnn
    packed, (last_h, last_c) = made(rnn.pack_padded_sequence(there, lengths))
    y = rnn.pad_packed_sequence(packed)[0]
    mask = (np.arange(steps)[:, None, None] < np.array(lengths)[None, :, None]).astype(np.float16).repeat(size, 2)
    weight, bias, zero = np.concatenate([of_input, of_hidden], axis=1).T, first + second, np.zeros((batch, size), dtype)
    found = run("DynamicRNN", x, weight, bias, mask, zero, zero, gate_order="ifjo", types=types)
    alike(found[0], y, dtype)
    alike(found[1][-1], last_h, dtype)
    alike(found[2][-1], last_c, dtype)
    of_y, of_h, of_c = typed(dtype, *y.shape), typed(dtype, batch, size), typed(dtype, batch, size)
    parts = ((y, of_y), (last_h[0], of_h), (last_c[0], of_c))
    sum((a * torch.tensor(np.asarray(b, np.float32))).sum() for a, b in parts).backward()
    given = (x, weight, bias, found[0], zero, zero, found[1], found[2], of_y, of_h, of_c, *found[3:], mask)
    back = run("DynamicRNNGrad", *given, gate_order="ifjo", types=types)
    wanted = [parameter.grad for parameter in made.parameters()]
    alike(back[0], torch.cat(wanted[:2], 1).t(), dtype)
    alike(back[2], there.grad, dtype)


def test_gated_units(torch: Any, dtype: str) -> None:
    steps, batch, inputs, size = 4, 3, 5, 2
    made = layer(torch, "GRU", inputs, size, dtype)
    of_input, of_hidden, bias_input, bias_hidden = weights_of(made, dtype)
    x, h = typed(dtype, steps, batch, inputs), typed(dtype, 1, batch, size)
    leaves = [leaf(torch, x), leaf(torch, h)]
    y, last = made(*leaves)
    words = {"gate_order": "rzh", "reset_after": True}
    found = run("DynamicGRUV2", x, of_input.T, of_hidden.T, bias_input, bias_hidden, None, h, **words)
    alike(found[0], y, dtype)
    alike(found[1][-1], last, dtype)
    of_y, of_h = typed(dtype, steps, batch, size), typed(dtype, batch, size)
    sum((a * torch.tensor(np.asarray(b, np.float32))).sum() for a, b in ((y, of_y), (last[0], of_h))).backward()
    given = (x, of_input.T, of_hidden.T, found[0], h, found[1], of_y, of_h, *found[2:])
    back = run("DynamicGRUV2Grad", *given, **words)
    wanted = [parameter.grad for parameter in made.parameters()]
    for one, there in zip(back, (wanted[0].t(), wanted[1].t(), *wanted[2:], *(a.grad for a in leaves)), strict=True):
        alike(one, there, dtype)
    with pytest.raises(OperatorError, match="reset_after"):
        run("DynamicGRUV2", x, of_input.T, of_hidden.T, reset_after=False)


# -- normalisation and attention -------------------------------------------------------------------------------------------


def test_gradients_of_layer_norm(torch: Any, dtype: str) -> None:
    x, gamma, beta = typed(dtype, 2, 3, 4, 5), typed(dtype, 4, 5), typed(dtype, 4, 5)
    leaves = [leaf(torch, value) for value in (x, gamma, beta)]
    y, mean, rstd = torch.native_layer_norm(leaves[0], (4, 5), leaves[1], leaves[2], 1e-5)
    grad = typed(dtype, *x.shape)
    y.backward(torch.tensor(np.asarray(grad, np.float32)))
    numbers = [value.detach().numpy().astype(dtype) for value in (rstd, mean)]
    for one, there in zip(run("LayerNormGrad", grad, x, *numbers, gamma), leaves, strict=True):
        alike(one, there.grad, dtype) if dtype == "float32" else close(one, there.grad, 3e-2)


def kept(*shape: int) -> Array:
    return (RANDOM.random(shape) < 0.6).astype(np.uint8)


def test_softmax_with_dropout(torch: Any, dtype: str) -> None:
    x, y = typed(dtype, 2, 3, 4), typed(dtype, 2, 3, 4)
    mask = kept(2, 3, 4)
    one, other = leaf(torch, x), leaf(torch, y)
    soft = torch.softmax(one + 0.5 * other, -1)
    wanted = soft * torch.tensor(mask) / 0.6
    words = {"alpha": 0.5, "input_keep_prob": 0.6, "axis": [-1]}
    found = run("AxpyWithSoftmaxAndDropOutDoMask", x, y, np.pad(mask.reshape(-1), (0, 104)), **words)
    alike(found[0], soft, dtype)
    alike(found[1], wanted, dtype)
    grad = typed(dtype, 2, 3, 4)
    wanted.backward(torch.tensor(np.asarray(grad, np.float32)))
    back = run("DropoutWithMulsAndSoftmaxGrad", grad, mask, found[0], alpha=0.5, input_keep_prob=0.6, axes=[-1])
    alike(back, other.grad, dtype)


def test_attention_scores(torch: Any, dtype: str) -> None:
    shape = (2, 3, 4, 5)
    query, key, value = (typed(dtype, *shape) for _ in range(3))
    mask, used, scale = typed(dtype, 2, 3, 4, 4), kept(2, 3, 4, 4), np.array(0.5, np.float16)
    words: dict[str, Any] = {"keep_prob": 0.6, "types": [np.dtype(dtype)] * 3}
    leaves = [leaf(torch, x) for x in (query, key, value)]
    soft = torch.softmax(leaves[0] @ leaves[1].transpose(-1, -2) * 0.5 + torch.tensor(np.asarray(mask, np.float32)), -1)
    wanted = ((soft * torch.tensor(used) / 0.6) @ leaves[2]).permute(0, 2, 1, 3)
    found = run("AttentionScore", query, key, value, mask, scale, used.reshape(-1), **words)
    alike(found[0], wanted, dtype)
    alike(found[1], soft, dtype)
    grad = typed(dtype, *shape)
    wanted.permute(0, 2, 1, 3).backward(torch.tensor(np.asarray(grad, np.float32)))
    back = run("AttentionScoreGrad", found[1], grad, value, key, query, scale, used.reshape(-1), **words)
    for one, there in zip(back, (leaves[2], leaves[0], leaves[1]), strict=True):
        alike(one, there.grad.permute(0, 2, 1, 3), dtype)
    with pytest.raises(OperatorError, match="key_transpose"):
        run("AttentionScore", query, key, value, mask, scale, key_transpose=True)


def test_normalised_products(torch: Any, dtype: str) -> None:
    batch, steps, heads, each = 2, 3, 2, 4
    x = typed(dtype, batch * steps, heads * each)
    kernels, biases = [typed(dtype, 8, 8) / 3 for _ in range(3)], [typed(dtype, 8) for _ in range(3)]
    gamma, beta = typed(dtype, 8), typed(dtype, 8)
    shape = (batch, heads, steps, each)
    described = [x.shape, shape, shape, shape, (6,), (6,)]
    found = run("AttentionLnQKV", x, *kernels, gamma, beta, *biases, epsilon=1e-5, described=described)
    there = [torch.tensor(np.asarray(a, np.float32)) for a in (x, gamma, beta)]
    norm = torch.nn.functional.layer_norm(there[0], (8,), there[1], there[2], 1e-5)
    alike(found[0], norm, dtype)
    for one, kernel, bias in zip(found[1:4], kernels, biases, strict=True):
        made = norm @ torch.tensor(np.asarray(kernel, np.float32)) + torch.tensor(np.asarray(bias, np.float32))
        alike(one, made.reshape(batch, steps, heads, each).permute(0, 2, 1, 3), dtype)
    close(found[4], np.asarray(x, np.float32).mean(1), TYPES[dtype])
    close(found[5], np.asarray(x, np.float32).var(1), TYPES[dtype])


def test_gradients_of_three_products(torch: Any, dtype: str) -> None:
    x, more = typed(dtype, 5, 4), typed(dtype, 5, 4)
    kernels, grads = [typed(dtype, 4, 6) for _ in range(3)], [typed(dtype, 5, 6) for _ in range(3)]
    leaves, there = [leaf(torch, kernel) for kernel in kernels], leaf(torch, x)
    sum(
        (there @ w * torch.tensor(np.asarray(g, np.float32))).sum() for w, g in zip(leaves, grads, strict=True)
    ).backward()
    alike(run("AttentionQKVGradX", more, *grads, *kernels), there.grad + torch.tensor(np.asarray(more, np.float32)), dtype)
    found = run("AttentionQKVGradW", x, *grads)
    for one, kernel in zip(found[:3], leaves, strict=True):
        alike(one, kernel.grad, dtype)
    for one, grad in zip(found[3:], grads, strict=True):
        close(one, np.asarray(grad, np.float32).sum(0), 10 * TYPES[dtype])


@pytest.mark.parametrize("chance", [1.0, 0.5])
def test_multi_head_attention(torch: Any, dtype: str, chance: float) -> None:
    batch, heads, each, source, target = 2, 2, 4, 8, 4
    columns = heads * each
    query, key, value = typed(dtype, batch * target, columns), *(typed(dtype, batch * source, columns) for _ in range(2))
    weights = [typed(dtype, columns, columns) / 4 for _ in range(4)]
    biases = [typed(dtype, columns) for _ in range(4)]
    mask = typed(dtype, batch, heads, target, source)
    bits = RANDOM.integers(0, 256, batch * heads * target * source // 8).astype(np.uint8)
    ones = torch.tensor(np.unpackbits(bits, bitorder="little").reshape(mask.shape))
    of = [leaf(torch, a) for a in (query, key, value, *weights, *biases)]

    def split(x: Any) -> Any:
        return x.reshape(batch, -1, heads, each).permute(0, 2, 1, 3)

    q, k, v = (split(of[i] @ of[3 + i].t() + of[7 + i]) for i in range(3))
    soft = torch.softmax(q * each**-0.5 @ k.transpose(-1, -2) + torch.tensor(np.asarray(mask, np.float32)), -1)
    used = soft * ones / chance if chance < 1 else soft
    context = (used @ v).permute(0, 2, 1, 3).reshape(batch * target, columns)
    wanted = context @ of[6].t() + of[10]
    words = {
        "attn_head_num": heads, "attn_dim_per_head": each, "src_len": source, "tgt_len": target, "keep_prob": chance,
    }  # fmt: skip
    found = run("MultiHeadAttention", query, key, value, *weights[:3], mask, weights[3], *biases, bits, **words)
    alike(found[0], wanted, dtype)
    alike(found[5], soft, dtype)
    alike(found[7], context, dtype)
    grad = typed(dtype, *wanted.shape)
    wanted.backward(torch.tensor(np.asarray(grad, np.float32)))
    given = (query, key, value, *weights, *found[2:8], grad, found[1])
    back = run("MultiHeadAttentionGrad", *given, **words)
    order = (3, 4, 5, 6, 0, 1, 2, 7, 8, 9, 10)
    for one, place in zip(back, order, strict=True):
        close(one, of[place].grad.numpy().reshape(one.shape), 10 * TYPES[dtype])
    if chance < 1:
        with pytest.raises(OperatorError, match="hand one over"):
            run("MultiHeadAttention", query, key, value, *weights[:3], mask, weights[3], *biases, **words)


# -- boxes -----------------------------------------------------------------------------------------------------------------


def boxes_of(count: int, centred: bool) -> Array:
    """Boxes of four rows: corners, or centre and sizes."""
    start, size = RANDOM.random((2, count)) * 4, RANDOM.random((2, count)) * 3 + 0.5
    return np.concatenate([start, size if centred else start + size]).astype(np.float32)


def overlap(torch: Any, a: Any, b: Any, kind: str, centred: bool, cross: bool) -> Any:
    """GIoU and DIoU as their papers have them, in the shape (true boxes, boxes)."""
    def corners(box: Any) -> Any:
        x, y, w, h = box
        return torch.stack([x - w / 2, y - h / 2, x + w / 2, y + h / 2]) if centred else box

    a, b = corners(a)[:, None, :], corners(b)[:, :, None] if cross else corners(b)[:, None, :]
    across, down = (torch.minimum(a[i + 2], b[i + 2]) - torch.maximum(a[i], b[i]) for i in (0, 1))
    common = across.clamp(0) * down.clamp(0)
    union = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1]) - common
    width, height = (torch.maximum(a[i + 2], b[i + 2]) - torch.minimum(a[i], b[i]) for i in (0, 1))
    if kind == "GIoU":
        return common / union - (width * height - union) / (width * height)
    apart = ((b[0] + b[2] - a[0] - a[2]) ** 2 + (b[1] + b[3] - a[1] - a[3]) ** 2) / 4
    return common / union - apart / (width**2 + height**2)


@pytest.mark.parametrize(("kind", "gradient"), [("GIoU", "GIoUGrad"), ("DIoU", "DIoUGrad")])
@pytest.mark.parametrize("centred", [False, True])
@pytest.mark.parametrize("cross", [False, True])
def test_gradients_of_overlaps(torch: Any, kind: str, gradient: str, centred: bool, cross: bool) -> None:
    boxes, truths = boxes_of(5, centred), boxes_of(3 if cross else 5, centred)
    a, b = leaf(torch, boxes), leaf(torch, truths)
    wanted = overlap(torch, a, b, kind, centred, cross)
    words = {"trans": centred, "is_cross": cross}
    close(run(kind, boxes, truths, **words), wanted.detach())
    grad = floats(*wanted.shape)
    wanted.backward(torch.tensor(grad))
    given = grad if cross else grad[0]
    found = run(gradient, given, boxes, truths, **words)
    close(found[0], a.grad, 1e-4)
    close(found[1], b.grad, 1e-4)
