"""Programs with kernels: one file by ``cc``, projects by ascendc.cmake, and what is said when a kernel is missing."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.kit.compilers import needs_compiler
from tests.kit.forks import HANG
from tests.programs.native.conftest import tool

pytestmark = needs_compiler
EXAMPLES = Path(__file__).parents[3] / "examples" / "native"

PROJECT = """\
cmake_minimum_required(VERSION 3.16)
project(adding CXX)
include(${ASCEND_CANN_PACKAGE_PATH}/%s/ascendc_kernel_cmake/ascendc.cmake)
ascendc_library(kernels_npu SHARED add_custom.cpp)
ascendc_compile_options(kernels_npu PRIVATE -g -O2 --cce-res-usage -forward-options-to-host-compiler -g -Wall -Werror)
ascendc_compile_definitions(kernels_npu PRIVATE EXTRA=1)
ascendc_include_directories(kernels_npu PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
add_executable(main main.cpp)
target_compile_options(main PRIVATE -g -std=c++17 -Wall -Werror)
target_link_libraries(main PRIVATE $<BUILD_INTERFACE:$<$<OR:$<STREQUAL:npu,npu>>:host_intf_pub>> kernels_npu)
"""
KERNEL_SOURCE = """\
#include "add_custom.h"
extern "C" __global__ __aicore__ void add_custom(GM_ADDR x, GM_ADDR z, uint32_t n)
{
    Adder<EXTRA> adder;
    adder.run(x, z, n);
}
void add_custom_do(uint32_t blocks, void *stream, uint8_t *x, uint8_t *z, uint32_t n)
{
    add_custom<<<blocks, nullptr, stream>>>(x, z, n + EXTRA);
}
extern "C" __global__ __aicore__ void scale_custom(GM_ADDR z, Scaling how) {}
"""
SCALING = """\
#pragma once
#include <cstdint>
struct Scaling {
    uint32_t by, n;
};
"""
KERNEL_HEADER = """\
#pragma once
#include "scaling.h"
#include "kernel_operator.h"
using namespace AscendC;
template <int N> class Adder {
    __aicore__ inline void run(GM_ADDR x, GM_ADDR z, uint32_t n) { pipe.run(); }
    TPipe pipe;
};
"""
MAIN = """\
#include <cstdio>
#include "acl/acl.h"
#include "scaling.h"
#include "aclrtlaunch_add_custom.h"
#include "aclrtlaunch_scale_custom.h"
extern "C" uint32_t (aclrtlaunch_scale_custom)(uint32_t blocks, void *stream, void *z, Scaling *how);
extern void add_custom_do(uint32_t blocks, void *stream, uint8_t *x, uint8_t *z, uint32_t n);
int main()
{
    aclInit(nullptr);
    aclrtSetDevice(0);
    void *x, *z, *stream;
    int h[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    aclrtCreateStream(&stream);
    aclrtMalloc(&x, sizeof h, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMalloc(&z, sizeof h, ACL_MEM_MALLOC_HUGE_FIRST);
    aclrtMemcpy(x, sizeof h, h, sizeof h, ACL_MEMCPY_HOST_TO_DEVICE);
    add_custom_do(2, stream, (uint8_t *)x, (uint8_t *)z, 7);
    int code = ACLRT_LAUNCH_KERNEL(add_custom)(2, stream, z, z, 8);
    Scaling how = {2, 8}; // by pointer or by value, and by the function that stands behind
    code += ACLRT_LAUNCH_KERNEL(scale_custom)(2, stream, z, &how) + ACLRT_LAUNCH_KERNEL(scale_custom)(1, stream, z, how);
    code += (aclrtlaunch_scale_custom)(1, stream, z, &how);
    aclrtSynchronizeStream(stream);
    aclrtMemcpy(h, sizeof h, z, sizeof h, ACL_MEMCPY_DEVICE_TO_HOST);
    std::printf("%d: %d %d\\n", code, h[0], h[7]);
    aclrtFree(x);
    aclrtFree(z);
    aclrtDestroyStream(stream);
    aclrtResetDevice(0);
    return aclFinalize();
}
"""
KERNELS = """\
import numpy as np
from ascend_sim import Block, gm, kernel

@kernel
def add_custom(b: Block, x: gm.In[np.int32], z: gm.Out[np.int32], n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = x[s] + 10

@kernel
def scale_custom(b: Block, z: gm.InOut[np.int32], by: np.uint32, n: np.uint32) -> None:
    s = b.slice(n)
    z[s] = z[s] * by
"""


@pytest.fixture(scope="module")
def added(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The example of one file, built."""
    folder = tmp_path_factory.mktemp("add")
    done = tool("cc", "-g", "-Wall", "-Wextra", "-Werror", str(EXAMPLES / "vector_add.cpp"), "-o", str(folder / "add"))
    assert (done.returncode, done.stderr) == (0, "")
    return folder / "add"


def test_a_file_with_a_kernel(added: Path) -> None:
    done = tool("run", "--kernels", str(EXAMPLES / "vector_add.py"), str(added))
    assert (done.returncode, done.stdout) == (0, "z[1] = 1.5, z[999] = 999.5\n"), done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_a_launch_is_called_by_its_kernel(tmp_path: Path) -> None:
    (tmp_path / "shout.cpp").write_text(
        '#include "acl/acl.h"\n#include "kernel_operator.h"\n'
        'extern "C" __global__ __aicore__ void shout(GM_ADDR x) { AscendC::printf("hi"); }\n'
        "int main()\n{\n    aclInit(nullptr), aclrtSetDevice(0);\n    shout<<<1, nullptr, nullptr>>>(nullptr);\n"
        "    aclrtResetDevice(0), aclFinalize();\n}\n"
    )
    (tmp_path / "k.py").write_text(
        "import numpy as np\nfrom ascend_sim import Block, gm, kernel\n\n\n@kernel\n"
        "def shout(block: Block, x: gm.In[np.int8]):\n    raise RuntimeError('hoarse')\n"
    )
    assert tool("cc", "-g", "shout.cpp", "-o", "shout", cwd=tmp_path).returncode == 0
    done = tool("run", "--kernels", "k.py", "./shout", cwd=tmp_path)
    assert "507035 from shout<<<>>> at shout.cpp:7" in done.stderr, done.stderr
    assert "ascend_sim_launch" not in done.stderr


def test_a_missing_kernel_is_told_with_the_file_to_write(added: Path, tmp_path: Path) -> None:
    report = tmp_path / "findings.json"
    done = tool("run", "--json", str(report), str(added), cwd=tmp_path)
    (found,) = (f for f in json.loads(report.read_text())["findings"] if f["kind"] == "not-modelled")
    assert "`vector_add` of vector_add.cpp" in found["title"]
    assert f"ascend-sim stub --from {EXAMPLES / 'vector_add.cpp'} vector_add.py" in done.stderr
    source = (EXAMPLES / "vector_add.cpp").read_text(encoding="utf-8").splitlines()
    line = next(i for i, text in enumerate(source, 1) if "vector_add<<<" in text)
    frame = found["sites"][0]["frames"][0]
    assert (Path(frame["file"]).name, frame["function"]) == ("vector_add.cpp", "main") and frame["line"] in (
        line,
        line + 1,
    )
    (tmp_path / "other.py").write_text(KERNELS)
    assert "other.py has add_custom" in tool("run", "--kernels", "other.py", str(added), cwd=tmp_path).stderr.replace(
        "\n", " "
    )


def test_a_skeleton_is_written_once_and_runs_until_it_is_filled_in(added: Path, tmp_path: Path) -> None:
    words = ("stub", "--from", str(EXAMPLES / "vector_add.cpp"))
    done = tool(*words, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (0, "vector_add.py: vector_add\n"), done.stderr
    assert (tool(*words, cwd=tmp_path).returncode, tool(*words, "a.py", "b.o").returncode) == (2, 2)
    run = tool("run", "--kernels", "vector_add.py", str(added), cwd=tmp_path)
    assert "write what vector_add computes" in run.stderr and run.returncode == 1
    (tmp_path / "plain.cpp").write_text("int main() {}\n")
    assert "no __global__ function" in tool("stub", "--from", "plain.cpp", cwd=tmp_path).stderr


def test_what_cannot_be_rewritten_is_refused_before_the_compiler(tmp_path: Path) -> None:
    (tmp_path / "bad.cpp").write_text("int main() {\n    add<<<1>>>();\n}\n")
    done = tool("cc", "bad.cpp", "-o", "bad", cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert "bad.cpp:2: kernel 'add' is not declared" in done.stderr


def test_the_device_compiler_by_its_name(tmp_path: Path) -> None:
    """Old projects call ccec for each file and to link."""
    shutil.copy(EXAMPLES / "vector_add.cpp", tmp_path / "add.cce")
    compiler = Path(tool("home").stdout.strip(), "bin", "ccec")
    shutil.copy(EXAMPLES / "must.h", tmp_path)
    device = ["--cce-aicore-arch=dav-c220-vec", "-mllvm", "-cce-aicore-addr-transform"]
    for words in (
        ["-xcce", *device, "-O2", "-g", "-o", "add.o", "-c", "add.cce"],
        ["--cce-fatobj-link", "add.o", "-o", "add", "-lascendcl"],
    ):
        done = subprocess.run(
            [str(compiler), *words], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG
        )
        assert done.returncode == 0, done.stderr
    run = tool("run", "--kernels", str(EXAMPLES / "vector_add.py"), "./add", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (0, "z[1] = 1.5, z[999] = 999.5\n"), run.stderr


@pytest.mark.skipif(shutil.which("cmake") is None, reason="there is no cmake here")
@pytest.mark.parametrize("folder", ["tikcpp", "compiler/tikcpp"])
def test_a_project_of_ascendc_cmake(folder: str, tmp_path: Path) -> None:
    files = {
        "CMakeLists.txt": PROJECT % folder, "add_custom.cpp": KERNEL_SOURCE, "add_custom.h": KERNEL_HEADER, "main.cpp": MAIN,
        "kernels.py": KERNELS, "scaling.h": SCALING,
    }  # fmt: skip
    for name, text in files.items():
        (tmp_path / name).write_text(text)
    home = tool("home").stdout.strip()
    build = ["cmake", "-S", ".", "-B", "build", f"-DASCEND_CANN_PACKAGE_PATH={home}"]
    for command in (build, ["cmake", "--build", "build"]):
        done = subprocess.run(
            command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG, env=os.environ
        )
        assert done.returncode == 0, done.stdout + done.stderr
    run = tool("run", "--kernels", "kernels.py", "build/main", cwd=tmp_path)
    assert (run.returncode, run.stdout) == (0, "0: 160 216\n"), run.stderr
    (tmp_path / "add_custom.cpp").write_text(KERNEL_SOURCE.replace(">>>", ">>"))
    done = subprocess.run(
        ["cmake", "--build", "build"], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=HANG
    )
    assert done.returncode != 0 and "add_custom.cpp:9: <<< without >>>" in done.stderr


LOADER = """\
#include <stdio.h>
#include "acl/acl.h"
int main(int count, char **words)
{
    static char held[1 << 16];
    aclInit(NULL);
    aclrtSetDevice(0);
    for (int i = 1; i < count; i++) {
        aclrtBinHandle named = NULL, given = NULL, made = NULL;
        int codes[3];
        FILE *file = fopen(words[i], "rb");
        size_t size = fread(held, 1, sizeof held, file);
        fclose(file);
        codes[0] = aclrtBinaryLoadFromFile(words[i], NULL, &named);
        codes[1] = aclrtBinaryLoadFromData(held, size, NULL, &given);
        codes[2] = aclrtBinaryLoad(aclrtCreateBinary(held, size), &made);
        printf("%d%d%d ", !codes[0], !codes[1], !codes[2]);
    }
    return 0;
}
"""


@pytest.mark.slow
def test_code_in_binaries_runs_as_the_user_said(tmp_path: Path) -> None:
    """What stays loaded is told in the library's destructor: after the exit handler of OpenSSL, which has cleaned up."""
    (tmp_path / "load.c").write_text(LOADER)
    kernels = "open('RAN', 'w')\nfrom ascend_sim import Block, kernel\n@kernel\ndef one(b: Block) -> None: ...\n"
    (tmp_path / "k.py").write_text(kernels)
    (tmp_path / "marked.o").write_text(f"# ascend_sim kernels\n{kernels}")
    for words in (["cc", "load.c", "-o", "load"], ["stub", "k.py", "stub.o"]):
        done = tool(*words, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
    for options, loaded in (
        ([], "000 000 000 "),
        (["--kernels", "k.py"], "100 000 111 "),
        (["--trust-kernel-files"], "100 111 111 "),  # bytes without the mark are no kernel file
    ):
        (tmp_path / "RAN").unlink(missing_ok=True)
        done = tool("run", *options, "./load", "k.py", "marked.o", "stub.o", cwd=tmp_path)
        assert (done.returncode, done.stdout) == (0, loaded), done.stderr
        assert (tmp_path / "RAN").exists() == ("1" in loaded)
        assert ("binaries are alive" in done.stderr) == ("1" in loaded)


def test_places_are_those_of_the_source_when_it_lies_where_the_compiler_runs(tmp_path: Path) -> None:
    (tmp_path / "k.cpp").write_text(
        'extern "C" __global__ __aicore__ void k(GM_ADDR x) {}\n'
        'extern "C" void k_do(void *stream, uint8_t *x)\n{\n    k<<<1, nullptr, stream>>>(x);\n}\n'
    )
    done = tool("cc", "-g", "-O0", "-c", "k.cpp", "-o", "k.o", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    said = subprocess.run(["addr2line", "-j", ".text", "-e", "k.o", "0"], cwd=tmp_path, capture_output=True, text=True)
    assert said.stdout == f"{tmp_path}/k.cpp:3\n", said
