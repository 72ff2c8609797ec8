"""Operators of torch_npu that compile single operators by name: on the device as on the CPU."""

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


def check_what_is_absent_is_named():
    try:
        ones = [1] * 3
        torch_npu.npu_conv3d(torch.rand(1, 2, 4, 4, 4).npu(), torch.rand(3, 2, 2, 2, 2).npu(), None, ones, [0] * 3, ones, 1)
    except RuntimeError as error:
        assert "the simulator has no operator Conv3D" in str(error), error
    else:
        raise AssertionError("it was computed")


tell(globals())
