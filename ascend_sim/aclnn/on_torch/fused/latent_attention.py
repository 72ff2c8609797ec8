"""What comes before multi-head latent attention: queries and compressed keys of new tokens, the latter into their caches.

Rules: ``docs/semantics/fused_operators.md#attention``.
"""

from __future__ import annotations

import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.caches import coded, to_cache
from ascend_sim.aclnn.on_torch.fused.fused_norms import rms_normed
from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import quantise_rows
from ascend_sim.aclnn.on_torch.fused.rotary import rotated

__all__ = ["mla_prolog"]


def _times(x: Tensor, weight: Tensor, row_scale: Tensor | None, column_scale: Tensor | None) -> Tensor:
    """``x @ weight`` in FLOAT; integers exactly, with the scales of rows and columns behind."""
    product = (x.double() @ weight.double()).float()
    if row_scale is not None and x.dtype == torch.int8:
        product = product * row_scale.float().reshape(-1, 1)
    if column_scale is not None and weight.dtype == torch.int8:
        product = product * column_scale.float().reshape(1, -1)
    return product


@named_body("aclnnMlaProlog", "aclnnMlaPrologV2", "aclnnMlaPrologV2WeightNz", "aclnnMlaPrologV3WeightNz")
def mla_prolog(
    *, token_x: Tensor, weight_dq: Tensor, weight_uq_qr: Tensor, weight_uk: Tensor, weight_dkv_kr: Tensor,
    rmsnorm_gamma_cq: Tensor, rmsnorm_gamma_ckv: Tensor, rope_sin: Tensor, rope_cos: Tensor,
    cache_index: Tensor | None, kv_cache: Tensor, kr_cache: Tensor, dequant_scale_x: Tensor | None,
    dequant_scale_w_dq: Tensor | None, dequant_scale_w_uq_qr: Tensor | None, dequant_scale_w_dkv_kr: Tensor | None,
    quant_scale_ckv: Tensor | None, quant_scale_ckr: Tensor | None, smooth_scales_cq: Tensor | None,
    actual_seq_len: Tensor | None = None, k_nope_clip_alpha: Tensor | None = None, rmsnorm_epsilon_cq: float,
    rmsnorm_epsilon_ckv: float, cache_mode: str | None, weight_quant_mode: int = 0, kv_cache_quant_mode: int = 0,
    query_quant_mode: int = 0, ckvkr_repo_mode: int = 0, quant_scale_repo_mode: int = 0, tile_size: int = 0,
    qc_qr_scale: float = 1.0, kc_scale: float = 1.0, query_out: Tensor, query_rope_out: Tensor,
    dequant_scale_q_nope_out: Tensor | None = None, query_norm_out: Tensor | None = None,
    dequant_scale_q_norm_out: Tensor | None = None,
) -> None:  # fmt: skip
    """Queries (turned and not) as outputs, keys into both caches by slot; weights, caches and queries may be INT8."""
    if ckvkr_repo_mode or quant_scale_repo_mode or k_nope_clip_alpha is not None or cache_mode in ("BSND", "TND"):
        raise NotImplementedError(
            "caches in tiles, joined caches and caches without pages of MlaProlog are not modelled"
        )
    if query_out.dtype == torch.int8 and dequant_scale_q_nope_out is None:
        raise NotImplementedError("INT8 queries of MlaProlog without an output for their scales are not modelled")
    x = token_x.reshape(-1, token_x.shape[-1])
    heads, width, latent = weight_uk.shape
    cos, sin = (table.reshape(x.shape[0], 1, -1) for table in (rope_cos, rope_sin))
    low = _times(x, weight_dq, dequant_scale_x, dequant_scale_w_dq)
    low = rms_normed(low, rmsnorm_gamma_cq, rmsnorm_epsilon_cq)[0] * qc_qr_scale
    if weight_uq_qr.dtype == torch.int8:
        smoothed = low if smooth_scales_cq is None else low * smooth_scales_cq.float().reshape(-1)
        codes, row_scale = torch.empty(low.shape, dtype=torch.int8), torch.empty(x.shape[0])
        quantise_rows(smoothed, codes, row_scale)
        high = _times(codes, weight_uq_qr, row_scale, dequant_scale_w_uq_qr)
        _keep(query_norm_out, codes)
        _keep(dequant_scale_q_norm_out, row_scale)
    else:
        high = _times(low, weight_uq_qr, None, None)
        _keep(query_norm_out, low)
    high = high.unflatten(-1, (heads, -1))
    query = torch.einsum("tnd,ndh->tnh", high[..., :width], weight_uk.float())
    turned = rotated(high[..., width:], cos, sin, 3)
    if dequant_scale_q_nope_out is not None and query_out.dtype == torch.int8:
        turned = _quantised_query(query, turned, query_out, dequant_scale_q_nope_out, quant_scale_ckv)
    else:
        query_out.copy_(query.reshape(query_out.shape))
    query_rope_out.copy_(turned.reshape(query_rope_out.shape))
    keys = _times(x, weight_dkv_kr, dequant_scale_x, dequant_scale_w_dkv_kr)
    content = rms_normed(keys[:, :latent], rmsnorm_gamma_ckv, rmsnorm_epsilon_ckv)[0] * kc_scale
    rope = rotated(keys[:, latent:].unsqueeze(1), cos, sin, 3).squeeze(1)
    if cache_index is None:
        return
    mode = cache_mode or "PA_BSND"
    for cache, values, scale in ((kv_cache, content, quant_scale_ckv), (kr_cache, rope, quant_scale_ckr)):
        written = coded(values, cache, scale if cache.dtype == torch.int8 else None, None)
        to_cache(cache, written.reshape(1, 1, *values.shape), cache_index, "PA_NZ" if mode.endswith("NZ") else "PA")


def _keep(out: Tensor | None, values: Tensor) -> None:
    if out is not None and out.numel():
        out.copy_(values.reshape(out.shape))


def _quantised_query(
    query: Tensor, turned: Tensor, out: Tensor, scale_out: Tensor, cache_scale: Tensor | None
) -> Tensor:
    """INT8 queries with a scale a token, or a token and head; the turned part is brought to the scale of the products."""
    by_head = scale_out.numel() == query.shape[0] * query.shape[1] and query.shape[1] > 1
    rows = query if by_head else query.flatten(1)
    codes, scale = torch.empty(rows.shape, dtype=torch.int8), torch.empty(rows.shape[:-1])
    quantise_rows(rows, codes, scale)
    out.copy_(codes.reshape(out.shape))
    scale_out.copy_(scale.reshape(scale_out.shape))
    factor = 1.0 if cache_scale is None else float(cache_scale.reshape(-1)[0])
    wide = scale.unsqueeze(-1) if by_head else scale.reshape(-1, 1, 1)
    return turned * factor / wide
