"""Functions of C programs that the API calls: one for every parameter of the catalogue that takes a function."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

from ascend_sim.catalogue.functions import functions
from ascend_sim.om.container import write
from ascend_sim.om.description import TensorDescription
from ascend_sim.ops.op_files import describe_op
from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import SOURCES, tool

Built = Callable[[str], Path]

KERNELS = """# ascend_sim kernels
import numpy as np

from ascend_sim import Block, gm, kernel


@kernel
def traps(block: Block, x: gm.In[np.float32]):
    raise RuntimeError("trap")


@kernel
def twice(block: Block, x: gm.In[np.float32], y: gm.Out[np.float32], n: np.int32):
    y[:n] = 2 * x[:n]
"""

ELSEWHERE = {"aclvdecSetChannelDescCallback", "aclvencSetChannelDescCallback"}
"""They are called by `video.cpp` (test_run.py)."""

OUTPUT = """begun 0 1 1
device 0 state 0 1
stream 1 state 1 1
device 0 state 1 1
stream 1 state 1 1
hosted 1
stream 1 state 1 1
launched 1
stream 1 state 2 1
hosted 1
destroyed 1
dumped 1, last 1, .npy NUMPY
allocator 11111
choose 1 of 4, 1 of 4
twice 2 8
allocate 1 1
free 1
snapshot 0 1
exception device 0 stream 1 code 507035
one more 1
of the binary 0 1
synchronize 507035
abort 0 stage 0 1 1
abort 0 stage 1 1 1
stream 1 state 2 1
stream 1 state 2 1
device 0 state 2 1
device 0 state 3 1
ended 1""".splitlines()


@needs_compiler
def test_every_function_that_is_handed_over_is_called(built: Built, tmp_path: Path) -> None:
    (tmp_path / "k.py").write_text(KERNELS)
    one = TensorDescription("x", 0, (4,))
    (tmp_path / "neg.om").write_bytes(write(describe_op("Neg", [one], [one], work_size=4096)))
    words = ("--kernels", "traps.o=k.py", "--kernels", "k.py", "--json", "found.json")
    done = tool("run", *words, str(built("callbacks.cpp")), "k.py", "neg.om", cwd=tmp_path)
    *lines, released = done.stdout.splitlines()
    assert (lines, released.split()[0]) == (OUTPUT, "released"), done.stderr
    assert done.returncode == 1, done.stderr  # two errors: memory that goes too early, and the kernel
    found = {finding["kind"]: finding for finding in json.loads((tmp_path / "found.json").read_text())["findings"]}
    assert sorted(found) == ["kernel-exception", "use-after-free"]
    queued = [site["frames"][0] for site in found["use-after-free"]["sites"] if site["text"].startswith("queued")]
    line = SOURCES.joinpath("callbacks.cpp").read_text().splitlines()[queued[0]["line"] - 1]
    assert "aclopExecuteV2" in line, "what is called inside a call does not move it"


def test_no_parameter_of_the_catalogue_is_forgotten() -> None:
    text = (SOURCES / "callbacks.cpp").read_text() + (SOURCES / "video.cpp").read_text()
    take = [name for name, function in functions().items() if any(p.kind == "function" for p in function.parameters)]
    assert [name for name in take if f"{name}(" not in text] == []
    assert len(take) > 25
