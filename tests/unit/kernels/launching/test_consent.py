"""Kernel files are Python code: it runs only when the user named the file, or said that all of it may run."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ascend_sim import Simulator
from ascend_sim import ascendcl as C
from ascend_sim.cli import main as ascend_sim

SOURCE = """\
import pathlib
from ascend_sim import Block, kernel

pathlib.Path({ran!r}).touch()


@kernel
def one(b: Block) -> None: ...
"""


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ASCEND_SIM_TRUST_KERNEL_FILES")


@pytest.fixture
def sim() -> Iterator[Simulator]:
    with Simulator(checks="none") as sim:
        assert C.aclrtSetDevice(0) == 0
        yield sim


@pytest.fixture
def ran(tmp_path: Path) -> Path:
    """A file that is there once the code ran."""
    return tmp_path / "ran"


@pytest.fixture
def file(tmp_path: Path, ran: Path) -> Path:
    path = tmp_path / "kernels.py"
    path.write_text(SOURCE.format(ran=str(ran)))
    return path


def by_name(path: Path | str, data: bytes) -> int:
    Path(path).write_bytes(data)
    return int(C.aclrtBinaryLoadFromFile(str(path), None)[1])


def from_memory(path: Path, data: bytes) -> int:
    return int(C.aclrtBinaryLoadFromData(data, len(data), None)[1])


def in_two_steps(path: Path, data: bytes) -> int:
    return int(C.aclrtBinaryLoad(C.aclrtCreateBinary(data, len(data)))[1])


def for_an_operator(path: Path, data: bytes) -> int:
    return int(C.aclopCreateKernel("T", "a", "one", data, len(data), 1, None))


WAYS = [by_name, from_memory, in_two_steps, for_an_operator]


@pytest.mark.parametrize("load", WAYS)
@pytest.mark.parametrize(
    "first_line",
    [
        "# ascend_sim kernels\n",
        "# ascend_sim kernels: {file}\n",
        "# ascend_sim kernels: {file} sha256={wrong}\n",
        "# ascend_sim kernels: {other} sha256={right}\n",
        "# ascend_sim kernels_not really\n",
        "# ascend_sim kernels: \n",
    ],
)
def test_bytes_with_the_mark_are_refused(
    sim: Simulator, tmp_path: Path, file: Path, ran: Path, load: Any, first_line: str
) -> None:
    sim.kernels.register(file)
    sim.kernels["x.py"] = file
    other = tmp_path / "other.py"  # the same code lies there, but nobody named it
    other.write_bytes(file.read_bytes())
    evil = file.read_bytes().replace(b"touch", b"write_text('x') or pathlib.Path().exists")
    head = first_line.format(file=file, wrong="0" * 64, right=hashlib.sha256(evil).hexdigest(), other=other)
    assert load(tmp_path / "add_custom.o", head.encode() + evil) in (107000, 500001, 100000)
    assert not ran.exists()


@pytest.mark.parametrize("load", WAYS)
def test_a_stub_of_a_named_file_runs(sim: Simulator, tmp_path: Path, file: Path, ran: Path, load: Any) -> None:
    out = tmp_path / "add_custom.o"
    assert ascend_sim(["stub", str(file), str(out)]) == 0
    ran.unlink()
    stub = out.read_bytes()
    assert load(out, stub) != 0
    assert not ran.exists()
    sim.kernels.register(file)
    assert load(out, stub) == 0
    assert ran.exists()
    ran.unlink()
    file.write_text(file.read_text() + "# changed since\n")
    assert load(out, stub) != 0
    assert not ran.exists()


def test_a_python_file_runs_when_the_user_named_it(sim: Simulator, tmp_path: Path, file: Path, ran: Path) -> None:
    assert C.aclrtBinaryLoadFromFile(str(file), None) == (0, 107000)
    assert f"--kernels {file} lets it run, --trust-kernel-files" in C.aclGetRecentErrMsg()
    assert [finding.kind for finding in sim.findings] == ["not-modelled"]
    assert not ran.exists()
    sim.kernels.register(file)
    assert C.aclrtBinaryLoadFromFile(f"{tmp_path}/../{tmp_path.name}/kernels.py", None)[1] == 0
    assert ran.exists()


def test_bytes_that_are_a_named_file_run(sim: Simulator, file: Path, ran: Path) -> None:
    file.write_text("# ascend_sim kernels\n" + file.read_text())
    sim.kernels.register(file)
    assert from_memory(file, file.read_bytes()) == 0
    assert ran.exists()


def test_a_switch_trusts_all(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, file: Path, ran: Path) -> None:
    monkeypatch.setenv("ASCEND_SIM_TRUST_KERNEL_FILES", "1")
    with Simulator(checks="none"):
        assert C.aclrtSetDevice(0) == 0
        assert from_memory(tmp_path, b"# ascend_sim kernels\n" + file.read_bytes()) == 0
    assert ran.exists()


@pytest.mark.parametrize("line", ["import sys; sys.exit(0)", "raise SystemExit", "exit()", "raise RecursionError"])
def test_a_file_that_leaves_is_no_binary(sim: Simulator, tmp_path: Path, line: str) -> None:
    path = tmp_path / "k.py"
    path.write_text(f"{line}\n")
    sim.kernels["add.o"] = path
    assert C.aclrtBinaryLoadFromFile("add.o", None) == (0, 107000)
    assert "(line 1)" in C.aclGetRecentErrMsg()


def test_the_command(tmp_path: Path, file: Path, ran: Path, capfd: pytest.CaptureFixture[str]) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        "import acl\nacl.init()\nacl.rt.set_device(0)\n"
        f"print('code', acl.rt.binary_load_from_file({str(file)!r}, [])[1])\n"
    )
    for options, code in (([], 107000), (["--kernels", str(file)], 0), (["--trust-kernel-files"], 0)):
        ran.unlink(missing_ok=True)
        assert ascend_sim(["run", *options, str(program)]) == 0
        assert f"code {code}\n" in capfd.readouterr().out
        assert ran.exists() == (code == 0)
