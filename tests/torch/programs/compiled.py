"""Operators of torch_npu that compile single operators by name: on the device as on the CPU."""

from contextlib import contextmanager

import torch
import torch_npu
from telling import tell
from torch.nn import functional as F

torch.set_num_threads(1)
torch.manual_seed(0)
X = torch.randn(4, 8)
GRAD = torch.randn(4, 8)


def alike(found, expected, tolerance=1e-5):
    torch.testing.assert_close(found.cpu(), expected, rtol=tolerance, atol=tolerance, check_dtype=False)


def gradient(function, x, grad):
    leaf = x.clone().requires_grad_()
    function(leaf).backward(grad.to(x.device))
    return leaf.grad


def check_silu():
    alike(torch_npu.npu_silu(X.npu()), F.silu(X))
    alike(gradient(torch_npu.npu_silu, X.npu(), GRAD), gradient(F.silu, X, GRAD))
    alike(torch_npu.npu_silu(X.half().npu()), F.silu(X.half()), 1e-2)


def check_mish():
    alike(torch_npu.npu_mish(X.npu()), F.mish(X))
    alike(gradient(torch_npu.npu_mish, X.npu(), GRAD), gradient(F.mish, X, GRAD))


def check_largest_and_smallest():
    for ours, theirs in ((torch_npu.npu_max, torch.max), (torch_npu.npu_min, torch.min)):
        values, places = ours(X.npu(), 1)
        alike(values, theirs(X, 1).values)
        alike(places, theirs(X, 1).indices)
        alike(gradient(lambda t: ours(t, 1)[0], X.npu(), GRAD[:, 0]),  # noqa: B023 - called at once
              gradient(lambda t: theirs(t, 1).values, X, GRAD[:, 0]))  # noqa: B023


def check_sorting():
    alike(torch_npu.npu_sort_v2(X.npu()), X.sort().values)
    alike(torch_npu.npu_sort_v2(X.npu(), 0, True), X.sort(0, descending=True).values)


def check_borders_and_broadcasting():
    alike(torch_npu.npu_pad(X.npu(), [1, 2, 0, 3]), F.pad(X, [0, 3, 1, 2]))
    alike(torch_npu.npu_broadcast(X[:, :1].contiguous().npu(), [4, 3]), X[:, :1].expand(4, 3))
    alike(torch_npu.npu_stride_copy(X.npu(), [2, 2], [1, 2], 1), X.as_strided([2, 2], [1, 2], 1))


def check_loss():
    labels = torch.softmax(torch.randn(4, 8), 1)
    ours = torch_npu.npu_softmax_cross_entropy_with_logits
    alike(ours(X.npu(), labels.npu()), F.cross_entropy(X, labels, reduction="none"))
    alike(gradient(lambda t: ours(t, labels.npu()), X.npu(), GRAD[:, 0]),
          gradient(lambda t: F.cross_entropy(t, labels, reduction="none"), X, GRAD[:, 0]))


def check_gradient_of_distances():
    for p in (0.5, 1.0, 2.0, 3.0, float("inf")):
        one, two = torch.randn(2, 5, 3), torch.randn(2, 4, 3)
        two[0, 1] = one[0, 2]  # no distance, and no slope
        leaves = [x.clone().requires_grad_() for x in (one, two)]
        mine = [x.npu().requires_grad_() for x in (one, two)]
        grad = torch.randn(2, 5, 4)
        torch.cdist(*leaves, p, "donot_use_mm_for_euclid_dist").backward(grad)
        torch.cdist(*mine, p).backward(grad.npu())
        for found, expected in zip(mine, leaves, strict=True):
            alike(found.grad, expected.grad, 1e-4)


def check_a_cell_of_a_memory():
    cell, inputs = torch.nn.LSTMCell(8, 4), torch.randn(3, 8)
    other = torch.nn.LSTMCell(8, 4)
    other.load_state_dict(cell.state_dict())
    other.npu()
    for net, x in ((cell, inputs), (other, inputs.npu())):
        h, c = net(x)
        h, c = net(x, (h, c))
        (h * 2 + c).sum().backward()
        net.made = h.detach(), c.detach()
    for found, expected in zip(other.made, cell.made, strict=True):
        alike(found, expected)
    for found, expected in zip(other.parameters(), cell.parameters(), strict=True):
        alike(found.grad, expected.grad, 1e-4)


def check_transposed_convolution():
    images, weights = torch.randn(2, 4, 5, 6), torch.randn(4, 3, 3, 2)
    found = torch_npu.npu_conv_transpose2d(images.npu(), weights.npu(), None, [1, 0], [0, 0], [2, 1], [1, 1], 1)
    alike(found, F.conv_transpose2d(images, weights, None, [2, 1], [1, 0]), 1e-4)


def check_adam():
    x, m, v = torch.ones(16).npu(), torch.zeros(16).npu(), torch.zeros(16).npu()
    grad = torch.full((16,), 0.5).npu()
    torch_npu.npu_bert_apply_adam(0.1, 0.9, 0.99, 0.0, grad, -1.0, 0.0, 0.0, out=(x, m, v))
    alike(m, torch.full((16,), 0.05))
    alike(v, torch.full((16,), 0.0025))
    alike(x, torch.full((16,), 1 - 0.1 * 0.05 / 0.05))


def check_dropout():
    kept = torch_npu.dropout_with_byte_mask(torch.ones(1000).npu(), 0.25, True).cpu()
    assert set(kept.tolist()) <= {0.0, kept.max().item()} and abs(kept.max().item() - 4 / 3) < 1e-6
    assert 650 < (kept != 0).sum().item() < 850


def check_convolutions_of_volumes():
    images, weights, bias = torch.randn(2, 4, 5, 6, 4), torch.randn(6, 2, 3, 2, 2), torch.randn(6)
    words = [2, 1, 1], [1, 0, 2], [1, 2, 1]
    leaves = [x.clone().requires_grad_() for x in (images, weights, bias)]
    wanted = F.conv3d(*leaves, *words, groups=2)
    grad = torch.randn(wanted.shape)
    wanted.backward(grad)
    mine = [x.detach().npu() for x in leaves]
    alike(torch_npu.npu_conv3d(*mine, *words, 2), wanted, 1e-4)
    back = torch.ops.npu.npu_conv3d_backward(mine[0], grad.npu(), mine[1], *words, 2, [True, True, False])
    for one, other in zip(back[:2], leaves[:2], strict=True):
        alike(one, other.grad, 1e-4)


def check_convolution_of_either_kind():
    for rank, function in ((2, F.conv2d), (3, F.conv3d)):
        images, weights = torch.randn(2, 3, *(5, 6, 4)[:rank]), torch.randn(4, 3, *(3, 2, 2)[:rank])
        ones, zeros = [1] * rank, [0] * rank
        leaves = [x.clone().requires_grad_() for x in (images, weights)]
        wanted = function(*leaves)
        wanted.sum().backward()
        mine = [x.detach().npu().requires_grad_() for x in leaves]
        found = torch_npu.npu_convolution(*mine, None, ones, zeros, ones, 1)
        alike(found, wanted, 1e-4)
        found.sum().backward()
        for one, other in zip(mine, leaves, strict=True):
            alike(one.grad, other.grad, 1e-4)


def check_layers_with_a_memory():
    weights = [(torch.randn(12, 5) / 2).npu(), (torch.randn(12, 3) / 2).npu()]
    layer = torch.nn.LSTM(5, 3, bias=False)
    layer.weight_ih_l0.data, layer.weight_hh_l0.data = (w.cpu() for w in weights)
    x, h, c = torch.randn(4, 2, 5), torch.randn(1, 2, 3), torch.randn(1, 2, 3)
    leaves = [v.clone().requires_grad_() for v in (x, h, c)]
    wanted, (_, last_c) = layer(leaves[0], tuple(leaves[1:]))
    (wanted.sum() + 2 * last_c.sum()).backward()
    mine = [v.npu().requires_grad_() for v in (x, h, c)]
    weight = torch.cat(weights, 1).t().contiguous().requires_grad_()
    bias, mask = torch.zeros(12).npu().requires_grad_(), torch.empty(0).npu()
    found = torch_npu.npu_lstm(mine[0], weight, bias, mask, mine[1], mine[2], True, 1, 0.0, True, False, False, False, False)
    alike(found[0], wanted)
    alike(found[2][-1], last_c[0])
    (found[0].sum() + 2 * found[2][-1].sum()).backward()
    for one, other in zip(mine, leaves, strict=True):
        alike(one.grad, other.grad, 1e-4)
    alike(weight.grad, torch.cat([layer.weight_ih_l0.grad, layer.weight_hh_l0.grad], 1).t(), 1e-4)


def check_gated_units():
    layer, x, h = torch.nn.GRU(5, 3), torch.randn(4, 2, 5), torch.randn(1, 2, 3)
    leaves = [v.clone().requires_grad_() for v in (x, h)]
    wanted, _ = layer(*leaves)
    wanted.sum().backward()
    numbers = [p.detach().t().contiguous().npu().requires_grad_() for p in layer.parameters()]
    mine = [v.npu().requires_grad_() for v in (x, h)]
    found = torch_npu.npu_gru(*mine, *numbers, torch.zeros(()).npu(), True, 1, 0.0, True, False, False)
    alike(found[0], wanted)
    found[0].sum().backward()
    for one, other in zip((*mine, *numbers), (*leaves, *layer.parameters()), strict=True):
        other = other.grad.t() if other.dim() == 2 else other.grad
        alike(one.grad, other, 1e-4)


def check_gradients_of_overlaps():
    boxes = torch.tensor([[1.5, 3, 2.5], [1.5, 2, 1.5], [3, 2, 3], [3, 2, 1]])
    truths = torch.tensor([[2.5, 2.2, 4], [1.5, 1.4, 4], [3, 2.5, 2], [1, 3, 4]])
    for function in (torch_npu.npu_giou, torch_npu.npu_diou):
        mine = [x.npu().requires_grad_() for x in (boxes, truths)]
        function(*mine, True, False, 0).sum().backward()
        step = torch.zeros(4, 3)
        step[2, 1] = 1e-3
        sides = [function((boxes + sign * step).npu(), truths.npu(), True, False, 0).sum().item() for sign in (1, -1)]
        assert abs(mine[0].grad[2, 1].item() - (sides[0] - sides[1]) / 2e-3) < 1e-2


def check_gradients_of_layer_norm():
    x, weight, bias = torch.randn(3, 8), torch.randn(8), torch.randn(8)
    leaves = [v.clone().requires_grad_() for v in (x, weight, bias)]
    wanted, mean, rstd = torch.native_layer_norm(leaves[0], (8,), *leaves[1:], 1e-5)
    wanted.backward(torch.ones(3, 8))
    numbers = [v.detach().npu() for v in (mean, rstd, weight, bias)]
    found = torch_npu.npu_layernorm_grad(torch.ones(3, 8).npu(), x.npu(), [8], *numbers)
    for one, other in zip(found, leaves, strict=True):
        alike(one, other.grad, 1e-4)


def check_softmax_with_dropout():
    x, y = torch.randn(2, 3, 16), torch.randn(2, 3, 16)
    mine = y.npu().requires_grad_()
    mask, soft, dropped = torch_npu.npu_dropout_with_add_softmax(mine, x.npu(), 0.5, 0.25, -1)
    alike(soft, torch.softmax(x + 0.5 * y, -1))
    kept = mask.cpu()[: x.numel()].reshape(x.shape)
    alike(dropped, torch.softmax(x + 0.5 * y, -1) * kept / 0.75)
    assert 0 < kept.sum() < kept.numel()


def check_attention_scores():
    query, key, value = (torch.randn(2, 2, 16, 16).half() for _ in range(3))
    mask = torch.randn(2, 2, 16, 16).half()
    found = torch_npu.npu_fused_attention_score(query.npu(), key.npu(), value.npu(), mask.npu(), 0.25, 1.0)
    wanted = F.scaled_dot_product_attention(query.float(), key.float(), value.float(), mask.float(), scale=0.25)
    alike(found, wanted.permute(0, 2, 1, 3).reshape(32, 32).half(), 1e-2)


def check_products_of_what_is_normalised():
    x, gamma, beta = torch.randn(32, 32).half(), torch.rand(32).half(), torch.randn(32).half()
    kernels, biases = [torch.randn(32, 32).half() / 8 for _ in range(3)], [torch.randn(32).half() for _ in range(3)]
    mine = [v.npu() for v in (x, *kernels, gamma, beta, *biases)]
    norm, query, key, value, *_ = torch.ops.npu.npu_fused_attention_layernorm_qkv_fwd(*mine, 16, 2, 1e-5)
    wanted = F.layer_norm(x.float(), (32,), gamma.float(), beta.float(), 1e-5)
    alike(norm, wanted.half(), 1e-2)
    for found, kernel, bias in zip((query, key, value), kernels, biases, strict=True):
        made = wanted @ kernel.float() + bias.float()
        alike(found, made.reshape(2, 16, 2, 16).transpose(1, 2).half(), 2e-2)
    grads = [torch.randn(32, 32).half() for _ in range(3)]
    back = torch.ops.npu.npu_fused_attention_qkv_grad(*(v.npu() for v in (*grads, *kernels, x, torch.zeros(32, 32).half())))
    alike(back[0], sum(g.float() @ k.float().t() for g, k in zip(grads, kernels, strict=True)).half(), 2e-2)
    alike(back[1], (x.float().t() @ grads[0].float()).half(), 2e-2)
    alike(back[4], grads[0].float().sum(0).half(), 2e-2)


def check_attention_of_heads():
    rows, heads = 32, 16
    columns = heads * 16
    tensors = [torch.randn(rows, columns).half() / 2 for _ in range(3)]
    weights = [torch.randn(columns, columns).half() / 16 for _ in range(4)]
    biases = [torch.randn(columns).half() for _ in range(4)]
    mask = torch.zeros(2, heads, 16, 16).half()
    mine = [x.npu() for x in (*tensors, *weights[:3], mask, weights[3], *biases)]
    found = torch_npu.npu_multi_head_attention(*mine, None, heads, 16, 16, 16, 0.0, True)[0]
    q, k, v = ((x.float() @ w.float().t() + b.float()).reshape(2, 16, heads, 16).transpose(1, 2)
               for x, w, b in zip(tensors, weights[:3], biases[:3], strict=True))
    context = F.scaled_dot_product_attention(q, k, v).transpose(1, 2).reshape(rows, columns)
    alike(found, (context @ weights[3].float().t() + biases[3].float()).half(), 2e-2)


def check_turned_boxes():
    square = torch.tensor([[[0.0, 0, 2, 2, 0]]]).npu()
    turned = torch.tensor([[[0.0, 0, 2, 2, 45]]]).npu()
    octagon = torch.tensor([[[8 * (2**0.5 - 1)]]])
    alike(torch_npu.npu_rotated_overlaps(square, turned, False), octagon)
    alike(torch_npu.npu_rotated_iou(square, turned, False, 0, True, 0.0, 0.0), octagon / (8 - octagon))
    anchors, truths = torch.tensor([[[0.0], [0], [4], [2], [45]]]).npu(), torch.tensor([[[1.0], [0], [5], [4], [0]]]).npu()
    weights = torch.ones(5).npu()
    coded = torch_npu.npu_rotated_box_encode(anchors, truths, weights)
    alike(coded[0, :, 0], torch.tensor([0.25, 0.5, 0, 0.69314718, -1]))
    alike(torch_npu.npu_rotated_box_decode(anchors, coded, weights), truths.cpu(), 1e-4)


def check_anchors_and_choices():
    flags = torch_npu.npu_anchor_response_flags(torch.tensor([[0.0, 0, 4, 4]]).npu(), [2, 2], [4, 4], 2)
    assert flags.tolist() == [1, 1, 0, 0, 0, 0, 0, 0]
    places, counts = torch_npu.npu_random_choice_with_mask(torch.tensor([True, False, True, False]).npu(), 2, 1, 0)
    assert (places.tolist(), counts.tolist()) == ([[0], [2]], [True, True])
    kept = torch_npu.npu_batch_nms(torch.rand(2, 4, 1, 4).npu(), torch.rand(2, 4, 1).npu(), 0.3, 0.5, 4, 4)
    assert kept[2].tolist() == [[0.0] * 4] * 2 and kept[3].dtype == torch.int32


def check_what_is_absent_is_named():
    try:
        torch_npu.npu_sub_sample(torch.ones(8, dtype=torch.int32).npu(), 4, 0.5)
    except RuntimeError as error:
        assert "the simulator has no operator SubSample" in str(error), error
    else:
        raise AssertionError("it was computed")


def check_turned_boxes_that_overlap():
    boxes = torch.tensor([(0, 0, 2, 2, 0), (0, 0, 2, 2, 45), (5, 5, 2, 2, 0), (1, 0, 2, 2, 0)]).float()
    places, count = torch_npu.npu_nms_rotated(boxes.npu(), torch.tensor([0.5, 0.9, 0.3, 0.8]).npu(), 0.6)
    alike(places, torch.tensor([1, 3, 2]))
    alike(count, torch.tensor([3]))


@contextmanager
def by_name():
    """With ``jit_compile`` torch_npu compiles by name what has a function of aclnn, too."""
    torch.npu.set_compile_mode(jit_compile=True)
    try:
        yield
    finally:
        torch.npu.set_compile_mode(jit_compile=False)


def check_choices_by_name():
    x = torch.tensor([[0, 3.0, 0], [4, 0, 5]])
    with by_name():
        alike(torch.nonzero(x.npu()), torch.nonzero(x))
        alike(torch.nonzero(torch.zeros(3, 4).npu()), torch.zeros(0, 2))
        for found, expected in zip(torch.where(x.npu()), torch.where(x), strict=True):
            alike(found, expected)
        alike(torch.masked_select(x.npu(), x.npu() > 3), torch.tensor([4.0, 5.0]))
        for found, expected in zip(torch.unique_consecutive(x.npu(), return_inverse=True, return_counts=True),
                                   torch.unique_consecutive(x, return_inverse=True, return_counts=True), strict=True):
            alike(found, expected)
        for dim in (None, 1):
            for found, expected in zip(torch.unique(x.npu(), return_inverse=True, return_counts=True, dim=dim),
                                       torch.unique(x, return_inverse=True, return_counts=True, dim=dim), strict=True):
                alike(found, expected)


def check_reductions_by_name():
    x = X > -0.5
    with by_name():
        for name in ("all", "any"):
            function = getattr(torch, name)
            alike(function(x.npu()), function(x))
            alike(function(x.npu(), 1), function(x, 1))
            alike(function(x.npu(), 0, keepdim=True), function(x, 0, keepdim=True))
        for function in (torch.amin, torch.amax, torch.prod):
            alike(function(X.npu(), 1), function(X, 1))


def check_elements_by_name():
    names = "ceil floor round trunc sin cos tan atan sinh cosh asinh expm1 reciprocal sign"
    with by_name():
        for name in names.split():
            alike(getattr(torch, name)(X.npu()), getattr(torch, name)(X))
        for name in ("fmod", "remainder", "floor_divide", "atan2"):
            alike(getattr(torch, name)(X.npu(), X.npu() + 3), getattr(torch, name)(X, X + 3))
        alike(torch.logical_and(X.npu() > 0, X.npu() < 1), torch.logical_and(X > 0, X < 1))


def check_arrays_by_name():
    mask, places = X > 0, torch.tensor([[2, 0], [1, 1]])
    with by_name():
        assert torch.equal(X.npu(), X.npu().clone())
        assert not torch.equal(X.npu(), X.npu() + 1)
        for function in (torch.triu, lambda x: torch.cumsum(x, 1), lambda x: torch.flip(x, [0, 1])):
            alike(function(X.npu()), function(X))
        alike(X.npu().gather(1, places.npu()), X.gather(1, places))
        alike(X.npu().masked_fill(mask.npu(), 2.0), X.masked_fill(mask, 2.0))
        alike(torch.where(mask.npu(), X.npu(), -X.npu()), torch.where(mask, X, -X))
        alike(torch.bitwise_and(places.npu(), 1), torch.bitwise_and(places, 1))
        alike(torch.arange(1, 9, 2, device="npu"), torch.arange(1, 9, 2))
        alike(torch.linspace(0, 2, 5, device="npu"), torch.linspace(0, 2, 5))
        alike(torch.eye(3, 4, device="npu"), torch.eye(3, 4))
        for descending in (False, True):
            for found, expected in zip(X.npu().sort(1, descending), X.sort(1, descending), strict=True):
                alike(found, expected)


def check_random_numbers_by_name():
    def drawn():
        torch.manual_seed(5)
        rooms = [torch.empty(100, 200, device="npu") for _ in range(4)]
        return [
            rooms[0].normal_(3.0, 2.0), rooms[1].normal_(3.0, 2.0), rooms[2].uniform_(1.0, 3.0), rooms[3].bernoulli_(0.25),
            torch.rand(9, device="npu", dtype=torch.float16), torch.randperm(1000, device="npu"),
            F.dropout(torch.ones(100, 200, device="npu"), 0.25),
        ]  # fmt: skip

    with by_name():
        first, again = drawn(), drawn()
        for one, other in zip(first, again, strict=True):
            alike(one, other.cpu(), 0)
        normal, more, uniform, chances, halves, order, kept = (made.cpu().float() for made in first)
        assert not torch.equal(normal, more)
        alike(torch.stack([normal.mean(), normal.std(), uniform.mean(), uniform.std(), chances.mean(), kept.mean()]),
              torch.tensor([3.0, 2.0, 2.0, 3**-0.5, 0.25, 1.0]), 0.03)
        assert uniform.min() >= 1 and uniform.max() < 3 and halves.max() < 1
        assert order.sort().values.tolist() == list(range(1000))



tell(globals())
