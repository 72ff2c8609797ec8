"""Models in C programs: whose code runs, weights in other files, and the sizes of gears."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim.om import Body, save, write
from tests.kit.compilers import needs_compiler
from tests.programs.native.conftest import tool
from tests.unit.models.conftest import neg

pytestmark = needs_compiler

RUNNER = """\
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "acl/acl.h"
static float values[64];
static void *buffer(aclmdlDataset *dataset, size_t size)
{
    void *block = NULL;
    aclrtMalloc(&block, size, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(block, size, values, size, ACL_MEMCPY_HOST_TO_DEVICE);
    aclmdlAddDatasetBuffer(dataset, aclCreateDataBuffer(block, size));
    return block;
}
int main(int count, char **words)
{
    uint32_t model = 0;
    size_t gear = 0, size = 0;
    void *last = NULL;
    aclmdlIODims dims = {.dimCount = 0}, one;
    aclInit(NULL);
    aclrtSetDevice(0);
    int code = aclmdlLoadFromFile(words[1], &model);
    if (code) {
        printf("load %d\\n", code);
        return 0;
    }
    for (int i = 0; i < 64; i++)
        values[i] = i + 1;
    aclmdlDesc *desc = aclmdlCreateDesc();
    aclmdlGetDesc(desc, model);
    aclmdlDataset *in = aclmdlCreateDataset(), *out = aclmdlCreateDataset();
    for (size_t i = 0; i < aclmdlGetNumInputs(desc); i++)
        buffer(in, aclmdlGetInputSizeByIndex(desc, i));
    for (size_t i = 0; i < aclmdlGetNumOutputs(desc); i++) {
        size = aclmdlGetOutputSizeByIndex(desc, i);
        last = buffer(out, size);
        printf("%zu ", size);
    }
    if (count > 2 && !aclmdlGetInputIndexByName(desc, ACL_DYNAMIC_TENSOR_NAME, &gear)) {
        int word = 2;
        for (size_t i = 0; i < gear; i++) {
            aclmdlGetInputDims(desc, i, &one);
            for (size_t k = 0; k < one.dimCount; k++)
                dims.dims[dims.dimCount++] = one.dims[k] < 0 ? atoi(words[word++]) : one.dims[k];
        }
        printf("set %d ", aclmdlSetInputDynamicDims(model, in, gear, &dims));
    }
    printf("run %d ", aclmdlExecute(model, in, out));
    aclrtMemcpy(values, size, last, size, ACL_MEMCPY_DEVICE_TO_HOST);
    printf("%g %g\\n", values[0], values[1]);
    return 0;
}
"""


@pytest.fixture(scope="module")
def runner(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    (folder / "run.c").write_text(RUNNER)
    done = tool("cc", "run.c", "-o", "run", cwd=folder)
    assert done.returncode == 0, done.stderr
    return folder / "run"


BODIES = "from os import system\nopen('RAN', 'w')\ndef own(x): return x * 3\n"


@pytest.mark.parametrize(("options", "target", "printed"), [
    ([], "bodies:own", "load 500002"),
    (["--allow-model-module", "bodies"], "bodies:own", "16 run 0 3 6"),
    (["--allow-model-module", "bodies"], "bodies:system", "load 500002"),
    (["--allow-model-module", "*"], "builtins:exec", "load 500002"),
])  # fmt: skip
def test_whose_code_a_model_runs(options: list[str], target: str, printed: str, runner: Path, tmp_path: Path) -> None:
    """The module lies beside the program, as it may for a Python program."""
    (tmp_path / "bodies.py").write_text(BODIES)
    (tmp_path / "m.om").write_bytes(write(neg(body=Body("python", target))))
    shutil.copy(runner, tmp_path / "run")
    done = tool("run", *options, "./run", "m.om", cwd=tmp_path)
    assert done.stdout == f"{printed}\n", done.stderr
    assert (tmp_path / "RAN").exists() == (options == ["--allow-model-module", "bodies"])


def onnx_model(nodes: list[tuple[str, str, str]], **ends: list[Any]) -> Any:
    helper = pytest.importorskip("onnx").helper
    named = {name: helper.make_tensor_value_info(name, 1, dims) for name, dims in ends.items()}
    made = [
        helper.make_node(kind, sources.split(), [to], **({"axis": 0} if kind == "Concat" else {}))
        for kind, sources, to in nodes
    ]
    inputs, outputs = ([value for name, value in named.items() if name[0] in letters] for letters in ("ab", "xy"))
    graph = helper.make_graph(made, "g", inputs, outputs)
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 13)], ir_version=8)


def test_weights_in_another_file(runner: Path, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx")
    model = onnx_model([("Relu", "a", "x")], a=[4], x=[4])
    weights = onnx.numpy_helper.from_array(np.zeros(4, np.float32), "w")
    onnx.external_data_helper.set_external_data(weights, "secret")
    weights.ClearField("raw_data")
    model.graph.initializer.append(weights)
    (tmp_path / "secret").write_bytes(bytes(16))
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    save(tmp_path / "m.om", neg(body=Body("onnx")), model.SerializeToString())
    for options, code in ([], 500002), (["--models", "m.om=m.onnx"], 145002):
        done = tool("run", *options, str(runner), "m.om", cwd=tmp_path)
        assert (done.stdout, "in another file" in done.stderr) == (f"load {code}\n", True), done.stderr


def test_each_output_has_the_dims_of_its_own_input(runner: Path, tmp_path: Path) -> None:
    model = onnx_model([("Relu", "a", "x"), ("Neg", "b", "y")], a=["M", 4], b=["N", 2], x=["M", 4], y=["N", 2])
    (tmp_path / "m.onnx").write_bytes(model.SerializeToString())
    made = tool("om", "from-onnx", "m.onnx", "-o", "m.om", "--dynamic-dims", "1,8;4,2", cwd=tmp_path)
    assert made.returncode == 0, made.stderr
    done = tool("run", str(runner), "m.om", "1", "8", cwd=tmp_path)
    assert done.stdout == "64 64 set 0 run 0 -1 -2\n", done.stderr
