"""Lesson 15. PyTorch: the same streams, and an allocator that wants to be told

torch_npu sits upon the runtime of these lessons: `torch.npu.Stream` is a stream, `torch.npu.Event` an event, an operator a
task. New is who has the memory: torch keeps it, and gives what a dead tensor had to the next one at once. This lesson needs
torch and torch_npu (`pip install 'ascend-sim[torch]' torch==2.13.0 torch_npu==2.13.0`).

    ascend-sim run 15_pytorch.py
"""

import torch

SIZE = 1 << 16

main = torch.npu.current_stream()
side = torch.npu.Stream()

# Step 1. An operator returns when its task is queued; `item()`, `cpu()` and `synchronize()` wait. On one stream all is in
# order, and nobody has to think of it.
x = torch.full((SIZE,), 2.0, device="npu")
y = x * x
print("queued, and the stream is", "complete" if main.query() else "not ready")
print("item() waits:", y[0].item())
torch.npu.synchronize()

# Step 2. Another stream knows nothing of that. Here `side` reads what `main` may still be writing, and the report names
# both lines: first the one that came too early, then the one that it should have waited for. What the help says stands
# for a record in one stream and a wait in the other, as in lesson 3.
y = x * 3
with torch.npu.stream(side):
    early = y + 1
torch.npu.synchronize()

# Step 3. With the order it is right: `wait_stream` records in one stream, and waits for that in the other. It is the
# stream that waits; the host goes on.
y = x * 3
side.wait_stream(main)
with torch.npu.stream(side):
    late = y + 1
main.wait_stream(side)
print("in order:", late[0].item())


# Step 4. When the function returns, nobody has `scratch` any more, and torch gives its memory to the next tensor of
# `main`: `side` may still be reading it. The variable cannot tell how long it is needed; `record_stream` tells.
def start_sum() -> torch.Tensor:
    """Begin to sum up on the side stream; nobody waits for that."""
    scratch = torch.full((SIZE,), 5.0, device="npu")
    side.wait_stream(main)
    with torch.npu.stream(side):
        total = scratch.sum()
    scratch.record_stream(side)
    return total


total = start_sum()
other = torch.zeros(SIZE, device="npu")  # would get the memory of scratch
torch.npu.synchronize()
print("the sum is", total.item())

# Try it:
# - Leave out `scratch.record_stream(side)`. Which line does the report name first, and who writes there?
# - Put `side.wait_stream(main)` before the `with` of step 2. What is left of the report?
