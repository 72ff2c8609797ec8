"""Networks that are trained for twenty steps on a simulated NPU and on the CPU: the losses agree as far as their types go.

What is dropped at random is drawn on the device and taken over by the CPU, which has other random numbers.
"""

import torch
from telling import tell
from torch import nn
from torch.nn import functional as F

STEPS = 20
RELATIVE = {torch.float32: 1e-4, torch.float16: 1e-3, torch.bfloat16: 1.6e-2}
"""Those of torch.testing for half types; for float32 what 20 steps make of sums in another order."""

torch.set_num_threads(1)


class Dropout(nn.Module):
    """Keeps what it dropped, or drops what is given."""

    masks = []
    given = None

    def __init__(self, p):
        super().__init__()
        self.p = p

    def forward(self, x):
        if Dropout.given is not None:
            return x * Dropout.given.pop(0) / (1 - self.p)
        out = F.dropout(x, self.p, training=True)
        Dropout.masks.append((out != 0).cpu() | (x == 0).cpu())
        return out


def train(make, batch, device, dtype, optimizer_of):
    torch.manual_seed(0)
    model = make().to(device)
    inputs, targets = (part.to(device) for part in batch)
    optimizer = optimizer_of(model.parameters())
    scaler = torch.amp.GradScaler(device, enabled=dtype is torch.float16, init_scale=1024.0)
    losses = []
    for _ in range(STEPS):
        optimizer.zero_grad()
        with torch.autocast(device, dtype=dtype, enabled=dtype is not torch.float32):
            out = model(inputs)
        loss = F.cross_entropy(out.float(), targets)
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
        losses.append(loss.item())
    return losses


def compare(make, batch, dtype=torch.float32, optimizer_of=lambda p: torch.optim.AdamW(p, lr=3e-3, weight_decay=0.01)):
    Dropout.masks, Dropout.given = [], None
    simulated = train(make, batch, "npu", dtype, optimizer_of)
    Dropout.given = Dropout.masks
    on_cpu = train(make, batch, "cpu", dtype, optimizer_of)
    assert not Dropout.given
    assert on_cpu[-1] < 0.9 * on_cpu[0], f"it does not learn: {on_cpu}"
    worst = max(abs(a - b) / max(abs(b), 1e-2) for a, b in zip(simulated, on_cpu, strict=True))
    assert worst <= RELATIVE[dtype], f"{worst:.2e} apart:\n{simulated}\n{on_cpu}"


def images(count=8):
    generator = torch.Generator().manual_seed(1)
    return torch.randn(count, 3, 16, 16, generator=generator), torch.arange(count) % 4


class Residual(nn.Module):
    def __init__(self, inner, outer, stride):
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer), nn.ReLU(inplace=True),
            nn.Conv2d(outer, outer, 3, 1, 1, bias=False), nn.BatchNorm2d(outer),
        )  # fmt: skip
        self.short = nn.Sequential(nn.Conv2d(inner, outer, 1, stride, bias=False), nn.BatchNorm2d(outer))

    def forward(self, x):
        return F.relu(self.body(x) + self.short(x))


def resnet():
    return nn.Sequential(
        nn.Conv2d(3, 8, 3, 1, 1), nn.MaxPool2d(2), Residual(8, 16, 2), nn.AdaptiveAvgPool2d(1), nn.Flatten(),
        nn.Linear(16, 4),
    )  # fmt: skip


def convolutions():
    return nn.Sequential(
        nn.Conv2d(3, 8, 5, padding=2), nn.LeakyReLU(0.1), nn.AvgPool2d(2), nn.Conv2d(8, 16, 3, groups=4, dilation=2),
        nn.GroupNorm(4, 16), nn.SiLU(), nn.Upsample(scale_factor=2), nn.ConvTranspose2d(16, 8, 2, stride=2), nn.Sigmoid(),
        nn.AdaptiveAvgPool2d(2), nn.Flatten(), nn.Linear(32, 4),
    )  # fmt: skip


class Recurrent(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(32, 16)
        # several layers in one module, or both directions, are operators that only aclop has
        self.first, self.second = nn.LSTM(16, 24, batch_first=True), nn.LSTM(24, 24, batch_first=True)
        self.head = nn.Linear(24, 4)

    def forward(self, tokens):
        return self.head(self.second(self.first(self.words(tokens))[0])[0].mean(1))


class Layer(nn.Module):
    def __init__(self, width, heads):
        super().__init__()
        self.heads = heads
        self.before, self.between = nn.LayerNorm(width), nn.LayerNorm(width)
        self.qkv, self.out = nn.Linear(width, 3 * width), nn.Linear(width, width)
        self.wide, self.narrow = nn.Linear(width, 4 * width), nn.Linear(4 * width, width)
        self.drop = Dropout(0.1)

    def forward(self, x):
        n, s, width = x.shape
        q, k, v = self.qkv(self.before(x)).view(n, s, 3, self.heads, width // self.heads).permute(2, 0, 3, 1, 4)
        mixed = F.scaled_dot_product_attention(q, k, v, is_causal=True).transpose(1, 2).reshape(n, s, width)
        x = x + self.drop(self.out(mixed))
        return x + self.drop(self.narrow(F.gelu(self.wide(self.between(x)))))


class Transformer(nn.Module):
    def __init__(self):
        super().__init__()
        self.words, self.places = nn.Embedding(32, 32), nn.Parameter(torch.randn(16, 32) * 0.02)
        self.layers = nn.ModuleList(Layer(32, 4) for _ in range(4))
        self.norm, self.head = nn.LayerNorm(32), nn.Linear(32, 4)

    def forward(self, tokens):
        x = self.words(tokens) + self.places
        for layer in self.layers:
            x = layer(x)
        return self.head(self.norm(x).mean(1))


def sentences(count=8):
    generator = torch.Generator().manual_seed(2)
    return torch.randint(0, 32, (count, 16), generator=generator), torch.arange(count) % 4


def check_resnet_block():
    compare(resnet, images(), optimizer_of=lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9))


def check_convolution_net():
    compare(convolutions, images())


def check_lstm():
    compare(Recurrent, sentences())


def check_transformer():
    compare(Transformer, sentences())


def check_transformer_bfloat16():
    compare(Transformer, sentences(), torch.bfloat16)


def check_transformer_float16():
    compare(Transformer, sentences(), torch.float16)


def check_convolution_net_bfloat16():
    compare(convolutions, images(), torch.bfloat16)


tell(globals())
