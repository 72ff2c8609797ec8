"""Mixtures of experts against lists of Python: choosing, sending tokens out, bringing results back."""

from __future__ import annotations

import math

import numpy as np
import pytest

from tests.kit.tensors import call, close, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.fused.experts  # noqa: F401  isort: skip

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64


def softmax(row):
    top = max(row)
    parts = [math.exp(v - top) for v in row]
    return [p / sum(parts) for p in parts]


def best(row, k):
    """Places of the k largest, the first of equal ones."""
    return sorted(range(len(row)), key=lambda i: (-row[i], i))[:k]


def whole(value, low=-128, high=127):
    return int(min(max(round(value), low), high))


@pytest.mark.parametrize("name", ["aclnnMoeGatingTopKSoftmax", "aclnnMoeGatingTopKSoftmaxV2"])
@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("renorm", [0, 1])
@pytest.mark.parametrize("ends", [False, True])
def test_gating_by_softmax(name, kind, renorm, ends):
    rng = np.random.default_rng(1)
    x = torch.from_numpy(rng.permutation(24).reshape(4, 6) / 8).to(kind)  # all different in every type
    finished = torch.tensor([True, False, False, True]) if ends else None
    y, index, more = empty((4, 2), kind), empty((4, 2), I32), empty((4, 2), I32)
    operands = {"x": x, "finished": finished, "k": 2, "y_out": y, "expert_idx_out": index}
    whole_result = empty((4, 6))
    if name.endswith("V2"):
        call(name, **operands, renorm=renorm, output_softmax_result_flag=not renorm, softmax_result_out=whole_result)
    elif not renorm:
        call(name, **operands, row_idx_out=more)
        same(more, [[0, 4], [1, 5], [2, 6], [3, 7]])
    else:
        return  # only V2 has it
    for i, row in enumerate(numbers(x)):
        places = best(row, 2)
        weights = softmax([row[p] for p in places]) if renorm else [softmax(row)[p] for p in places]
        close(y[i], weights)
        same(index[i], [6, 6] if ends and finished[i] else places)
        if name.endswith("V2") and not renorm:
            close(whole_result[i], softmax(row), F32)


@pytest.mark.parametrize("norm", [0, 1, 2])
@pytest.mark.parametrize("mode", [0, 1])
@pytest.mark.parametrize("groups", [1, 4])
@pytest.mark.parametrize("with_bias", [False, True])
@pytest.mark.parametrize("renorm", [0, 1])
@pytest.mark.parametrize("name", ["aclnnMoeGatingTopK", "aclnnMoeGatingTopKV2"])
def test_gating_by_groups(name, norm, mode, groups, with_bias, renorm):
    if name.endswith("V2") and (norm, mode, renorm) != (1, 1, 1):
        return  # one body: what differs is where the bias stands
    rng = np.random.default_rng(2)
    x, bias = random(rng, (5, 16)), random(rng, (16,), spread=0.3) if with_bias else None
    y, index, out = empty((5, 3)), empty((5, 3), I32), empty((5, 16))
    call(
        name,
        x=x,
        bias=bias,
        k=3,
        k_group=2,
        group_count=groups,
        group_select_mode=mode,
        renorm=renorm,
        norm_type=norm,
        out_flag=True,
        routed_scaling_factor=2.5,
        eps=1e-20,
        y_out=y,
        expert_idx_out=index,
        out_out=out,
    )
    for i, row in enumerate(numbers(x)):
        if norm == 0:
            scores = softmax(row)
        elif norm == 1:
            scores = [1 / (1 + math.exp(-v)) for v in row]
        else:
            scores = [math.sqrt(math.log1p(math.exp(v))) for v in row]
        choice = [
            s + (0 if bias is None else float(b))
            for s, b in zip(scores, numbers(bias) if with_bias else row, strict=True)
        ]
        if groups > 1:
            parts = [choice[4 * g : 4 * g + 4] for g in range(4)]
            ranking = [max(p) if mode == 0 else sum(sorted(p)[-2:]) for p in parts]
            kept = best(ranking, 2)
            choice = [v if j // 4 in kept else -math.inf for j, v in enumerate(choice)]
        places = best(choice, 3)
        weights = [scores[p] for p in places]
        total = sum(weights) if norm or renorm else 1.0
        same(index[i], places)
        close(y[i], [2.5 * w / total for w in weights])
        close(out[i], scores)


def test_gating_without_the_third_output():
    y, index = empty((1, 1)), empty((1, 1), I32)
    call(
        "aclnnMoeGatingTopK",
        x=torch.zeros(1, 4),
        k=1,
        k_group=1,
        group_count=1,
        group_select_mode=0,
        renorm=0,
        norm_type=1,
        out_flag=False,
        routed_scaling_factor=1.0,
        eps=0.0,
        y_out=y,
        expert_idx_out=index,
        out_out=empty((0,)),
    )
    same(index, [[0]])


def test_tokens_of_experts_are_counted():
    out = empty((5,), I32)
    call(
        "aclnnMoeComputeExpertTokens",
        sorted_experts=torch.tensor([0, 0, 2, 2, 2, 4], dtype=I32),
        num_experts=5,
        out=out,
    )
    same(out, [2, 2, 5, 5, 6])


def in_order(experts):
    """Places of the flat list in the order of their experts."""
    return sorted(range(len(experts)), key=lambda i: (experts[i], i))


@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("active", [4, 2])
def test_init_routing_numbers_rows_by_columns(kind, active):
    rng = np.random.default_rng(3)
    x, experts = random(rng, (4, 3), kind), torch.from_numpy(rng.integers(0, 5, (4, 2))).to(I32)
    rows = torch.arange(8, dtype=I32).reshape(2, 4).t()
    out, index, sorted_experts = empty((active * 2, 3), kind), empty((8,), I32), empty((8,), I32)
    call(
        "aclnnMoeInitRouting",
        x=x,
        row_idx=rows,
        expert_idx=experts,
        active_num=active,
        expanded_x_out=out,
        expanded_row_idx_out=index,
        expanded_expert_idx_out=sorted_experts,
    )
    flat, order = experts.reshape(-1).tolist(), in_order(experts.reshape(-1).tolist())
    same(sorted_experts, [flat[i] for i in order])
    numbered = [rows.reshape(-1).tolist()[i] for i in order]
    for place, row in enumerate(numbered):
        assert index[row] == place
        if place < active * 2:
            same(out[place], numbers(x)[row % 4])


ROUTING = ["aclnnMoeInitRoutingV2", "aclnnMoeInitRoutingQuantV2"]


def coded(rows, mode, scale, offset):
    """Values and scales of rows: static, or dynamic with 127."""
    if mode == 0:
        return [[whole(v * scale[0] + offset[0]) for v in row] for row in rows], [0] * len(rows)
    smoothed = [row * (1 if scale is None else scale) for row in rows]
    steps = [np.abs(row).max() / 127 for row in smoothed]
    return [[whole(v / s) for v in row] for row, s in zip(smoothed, steps, strict=True)], steps


@pytest.mark.parametrize("name, mode", [(ROUTING[0], -1), (ROUTING[1], 0), (ROUTING[1], 1)])
@pytest.mark.parametrize("padded", [0, 1])
@pytest.mark.parametrize("flag, active", [(1, 0), (2, 5)])
@pytest.mark.parametrize("smooth", [False, True])
def test_init_routing_v2(name, mode, padded, flag, active, smooth):
    rng = np.random.default_rng(4)
    experts_of = rng.integers(0, 4, (5, 2))
    x, experts = random(rng, (5, 6), F16), torch.from_numpy(experts_of).to(I32)
    flat, order = experts_of.reshape(-1).tolist(), in_order(experts_of.reshape(-1).tolist())
    out = empty((4, 2, 6) if padded else (active or 10, 6), F16 if mode < 0 else I8)
    index, counts, before, scales = (
        empty((10,), I32),
        empty((4,), I32),
        empty((4,), I32),
        empty((8,) if padded else (active or 10,)),
    )
    operands = {"expanded_x_out": out, "expanded_row_idx_out": index, "expert_tokens_count_or_cumsum_out": counts}
    operands |= {
        "expert_tokens_before_capacity_out": before,
        "active_num": active,
        "expert_capacity": 2,
        "expert_num": 4,
    }
    operands |= {
        "drop_pad_mode": padded,
        "expert_tokens_count_or_cumsum_flag": flag,
        "expert_tokens_before_capacity_flag": True,
    }
    factor = shift = None
    if mode >= 0:
        factor = random(rng, (1,), spread=30) if mode == 0 else (random(rng, (6,)) if smooth else None)
        shift = random(rng, (1,)) if mode == 0 else None
        operands |= {"quant_mode": mode, "scale": factor, "offset": shift, "dynamic_quant_scale_out": scales}
    call(name, x=x, expert_idx=experts, **operands)
    histogram = [flat.count(e) for e in range(4)]
    rows = numbers(x)
    codes, steps = (
        (rows, None)
        if mode < 0
        else coded(rows, mode, None if factor is None else numbers(factor), None if shift is None else numbers(shift))
    )
    if not padded:
        same(counts, np.cumsum(histogram) if flag == 1 else histogram)
        same(before, np.full(4, -77))
    else:
        same(before, histogram)
    found = numbers(out).reshape(-1, 6)
    taken = dict.fromkeys(range(4), 0)
    used = set()
    for place, i in enumerate(order):
        slot = place
        if padded:
            slot = flat[i] * 2 + taken[flat[i]]
            taken[flat[i]] += 1
            slot = slot if taken[flat[i]] <= 2 else -1
        assert index[i] == slot
        if 0 <= slot < len(found):
            used.add(slot)
            np.testing.assert_array_equal(found[slot], codes[i // 2])
            if mode == 1:
                assert float(scales[slot]) == pytest.approx(steps[i // 2], rel=1e-5)
    for slot in set(range(len(found))) - used:
        np.testing.assert_array_equal(found[slot], np.zeros(6))


@pytest.mark.parametrize("kind", [F32, F16, BF16, I8, torch.float8_e5m2, torch.float8_e4m3fn])
@pytest.mark.parametrize("scale_kind", [F32, torch.float8_e8m0fnu])
def test_init_routing_v3_moves_rows_with_their_scales(kind, scale_kind):
    rng = np.random.default_rng(14)
    flat = rng.integers(0, 4, 6).tolist()
    x, scale = random(rng, (6, 3), kind), torch.from_numpy(2.0 ** rng.integers(-3, 4, 6)).to(scale_kind)
    out, scales = empty((6, 3), kind), torch.full((6,), 64.0).to(scale_kind)
    call("aclnnMoeInitRoutingV3", x=x, expert_idx=torch.tensor(flat, dtype=I32).reshape(6, 1), scale=scale, active_num=0,
         expert_capacity=0, expert_num=4, drop_pad_mode=0, expert_tokens_num_type=1, expert_tokens_num_flag=False,
         quant_mode=-1, row_idx_type=0, expanded_x_out=out, expanded_row_idx_out=empty((6,), I32),
         expert_tokens_count_or_cumsum_out=empty((4,), I64), expanded_scale_out=scales)  # fmt: skip
    order = in_order(flat)
    same(out, numbers(x)[order])
    same(scales, numbers(scale)[order])


@pytest.mark.parametrize("mode", [-1, 0, 1, 13])
@pytest.mark.parametrize("index_kind", [0, 1])
@pytest.mark.parametrize("numbers_kind", [0, 1, 2])
@pytest.mark.parametrize("experts_range", [None, (1, 3)])
def test_init_routing_v3(mode, index_kind, numbers_kind, experts_range):
    rng = np.random.default_rng(5)
    first, last = experts_range or (0, 4)
    experts_of = rng.integers(0, 4, (5, 2))
    x, flat = random(rng, (5, 8), BF16), experts_of.reshape(-1).tolist()
    order = [i for i in in_order(flat) if first <= flat[i] < last]
    out = empty((10, 8 if mode != 13 else 1), {-1: BF16, 13: I32}.get(mode, I8))
    index, counts = empty((10,), I32), empty((last - first, 2) if numbers_kind == 2 else (last - first,), I64)
    scale = {-1: random(rng, (5,)), 0: random(rng, (1,), spread=30), 1: random(rng, (last - first, 8)), 13: None}[mode]
    shift, scales = random(rng, (1,)) if mode == 0 else None, empty((10,))
    call(
        "aclnnMoeInitRoutingV3",
        x=x,
        expert_idx=torch.from_numpy(experts_of).to(I32),
        scale=scale,
        offset=shift,
        active_num=0,
        expert_capacity=0,
        expert_num=4,
        drop_pad_mode=0,
        expert_tokens_num_type=numbers_kind,
        expert_tokens_num_flag=True,
        quant_mode=mode,
        active_expert_range=experts_range,
        row_idx_type=index_kind,
        expanded_x_out=out,
        expanded_row_idx_out=index,
        expert_tokens_count_or_cumsum_out=counts,
        expanded_scale_out=scales,
    )
    histogram = [flat.count(e) for e in range(first, last)]
    if numbers_kind == 2:
        pairs = [(e, n) for e, n in zip(range(first, last), histogram, strict=True) if n]
        same(counts, pairs + [(0, 0)] * (last - first - len(pairs)))
    else:
        same(counts, np.cumsum(histogram) if numbers_kind == 0 else histogram)
    if index_kind == 1:
        same(index[: len(order)], order)
    else:
        same(index, [order.index(i) if i in order else -1 for i in range(10)])
    for place, i in enumerate(order):
        row = numbers(x)[i // 2]
        if mode == -1:
            same(out[place], row)
            close(scales[place], numbers(scale)[i // 2])
        elif mode == 0:
            same(out[place], [whole(v * numbers(scale)[0] + numbers(shift)[0]) for v in row])
        else:
            smoothed = row * (1 if scale is None else numbers(scale)[flat[i] - first])
            step = np.abs(smoothed).max() / (127 if mode == 1 else 7)
            close(scales[place], step)
            if mode == 1:
                same(out[place], [whole(v / step) for v in smoothed])
            else:
                word = int(out[place, 0]) & 0xFFFFFFFF
                got = [(word >> 4 * k & 15) - (16 if word >> 4 * k & 8 else 0) for k in range(8)]
                assert got == [whole(v / step, -8, 7) for v in smoothed]


def test_init_routing_v3_with_room_for_two_and_what_is_not_modelled():
    x, experts = torch.arange(6.0).reshape(3, 2), torch.tensor([[0], [0], [0]], dtype=I32)
    operands = {
        "x": x,
        "expert_idx": experts,
        "active_num": 0,
        "expert_capacity": 2,
        "expert_num": 2,
        "drop_pad_mode": 1,
        "expert_tokens_num_type": 1,
        "expert_tokens_num_flag": True,
        "active_expert_range": (0, 2),
        "row_idx_type": 0,
    }
    out, index, counts = empty((2, 2, 2)), empty((3,), I32), empty((2,), I64)
    results = {"expanded_x_out": out, "expanded_row_idx_out": index, "expert_tokens_count_or_cumsum_out": counts}
    call("aclnnMoeInitRoutingV3", **operands, quant_mode=-1, **results, expanded_scale_out=empty((4,)))
    same(out, [[[0, 1], [2, 3]], [[0, 0], [0, 0]]])
    same(index, [0, 1, -1])
    same(counts, [3, 0])
    with pytest.raises(NotImplementedError, match="quantMode 2"):
        call("aclnnMoeInitRoutingV3", **operands, quant_mode=2, **results, expanded_scale_out=empty((4,)))


@pytest.mark.parametrize("padded", [0, 1])
@pytest.mark.parametrize("active", [0, 4])
def test_init_routing_v2_grad(padded, active):
    rng = np.random.default_rng(6)
    grad = random(rng, (2, 3, 4) if padded else (active or 6, 4), BF16)
    index = torch.tensor([4, -1, 0, 5, 2, 1] if padded else [4, 3, 0, 5, 2, 1], dtype=I32)
    out = empty((3, 4), BF16)
    call(
        "aclnnMoeInitRoutingV2Grad",
        grad_expanded_x=grad,
        expanded_row_idx=index,
        top_k=2,
        drop_pad_mode=padded,
        active_num=active,
        out=out,
    )
    flat, wanted = numbers(grad).reshape(-1, 4), np.zeros((3, 4))
    for i, place in enumerate(index.tolist()):
        if 0 <= place < (len(flat) if padded or not active else active):
            wanted[i // 2] += flat[place]
    close(out, wanted)


@pytest.mark.parametrize(
    "name, mode", [("aclnnMoeFinalizeRouting", 0)] + [("aclnnMoeFinalizeRoutingV2", m) for m in range(4)]
)
@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("full", [False, True])
def test_finalize_routing(name, mode, kind, full):
    rng = np.random.default_rng(7)
    share = 2 if full else 1
    padded = mode in (1, 3)
    expanded = random(rng, (3, 2, 5) if padded else (4 * share, 5), kind)
    places = rng.permutation(6 if padded else 4 * share)[: 4 * share].tolist() + [-1] * (
        max(0, 4 * share - 6) if padded else 0
    )
    if padded:
        places[1] = -1
    x1, x2, bias, scales = (random(rng, s, kind) for s in ((4, 5), (4, 5), (3, 5), (4, 2)))
    experts, out = torch.from_numpy(rng.integers(0, 3, (4, 2))).to(I32), empty((4, 5), kind)
    operands = {"expanded_x": expanded, "expanded_row_idx": torch.tensor(places, dtype=I32), "out": out}
    if full:
        operands |= {"x1": x1, "x2": x2, "bias": bias, "scales": scales}
        operands |= {"expert_idx": experts} if name.endswith("V2") else {"expanded_expert_idx": experts}
    operands |= {"drop_pad_mode": mode} if name.endswith("V2") else {}
    call(name, **operands)
    flat = numbers(expanded).reshape(-1, 5)
    for i in range(4):
        row = numbers(x1)[i] + numbers(x2)[i] if full else np.zeros(5)
        for k in range(share):
            place = places[i + 4 * k] if mode < 2 else places[i * share + k]
            if place < 0:
                continue
            value = flat[place] + (numbers(bias)[int(experts[i, k])] if full else 0)
            row = row + value * (float(numbers(scales)[i, k]) if full else 1)
        close(out[i], row)


@pytest.mark.parametrize("with_bias", [False, True])
def test_finalize_routing_v2_grad(with_bias):
    rng = np.random.default_rng(8)
    grad, scales, expanded, bias = (random(rng, s) for s in ((3, 4), (3, 2), (5, 4), (2, 4)))
    index, experts = torch.tensor([4, -1, 0, 3, 2, 1], dtype=I32), torch.tensor([[0, 1]] * 3, dtype=I32)
    dx, dscales = empty((5, 4)), empty((3, 2))
    call(
        "aclnnMoeFinalizeRoutingV2Grad",
        grad_y=grad,
        expanded_row_idx=index,
        expanded_x=expanded,
        scales=scales,
        expert_idx=experts if with_bias else None,
        bias=bias if with_bias else None,
        drop_pad_mode=1,
        active_num=0,
        expert_num=1,
        expert_capacity=5,
        grad_expanded_x_out=dx,
        grad_scales_out=dscales,
    )
    want_x, want_s = np.zeros((5, 4)), np.zeros((3, 2))
    for i, place in enumerate(index.tolist()):
        if place >= 0:
            want_x[place] = numbers(grad)[i // 2] * numbers(scales)[i // 2, i % 2]
            value = numbers(expanded)[place] + (numbers(bias)[i % 2] if with_bias else 0)
            want_s[i // 2, i % 2] = (value * numbers(grad)[i // 2]).sum()
    close(dx, want_x)
    close(dscales, want_s)


@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("share", [None, 1, 3])
@pytest.mark.parametrize("kept", [None, 5])
def test_permute_and_its_gradient(kind, share, kept):
    rng = np.random.default_rng(9)
    count, rows = share or 1, 4
    indices = torch.from_numpy(rng.integers(0, 5, (rows,) if share is None else (rows, share)))
    kept = min(kept or rows * count, rows * count)
    tokens, out, index = random(rng, (rows, 3), kind), empty((kept, 3), kind), empty((rows * count,), I32)
    call(
        "aclnnMoeTokenPermute",
        tokens=tokens,
        indices=indices,
        num_out_tokens=kept,
        padded_mode=False,
        permute_tokens_out=out,
        sorted_indices_out=index,
    )
    order = in_order(indices.reshape(-1).tolist())
    same(index, [order.index(i) for i in range(rows * count)])
    same(out, [numbers(tokens)[i // count] for i in order[:kept]])
    grad, back = random(rng, (kept, 3), kind), empty((rows, 3), kind)
    call(
        "aclnnMoeTokenPermuteGrad",
        permuted_output_grad=grad,
        sorted_indices=index,
        num_topk=count,
        padded_mode=False,
        out=back,
    )
    wanted = np.zeros((rows, 3))
    for place, i in enumerate(order[:kept]):
        wanted[i // count] += numbers(grad)[place]
    close(back, wanted)


@pytest.mark.parametrize("kind", [F32, F16, BF16])
@pytest.mark.parametrize("share", [None, 2])
def test_unpermute_and_its_gradient(kind, share):
    rng = np.random.default_rng(10)
    count, rows = share or 1, 4
    index = torch.from_numpy(rng.permutation(rows * count)).to(I32)
    tokens, out = random(rng, (rows * count, 3), kind), empty((rows, 3), kind)
    probs = None if share is None else random(rng, (rows, share), kind)
    call(
        "aclnnMoeTokenUnpermute", permuted_tokens=tokens, sorted_indices=index, probs=probs, padded_mode=False, out=out
    )
    weight = np.ones((rows, count)) if probs is None else numbers(probs)
    wanted = np.zeros((rows, 3))
    for i, place in enumerate(index.tolist()):
        wanted[i // count] += numbers(tokens)[place] * weight[i // count, i % count]
    close(out, wanted)
    grad, dx, dp = random(rng, (rows, 3), kind), empty((rows * count, 3), kind), empty((rows, count), kind)
    call(
        "aclnnMoeTokenUnpermuteGrad",
        permute_tokens=tokens,
        unpermuted_tokens_grad=grad,
        sorted_indices=index,
        probs=probs,
        padded_mode=False,
        permuted_tokens_grad_out=dx,
        probs_grad_out=dp,
    )
    want_x, want_p = np.zeros((rows * count, 3)), np.zeros((rows, count))
    for i, place in enumerate(index.tolist()):
        want_x[place] = numbers(grad)[i // count] * weight[i // count, i % count]
        want_p[i // count, i % count] = (numbers(tokens)[place] * numbers(grad)[i // count]).sum()
    close(dx, want_x)
    if share:
        close(dp, want_p)


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
@pytest.mark.parametrize("with_scales", [False, True])
@pytest.mark.parametrize("ranges", [False, True])
def test_finalize_routing_v4_knows_experts_that_do_not_compute(mode, with_scales, ranges):
    rng = np.random.default_rng(11)
    expanded, x, x1 = random(rng, (8, 3)), random(rng, (4, 3)), random(rng, (4, 3))
    bias, a1, a2, v = random(rng, (6, 3)), random(rng, (2, 3)), random(rng, (2, 3)), random(rng, (2, 3))
    scales, experts = (
        random(rng, (4, 2)) if with_scales else None,
        torch.tensor([[0, 3], [2, 5], [4, 1], [3, 4]], dtype=I32),
    )
    places = rng.permutation(8)
    places[3] = -1 if mode in (1, 3) else places[3]
    out = empty((4, 3))
    spans = ((2, 3), (3, 4), (4, 6)) if ranges else (None, None, None)
    call(
        "aclnnMoeFinalizeRoutingV4",
        expanded_x=expanded,
        expanded_row_idx=torch.from_numpy(places).to(I32),
        x1=x1,
        bias=bias,
        scales=scales,
        expert_idx=experts,
        x=x,
        a1=a1,
        a2=a2,
        v=v,
        drop_pad_mode=mode,
        zero_expert_range=spans[0],
        copy_expert_range=spans[1],
        constant_expert_range=spans[2],
        k=2,
        out=out,
    )
    for i in range(4):
        wanted = numbers(x1)[i].copy()
        for j in range(2):
            e, place = int(experts[i, j]), places[i + 4 * j] if mode < 2 else places[2 * i + j]
            factor = float(numbers(scales)[i, j]) if with_scales else 1.0
            if ranges and e == 2:
                continue
            if ranges and e == 3:
                row = numbers(x)[i]
            elif ranges and e >= 4:
                row = numbers(a1)[e - 4] * numbers(x)[i] + numbers(a2)[e - 4] * numbers(v)[e - 4]
            elif place < 0:
                continue
            else:
                row = numbers(expanded)[place]
            wanted += factor * (row + numbers(bias)[e])
        close(out[i], wanted)


@pytest.mark.parametrize("kind", [F32, F16, BF16, I8])
def test_permute_only_moves(kind):
    rng = np.random.default_rng(15)
    tokens, experts, out = random(rng, (4, 3), kind), rng.integers(0, 5, (4, 2)), empty((8, 3), kind)
    call("aclnnMoeTokenPermute", tokens=tokens, indices=torch.from_numpy(experts), num_out_tokens=8, padded_mode=False,
         permute_tokens_out=out, sorted_indices_out=empty((8,), I32))  # fmt: skip
    same(out, [numbers(tokens)[i // 2] for i in in_order(experts.reshape(-1).tolist())])


def test_gating_v2_may_look_experts_up():
    x, table = random(np.random.default_rng(12), (2, 6)), torch.tensor([[5, 0], [1, 2], [3, 3]], dtype=I32)
    common = {
        "x": x,
        "k": 2,
        "k_group": 1,
        "group_count": 1,
        "group_select_mode": 0,
        "renorm": 0,
        "norm_type": 1,
        "out_flag": False,
        "routed_scaling_factor": 1.0,
        "eps": 0.0,
    }
    y, index, other = empty((2, 2)), empty((2, 2), I32), empty((2, 2), I32)
    call(
        "aclnnMoeGatingTopKV2",
        **common,
        input_ids=torch.tensor([1, 0]),
        tid2eid=table,
        y_out=y,
        expert_idx_out=index,
        out_out=empty((0,)),
    )
    same(index, [[1, 2], [5, 0]])
    for i, row in enumerate(numbers(x)):
        chosen = [1 / (1 + math.exp(-row[e])) for e in index[i].tolist()]
        close(y[i], [c / sum(chosen) for c in chosen])
    call("aclnnMoeGatingTopKV2", **common, y_out=y, expert_idx_out=other, out_out=empty((0,)))
    same(other, [best(row, 2) for row in numbers(x)])
