"""Attention of inference: FusedInferAttentionScore, PromptFlashAttention and IncreFlashAttention with all their versions.

Keys and values are one tensor, a list with a tensor a sequence, or pages named by a block table; they may be quantised, and
so may the result. Rules: ``docs/semantics/fused_operators.md#attention``.
"""

from __future__ import annotations

from collections.abc import Sequence

import attrs
import torch
from torch import Tensor

from ascend_sim.aclnn.on_torch.fused.attention import (
    attend,
    hidden,
    lengths_of,
    positional_bias,
    probabilities,
    rows,
    scores,
)  # fmt: skip
from ascend_sim.aclnn.on_torch.fused.named import named_body
from ascend_sim.aclnn.on_torch.fused.quantization import dequantised_scale, store, unpack_int4

__all__ = ["fused_infer_attention_score", "incre_flash_attention", "paged", "prompt_flash_attention"]


@attrs.frozen
class KeyScales:
    """How integer keys (or values) become numbers: ``(x + offset) * scale``, each of the shape that *mode* says."""

    scale: Tensor | None
    offset: Tensor | None
    mode: int

    def numbers(self, values: Tensor, batch: int, begin: int, table: Tensor | None) -> Tensor:
        """The rows [heads, keys, width] of one sequence, whose first one is row *begin* of the tensor."""
        if self.scale is None:
            return values.float()
        offset = 0.0 if self.offset is None else self._shaped(self.offset, values, batch, begin, table)
        return (values.float() + offset) * self._shaped(self.scale, values, batch, begin, table)

    def _shaped(self, given: Tensor, values: Tensor, batch: int, begin: int, table: Tensor | None) -> Tensor:
        numbers, keys = given.float(), values.shape[1]
        heads = values.shape[0]
        if self.mode == 0:  # a channel, or one for all
            return numbers.reshape(()) if numbers.numel() == 1 else numbers.reshape(heads, 1, -1)
        if self.mode == 1:  # a token: [B, S] or [1, B, S]
            return numbers.reshape(-1, numbers.shape[-1])[batch, begin : begin + keys].reshape(1, keys, 1)
        if self.mode == 2:  # a head
            return numbers.reshape(heads, 1, 1)
        if self.mode == 3:  # a token and a head: [B, N, S]
            own = numbers.reshape(-1, heads, numbers.shape[-1])[batch, :, begin : begin + keys]
            return own.reshape(heads, keys, 1)
        if self.mode in (4, 5) and table is not None:  # the same in pages: [blocks, size] or [blocks, N, size]
            pages = numbers[table[batch].long().clamp(min=0)]
            per_head = pages.transpose(0, 1).flatten(1) if self.mode == 5 else pages.reshape(1, -1)
            return per_head[:, :keys].unsqueeze(-1)
        raise NotImplementedError(f"antiquant mode {self.mode} is not modelled")


def paged(cache: Tensor, table: Tensor, batch: int, keys: int, heads: int) -> Tensor:
    """The first *keys* rows [heads, keys, width] of a sequence whose pages *table* names.

    Pages are [blocks, size, heads * width], [blocks, heads, size, width] or [blocks, heads, width / 16, size, 16].
    """
    if cache.dim() == 5:
        cache = cache.transpose(2, 3).flatten(3)
    size = cache.shape[1] if cache.dim() == 3 else cache.shape[2]
    blocks = table[batch, : (keys + size - 1) // size].long()
    pages = cache[blocks]
    if pages.dim() == 3:
        pages = pages.unflatten(-1, (heads, -1)).transpose(1, 2)
    return pages.transpose(0, 1).flatten(1, 2)[:, :keys]


def _unpacked(values: Tensor) -> Tensor:
    return unpack_int4(values) if values.dtype == torch.int32 else values


@attrs.frozen
class Outputs:
    """Layouts of the inputs and of the output, out of one word: ``BNSD`` or ``BNSD_BSND``."""

    given: str
    wanted: str

    @classmethod
    def of(cls, word: str | None) -> Outputs:
        """Of the parameter inputLayout; BSH where nothing is said."""
        given, _, wanted = (word or "BSH").partition("_")
        return cls(given, wanted or given)

    @property
    def packed(self) -> bool:
        """Sequences lie behind each other, without a batch axis."""
        return self.given in ("TND", "NTD")


def _length(lengths: Sequence[int] | None, batch: int, whole: int) -> int:
    if not lengths:
        return whole
    return int(lengths[0] if len(lengths) == 1 else lengths[batch])


def _heads_of(tensor: Tensor, layout: str, told: int) -> int:
    axis = {"BNSD": 1, "BSND": 2, "TND": 1, "NTD": 0}.get(layout)
    return told if axis is None or tensor.dim() <= axis else tensor.shape[axis]


def _rows_of_mask(mask: Tensor, batch: int, first: tuple[int, int], size: tuple[int, int], single: bool) -> Tensor:
    """The places [queries, keys] of one sequence in a mask of sparse mode 0 or 1."""
    if mask.dim() == 2 and single:  # a row a sequence
        own = mask[batch if mask.shape[0] > 1 else 0].unsqueeze(0)
    elif mask.dim() == 2:
        own = mask
    else:
        own = mask.reshape(mask.shape[0], -1, mask.shape[-1])[batch if mask.shape[0] > 1 else 0]
    if own.shape[0] == 1 and size[0] == 1:
        return own[:, first[1] : first[1] + size[1]]
    return own[first[0] : first[0] + size[0], first[1] : first[1] + size[1]]


@attrs.frozen
class Call:
    """The operands of one call of any of the operators."""

    query: Tensor
    keys: Sequence[Tensor]
    values: Sequence[Tensor]
    layout: Outputs
    heads: int
    key_heads: int
    scale: float
    q_lengths: Sequence[int] | None
    k_lengths: Sequence[int] | None
    table: Tensor | None = None
    bias: Tensor | None = None
    bias_kind: int = 0
    starts: tuple[int, int] = (0, 0)
    mask: Tensor | None = None
    mode: int = 0
    band: tuple[int, int] = (0, 0)
    paddings: tuple[int | None, int | None] = (None, None)
    ropes: tuple[Tensor | None, Tensor | None] = (None, None)
    key_scales: KeyScales = KeyScales(None, None, 0)
    value_scales: KeyScales = KeyScales(None, None, 0)
    query_scale: Tensor | None = None
    shared: tuple[Tensor | None, Tensor | None] = (None, None)
    shared_length: int | None = None
    sink: Tensor | None = None
    integer: tuple[Tensor | None, Tensor | None, Tensor | None] = (None, None, None)
    """deqScale1, quantScale1 and deqScale2 of products in INT8."""

    def queries(self) -> list[tuple[int, int]]:
        """The rows of each sequence in the query."""
        if self.layout.packed:
            return lengths_of(self.q_lengths or ())
        along = {"BNSD": 2}.get(self.layout.given, 1)
        whole, batch = self.query.shape[along], self.query.shape[0]
        found = []
        for b in range(batch):
            count = _length(self.q_lengths, b, whole) if whole > 1 else whole
            begin = 0 if self.paddings[0] is None else whole - self.paddings[0] - count
            found.append((begin, begin + count))
        return found

    def keys_of(self, batch: int) -> tuple[int, int]:
        """The rows of one sequence in the key; with pages or a list from 0 on."""
        if self.table is not None:
            return 0, _length(self.k_lengths, batch, 0)
        if self.layout.packed:
            return lengths_of(self.k_lengths or ())[batch]
        whole = self.keys[0 if len(self.keys) == 1 else batch].shape[{"BNSD": 2}.get(self.layout.given, 1)]
        count = _length(self.k_lengths, batch, whole)
        begin = 0 if self.paddings[1] is None else whole - self.paddings[1] - count
        return begin, begin + count

    def taken(self, tensors: Sequence[Tensor], batch: int, span: tuple[int, int]) -> Tensor:
        """The rows [key heads, keys, width] of one sequence, INT4 taken out of INT32."""
        if self.table is not None:
            found = paged(tensors[0], self.table, batch, span[1], self.key_heads)
        else:
            single = len(tensors) == 1
            found = rows(
                tensors[0 if single else batch], self.layout.given, batch if single else 0, *span, self.key_heads
            )
        return _unpacked(found)

    def operands(self, batch: int, span: tuple[int, int], q_span: tuple[int, int]) -> tuple[Tensor, Tensor, Tensor]:
        """Query, key and value of one sequence in FLOAT: ropes behind query and key, the shared prefix before both."""
        query = rows(self.query, self.layout.given, batch, *q_span, self.heads).float()
        if self.query_scale is not None:
            own = self.query_scale.unsqueeze(-1) if self.layout.given != "BSH" else self.query_scale.float()
            query = query * rows(own, self.layout.given, batch, *q_span, self.heads)
        token = 0 if self.layout.packed and self.table is None else span[0]
        key = self.key_scales.numbers(self.taken(self.keys, batch, span), batch, token, self.table)
        value = self.value_scales.numbers(self.taken(self.values, batch, span), batch, token, self.table)
        if self.ropes[0] is not None and self.ropes[1] is not None:
            query = torch.cat((query, rows(self.ropes[0], self.layout.given, batch, *q_span, self.heads).float()), -1)
            key = torch.cat((key, self.taken([self.ropes[1]], batch, span).float()), -1)
        if self.shared[0] is not None and self.shared[1] is not None:
            layout = self.layout.given
            whole = self.shared[0].shape[{"BNSD": 2}.get(layout, 1)]
            count = whole if self.shared_length is None else self.shared_length
            before = (_unpacked(rows(part, layout, 0, 0, count, self.key_heads)) for part in self.shared if part is not None)
            first_key, first_value = before
            key = torch.cat((self.key_scales.numbers(first_key, batch, 0, None), key), 1)
            value = torch.cat((self.value_scales.numbers(first_value, batch, 0, None), value), 1)
        return query, key, value

    def unseen(self, batch: int, q_begin: int, k_begin: int, size: tuple[int, int]) -> Tensor | None:
        """The hidden places of one sequence."""
        whole = 2 if self.layout.packed else self.query.shape[{"BNSD": 2}.get(self.layout.given, 1)]
        single = whole == 1 and self.ropes[0] is None
        mode = self.mode
        if single:
            mode = 1 if self.mask is not None and mode in (0, 1) else 0
        own = None
        if self.mask is not None and mode in (0, 1):
            own = _rows_of_mask(self.mask, batch, (q_begin, k_begin), size, whole == 1)
        elif self.mask is not None and mode == 9:
            own = self._tree(batch, size[0])
        banded = not single and self.paddings == (None, None)
        return hidden(mode, size, *self.band, own, banded=banded)

    def _tree(self, batch: int, count: int) -> Tensor:
        assert self.mask is not None
        if self.mask.dim() > 1:
            return self.mask[batch, :count, :count]
        before = sum((end - begin) ** 2 for begin, end in self.queries()[:batch])
        return self.mask[before : before + count * count].reshape(count, count)

    def run(self, out: Tensor, lse: Tensor | None, out_scale: Tensor | None, out_offset: Tensor | None) -> None:
        """Write the attention and, where *lse* is given, the logarithm of each row's sum of exponentials."""
        out.zero_()
        if lse is not None:
            lse.fill_(float("inf"))
        for batch, q_span in enumerate(self.queries()):
            span = self.keys_of(batch)
            if q_span[0] >= q_span[1]:
                continue
            query, key, value = self.operands(batch, span, q_span)
            size = q_span[1] - q_span[0], key.shape[1]
            bias = None
            if self.bias is not None:
                bias = positional_bias(self.bias, self.bias_kind, batch, size, self.starts)
            scale = self.scale if self.integer[0] is None else self.scale * float(dequantised_scale(self.integer[0]))
            scored = scores(query, key, scale, bias, False, self.unseen(batch, q_span[0], span[0], size))
            weights, top, total = probabilities(scored, self.sink)
            if self.integer[1] is not None and self.integer[2] is not None:
                codes = torch.round(weights * self.integer[1].float()).clamp(-128, 127)
                found = attend(codes, total, value) * float(dequantised_scale(self.integer[2]))
            else:
                found = attend(weights, total, value)
            own = rows(out, self.layout.wanted, batch, *q_span, self.heads)
            if out_scale is None:
                own.copy_(found)
            else:
                coded = torch.empty(found.shape, dtype=out.dtype)
                shift = 0.0 if out_offset is None else _by_channel(out_offset, self.heads)
                store(coded, found * _by_channel(out_scale, self.heads) + shift)
                own.copy_(coded)
            if lse is not None:
                found_lse = torch.where(total < 3e38, top + torch.log(total), float("inf"))
                rows(lse, "TND" if self.layout.packed else "BNSD", batch, *q_span, self.heads).copy_(found_lse)


def _by_channel(numbers: Tensor, heads: int) -> Tensor:
    return numbers.float().reshape(()) if numbers.numel() == 1 else numbers.float().reshape(heads, 1, -1)


def _padding(size: Tensor | None, lengths: Sequence[int] | None) -> int | None:
    """How far the rows stand from the right end: only where lengths are given too."""
    return None if size is None or not lengths else max(0, int(size.reshape(-1)[0]))


def _first(index: Sequence[int] | None) -> int:
    return int(index[0]) if index else 0


def _halves(both: Tensor | None) -> tuple[Tensor | None, Tensor | None]:
    """Scales of keys and values in one tensor, stacked along its first axis."""
    return (None, None) if both is None else (both[0], both[1])


@named_body(
    "aclnnFusedInferAttentionScore", "aclnnFusedInferAttentionScoreV2", "aclnnFusedInferAttentionScoreV3",
    "aclnnFusedInferAttentionScoreV4", "aclnnFusedInferAttentionScoreV5", float8=("attention_out",),
)  # fmt: skip
def fused_infer_attention_score(
    *, query: Tensor, key: Sequence[Tensor], value: Sequence[Tensor], pse_shift: Tensor | None, atten_mask: Tensor | None,
    actual_seq_lengths: Sequence[int] | None, actual_seq_lengths_kv: Sequence[int] | None, deq_scale1: Tensor | None,
    quant_scale1: Tensor | None, deq_scale2: Tensor | None, quant_scale2: Tensor | None, quant_offset2: Tensor | None,
    antiquant_scale: Tensor | None, antiquant_offset: Tensor | None, block_table: Tensor | None,
    query_padding_size: Tensor | None, kv_padding_size: Tensor | None, key_antiquant_scale: Tensor | None = None,
    key_antiquant_offset: Tensor | None = None, value_antiquant_scale: Tensor | None = None,
    value_antiquant_offset: Tensor | None = None, key_shared_prefix: Tensor | None = None,
    value_shared_prefix: Tensor | None = None, actual_shared_prefix_len: Sequence[int] | None = None,
    query_rope: Tensor | None = None, key_rope: Tensor | None = None, key_rope_antiquant_scale: Tensor | None = None,
    dequant_scale_query: Tensor | None = None, learnable_sink: Tensor | None = None,
    q_start_idx: Sequence[int] | None = None, kv_start_idx: Sequence[int] | None = None, num_heads: int,
    scale_value: float, pre_tokens: int, next_tokens: int, input_layout: str | None, num_key_value_heads: int,
    sparse_mode: int, inner_precise: int, block_size: int, antiquant_mode: int, softmax_lse_flag: bool,
    key_antiquant_mode: int = 0, value_antiquant_mode: int = 0, query_quant_mode: int = 0, pse_type: int = 0,
    attention_out: Tensor, softmax_lse: Tensor | None,
) -> None:  # fmt: skip
    """Prompts and single tokens; the later versions add separate scales, a shared prefix, ropes, a sink, inner biases."""
    if key_antiquant_scale is not None:
        modes = key_antiquant_mode, value_antiquant_mode
        scales = (key_antiquant_scale, value_antiquant_scale), (key_antiquant_offset, value_antiquant_offset)
    else:
        modes = antiquant_mode, antiquant_mode
        scales = _halves(antiquant_scale), _halves(antiquant_offset)
    layout = Outputs.of(input_layout)
    call = Call(
        query, key, value, layout, num_heads, num_key_value_heads or num_heads, scale_value, actual_seq_lengths,
        actual_seq_lengths_kv, block_table, pse_shift, pse_type, (_first(q_start_idx), _first(kv_start_idx)), atten_mask,
        sparse_mode, (pre_tokens, next_tokens),
        (_padding(query_padding_size, actual_seq_lengths), _padding(kv_padding_size, actual_seq_lengths_kv)),
        (query_rope, key_rope), KeyScales(scales[0][0], scales[1][0], modes[0]),
        KeyScales(scales[0][1], scales[1][1], modes[1]), dequant_scale_query, (key_shared_prefix, value_shared_prefix),
        None if actual_shared_prefix_len is None else int(actual_shared_prefix_len[0]), learnable_sink,
        (deq_scale1, quant_scale1, deq_scale2),
    )  # fmt: skip
    call.run(attention_out, softmax_lse if softmax_lse_flag else None, quant_scale2, quant_offset2)


@named_body("aclnnPromptFlashAttention", "aclnnPromptFlashAttentionV2", "aclnnPromptFlashAttentionV3")
def prompt_flash_attention(
    *, query: Tensor, key: Tensor, value: Tensor, pse_shift: Tensor | None, atten_mask: Tensor | None,
    actual_seq_lengths: Sequence[int] | None, actual_seq_lengths_kv: Sequence[int] | None = None,
    deq_scale1: Tensor | None = None, quant_scale1: Tensor | None = None, deq_scale2: Tensor | None = None,
    quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None, num_heads: int, scale_value: float,
    pre_tokens: int, next_tokens: int, input_layout: str | None, num_key_value_heads: int, sparse_mode: int = 0,
    inner_precise: int = 0, attention_out: Tensor,
) -> None:  # fmt: skip
    """Attention of whole prompts."""
    call = Call(
        query, [key], [value], Outputs.of(input_layout), num_heads, num_key_value_heads or num_heads, scale_value,
        actual_seq_lengths, actual_seq_lengths_kv, None, pse_shift, 0, (0, 0), atten_mask, sparse_mode,
        (pre_tokens, next_tokens), integer=(deq_scale1, quant_scale1, deq_scale2),
    )  # fmt: skip
    call.run(attention_out, None, quant_scale2, quant_offset2)


@named_body(
    "aclnnIncreFlashAttention", "aclnnIncreFlashAttentionV2", "aclnnIncreFlashAttentionV3", "aclnnIncreFlashAttentionV4",
    blocktable="block_table",
)  # fmt: skip
def incre_flash_attention(
    *, query: Tensor, key: Sequence[Tensor], value: Sequence[Tensor], pse_shift: Tensor | None, atten_mask: Tensor | None,
    actual_seq_lengths: Sequence[int] | None, dequant_scale1: Tensor | None = None, quant_scale1: Tensor | None = None,
    dequant_scale2: Tensor | None = None, quant_scale2: Tensor | None = None, quant_offset2: Tensor | None = None,
    antiquant_scale: Tensor | None = None, antiquant_offset: Tensor | None = None, block_table: Tensor | None = None,
    kv_padding_size: Tensor | None = None, num_heads: int, scale_value: float, input_layout: str | None,
    num_key_value_heads: int, block_size: int = 0, inner_precise: int = 0, attention_out: Tensor,
) -> None:  # fmt: skip
    """Attention of one new token a sequence; actualSeqLengths are those of the keys."""
    scale, offset = _halves(antiquant_scale), _halves(antiquant_offset)
    call = Call(
        query, key, value, Outputs.of(input_layout), num_heads, num_key_value_heads or num_heads, scale_value, None,
        actual_seq_lengths, block_table, pse_shift, 0, (0, 0), atten_mask, 0, (0, 0),
        (None, _padding(kv_padding_size, actual_seq_lengths)), key_scales=KeyScales(scale[0], offset[0], 0),
        value_scales=KeyScales(scale[1], offset[1], 0), integer=(dequant_scale1, quant_scale1, dequant_scale2),
    )  # fmt: skip
    call.run(attention_out, None, quant_scale2, quant_offset2)
