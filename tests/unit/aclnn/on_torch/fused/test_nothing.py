"""The fused operators of serving upon tensors without elements: no tokens, no sequences, no keys, no groups."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from tests.kit.tensors import call, empty, numbers, random, same, torch

import ascend_sim.aclnn.on_torch.shapes  # noqa: F401  isort: skip
from ascend_sim.aclnn.loading import torch_bodies

F32, F16, BF16, I8, I32, I64 = torch.float32, torch.float16, torch.bfloat16, torch.int8, torch.int32, torch.int64
torch_bodies()
RNG = np.random.default_rng(1)
LOWEST = float(np.finfo(np.float32).min)
ATTENTION = {"scale_value": 0.5, "pre_tokens": 2**31 - 1, "next_tokens": 2**31 - 1, "sparse_mode": 0, "inner_precise": 0}
TRAINED = {
    **ATTENTION, "keep_prob": 1.0, "head_num": 2, "input_layout": "BNSD", "pse_type": 1, "softmax_out_layout": "",
    "seed": 0, "offset": 0, "out_dtype": 0,
}  # fmt: skip
SERVED = {
    **ATTENTION, "num_heads": 2, "num_key_value_heads": 2, "input_layout": "BNSD", "block_size": 0, "antiquant_mode": 0,
    "softmax_lse_flag": True, "key_antiquant_mode": 0, "value_antiquant_mode": 0, "query_quant_mode": 0, "pse_type": 0,
}  # fmt: skip


def states(*shape: int, kind: Any = F16) -> Any:
    return random(RNG, shape, kind)


def attention(queries: int, keys: int, batch: int = 2) -> dict[str, Any]:
    return {
        "query": states(batch, 2, queries, 4), "key": states(batch, 2, keys, 4), "value": states(batch, 2, keys, 4),
    }  # fmt: skip


def norm(n: int) -> dict[str, Any]:
    return {"gamma": states(8), "epsilon": 1e-6, "rstd_out": empty((n, 1))}


def routed(n: int, experts: int, **more: Any) -> dict[str, Any]:
    return {
        "x": states(n, 4), "expert_idx": empty((n, 2), I32), "active_num": 0, "expert_capacity": 0,
        "expert_num": experts, "drop_pad_mode": 0, "expert_tokens_count_or_cumsum_flag": 2,
        "expert_tokens_before_capacity_flag": False, "expanded_x_out": empty((n * 2, 4), F16),
        "expanded_row_idx_out": empty((n * 2,), I32), "expert_tokens_count_or_cumsum_out": empty((experts,), I32), **more,
    }  # fmt: skip


def cached(mode: str) -> dict[str, Any]:
    shape = (0, 1, 10) if mode == "Norm" else (5, 2, 1)
    return {
        "kv": states(0, 1, 3, 96), "gamma": states(64), "cos": states(0, 1, 3, 32), "sin": states(0, 1, 3, 32),
        "index": empty((0, 3) if mode == "Norm" else (0,), I64), "k_cache": empty((*shape, 32), F16),
        "ckv_cache": empty((*shape, 64), F16), "epsilon": 1e-5, "cache_mode": mode, "is_output_kv": True,
        "k_rope_out": empty((0, 1, 3, 32), F16), "c_kv_out": empty((0, 1, 3, 64), F16),
    }  # fmt: skip


CALLS = {
    "aclnnRmsNorm": {"x": states(0, 8), "y_out": empty((0, 8), F16), **norm(0)},
    "aclnnGemmaRmsNorm": {"x": states(0, 8), "y_out": empty((0, 8), F16), **norm(0)},
    "aclnnAddRmsNorm": {
        "x1": states(0, 8), "x2": states(0, 8), "y_out": empty((0, 8), F16), "x_out": empty((0, 8), F16), **norm(0),
    },
    "aclnnInplaceAddRmsNorm": {"x1": states(0, 8), "x2": states(0, 8), **norm(0)},
    "aclnnAddRmsNormQuant": {
        "x1": states(0, 8), "x2": states(0, 8), "gamma": states(8), "scales1": states(8), "axis": -1, "epsilon": 1e-6,
        "div_mode": True, "y1_out": empty((0, 8), I8), "y2_out": empty((0, 8), I8), "x_out": empty((0, 8), F16),
    },
    "aclnnSwiGlu": {"x": states(3, 0), "dim": -1, "out": empty((3, 0), F16)},
    "aclnnRotaryPositionEmbedding": {
        "x": states(2, 0, 4, 8), "cos": states(1, 0, 1, 8), "sin": states(1, 0, 1, 8), "mode": 0,
        "out": empty((2, 0, 4, 8), F16),
    },
    "aclnnApplyRotaryPosEmb": {
        "query": states(2, 0, 4, 8), "key": states(2, 0, 1, 8), "cos": states(2, 0, 1, 8), "sin": states(2, 0, 1, 8),
        "layout": 1,
    },
    "aclnnDynamicQuant": {"x": states(0, 8), "y_out": empty((0, 8), I8), "scale_out": empty((0,))},
    "aclnnDynamicQuantV2": {
        "x": states(0, 8), "dst_type": 2, "y_out": empty((0, 8), I8), "scale_out": empty((0,)), "offset_out": empty((0,)),
    },
    "aclnnQuantMatmulV4": {
        "x1": empty((0, 4), I8), "x2": empty((4, 5), I8), "scale": states(5, kind=F32), "transpose_x1": False,
        "transpose_x2": False, "pertoken_scale": empty((0,)), "out": empty((0, 5), F16),
    },
    "aclnnScatterPaKvCache": {
        "key": states(0, 2, 16), "key_cache": empty((4, 2, 2, 16), F16), "slot_mapping": empty((0,), I32),
        "value": states(0, 2, 16), "value_cache": empty((4, 2, 2, 16), F16), "cache_mode": "Norm", "scatter_mode": "None",
    },
    "aclnnScatterPaCache": {
        "key": states(0, 2, 16), "key_cache": empty((4, 2, 2, 16), F16), "slot_mapping": empty((0,), I64),
        "cache_mode": "Norm",
    },
    "aclnnMoeGatingTopKSoftmax": {
        "x": states(0, 6), "k": 2, "y_out": empty((0, 2), F16), "expert_idx_out": empty((0, 2), I32),
        "row_idx_out": empty((0, 2), I32),
    },
    "aclnnMoeGatingTopK": {
        "x": states(0, 16), "k": 3, "k_group": 2, "group_count": 4, "group_select_mode": 1, "renorm": 0, "norm_type": 0,
        "out_flag": True, "routed_scaling_factor": 1.0, "eps": 1e-20, "y_out": empty((0, 3), F16),
        "expert_idx_out": empty((0, 3), I32), "out_out": empty((0, 16)),
    },
    "aclnnMoeFinalizeRouting": {
        "expanded_x": states(0, 5), "expanded_row_idx": empty((0,), I32), "scales": states(0, 2),
        "expanded_expert_idx": empty((0, 2), I32), "bias": states(3, 5), "out": empty((0, 5), F16),
    },
    "aclnnMoeFinalizeRoutingV2": {
        "expanded_x": states(0, 5), "expanded_row_idx": empty((0,), I32), "scales": states(0, 2),
        "expert_idx": empty((0, 2), I32), "bias": states(3, 5), "drop_pad_mode": 2, "out": empty((0, 5), F16),
    },
    "aclnnMoeInitRouting": {
        "x": states(0, 4), "row_idx": empty((0, 2), I32), "expert_idx": empty((0, 2), I32), "active_num": 0,
        "expanded_x_out": empty((0, 4), F16), "expanded_row_idx_out": empty((0,), I32),
        "expanded_expert_idx_out": empty((0,), I32),
    },
    "aclnnMoeTokenPermute": {
        "tokens": states(0, 4), "indices": empty((0, 2), I32), "num_out_tokens": 0, "padded_mode": False,
        "permute_tokens_out": empty((0, 4), F16), "sorted_indices_out": empty((0,), I32),
    },
    "aclnnMoeTokenUnpermute": {
        "permuted_tokens": states(0, 4), "sorted_indices": empty((0,), I32), "probs": states(0, 2), "padded_mode": False,
        "out": empty((0, 4), F16),
    },
    "aclnnNpuFormatCast": {"src_tensor": states(0, 8), "dst_tensor": empty((0, 8), F16)},
}  # fmt: skip


@pytest.mark.parametrize("name", CALLS)
def test_no_tokens(name: str) -> None:
    """What has elements all the same (a cache, a table) keeps its values."""
    call(name, **CALLS[name])
    for key, value in CALLS[name].items():
        if key.endswith("_cache"):
            same(value, np.full(value.shape, -77))


@pytest.mark.parametrize("mode", ["Norm", "PA_BNSD", "PA_NZ"])
def test_no_sequences_for_a_cache(mode: str) -> None:
    operands = cached(mode)
    call("aclnnKvRmsNormRopeCache", **operands)
    for key in ("k_cache", "ckv_cache"):
        same(operands[key], np.full(operands[key].shape, -77))


@pytest.mark.parametrize("name", ["aclnnMoeInitRoutingV2", "aclnnMoeInitRoutingQuantV2"])
@pytest.mark.parametrize("flag", [1, 2])
def test_no_tokens_for_experts(name: str, flag: int) -> None:
    operands = routed(0, 3, expert_tokens_count_or_cumsum_flag=flag)
    if "Quant" in name:
        operands |= {
            "quant_mode": 1, "dynamic_quant_scale_out": empty((0,)), "expanded_x_out": empty((0, 4), I8),
        }  # fmt: skip
    call(name, **operands)
    same(operands["expert_tokens_count_or_cumsum_out"], [0, 0, 0])


@pytest.mark.parametrize("name", ["aclnnMoeFinalizeRouting", "aclnnMoeFinalizeRoutingV2"])
def test_tokens_that_no_expert_had_room_for(name: str) -> None:
    out, more = empty((3, 5)), {"drop_pad_mode": 3} if name.endswith("V2") else {}
    call(name, expanded_x=empty((0, 5)), expanded_row_idx=torch.full((6,), -1, dtype=I32), out=out, **more)
    same(out, np.zeros((3, 5)))


@pytest.mark.parametrize("queries, keys, batch", [(3, 4, 0), (0, 4, 2), (3, 0, 2)])
def test_attention_of_training(queries: int, keys: int, batch: int) -> None:
    """Queries that see no key give zeros (docs/semantics/fused_operators.md#attention)."""
    out = empty((batch, 2, queries, 4), F16)
    top, total = empty((batch, 2, queries, 8)), empty((batch, 2, queries, 8))
    call("aclnnFlashAttentionScore", **attention(queries, keys, batch), **_known("aclnnFlashAttentionScore", TRAINED),
         softmax_max_out=top, softmax_sum_out=total, softmax_out_out=empty((0,), F16), attention_out_out=out)  # fmt: skip
    same(out, np.zeros(out.shape))
    if not keys:
        np.testing.assert_allclose(numbers(top), np.full(top.shape, LOWEST), rtol=0.01)
        np.testing.assert_allclose(numbers(total), np.full(total.shape, -LOWEST), rtol=0.01)


@pytest.mark.parametrize("name", ["aclnnFusedInferAttentionScore", "aclnnFusedInferAttentionScoreV2"])
@pytest.mark.parametrize("queries, keys, batch", [(3, 4, 0), (0, 4, 2), (3, 0, 2)])
def test_attention_of_serving(name: str, queries: int, keys: int, batch: int) -> None:
    operands = attention(queries, keys, batch)
    operands |= {"key": [operands["key"]], "value": [operands["value"]]}
    out, lse = empty((batch, 2, queries, 4), F16), empty((batch, 2, queries, 1))
    call(name, **operands, **_known(name, SERVED), attention_out=out, softmax_lse=lse)
    same(out, np.zeros(out.shape))
    if not keys:
        same(lse, np.full(lse.shape, math.inf))


@pytest.mark.parametrize("name", ["aclnnPromptFlashAttention", "aclnnIncreFlashAttention"])
@pytest.mark.parametrize("keys, batch", [(4, 0), (0, 2)])
def test_prompts_and_single_tokens(name: str, keys: int, batch: int) -> None:
    operands = attention(1, keys, batch)
    if "Incre" in name:
        operands |= {"key": [operands["key"]], "value": [operands["value"]]}
    out = empty((batch, 2, 1, 4), F16)
    call(name, **operands, **_known(name, SERVED), attention_out=out)
    same(out, np.zeros(out.shape))


@pytest.mark.parametrize("rows, ends", [(0, [0, 0, 0]), (3, [0, 0, 3])])
@pytest.mark.parametrize("kind", [F32, F16, BF16])
def test_groups_of_no_rows(rows: int, ends: list[int], kind: Any) -> None:
    x, weight, out = states(rows, 4, kind=kind), states(3, 4, 5, kind=kind), empty((rows, 5), kind)
    call("aclnnGroupedMatmulV4", x=[x], weight=[weight], group_list=torch.tensor(ends), split_item=3, group_type=0,
         group_list_type=0, act_type=0, out=[out])  # fmt: skip
    wanted = (numbers(x)[:, :, None] * numbers(weight)[2][None]).sum(1)
    np.testing.assert_allclose(numbers(out), wanted, rtol=0.02, atol=0.02)


def test_a_product_over_nothing() -> None:
    out = empty((2, 5))
    call("aclnnGroupedMatmulV4", x=[empty((2, 0))], weight=[empty((1, 0, 5))], group_list=torch.tensor([2]), split_item=3,
         group_type=0, group_list_type=0, act_type=0, out=[out])  # fmt: skip
    same(out, np.zeros((2, 5)))


def _known(name: str, operands: dict[str, Any]) -> dict[str, Any]:
    """Those of *operands* that the version has."""
    from ascend_sim.aclnn.on_torch.fused.named import python_name
    from ascend_sim.catalogue.aclnn import operators

    known = {python_name(parameter.name) for parameter in operators()[name].parameters}
    return {key: value for key, value in operands.items() if key in known}
