"""A step of a decoder, captured once and replayed for every token.

    ascend-sim run --timeline graph.html examples/torch/graph.py
"""

import torch

torch.manual_seed(0)
model = torch.nn.Sequential(torch.nn.Linear(64, 128), torch.nn.GELU(), torch.nn.Linear(128, 64)).npu().eval()
token = torch.zeros(1, 64, device="npu")  # a graph keeps addresses: what changes is written into these two
with torch.no_grad():
    model(token)  # warm up: what is made at the first use is not to be captured
    torch.npu.synchronize()
    graph = torch.npu.NPUGraph()
    with torch.npu.graph(graph):
        answer = model(token)

    outputs = []
    for step in range(4):
        token.copy_(torch.full((1, 64), float(step)))
        graph.replay()
        outputs.append(answer.clone())
    torch.npu.synchronize()
    same = all(torch.allclose(out, model(torch.full((1, 64), float(i), device="npu"))) for i, out in enumerate(outputs))
print("replays agree with plain calls:", same)
