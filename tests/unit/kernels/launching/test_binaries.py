"""Finding kernels: paths and aliases, files and bytes, functions and what is known about them."""

from __future__ import annotations

import hashlib
import os
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ascend_sim import Block, Struct, gm, kernel
from ascend_sim import ascendcl as C
from ascend_sim.ascendcl import structs
from ascend_sim.cli import main as ascend_sim

from ..conftest import Device, Make

SOURCE = """import numpy as np
from ascend_sim import Block, gm, kernel

@kernel(entry=5)
def add(b: Block, x: gm.In[np.float32], n: np.uint32) -> None:
    pass

@kernel(name="axpy_custom", kind="aic")
def axpy(b: Block, x: gm.In[np.float32]) -> None:
    raise ValueError("line 10")
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE)
    return path


@kernel
def one(b: Block) -> None: ...


@kernel
def two(b: Block) -> None: ...


def load(path: object) -> tuple[int, int]:
    binary, code = C.aclrtBinaryLoadFromFile(str(path), None)
    return binary, code


def names(device: Device, path: object) -> list[str]:
    binary, code = load(path)
    assert code == 0, C.aclGetRecentErrMsg()
    found: Any = device.sim.handles[binary]
    return list(found.kernels)


class TestLookUp:
    def test_a_python_file(self, device: Device, file: Path) -> None:
        assert names(device, file) == ["add", "axpy_custom"]

    def test_the_whole_path_then_its_tail_then_the_name(self, device: Device) -> None:
        kernels = device.sim.kernels
        kernels["*.o"] = one
        assert names(device, "/a/build/x.o") == ["one"]
        kernels["x.o"] = two
        assert names(device, "/a/build/x.o") == ["two"]
        kernels["build/x.o"] = [one, two]
        assert names(device, "/a/build/x.o") == ["one", "two"]
        kernels["/a/build/x.o"] = one
        assert names(device, "/a/build/x.o") == ["one"]
        assert names(device, "build/../other/x.o") == ["two"]

    def test_two_equal_patterns_are_an_error_that_names_both(self, device: Device) -> None:
        device.sim.kernels["a*.o"] = one
        device.sim.kernels["*b.o"] = two
        assert load("/x/ab.o") == (0, 107000)
        assert "'a*.o' and '*b.o'" in C.aclGetRecentErrMsg()
        assert names(device, "/x/a.o") == ["one"]

    def test_a_module_a_list_a_kernel_or_a_path(self, device: Device, file: Path) -> None:
        import types

        module = types.ModuleType("m")
        module.one, module.again, module.two = one, one, two  # type: ignore[attr-defined]
        device.sim.kernels["m.o"] = module
        assert names(device, "m.o") == ["one", "two"]
        device.sim.kernels["f.o"] = file
        assert names(device, "f.o") == ["add", "axpy_custom"]
        for wrong in (42, None, [], types.ModuleType("empty"), lambda: 0):
            with pytest.raises(TypeError, match="a module, a kernel, a list of kernels or the path of a kernel file"):
                device.sim.kernels["w.o"] = wrong

    def test_registration_belongs_to_a_simulator(self, make_device: Make) -> None:
        make_device().sim.kernels["x.o"] = one
        make_device()
        assert load("x.o") == (0, 107000)

    def test_from_the_environment(self, make_device: Make, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setenv("ASCEND_SIM_KERNELS", f"add_custom.o={file},other.o={file}")
        device = make_device()
        assert names(device, "/build/add_custom.o") == ["add", "axpy_custom"]
        assert names(device, "other.o") == ["add", "axpy_custom"]

    def test_a_stub_is_found_by_its_first_line(self, device: Device, tmp_path: Path) -> None:
        path = tmp_path / "add_custom.o"
        path.write_text("# ascend_sim kernels\n" + SOURCE)
        assert names(device, path) == ["add", "axpy_custom"]

    def test_only_such_files_run(self, device: Device, tmp_path: Path) -> None:
        path = tmp_path / "add_custom.o"
        path.write_text("raise SystemExit(3)")
        assert load(path) == (0, 107000)
        assert "register a Python kernel file for it with --kernels add_custom.o=KERNELS.py" in C.aclGetRecentErrMsg()
        path = tmp_path / "data.bin"
        path.write_text("raise SystemExit(3)")
        assert load(path) == (0, 107000)
        assert "neither ends in .py nor begins with the line '# ascend_sim kernels'" in C.aclGetRecentErrMsg()

    def test_a_real_binary_is_refused_with_the_line_to_type(self, device: Device, tmp_path: Path) -> None:
        path = tmp_path / "add_custom.o"
        path.write_bytes(b"\x7fELF" + bytes(100))
        assert load(path) == (0, 107000)
        found = device.only("not-modelled")
        assert "is a compiled kernel" in found.title
        assert "ascend-sim run --kernels add_custom.o=KERNELS.py ..." in found.fix

    def test_bytes_of_a_real_binary_have_no_name_that_an_option_could_map(self, device: Device) -> None:
        data = b"\x7fELF" + bytes(100)
        assert C.aclrtBinaryLoadFromData(data, len(data), None) == (0, 107000)
        found = device.only("not-modelled")
        assert "ascend-sim stub KERNELS.py OUT.o\nascend-sim run --kernels KERNELS.py ..." in found.fix
        assert "<data>=" not in found.fix + C.aclGetRecentErrMsg()

    def test_the_line_to_type_can_be_pasted(self, device: Device, tmp_path: Path) -> None:
        path = tmp_path / "my kernel.o"
        path.write_bytes(b"\x7fELF" + bytes(100))
        assert load(path) == (0, 107000)
        assert "ascend-sim run --kernels 'my kernel.o'=KERNELS.py ..." in device.only("not-modelled").fix

    def test_a_pipe_is_not_waited_for(self, device: Device, tmp_path: Path) -> None:
        os.mkfifo(tmp_path / "add_custom.o")
        assert load(tmp_path / "add_custom.o") == (0, 107000)
        assert "is no regular file" in C.aclGetRecentErrMsg()

    DECORATED = 3 if sys.version_info >= (3, 11) else 4
    """The line of a decorator's call: 3.10 says that of the function."""
    ERRORS = [
        ("def broken(:", "SyntaxError", 1),
        ("import numpy\n1/0", "ZeroDivisionError", 2),
        ("from ascend_sim import kernel\n\n@kernel\ndef k(b, x): ...", "parameter `x` has no type", DECORATED),
        ("import no_such_module_here", "ModuleNotFoundError", 1),
        ("x = 1", "holds no kernel: decorate its functions with @kernel", 0),
    ]

    @pytest.mark.parametrize(("text", "said", "line"), ERRORS, ids=[row[1] for row in ERRORS])
    def test_errors_of_a_kernel_file(self, device: Device, tmp_path: Path, text: str, said: str, line: int) -> None:
        path = tmp_path / "k.py"
        path.write_text(text)
        assert load(path) == (0, 107000)
        message = C.aclGetRecentErrMsg()
        assert said in message
        assert (f"(line {line})" in message) == bool(line)

    def test_structs_in_a_file_with_postponed_annotations(self, device: Device, tmp_path: Path) -> None:
        path = tmp_path / "k.py"
        path.write_text(
            "from __future__ import annotations\nimport numpy as np\nfrom ascend_sim import Block, Struct, kernel\n"
            "class T(Struct):\n    n: np.uint32\n@kernel\ndef k(b: Block, t: T) -> None: ...\n"
        )
        assert names(device, path) == ["k"]


class TestStub:
    def test_the_command_writes_header_and_source(
        self, device: Device, file: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        out = tmp_path / "build" / "add_custom.o"
        assert ascend_sim(["stub", str(file), str(out)]) == 0
        assert capsys.readouterr().out == f"{out}: add, axpy_custom\n"
        header, _, source = out.read_text().partition("\n")
        digest = hashlib.sha256(SOURCE.encode()).hexdigest()
        assert (header, source) == (f"# ascend_sim kernels: {file} sha256={digest}", SOURCE)
        assert names(device, out) == ["add", "axpy_custom"]

    @pytest.mark.parametrize("keep", [True, False])
    def test_reports_name_the_original_and_its_lines(
        self, device: Device, file: Path, tmp_path: Path, keep: bool
    ) -> None:
        out = tmp_path / "add_custom.o"
        assert ascend_sim(["stub", str(file), str(out)]) == 0
        if not keep:
            file.unlink()
        function = device.must(C.aclrtBinaryGetFunction(device.must(load(out)), "axpy_custom"))
        raw = bytes(8)
        device.must(C.aclrtLaunchKernelWithHostArgs(function, 1, device.stream, None, raw, 8, None, 0))
        assert device.wait() == 507015
        primary = device.only("kernel-exception").primary
        assert primary is not None
        frame = primary.frames[0]
        assert (frame.file, frame.line, frame.function) == (str(file), 10, "axpy")
        from ascend_sim.source.callsite import source_line

        assert source_line(frame.file, frame.line) == '    raise ValueError("line 10")'

    def test_mistakes(self, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
        assert ascend_sim(["stub", str(tmp_path / "no.py"), str(tmp_path / "o")]) == 2
        assert "cannot be read: No such file or directory" in capsys.readouterr().err
        path = tmp_path / "k.py"
        path.write_text("1/0")
        assert ascend_sim(["stub", str(path), str(tmp_path / "o")]) == 1
        assert "ZeroDivisionError" in capsys.readouterr().err
        path.write_text("x = 1")
        assert ascend_sim(["stub", str(path), str(tmp_path / "o")]) == 1
        assert not (tmp_path / "o").exists()


class TestFromBytes:
    def load(self, data: bytes, options: Any = None) -> tuple[int, int]:
        binary, code = C.aclrtBinaryLoadFromData(data, len(data), options)
        return binary, code

    def test_a_stub_in_memory(self, device: Device) -> None:
        data = b"# ascend_sim kernels\n" + SOURCE.encode()
        binary = device.must(self.load(data))
        assert C.aclrtBinaryGetFunction(binary, "add")[1] == 0
        raw = device.must((C.aclrtCreateBinary(data, len(data)), 0))
        binary = device.must(C.aclrtBinaryLoad(raw))
        assert C.aclrtBinaryGetFunction(binary, "axpy_custom")[1] == 0
        device.must(C.aclrtDestroyBinary(raw))
        assert C.aclrtDestroyBinary(raw) == 107017
        assert C.aclrtBinaryLoad(raw) == (0, 107017)

    @pytest.mark.parametrize("data", [b"\x7fELF" + bytes(60), b"junk", SOURCE.encode()])
    def test_anything_else_is_refused(self, device: Device, data: bytes) -> None:
        assert self.load(data) == (0, 107000)
        raw = C.aclrtCreateBinary(data, len(data))
        assert C.aclrtBinaryLoad(raw) == (0, 107000)

    def test_nothing(self, device: Device) -> None:
        assert C.aclrtBinaryLoadFromData(0, 5, None) == (0, 100000)
        assert C.aclrtBinaryLoadFromData(b"x", 0, None) == (0, 107000)
        assert C.aclrtCreateBinary(0, 0) == 0
        assert C.aclrtBinaryLoad(C.aclrtCreateBinary(b"x", 0)) == (0, 107000)
        assert C.aclrtBinaryLoadFromData(16, 1 << 20, None) == (0, 107000)

    def test_known_to_the_devices_where_it_was_looked_up(self, make_device: Make) -> None:
        device = make_device(devices=2)
        data = b"# ascend_sim kernels\n" + SOURCE.encode()
        binary = device.must(self.load(data))
        function = device.must(C.aclrtBinaryGetFunction(binary, "add"))
        device.must(C.aclrtSetDevice(1))
        args = device.buffer(16)
        assert C.aclrtLaunchKernelV2(function, 1, args, 12, None, 0) == 107017
        assert C.aclrtPeekAtLastError(0) == 0
        device.must(C.aclrtBinaryGetFunction(binary, "add"))
        assert C.aclrtLaunchKernelV2(function, 1, args, 12, None, 0) == 0


def binary_options(*pairs: tuple[int, str, int]) -> Any:
    listed = [
        structs.aclrtBinaryLoadOption(number, structs.aclrtBinaryLoadOptionValue(**{field: value}))
        for number, field, value in pairs
    ]
    return structs.aclrtBinaryLoadOptions(listed, len(listed))


@pytest.mark.parametrize(
    ("options", "code"),
    [
        (((1, "isLazyLoad", 0),), 0), (((1, "isLazyLoad", 1),), 0), (((1, "isLazyLoad", 2),), 107000),
        (((2, "magic", 0x43554245),), 107000), (((3, "cpuKernelMode", 1),), 0), (((3, "cpuKernelMode", 2),), 107000),
        (((4, "isLazyLoad", 0),), 107000), ((), 0),
    ],
)  # fmt: skip
def test_load_options(device: Device, file: Path, options: Any, code: int) -> None:
    assert C.aclrtBinaryLoadFromFile(str(file), binary_options(*options))[1] == code


class Tiling(Struct):
    n: np.uint32
    scale: np.float64


class TestFunctions:
    @kernel(name="add_custom", entry=9, kind="mix12", schedmode=1)
    def mixed(b: Block, x: gm.In[np.float32], n: np.uint8, t: Tiling) -> None: ...

    @kernel(kind="cpu")
    def on_cpu(b: Block) -> None: ...

    @pytest.fixture
    def binary(self, device: Device) -> int:
        device.sim.kernels["b.o"] = [self.mixed, one, self.on_cpu]
        found: int = device.must(load("b.o"))
        return found

    def test_by_name_and_by_entry(self, device: Device, binary: int) -> None:
        function = device.must(C.aclrtBinaryGetFunction(binary, "add_custom"))
        for name in ("add_custom_mix_aic", "add_custom_mix_aiv"):
            assert C.aclrtBinaryGetFunction(binary, name) == (function, 0)
        assert C.aclrtBinaryGetFunctionByEntry(binary, 9) == (function, 0)
        assert C.aclrtBinaryGetFunctionByEntry(binary, 8) == (0, 107000)
        assert C.aclrtBinaryGetFunction(binary, "add") == (0, 107000)
        assert "`add` is not in b.o (add_custom, one, on_cpu)" in C.aclGetRecentErrMsg()
        assert C.aclrtFunctionGetBinary(function) == (binary, 0)

    def test_what_is_known_about_them(self, device: Device, binary: int) -> None:
        function = device.must(C.aclrtBinaryGetFunction(binary, "add_custom"))
        assert C.aclrtFunctionGetParamCount(function) == (3, 0)
        assert [C.aclrtFunctionGetParamInfo(function, i)[:2] for i in range(3)] == [(0, 8), (8, 1), (16, 16)]
        assert C.aclrtFunctionGetParamInfo(function, 3)[-1] == 107000
        assert C.aclrtFunctionGetAvailDynUbufPerBlock(function, 0) == (0, 0)
        name = bytearray(32)
        assert C.aclrtGetFunctionName(function, 32, name) == 0
        assert bytes(name).rstrip(b"\0") == b"add_custom"
        aic, aiv, code = C.aclrtGetFunctionAddr(function)
        assert (bool(aic), bool(aiv), code) == (True, True, 0)
        assert C.aclrtGetFunctionSize(function)[-1] == 0
        vector = device.must(C.aclrtBinaryGetFunction(binary, "one"))
        assert C.aclrtGetFunctionAddr(vector)[0] == 0
        assert C.aclrtGetFunctionSize(vector)[0] == 0

    @pytest.mark.parametrize(
        ("kind", "of_type", "ratio"),
        [("aic", 1, 0x10000), ("aiv", 2, 1), ("mix11", 3, 0x10001), ("mix12", 3, 0x10002)],
    )
    def test_attributes(self, make_device: Make, kind: Any, of_type: int, ratio: int) -> None:
        @kernel(kind=kind, schedmode=1)
        def k(b: Block) -> None: ...

        device = make_device()
        function = device.function(k)
        assert [C.aclrtGetFunctionAttribute(function, i) for i in (1, 2, 3)] == [(of_type, 0), (ratio, 0), (1, 0)]
        assert C.aclrtGetFunctionAttribute(function, 4)[-1] == 107000
        device = make_device(soc="Ascend910A")
        assert C.aclrtGetFunctionAttribute(device.function(k), 1) == (0, 0)

    def test_after_unloading_everything_is_dead(self, device: Device, binary: int) -> None:
        function = device.must(C.aclrtBinaryGetFunction(binary, "one"))
        args = device.buffer(8)
        for _ in range(2):
            device.must(C.aclrtLaunchKernelV2(function, 1, args, 8, None, device.stream))
        device.must(C.aclrtBinaryUnLoad(binary))
        assert device.wait() == 0
        assert C.aclrtBinaryUnLoad(binary) == 107017
        assert C.aclrtBinaryGetFunction(binary, "one") == (0, 107017)
        assert C.aclrtLaunchKernelV2(function, 1, args, 8, None, device.stream) == 107017
        assert "kernel `one` was destroyed" in C.aclGetRecentErrMsg()
        assert C.aclrtFunctionGetParamCount(function)[-1] == 107017

    def test_cpu_kernels(self, device: Device, binary: int) -> None:
        function = device.must(C.aclrtBinaryGetFunction(binary, "on_cpu"))
        assert C.aclrtGetFunctionAttribute(function, 1) == (100, 0)
        assert C.aclrtGetFunctionAttribute(function, 2)[-1] == 107000
        assert C.aclrtGetFunctionAddr(function)[-1] == 107000
        assert C.aclrtRegisterCpuFunc(binary, "a", "one") == (0, 107000)
        assert C.aclrtLaunchKernelWithArgsArray(function, 1, device.stream, None, None) == 207000

    def test_a_binary_of_cpu_kernels(self, device: Device) -> None:
        device.sim.kernels["cust.json"] = [one, two]
        binary = device.must(load("/opt/cust.json"))
        function = device.must(C.aclrtRegisterCpuFunc(binary, "RunCpuKernel", "one"))
        assert C.aclrtGetFunctionAttribute(function, 1) == (100, 0)
        assert C.aclrtRegisterCpuFunc(binary, "two", "NoSuchKernel")[-1] == 0
        assert C.aclrtRegisterCpuFunc(binary, "a", "b") == (0, 107000)
        assert C.aclrtBinaryGetFunctionByEntry(binary, 1) == (0, 107000)
        assert C.aclrtLaunchKernelV2(function, 3, device.buffer(8), 8, None, device.stream) == 0
        assert device.wait() == 0

    def test_a_json_without_kernels(self, device: Device, tmp_path: Path) -> None:
        path = tmp_path / "cust.json"
        path.write_text("{}")
        assert load(path) == (0, 107000)
        assert "--kernels cust.json=KERNELS.py" in device.only("not-modelled").fix

    def test_names_that_lead_nowhere(self, device: Device, binary: int) -> None:
        assert C.aclrtGetFuncBySymbol(0) == (0, 100000)
        assert C.aclrtGetFuncBySymbol(0x1234) == (0, 107000)
        assert C.aclrtBinaryGetGlobal(binary, "table")[-1] == 107042
        assert C.aclrtBinaryGetGlobal(binary, None)[-1] == 100000
        assert C.aclrtGetHardwareSyncAddr()[-1] == 0
        assert C.aclrtBinaryGetDevAddress(binary)[-1] == 0

    def test_simt_launches_are_refused(self, make_device: Make) -> None:
        grid, nothing = structs.dim3(2, 1, 1), structs.dim3(2, 0, 1)
        device = make_device()
        function = device.function(one)
        assert C.aclrtLaunchSIMTKernelWithArgsArray(0, grid, grid, 0, 0, None, None) == 100000
        assert C.aclrtLaunchSIMTKernelWithArgsArray(function, grid, grid, 0, 0, None, None) == 207000
        device = make_device(soc="Ascend950PR_9599")
        function = device.function(one)
        assert C.aclrtLaunchSIMTKernelWithArgsArray(function, grid, nothing, 0, 0, None, None) == 107000
        assert "blockDim is (2, 0, 1)" in C.aclGetRecentErrMsg()
        assert C.aclrtLaunchSIMTKernelWithHostArgs(function, grid, grid, 0, 0, None, bytes(8), 8, None, 0) == 107000
        assert "is no SIMT kernel" in C.aclGetRecentErrMsg()
        assert C.aclrtLaunchSIMTKernelWithHostArgs(function, grid, grid, 0, 0, None, bytes(8), 0, None, 0) == 100000
