"""The operators of torch_npu that serving code calls most, on device tensors, beside what torch computes on the CPU."""

# ruff: noqa: E741, RUF059 - results are unpacked by the names that the documents give them

import torch
import torch_npu
from telling import tell
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(0)
torch.npu.config.allow_internal_format = True
D = "npu"
h = torch.float16


def near(a, b, tol=3e-2):
    a, b = a.cpu().float(), b.cpu().float()
    assert a.shape == b.shape, (a.shape, b.shape)
    assert torch.allclose(a, b, rtol=tol, atol=tol), (a - b).abs().max()


h = torch.float16


def rms(x, g, e=1e-6):
    x = x.float()
    r = torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + e)
    return x * r * g.float()


x = torch.randn(4, 16).half()
g = torch.rand(16).half()
w = torch.randn(16, 32).half()


def check_rms():
    y, r = torch_npu.npu_rms_norm(x.to(D), g.to(D), 1e-6)
    near(y, rms(x, g))


def check_addrms():
    y, r, s = torch_npu.npu_add_rms_norm(x.to(D), x.to(D), g.to(D), 1e-6)
    near(y, rms(2 * x.float(), g))
    near(s, 2 * x)


def check_addrmsq():
    o = torch_npu.npu_add_rms_norm_quant(
        x.to(D), x.to(D), g.to(D), torch.full((16,), 0.05).to(D), torch.zeros(16, dtype=torch.int32).to(D), epsilon=1e-6
    )
    near(o[0], (rms(2 * x.float(), g) / 0.05).round().clamp(-128, 127), 1.01)


def check_swiglu():
    near(torch_npu.npu_swiglu(x.to(D)), F.silu(x[:, :8].float()) * x[:, 8:].float())


def check_dq():
    q, s = torch_npu.npu_dynamic_quant(x.to(D))
    near(q.cpu().float() * s.cpu()[:, None], x, 2e-2)
    q, s = torch_npu.npu_dynamic_quant(x.to(D), dst_type=torch.quint4x2)
    assert q.dtype == torch.int32 and q.shape == (4, 2)


def check_quantize():
    q = torch_npu.npu_quantize(x.to(D), torch.full((16,), 20.0).to(D), None, torch.qint8, -1, False)
    near(q, (x.float() * 20).round().clamp(-128, 127), 1.01)


def check_quantize2():
    q = torch_npu.npu_quantize(
        x.to(D), torch.full((16,), 0.05).to(D), torch.zeros(16, dtype=torch.int32).to(D), torch.qint8, -1, True
    )
    near(q, (x.float() / 0.05).round().clamp(-128, 127), 1.01)


a8 = torch.randint(-8, 8, (4, 16), dtype=torch.int8)
b8 = torch.randint(-8, 8, (16, 32), dtype=torch.int8)


def check_qmm():
    o = torch_npu.npu_quant_matmul(
        a8.to(D),
        b8.to(D),
        torch.full((32,), 0.1).to(D),
        pertoken_scale=torch.full((4,), 0.5).to(D),
        output_dtype=torch.bfloat16,
    )
    near(o, (a8.float() @ b8.float()) * 0.05)
    o = torch_npu.npu_quant_matmul(
        a8.to(D),
        b8.t().contiguous().to(D).t(),
        torch.full((32,), 0.1).to(D),
        pertoken_scale=torch.full((4,), 0.5).to(D),
        output_dtype=torch.bfloat16,
    )
    near(o, (a8.float() @ b8.float()) * 0.05)


def check_qmm_nz():
    wnz = torch_npu.npu_format_cast(b8.to(D), 29)
    o = torch_npu.npu_quant_matmul(
        a8.to(D),
        wnz,
        torch.full((32,), 0.1).to(D),
        pertoken_scale=torch.full((4,), 0.5).to(D),
        output_dtype=torch.bfloat16,
    )
    near(o, (a8.float() @ b8.float()) * 0.05)


def check_tqp():
    s = torch_npu.npu_trans_quant_param(torch.rand(32).to(D))
    assert s.dtype == torch.int64


def check_fc():
    z = torch_npu.npu_format_cast(w.to(D), 29)
    assert int(torch_npu.get_npu_format(z)) == 29, torch_npu.get_npu_format(z)
    near(z, w)
    near(torch_npu.npu_format_cast(z, 2), w)
    near(F.linear(x.to(D), torch_npu.npu_format_cast(w.t().contiguous().to(D), 29)), x.float() @ w.float(), 5e-2)


def check_wq():
    o = torch_npu.npu_weight_quant_batchmatmul(x.to(D), b8.to(D), torch.full((1, 32), 0.1).half().to(D))
    near(o, x.float() @ (b8.float() * 0.1), 5e-2)


def check_gmm():
    W = torch.randn(3, 16, 8).half()
    xs = torch.randn(6, 16).half()
    for kind, gl in ((0, [2, 2, 6]), (1, [2, 0, 4])):
        o = torch_npu.npu_grouped_matmul(
            [xs.to(D)], [W.to(D)], group_list=torch.tensor(gl).to(D), split_item=2, group_type=0, group_list_type=kind
        )[0]
        near(o, torch.cat((xs[:2].float() @ W[0].float(), xs[2:].float() @ W[2].float())), 5e-2)


def check_gmm8():
    W = torch.randint(-8, 8, (2, 16, 8), dtype=torch.int8)
    o = torch_npu.npu_grouped_matmul(
        [a8.to(D)],
        [W.to(D)],
        scale=[torch.full((2, 8), 0.1, dtype=torch.bfloat16).to(D)],
        per_token_scale=[torch.full((4,), 0.5).to(D)],
        group_list=torch.tensor([1, 4]).to(D),
        split_item=2,
        group_type=0,
        group_list_type=0,
        output_dtype=torch.bfloat16,
    )[0]
    near(o, torch.cat((a8[:1].float() @ W[0].float(), a8[1:].float() @ W[1].float())) * 0.05, 5e-2)


def check_gsq():
    W = torch.randint(-8, 8, (2, 16, 16), dtype=torch.int8)
    o = torch_npu.npu_grouped_matmul_swiglu_quant(
        a8.to(D),
        torch_npu.npu_format_cast(W.to(D), 29),
        group_list=torch.tensor([1, 4]).to(D),
        weight_scale=torch.full((2, 16), 0.01).to(D),
        x_scale=torch.full((4,), 0.5).to(D),
    )
    c = torch.cat((a8[:1].float() @ W[0].float(), a8[1:].float() @ W[1].float())) * 0.005
    near(o[0].cpu().float() * o[1].cpu()[:, None], F.silu(c[:, :8]) * c[:, 8:], 5e-2)


def check_dsq():
    xi = torch.randint(-50, 50, (4, 16), dtype=torch.int32)
    o = torch_npu.npu_dequant_swiglu_quant(
        xi.to(D),
        weight_scale=torch.full((1, 16), 0.02).to(D),
        activation_scale=torch.full((4, 1), 0.5).to(D),
        bias=None,
        quant_scale=None,
        quant_offset=None,
        group_index=torch.tensor([4]).to(D),
        activate_left=True,
        quant_mode=1,
    )
    c = xi.float() * 0.01
    near(o[0].cpu().float() * o[1].cpu()[:, None], F.silu(c[:, :8]) * c[:, 8:], 5e-2)


def check_rot():
    q = torch.randn(1, 4, 2, 8).half()
    c = torch.randn(1, 4, 1, 8).half()
    s = torch.randn(1, 4, 1, 8).half()
    r = torch.cat((-q[..., 4:], q[..., :4]), -1)
    near(torch_npu.npu_rotary_mul(q.to(D), c.to(D), s.to(D)), q.float() * c.float() + r.float() * s.float(), 5e-2)


def check_arp():
    q = torch.randn(1, 4, 2, 128).half()
    c = torch.randn(1, 4, 1, 128).half()
    a, b = torch_npu.npu_apply_rotary_pos_emb(q.to(D), q[:, :, :1].to(D), c.to(D), c.to(D))
    r = torch.cat((-q[..., 64:], q[..., :64]), -1)
    near(a, (q.float() + r.float()) * c.float(), 5e-2)


def check_ir():
    q = torch.randn(2, 4, 3, 64).half()
    c = torch.randn(2, 1, 3, 64).half()
    near(
        torch_npu.npu_interleave_rope(q.to(D), c.to(D), c.to(D)).cpu()[..., :1],
        (q[..., :1].float() - q[..., 1:2].float()) * c[..., :1].float(),
        5e-2,
    )


def check_mrope():
    cache = torch.randn(20, 64).half()
    pos = torch.randint(0, 20, (5,))
    q = torch.randn(5, 128).half()
    a, b = torch_npu.npu_mrope(
        pos.to(D), q.to(D), q.to(D), cache.to(D), 64, mrope_section=[0, 0, 0], rotary_mode="half"
    )
    cs = cache[pos].float()
    c, s = cs[:, :32], cs[:, 32:]
    qq = q.float().view(5, 2, 64)
    near(a.cpu().view(5, 2, 64)[..., :32], qq[..., :32] * c[:, None] - qq[..., 32:] * s[:, None], 5e-2)


def ref_att(q, k, v, scale, causal=False):
    s = (q.float() @ k.float().transpose(-1, -2)) * scale
    if causal:
        m = torch.ones(s.shape[-2:], dtype=torch.bool).triu(1 + s.shape[-1] - s.shape[-2])
        s = s.masked_fill(m, float("-inf"))
    return s.softmax(-1) @ v.float()


mask = torch.triu(torch.ones(2048, 2048), 1).bool()


def check_fia():
    q = torch.randn(2, 4, 3, 16).half()
    k = torch.randn(2, 2, 5, 16).half()
    v = torch.randn(2, 2, 5, 16).half()
    o, l = torch_npu.npu_fused_infer_attention_score(
        q.to(D),
        k.to(D),
        v.to(D),
        num_heads=4,
        num_key_value_heads=2,
        input_layout="BNSD",
        scale=0.25,
        softmax_lse_flag=True,
    )
    near(o, ref_att(q, k.repeat_interleave(2, 1), v.repeat_interleave(2, 1), 0.25))


def check_fia_tnd():
    q = torch.randn(5, 4, 128).half()
    k = torch.randn(5, 4, 128).half()
    o, l = torch_npu.npu_fused_infer_attention_score(
        q.to(D),
        k.to(D),
        k.to(D),
        num_heads=4,
        num_key_value_heads=4,
        input_layout="TND",
        scale=0.1,
        atten_mask=mask.to(D),
        sparse_mode=3,
        actual_seq_lengths=[2, 5],
        actual_seq_lengths_kv=[2, 5],
    )
    a = [
        ref_att(q[i:j].transpose(0, 1), k[i:j].transpose(0, 1), k[i:j].transpose(0, 1), 0.1, True).transpose(0, 1)
        for i, j in ((0, 2), (2, 5))
    ]
    near(o, torch.cat(a))


def check_fia_pa():
    q = torch.randn(2, 4, 128).half()
    cache = torch.randn(6, 128, 2 * 128).half()
    bt = torch.tensor([[3, 1], [5, 0]], dtype=torch.int32)
    o, l = torch_npu.npu_fused_infer_attention_score(
        q.to(D),
        cache.to(D),
        cache.to(D),
        num_heads=4,
        num_key_value_heads=2,
        input_layout="TND",
        scale=0.1,
        block_table=bt.to(D),
        block_size=128,
        actual_seq_lengths=[1, 2],
        actual_seq_lengths_kv=[130, 40],
        sparse_mode=0,
    )
    for b, n in ((0, 130), (1, 40)):
        kk = cache[bt[b].long()].reshape(-1, 2, 128)[:n].transpose(0, 1).repeat_interleave(2, 0)
        near(o[b][:, None], ref_att(q[b][:, None], kk, kk, 0.1))


def check_fia2():
    q = torch.randn(5, 4, 128).half()
    k = torch.randn(5, 4, 128).half()
    o, l = torch_npu.npu_fused_infer_attention_score_v2(
        q.to(D),
        k.to(D),
        k.to(D),
        num_query_heads=4,
        num_key_value_heads=4,
        input_layout="TND",
        softmax_scale=0.1,
        atten_mask=mask.to(D),
        sparse_mode=3,
        actual_seq_qlen=[2, 5],
        actual_seq_kvlen=[2, 5],
    )
    a = [
        ref_att(q[i:j].transpose(0, 1), k[i:j].transpose(0, 1), k[i:j].transpose(0, 1), 0.1, True).transpose(0, 1)
        for i, j in ((0, 2), (2, 5))
    ]
    near(o, torch.cat(a))


def seen_from(lengths, held, window=None):
    """For each of the last *lengths* positions of *held* keys, whether it sees a key: those up to it, *window* back."""
    at = torch.arange(held - lengths, held)[:, None]
    keys = torch.arange(held)[None]
    return (keys <= at) & (keys >= at - (held if window is None else window))


def attended(q, k, v, scale, sees, sink=None):
    """[N, S, D] with grouped heads; a *sink* of each head takes a share of every row. And the logarithm of the sums."""
    share = q.shape[0] // k.shape[0]
    scores = q.float() @ k.float().repeat_interleave(share, 0).transpose(-1, -2) * scale
    scores = scores.masked_fill(~sees, float("-inf"))
    full = scores if sink is None else torch.cat((scores, sink.float()[:, None, None].expand(*scores.shape[:2], 1)), -1)
    weights = full.softmax(-1)[..., : scores.shape[-1]]
    return weights @ v.float().repeat_interleave(share, 0), full.logsumexp(-1)


def check_sliding_window_over_pages_with_sinks():
    q = torch.randn(7, 4, 64).bfloat16()
    caches = [torch.randn(8, 128, 2 * 64).bfloat16() for _ in range(2)]
    table = torch.tensor([[3, 1], [5, 0]], dtype=torch.int32)
    sinks = torch.randn(4)
    out, _ = torch_npu.npu_fused_infer_attention_score_v2(
        q.to(D), *[cache.to(D) for cache in caches], num_query_heads=4, num_key_value_heads=2, input_layout="TND",
        softmax_scale=0.125, atten_mask=mask.to(D), sparse_mode=4, pre_tokens=20, next_tokens=0,
        block_table=table.to(D), block_size=128, actual_seq_qlen=[3, 7], actual_seq_kvlen=[150, 40],
        learnable_sink=sinks.bfloat16().to(D),
    )  # fmt: skip
    for line, (first, last), held in ((0, (0, 3), 150), (1, (3, 7), 40)):
        k, v = (c[table[line].long()].reshape(-1, 2, 64)[:held].transpose(0, 1) for c in caches)
        sees = seen_from(last - first, held, 20)
        found = attended(q[first:last].transpose(0, 1), k, v, 0.125, sees, sinks.bfloat16())[0]
        near(out[first:last].transpose(0, 1), found)


def check_latent_pages_with_ropes():
    """Multi-token decoding of latent attention: one head of keys in pages, the ropes in pages of their own."""
    q, rope = torch.randn(4, 8, 512).bfloat16(), torch.randn(4, 8, 64).bfloat16()
    keys, ropes = torch.randn(6, 1, 128, 512).bfloat16(), torch.randn(6, 1, 128, 64).bfloat16()
    table = torch.tensor([[2, 4], [5, 1]], dtype=torch.int32)
    out, lse = torch_npu.npu_fused_infer_attention_score(
        q.to(D), keys.to(D), keys.to(D), query_rope=rope.to(D), key_rope=ropes.to(D), num_heads=8,
        num_key_value_heads=1, input_layout="TND", atten_mask=mask.to(D), sparse_mode=3, scale=0.05,
        antiquant_mode=0, antiquant_scale=None, block_table=table.to(D), block_size=128,
        actual_seq_lengths=[2, 4], actual_seq_lengths_kv=[140, 30], softmax_lse_flag=True,
    )  # fmt: skip
    whole = torch.cat((q, rope), -1)
    for line, (first, last), held in ((0, (0, 2), 140), (1, (2, 4), 30)):
        v, r = (pages[table[line].long()].reshape(1, -1, pages.shape[-1])[:, :held] for pages in (keys, ropes))
        k = torch.cat((v, r), -1)
        found, sums = attended(whole[first:last].transpose(0, 1), k, v, 0.05, seen_from(last - first, held))
        near(out[first:last].transpose(0, 1), found)
        near(lse[first:last, :, 0].transpose(0, 1), sums)


def check_results_into_given_tensors():
    """As captured decoding does it: a workspace that was asked for, results and sums of rows into tensors that stay."""
    q = torch.randn(2, 4, 64).half()
    cache = torch.randn(4, 128, 2 * 64).half()
    table = torch.tensor([[3, 1], [2, 0]], dtype=torch.int32)
    given = {
        "num_heads": 4, "num_key_value_heads": 2, "input_layout": "TND", "scale": 0.125, "block_table": table.to(D),
        "block_size": 128, "actual_seq_lengths": [1, 2], "actual_seq_lengths_kv": [130, 9], "sparse_mode": 0,
    }  # fmt: skip
    operands = q.to(D), cache.to(D), cache.to(D)
    workspace = torch_npu._npu_fused_infer_attention_score_get_max_workspace(*operands, **given)
    out, lse = torch.zeros(2, 4, 64, dtype=h, device=D), torch.zeros(1, device=D)
    torch_npu.npu_fused_infer_attention_score.out(*operands, **given, workspace=workspace, out=[out, lse])
    for line, held in ((0, 130), (1, 9)):
        k = cache[table[line].long()].reshape(-1, 2, 64)[:held].transpose(0, 1)
        near(out[line][:, None], attended(q[line][:, None], k, k, 0.125, seen_from(1, held))[0])


def check_context_in_parts():
    """A prompt in chunks: its own keys, then those before it, and one result of both by the sums of rows."""
    q, k, v = (torch.randn(5, heads, 128).half() for heads in (4, 2, 2))
    before = [torch.randn(9, 2, 128).half() for _ in range(2)]
    usual = {"num_heads": 4, "num_key_value_heads": 2, "input_layout": "TND", "scale": 0.1, "softmax_lse_flag": True}
    own = torch_npu.npu_fused_infer_attention_score(
        q.to(D), k.to(D), v.to(D), atten_mask=mask.to(D), sparse_mode=3, actual_seq_lengths=[2, 5],
        actual_seq_lengths_kv=[2, 5], **usual,
    )  # fmt: skip
    past = torch_npu.npu_fused_infer_attention_score(
        q.to(D), *[one.to(D) for one in before], sparse_mode=0, actual_seq_lengths=[2, 5],
        actual_seq_lengths_kv=[3, 9], **usual,
    )  # fmt: skip
    flat = [(one.reshape(20, 128).float(), sums.reshape(20).float()) for one, sums in (own, past)]
    both, _ = torch_npu.npu_attention_update([sums for _, sums in flat], [one for one, _ in flat], 0)
    for (first, last), (begin, end) in zip(((0, 2), (2, 5)), ((0, 3), (3, 9)), strict=True):
        keys = torch.cat((before[0][begin:end], k[first:last])).transpose(0, 1)
        values = torch.cat((before[1][begin:end], v[first:last])).transpose(0, 1)
        sees = seen_from(last - first, end - begin + last - first)
        found = attended(q[first:last].transpose(0, 1), keys, values, 0.1, sees)[0]
        near(both.reshape(5, 4, 128)[first:last].transpose(0, 1), found)


def check_pfa():
    q = torch.randn(1, 4, 3, 16).half()
    near(
        torch_npu.npu_prompt_flash_attention(
            q.to(D), q.to(D), q.to(D), num_heads=4, input_layout="BNSD", scale_value=0.25
        ),
        ref_att(q, q, q, 0.25),
    )


def check_ifa():
    q = torch.randn(2, 4, 1, 16).half()
    k = torch.randn(2, 4, 5, 16).half()
    near(
        torch_npu.npu_incre_flash_attention(
            q.to(D), k.to(D), k.to(D), num_heads=4, input_layout="BNSD", scale_value=0.25
        ),
        ref_att(q, k, k, 0.25),
    )


def check_fa():
    q = torch.randn(2, 2, 3, 16).half()
    qn = q.to(D).requires_grad_()
    o = torch_npu.npu_fusion_attention(qn, qn, qn, 2, "BNSD", scale=0.25)[0]
    near(o.detach(), ref_att(q, q, q, 0.25))
    o.backward(torch.ones_like(o))
    qc = q.float().requires_grad_()
    ref_att(qc, qc, qc, 0.25).sum().backward()
    near(qn.grad, qc.grad, 5e-2)


def check_fav():
    q = torch.randn(5, 2, 16).half()
    qn = q.to(D).requires_grad_()
    o = torch_npu.npu_fusion_attention(
        qn,
        qn,
        qn,
        2,
        "TND",
        scale=0.25,
        actual_seq_qlen=[2, 5],
        actual_seq_kvlen=[2, 5],
        atten_mask=mask.to(D),
        sparse_mode=3,
    )[0]

    def a(q):
        return torch.cat(
            [ref_att(*(q[i:j].transpose(0, 1),) * 3, 0.25, True).transpose(0, 1) for i, j in ((0, 2), (2, 5))]
        )

    near(o.detach(), a(q))
    o.backward(torch.ones_like(o))
    qc = q.float().requires_grad_()
    a(qc).sum().backward()
    near(qn.grad, qc.grad, 5e-2)


def check_gate():
    xx = torch.randn(4, 8)
    y, i, r = torch_npu.npu_moe_gating_top_k_softmax(xx.to(D), None, k=2)
    near(y, xx.softmax(-1).topk(2).values)


def check_gate2():
    xx = torch.randn(4, 256)
    b = torch.randn(256) * 0.1
    y, i, o = torch_npu.npu_moe_gating_top_k(
        xx.to(D),
        8,
        bias=b.to(D),
        k_group=4,
        group_count=8,
        group_select_mode=1,
        renorm=0,
        norm_type=1,
        routed_scaling_factor=1.0,
        eps=1e-20,
    )
    near(y.sum(-1), torch.ones(4))


def check_init():
    ex = torch.tensor([[1, 0], [0, 2], [2, 1], [3, 0]], dtype=torch.int32)
    o, idx, cnt, sc = torch_npu.npu_moe_init_routing_v2(
        x.to(D),
        ex.to(D),
        active_num=8,
        expert_capacity=-1,
        expert_num=4,
        drop_pad_mode=0,
        expert_tokens_num_type=1,
        expert_tokens_num_flag=True,
        quant_mode=-1,
        active_expert_range=[0, 4],
        row_idx_type=0,
    )
    assert cnt.cpu().tolist() == [3, 2, 2, 1]
    near(o.cpu()[0], x[0])
    near(o.cpu()[1], x[1])


def check_init1():
    ex = torch.tensor([[1, 0], [0, 2], [2, 1], [3, 0]], dtype=torch.int32)
    ri = torch.arange(8, dtype=torch.int32).view(2, 4).t().contiguous()
    o, idx, e = torch_npu.npu_moe_init_routing(x.to(D), row_idx=ri.to(D), expert_idx=ex.to(D), active_num=4)
    assert e.cpu().tolist() == [0, 0, 0, 1, 1, 2, 2, 3]
    t = torch_npu.npu_moe_compute_expert_tokens(e, 4)
    assert t.cpu().tolist() == [3, 5, 7, 8]
    f = torch_npu.npu_moe_finalize_routing(o, None, None, None, torch.full((4, 2), 0.5).half().to(D), idx, None)
    near(f, x)


def check_perm():
    ex = torch.tensor([[1, 0], [0, 2], [2, 1], [3, 0]])
    xx = x.bfloat16().to(D).requires_grad_()
    p, i = torch_npu.npu_moe_token_permute(xx, ex.to(D))
    pr = torch.full((4, 2), 0.5).bfloat16().to(D)
    u = torch_npu.npu_moe_token_unpermute(p, i, pr)
    near(u.detach(), x)
    u.backward(torch.ones_like(u))
    near(xx.grad, torch.ones(4, 16))


def check_kv():
    kv = torch.randn(2, 1, 1, 576).bfloat16()
    gm = torch.rand(512).bfloat16()
    c = torch.randn(2, 1, 1, 64).bfloat16()
    kc = torch.zeros(4, 16, 1, 64).bfloat16().to(D)
    cc = torch.zeros(4, 16, 1, 512).bfloat16().to(D)
    torch_npu.npu_kv_rmsnorm_rope_cache(
        kv.to(D), gm.to(D), c.to(D), c.to(D), torch.tensor([17, 3]).to(D), kc, cc, epsilon=1e-5, cache_mode="PA"
    )
    near(cc.cpu()[1, 1, 0], rms(kv[0, 0, 0, :512], gm, 1e-5), 5e-2)


def check_scat():
    k = torch.randn(3, 2, 16).half()
    kc = torch.zeros(4, 8, 2, 16).half().to(D)
    vc = torch.zeros(4, 8, 2, 16).half().to(D)
    torch_npu.npu_scatter_pa_kv_cache(
        k.to(D), k.to(D), kc, vc, torch.tensor([9, 0, 31], dtype=torch.int32).to(D), cache_mode="Norm"
    )
    near(kc.cpu()[1, 1], k[0])
    near(vc.cpu()[3, 7], k[2])


def check_gat():
    kc = torch.randn(4, 8, 2, 16).half()
    o = torch.zeros(5, 2, 16).half().to(D)
    o2 = torch.zeros(5, 2, 16).half().to(D)
    torch_npu.npu_gather_pa_kv_cache(
        kc.to(D),
        kc.to(D),
        torch.tensor([[2, 1], [3, 0]], dtype=torch.int32).to(D),
        torch.tensor([2, 3], dtype=torch.int32).to(D),
        o,
        o2,
    )
    near(o.cpu()[0], kc[2, 0])
    near(o.cpu()[2], kc[3, 0])


def check_au():
    l = [torch.randn(6).to(D) for _ in range(2)]
    o = [torch.randn(6, 128).to(D) for _ in range(2)]
    r, _ = torch_npu.npu_attention_update(l, o, 0)
    ww = torch.stack([t.cpu() for t in l]).softmax(0)
    near(r, (ww[..., None] * torch.stack([t.cpu() for t in o])).sum(0))


def check_mla():
    T, He, Hcq, N, Dh, Dr, Hk = 4, 7168, 1536, 2, 128, 64, 512

    def f(*s):
        return (torch.randn(*s) * 0.02).bfloat16().to(D)

    def z(t):
        return torch_npu.npu_format_cast(t, 29)

    kc = torch.zeros(4, 128, 1, Hk).bfloat16().to(D)
    kr = torch.zeros(4, 128, 1, Dr).bfloat16().to(D)
    o = torch_npu.npu_mla_prolog_v2(
        f(T, He),
        z(f(He, Hcq)),
        z(f(Hcq, N * (Dh + Dr))),
        f(N, Dh, Hk),
        z(f(He, Hk + Dr)),
        f(Hcq),
        f(Hk),
        f(T, Dr),
        f(T, Dr),
        torch.arange(4).to(D),
        kc,
        kr,
        rmsnorm_epsilon_cq=1e-5,
        rmsnorm_epsilon_ckv=1e-5,
        cache_mode="PA_BSND",
    )
    assert o[0].shape == (T, N, Hk)
    assert float(kc.cpu()[0, 3].abs().sum()) > 0


def check_li():
    q = torch.randn(1, 2, 8, 128).bfloat16()
    k = torch.randn(4, 16, 1, 128).bfloat16()
    ww = torch.randn(1, 2, 8).bfloat16()
    o = torch_npu.npu_lightning_indexer(
        q.to(D),
        k.to(D),
        ww.to(D),
        actual_seq_lengths_query=torch.tensor([2], dtype=torch.int32).to(D),
        actual_seq_lengths_key=torch.tensor([40], dtype=torch.int32).to(D),
        block_table=torch.tensor([[1, 0, 3]], dtype=torch.int32).to(D),
        layout_query="BSND",
        layout_key="PA_BSND",
        sparse_count=16,
        sparse_mode=3,
    )
    assert o[0].shape == (1, 2, 1, 16) and int(o[0].max()) < 40


def check_sfa():
    q = torch.randn(1, 2, 4, 512).bfloat16()
    k = torch.randn(1, 8, 1, 512).bfloat16()
    r = torch.randn(1, 2, 4, 64).bfloat16()
    kr = torch.randn(1, 8, 1, 64).bfloat16()
    idx = torch.arange(8, dtype=torch.int32).view(1, 1, 1, 8).expand(1, 2, 1, 8).contiguous()
    o = torch_npu.npu_sparse_flash_attention(
        q.to(D),
        k.to(D),
        k.to(D),
        idx.to(D),
        0.04,
        sparse_block_size=1,
        actual_seq_lengths_query=torch.tensor([2], dtype=torch.int32).to(D),
        actual_seq_lengths_kv=torch.tensor([8], dtype=torch.int32).to(D),
        query_rope=r.to(D),
        key_rope=kr.to(D),
        layout_query="BSND",
        layout_kv="BSND",
        sparse_mode=3,
        attention_mode=2,
    )
    qq = torch.cat((q, r), -1).transpose(1, 2)
    kk = torch.cat((k, kr), -1).transpose(1, 2)
    near(o[0].cpu().transpose(1, 2), ref_att(qq, kk, k.transpose(1, 2), 0.04, True), 5e-2)


def check_gdr():
    q = torch.randn(3, 2, 16).bfloat16()
    st = torch.zeros(3, 2, 16, 16).bfloat16().to(D)
    o = torch_npu.npu_recurrent_gated_delta_rule(
        q.to(D),
        q.to(D),
        q.to(D),
        st,
        beta=torch.ones(3, 2).bfloat16().to(D),
        scale=1.0,
        actual_seq_lengths=torch.tensor([1, 1, 1], dtype=torch.int32).to(D),
        ssm_state_indices=torch.arange(3, dtype=torch.int32).to(D),
    )
    near(o, q.float() * (q.float() ** 2).sum(-1, keepdim=True), 8e-2)


def check_misc():
    near(torch_npu.npu_geglu(x.to(D))[0], x[:, :8].float() * F.gelu(x[:, 8:].float(), approximate="tanh"))
    near(torch_npu.fast_gelu(x.to(D)), x.float() * torch.sigmoid(1.702 * x.float()))


def check_gemma():
    near(torch_npu.npu_gemma_rms_norm(x.to(D), g.to(D), 1e-6)[0], rms(x, 1 + g.float()))


def check_asc():
    near(torch_npu.npu_anti_quant(a8.to(D), torch.full((16,), 0.1).to(D), dst_dtype=torch.float16), a8.float() * 0.1)


def check_swq():
    o = torch_npu.npu_swiglu_quant(
        x.to(D),
        smooth_scales=torch.ones(1, 8).to(D),
        quant_mode=1,
        group_index=torch.tensor([4], dtype=torch.int32).to(D),
    )
    assert o[0].dtype == torch.int8


if __name__ == "__main__":
    tell(globals())
